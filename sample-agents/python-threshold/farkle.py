"""The game, for an agent in Python: what may be kept of a roll, what it scores, what may be banked.

Part of your project: change it as you like. It follows the ruleset in play, whatever that is, and
imports nothing of the arena, so it runs under any Python.

Dice are written as six counts, how many show 1 to 6: two 1s and a 5 are (2, 0, 0, 0, 1, 0).
"""

from itertools import product
from operator import sub

BANK = 1 << 24
STRAIGHT = (1, 1, 1, 1, 1, 1)
RUNS = ((1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 1, 1))


class Keep:
    """Dice to keep, and their points."""

    __slots__ = ("dice", "points")

    def __init__(self, dice, points):
        self.dice, self.points = dice, points

    def roll(self):
        """The decision to keep these dice and roll on."""
        a, b, c, d, e, f = self.dice
        return a | b << 4 | c << 8 | d << 12 | e << 16 | f << 20

    def bank(self):
        """The decision to keep these dice and bank."""
        return self.roll() | BANK

    def __len__(self):
        return sum(self.dice)

    def __repr__(self):
        dice = "-".join(str(face) for face, n in enumerate(self.dice, 1) for _ in range(n))
        return f"keep {dice} for {self.points}"


class Chart:
    """What dice score under a ruleset: an object with the fields of `rules.ruleset` in the WIT."""

    def __init__(self, rules):
        self.rules = rules
        self.per_face = name(rules.reading) == "per-face"
        self.kinds = [self._kinds(face) for face in range(1, 7)]
        # By face and number of dice: what all of them score (None when they do not), and the most
        # valuable part of them as (points, number of dice).
        self.whole = [self._whole(face) for face in range(6)]
        self.best_part = []
        for whole in self.whole:
            parts = [(0, 0)]
            for n in range(1, rules.dice + 1):
                points = whole[n]
                parts.append((points, n) if points and points > parts[-1][0] else parts[-1])
            self.best_part.append(parts)
        self.mixes_five = rules.five_run > 0 or rules.full_house > 0
        self.plain = not (rules.toxic_twos or rules.keep_all or self.mixes_five or rules.no_score)

    def _kinds(self, face):
        """What three to six of a face are worth as one group; 0 where there is no such group."""
        rules = self.rules
        triple = rules.three_ones if face == 1 else 100 * face
        four, five, six = {
            "flat": (rules.four_of_a_kind, rules.five_of_a_kind, 0),
            "doubling": (2 * triple, 4 * triple, 8 * triple),
            "adding": (2 * triple, 3 * triple, 4 * triple),
            "none": (0, 0, 0),
        }[name(rules.kinds)]
        return (0, 0, 0, triple, four, five, rules.six_of_a_kind or six)

    def _whole(self, face):
        single = {0: self.rules.single_one, 4: self.rules.single_five}.get(face, 0)
        kinds = self.kinds[face]
        whole = [0]
        for n in range(1, self.rules.dice + 1):
            if self.per_face:
                whole.append(kinds[n] or n * single or None)
                continue
            # One kind, or two triples, or a single beside the best of the others.
            ways = [kinds[n], 2 * kinds[3] if n == 6 else 0]
            if single and whole[n - 1] is not None:
                ways.append(whole[n - 1] + single)
            whole.append(max(ways) or None)
        return whole

    def points(self, dice):
        """What dice score when they are kept together, or None when some of them do not score."""
        if not 0 < sum(dice) <= self.rules.dice or self._is_toxic(dice):
            return None
        ways = [self._by_face(dice), self._six_dice(dice)]
        for group, points in self._mixed_five(dice):
            rest = self._by_face(tuple(map(sub, dice, group)))
            ways.append(None if rest is None else points + rest)
        return max((points for points in ways if points is not None), default=None)

    def legal_keeps(self, roll):
        """Every legal keep of a roll, most points first, then fewest dice."""
        if self._is_toxic(roll):
            return []
        keeps = []
        for dice in product(*(range(n + 1) for n in roll)):
            points = self.points(dice)
            if points is not None:
                keeps.append(Keep(dice, points))
        if self.rules.keep_all:
            most = max(map(len, keeps), default=0)
            keeps = [keep for keep in keeps if len(keep) == most]
        return sorted(keeps, key=lambda keep: (-keep.points, len(keep)))

    def best_keep(self, roll):
        """The most valuable keep of a roll, of equal ones that with the fewest dice; None for a
        farkle. Much faster than the first of `legal_keeps`, and worth as much."""
        if self.rules.keep_all or self._is_toxic(roll):
            return next(iter(self.legal_keeps(roll)), None)
        best = self._best_by_face(roll)
        if self.plain and sum(roll) < 6:
            return best if best.points else None
        others = []
        if (points := self._six_dice(roll)) is not None:
            others.append(Keep(roll, points))
        for group, points in self._mixed_five(roll):
            rest = self._best_by_face(tuple(map(sub, roll, group)))
            others.append(Keep(tuple(map(sum, zip(group, rest.dice))), points + rest.points))
        for keep in others:
            if (keep.points, -len(keep)) > (best.points, -len(best)):
                best = keep
        return best if best.points else None

    def _is_toxic(self, dice):
        return self.rules.toxic_twos and dice[1] >= 4

    def _by_face(self, dice):
        total = 0
        for whole, n in zip(self.whole, dice):
            points = whole[n]
            if points is None:
                return None
            total += points
        return total

    def _best_by_face(self, roll):
        total, kept = 0, []
        for parts, n in zip(self.best_part, roll):
            points, n = parts[n]
            total += points
            kept.append(n)
        return Keep(tuple(kept), total)

    def _mixed_five(self, dice):
        """The five-die runs and full houses in some dice, each with its points."""
        if not self.mixes_five or sum(dice) < 5:
            return
        if self.rules.five_run:
            for run in RUNS:
                if all(map(int.__ge__, dice, run)):
                    yield run, self.rules.five_run
        if self.rules.full_house:
            for triple, pair in product(range(6), range(6)):
                worth = self.kinds[triple][3]
                if triple != pair and worth and dice[triple] >= 3 and dice[pair] >= 2:
                    group = tuple(3 * (face == triple) + 2 * (face == pair) for face in range(6))
                    yield group, worth + self.rules.full_house

    def _six_dice(self, dice):
        """What six dice score as one combination of different faces, or None."""
        if sum(dice) != 6:
            return None
        rules = self.rules
        shape = sorted(n for n in dice if n)
        points = {
            (1, 1, 1, 1, 1, 1): rules.straight,
            (2, 2, 2): rules.three_pairs,
            (2, 4): rules.four_and_pair,
            (3, 3): rules.two_triplets,
        }.get(tuple(shape), 0)
        if points:
            return points
        if rules.no_score and not self._best_by_face(dice).points and not any(self._mixed_five(dice)):
            return rules.no_score
        return None


class Game:
    """A match: its ruleset, the agent's place among the seats, and the most turns of a seat."""

    def __init__(self, rules, seat=0, seats=2, agent_seed=0, turn_limit=1000):
        self.rules, self.chart = rules, Chart(rules)
        self.has_target = name(rules.ending) != "turns"
        self.seat, self.seats = seat, seats
        self.agent_seed, self.turn_limit = agent_seed, turn_limit


class Turn:
    """What there is to decide on: a roll with at least one legal keep."""

    def __init__(
        self, game, roll, at_risk=0, score=0, best_rival=0, opening_due=0, turns=0, rolls=1,
        farkles_in_a_row=0, closing=False,
    ):
        self.game = game
        # The dice on the table, as six counts.
        self.roll = roll
        # Points kept earlier in this turn and not banked.
        self.at_risk = at_risk
        # The agent's own banked score, and the highest of a rival.
        self.score, self.best_rival = score, best_rival
        # The least that this turn must be worth to be banked.
        self.opening_due = opening_due
        # Turns this seat has finished, and rolls of this turn, this one included.
        self.turns, self.rolls = turns, rolls
        self.farkles_in_a_row = farkles_in_a_row
        # Whether somebody reached the target and this is the seat's closing turn.
        self.closing = closing
        # The most valuable keep.
        self.best_keep = game.chart.best_keep(roll)

    def legal_keeps(self):
        """Every legal keep, most points first, then fewest dice. Slow: up to 64 are tried."""
        return self.game.chart.legal_keeps(self.roll)

    @property
    def best_bank(self):
        """The most valuable keep that the rules allow to be banked, or None."""
        best, rules = self.best_keep, self.game.rules
        if self.can_bank(best):
            return best
        # Fewer dice help only against these two.
        if not rules.exact_landing and not rules.must_roll_hot_dice:
            return None
        return next(filter(self.can_bank, self.legal_keeps()), None)

    def at_risk_with(self, keep):
        """The points at risk with this keep."""
        return self.at_risk + keep.points

    def dice_left(self, keep):
        """How many dice would be rolled next; on hot dice all."""
        return sum(self.roll) - len(keep) or self.game.rules.dice

    def can_bank(self, keep):
        """Whether the rules allow banking this legal keep."""
        rules, at_risk = self.game.rules, self.at_risk + keep.points
        return (
            at_risk >= self.opening_due
            and not (rules.must_roll_hot_dice and keep.dice == self.roll)
            and not (rules.exact_landing and self.score + at_risk > rules.target)
        )

    def wins_by_banking(self, keep):
        """Whether banking this keep ends the match with a win, or starts a final round ahead."""
        total = self.score + self.at_risk + keep.points
        if self.closing:
            wins = self.game.seats == 2 and total > self.best_rival
        else:
            wins = self.game.has_target and total >= self.game.rules.target
        return wins and self.can_bank(keep)


def name(choice):
    """A case of an enum as the WIT and ruleset files call it."""
    return choice if isinstance(choice, str) else choice.name.lower().replace("_", "-")
