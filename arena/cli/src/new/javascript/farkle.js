// The game, for an agent in JavaScript: what may be kept of a roll, what it scores, what may be
// banked.
//
// Part of your project: change it as you like. It follows the ruleset in play, whatever that is,
// and imports nothing of the arena, so it runs under any JavaScript.
//
// Dice are written as six counts, how many show 1 to 6: two 1s and a 5 are [2, 0, 0, 0, 1, 0].

const RUNS = [[1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1]];
const count = (dice) => dice[0] + dice[1] + dice[2] + dice[3] + dice[4] + dice[5];
const without = (dice, group) => dice.map((n, face) => n - group[face]);

/** Dice to keep, and their points. */
export class Keep {
  constructor(dice, points) {
    this.dice = dice;
    this.points = points;
  }

  /** How many dice are kept. */
  get length() {
    return count(this.dice);
  }

  /** The decision to keep these dice and roll on. */
  roll() {
    return this.dice.reduce((bits, n, face) => bits | (n << (4 * face)), 0);
  }

  /** The decision to keep these dice and bank. */
  bank() {
    return this.roll() | (1 << 24);
  }

  toString() {
    const dice = this.dice.flatMap((n, face) => Array(n).fill(face + 1));
    return `keep ${dice.join('-')} for ${this.points}`;
  }
}

/** What dice score under a ruleset: an object with the fields of `rules.ruleset` in the WIT. */
export class Chart {
  constructor(rules) {
    this.rules = rules;
    this.kinds = [1, 2, 3, 4, 5, 6].map((face) => this.#kindsOf(face));
    // By face and number of dice: what all of them score (null when they do not), and the most
    // valuable part of them as [points, number of dice].
    this.whole = this.kinds.map((kinds, face) => this.#wholeOf(kinds, face));
    this.bestPart = this.whole.map((whole) => {
      const parts = [[0, 0]];
      for (let n = 1; n <= rules.dice; n += 1) {
        const before = parts[n - 1];
        parts.push(whole[n] !== null && whole[n] > before[0] ? [whole[n], n] : before);
      }
      return parts;
    });
    this.mixesFive = rules.fiveRun > 0 || rules.fullHouse > 0;
    this.plain = !(rules.toxicTwos || rules.keepAll || this.mixesFive || rules.noScore);
  }

  /** What three to six of a face are worth as one group; 0 where there is no such group. */
  #kindsOf(face) {
    const rules = this.rules;
    const triple = face === 1 ? rules.threeOnes : 100 * face;
    const [four, five, six] = {
      flat: [rules.fourOfAKind, rules.fiveOfAKind, 0],
      doubling: [2 * triple, 4 * triple, 8 * triple],
      adding: [2 * triple, 3 * triple, 4 * triple],
      none: [0, 0, 0],
    }[rules.kinds];
    return [0, 0, 0, triple, four, five, rules.sixOfAKind || six];
  }

  #wholeOf(kinds, face) {
    const { dice, reading, singleOne, singleFive } = this.rules;
    const single = face === 0 ? singleOne : face === 4 ? singleFive : 0;
    const whole = [0];
    for (let n = 1; n <= dice; n += 1) {
      if (reading === 'per-face') {
        whole.push(kinds[n] || n * single || null);
        continue;
      }
      // One kind, or two triples, or a single beside the best of the others.
      const withSingle = single && whole[n - 1] !== null ? whole[n - 1] + single : 0;
      whole.push(Math.max(kinds[n], n === 6 ? 2 * kinds[3] : 0, withSingle) || null);
    }
    return whole;
  }

  /** What dice score when they are kept together, or null when some of them do not score. */
  points(dice) {
    const n = count(dice);
    if (n === 0 || n > this.rules.dice || this.#isToxic(dice)) return null;
    const ways = [this.#byFace(dice), this.#sixDice(dice)];
    for (const [group, points] of this.#mixedFive(dice)) {
      const rest = this.#byFace(without(dice, group));
      ways.push(rest === null ? null : points + rest);
    }
    return ways.reduce((best, way) => (way !== null && (best === null || way > best) ? way : best), null);
  }

  /** Every legal keep of a roll, most points first, then fewest dice. */
  legalKeeps(roll) {
    if (this.#isToxic(roll)) return [];
    let selections = [[]];
    for (const most of roll) {
      selections = selections.flatMap((dice) => Array.from({ length: most + 1 }, (_, n) => [...dice, n]));
    }
    let keeps = selections.map((dice) => new Keep(dice, this.points(dice))).filter((keep) => keep.points !== null);
    if (this.rules.keepAll) {
      const most = Math.max(...keeps.map((keep) => keep.length));
      keeps = keeps.filter((keep) => keep.length === most);
    }
    return keeps.sort((a, b) => b.points - a.points || a.length - b.length);
  }

  /**
   * The most valuable keep of a roll, of equal ones that with the fewest dice; null for a farkle.
   * Much faster than the first of `legalKeeps`, and worth as much.
   */
  bestKeep(roll) {
    if (this.rules.keepAll || this.#isToxic(roll)) return this.legalKeeps(roll)[0] ?? null;
    let best = this.#bestByFace(roll);
    if (!this.plain || count(roll) === 6) {
      const others = [];
      const six = this.#sixDice(roll);
      if (six !== null) others.push(new Keep(roll, six));
      for (const [group, points] of this.#mixedFive(roll)) {
        const rest = this.#bestByFace(without(roll, group));
        others.push(new Keep(rest.dice.map((n, face) => n + group[face]), points + rest.points));
      }
      for (const keep of others) {
        if (keep.points > best.points || (keep.points === best.points && keep.length < best.length)) best = keep;
      }
    }
    return best.points > 0 ? best : null;
  }

  #isToxic(dice) {
    return this.rules.toxicTwos && dice[1] >= 4;
  }

  #byFace(dice) {
    let total = 0;
    for (let face = 0; face < 6; face += 1) {
      const points = this.whole[face][dice[face]];
      if (points === null) return null;
      total += points;
    }
    return total;
  }

  #bestByFace(roll) {
    let total = 0;
    const kept = [0, 0, 0, 0, 0, 0];
    for (let face = 0; face < 6; face += 1) {
      const part = this.bestPart[face][roll[face]];
      total += part[0];
      kept[face] = part[1];
    }
    return new Keep(kept, total);
  }

  /** The five-die runs and full houses in some dice, each with its points. */
  #mixedFive(dice) {
    const found = [];
    if (!this.mixesFive || count(dice) < 5) return found;
    const { fiveRun, fullHouse } = this.rules;
    if (fiveRun) {
      for (const run of RUNS) if (run.every((n, face) => dice[face] >= n)) found.push([run, fiveRun]);
    }
    if (fullHouse) {
      for (let triple = 0; triple < 6; triple += 1) {
        for (let pair = 0; pair < 6; pair += 1) {
          const worth = this.kinds[triple][3];
          if (triple === pair || worth === 0 || dice[triple] < 3 || dice[pair] < 2) continue;
          found.push([dice.map((_, face) => (face === triple ? 3 : face === pair ? 2 : 0)), worth + fullHouse]);
        }
      }
    }
    return found;
  }

  /** What six dice score as one combination of different faces, or null. */
  #sixDice(dice) {
    if (count(dice) !== 6) return null;
    const rules = this.rules;
    const shape = dice.filter((n) => n > 0).sort().join('');
    const points = { 111111: rules.straight, 222: rules.threePairs, 24: rules.fourAndPair, 33: rules.twoTriplets }[shape];
    if (points) return points;
    const nothing = rules.noScore && this.#bestByFace(dice).points === 0 && this.#mixedFive(dice).length === 0;
    return nothing ? rules.noScore : null;
  }
}

/** A match: its ruleset, the agent's place among the seats, and the most turns of a seat. */
export class Game {
  constructor(rules, { seat = 0, seats = 2, agentSeed = 0n, turnLimit = 1000 } = {}) {
    this.rules = rules;
    this.chart = new Chart(rules);
    this.seat = seat;
    this.seats = seats;
    this.agentSeed = agentSeed;
    this.turnLimit = turnLimit;
  }
}

/**
 * What there is to decide on: a roll with at least one legal keep. Its fields are those of `turn`
 * in the WIT, with the roll as six counts.
 */
export class Turn {
  #best;

  constructor(game, roll, situation = {}) {
    this.game = game;
    this.roll = roll;
    // Points kept earlier in this turn and not banked.
    this.atRisk = situation.atRisk ?? 0;
    // The agent's own banked score, and the highest of a rival.
    this.score = situation.score ?? 0;
    this.bestRival = situation.bestRival ?? 0;
    // The least that this turn must be worth to be banked.
    this.openingDue = situation.openingDue ?? 0;
    // Turns this seat has finished, and rolls of this turn, this one included.
    this.turns = situation.turns ?? 0;
    this.rolls = situation.rolls ?? 1;
    this.farklesInARow = situation.farklesInARow ?? 0;
    // Whether somebody reached the target and this is the seat's closing turn.
    this.closing = situation.closing ?? false;
  }

  /** The most valuable keep. */
  bestKeep() {
    this.#best ??= this.game.chart.bestKeep(this.roll);
    return this.#best;
  }

  /** Every legal keep, most points first, then fewest dice. Slow: up to 64 are tried. */
  legalKeeps() {
    return this.game.chart.legalKeeps(this.roll);
  }

  /** The most valuable keep that the rules allow to be banked, or null. */
  bestBank() {
    const best = this.bestKeep();
    if (this.canBank(best)) return best;
    // Fewer dice help only against these two.
    const { exactLanding, mustRollHotDice } = this.game.rules;
    if (!exactLanding && !mustRollHotDice) return null;
    return this.legalKeeps().find((keep) => this.canBank(keep)) ?? null;
  }

  /** The points at risk with this keep. */
  atRiskWith(keep) {
    return this.atRisk + keep.points;
  }

  /** How many dice would be rolled next; on hot dice all. */
  diceLeft(keep) {
    return count(this.roll) - keep.length || this.game.rules.dice;
  }

  /** Whether the rules allow banking this legal keep. */
  canBank(keep) {
    const { mustRollHotDice, exactLanding, target } = this.game.rules;
    const atRisk = this.atRiskWith(keep);
    return atRisk >= this.openingDue
      && !(mustRollHotDice && keep.length === count(this.roll))
      && !(exactLanding && this.score + atRisk > target);
  }

  /** Whether banking this keep ends the match with a win, or starts a final round ahead. */
  winsByBanking(keep) {
    const { ending, target } = this.game.rules;
    const total = this.score + this.atRiskWith(keep);
    if (ending === 'turns' || !this.canBank(keep)) return false;
    if (this.closing) return this.game.seats === 2 && total > this.bestRival;
    return total >= target;
  }
}
