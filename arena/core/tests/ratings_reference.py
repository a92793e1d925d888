"""Independent figures for the tests in ratings.rs.

Needs numpy and scipy:  python ratings_reference.py

Everything is done the slow, obvious way: subsets are enumerated, derivatives are differences, the
maximum is found by a general optimiser, and pairs are never counted together.
"""

import itertools
import math
import pathlib

import numpy as np
from scipy import integrate, optimize, stats

ELO = 400 / math.log(10)


def read(path):
    sets, name = {}, None
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "set":
            name = words[1]
            sets[name] = (int(words[2]), [])
            continue
        matches = [tuple(tuple(map(int, part)) for part in word.split(":")) for word in words[1:]]
        if words[0].startswith("@"):
            for seed in words[0][1:].split(","):
                sets[name][1].append((("seed", seed), matches))
        else:
            for _ in range(int(words[0])):
                sets[name][1].append((("own", len(sets[name][1])), matches))
    return sets


class Problem:
    def __init__(self, agents, pairs):
        self.agents, self.pairs = agents, pairs
        self.seats = len(pairs[0][1][0][0])
        sizes = {r.count(x) for _, ms in pairs for _, r in ms for x in r}
        self.sizes = sorted(s for s in sizes if s > 1)
        self.len = agents + self.seats + len(self.sizes)
        self.kinds = {}
        for _, ms in pairs:
            for m in ms:
                self.kinds[m] = self.kinds.get(m, 0) + 1

    def delta(self, x, size):
        if size == 1:
            return 1.0
        return math.exp(x[self.agents + self.seats + self.sizes.index(size)])

    def match(self, x, match):
        agents, ranks = match
        worth = {s: math.exp(x[a] + x[self.agents + s]) for s, a in enumerate(agents)}

        def choice(members):
            product = math.prod(worth[s] for s in members)
            return self.delta(x, len(members)) * product ** (1 / len(members))

        left, log = set(worth), 0.0
        while left:
            best = min(ranks[s] for s in left)
            chosen = [s for s in left if ranks[s] == best]
            total = sum(
                choice(members)
                for size in [1] + self.sizes
                for members in itertools.combinations(sorted(left), size)
            )
            log += math.log(choice(chosen) / total)
            left -= set(chosen)
        return log

    def virtual(self, x):
        """Log probabilities of the virtual observations: a win and a loss for each parameter."""
        for p in range(self.agents + self.seats):
            yield p, math.log(1 / (1 + math.exp(-x[p])))
            yield p, math.log(1 / (1 + math.exp(x[p])))
        for k, size in enumerate(self.sizes):
            d = math.exp(x[self.agents + self.seats + k])
            yield self.agents + self.seats + k, math.log(d / (size + d))
            yield self.agents + self.seats + k, math.log(size / (size + d))

    def data(self, x):
        return sum(n * self.match(x, m) for m, n in self.kinds.items())

    def goal(self, x):
        return -self.data(x) - sum(v for _, v in self.virtual(x))


def gradient(f, x, h=1e-3):
    """Central differences of fourth order; of a vector, one row per parameter."""
    rows = []
    for i in range(len(x)):
        e = np.zeros(len(x))
        e[i] = h
        rows.append((8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * h))
    return np.array(rows)


def hessian(f, x, h=1e-3):
    return gradient(lambda y: gradient(f, y, h), x, h)


def show(name, agents, pairs):
    problem = Problem(agents, pairs)
    x = optimize.minimize(problem.goal, np.zeros(problem.len), method="BFGS", options={"gtol": 1e-4}).x
    curvature = hessian(problem.goal, x)
    for _ in range(4):
        x = x - np.linalg.solve(curvature, gradient(problem.goal, x))
    worst = np.abs(gradient(problem.goal, x)).max()

    # Sandwich, as documented in spread.rs.
    inverse = np.linalg.inv(hessian(problem.goal, x))
    scores = {m: gradient(lambda y, m=m: problem.match(y, m), x) for m in problem.kinds}
    clusters, touched = {}, {}
    for key, matches in pairs:
        for m in matches:
            clusters[key] = clusters.get(key, 0) + scores[m]
            who = set(m[0]) | set(range(agents, problem.len))
            touched.setdefault(key, set()).update(who)
    n = np.array([sum(p in t for t in touched.values()) for p in range(problem.len)], float)
    factor = np.array([math.sqrt(k / (k - 1)) if k > 1 else 1.0 for k in n])
    meat = sum(np.outer(factor * s, factor * s) for s in clusters.values())
    information = hessian(lambda y: -problem.data(y), x)
    thin = np.array([1 / math.sqrt(k) if k else 0.0 for k in n])
    meat = meat + np.outer(thin, thin) * information
    for index, (p, _) in enumerate(problem.virtual(x)):
        g = gradient(lambda y, i=index: list(problem.virtual(y))[i][1], x)
        meat = meat + np.outer(g, g)
    spread = inverse @ meat @ inverse

    def error(contrast):
        return ELO * math.sqrt(contrast @ spread @ contrast)

    elo, errors = [], []
    for a in range(agents):
        c = np.zeros(problem.len)
        c[:agents] = -1 / agents
        c[a] += 1
        elo.append(1500 + ELO * (c @ x))
        errors.append(error(c))
    seat = np.zeros(problem.len)
    seat[agents : agents + problem.seats] = -1 / (problem.seats - 1)
    seat[agents] = 1
    effects = x[agents : agents + problem.seats]
    first = np.zeros(problem.len)
    first[0], first[1] = 1, -1
    print(f"{name}: worst slope {worst:.1e}")
    print("  elo:", ", ".join(f"{v:.4f}" for v in elo))
    print("  errors:", ", ".join(f"{v:.4f}" for v in errors))
    print("  seats:", ", ".join(f"{v:.4f}" for v in ELO * (effects - effects.mean())))
    print(f"  seat advantage: {ELO * (seat @ x):.4f}, error {error(seat):.4f}")
    print("  deltas:", ", ".join(f"({s}, {problem.delta(x, s):.6f})" for s in problem.sizes))
    z = (x[0] - x[1]) * ELO / error(first)
    print(f"  0 over 1: error {error(first):.4f}, los {stats.norm.cdf(z):.6f}")


def simulated(strengths, advantage, threshold):
    """Where the fit goes with endless data from the simulation in ratings.rs.

    A match's margin is the difference of strengths plus `advantage`, plus a standard normal (the
    luck of the dice), plus a standard logistic; within `threshold` of 0 it is a tie. That is not
    quite the fitted model, whose margins are logistic alone, so the fit settles near, not at, the
    simulated strengths.
    """

    def above(m):
        # Probability that m + normal + logistic is above 0.
        return integrate.quad(
            lambda z: stats.norm.pdf(z) / (1 + math.exp(-m - z)), -9, 9, epsabs=1e-12
        )[0]

    n = len(strengths)
    cases = []
    for a in range(n):
        for b in range(n):
            if a != b:
                m = strengths[a] - strengths[b] + advantage
                win, loss = above(m - threshold), 1 - above(m + threshold)
                cases.append((a, b, win, 1 - win - loss, loss))

    def goal(x):
        x = np.concatenate([[0.0], x])
        total = 0.0
        for a, b, win, tie, loss in cases:
            odds = math.exp(x[a] - x[b] + x[n])
            level = math.exp(x[n + 1]) * math.sqrt(odds)
            whole = odds + level + 1
            total -= (
                win * math.log(odds / whole)
                + tie * math.log(level / whole)
                + loss * math.log(1 / whole)
            )
        return total

    x = np.zeros(n + 1)
    for _ in range(30):
        x = x - np.linalg.solve(hessian(goal, x, 1e-2), gradient(goal, x))
    worst = np.abs(gradient(goal, x)).max()
    full = np.concatenate([[0.0], x])
    elo = 1500 + ELO * (full[:n] - full[:n].mean())
    print(f"simulated: worst slope {worst:.1e}")
    print("  elo:", ", ".join(f"{v:.4f}" for v in elo))
    print(f"  seat advantage: {ELO * full[n]:.4f}, delta {math.exp(full[n + 1]):.6f}")


if __name__ == "__main__":
    path = pathlib.Path(__file__).with_name("ratings_reference.txt")
    for name, (agents, pairs) in read(path).items():
        show(name, agents, pairs)
    simulated([-1.2, -0.5, -0.1, 0.2, 0.5, 1.1], 0.3, 0.15)
