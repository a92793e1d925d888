// Keeps the most valuable dice, and banks once a turn is worth 300 points or wins the match.

export class MyAgent {
  static about = { name: 'javascript-threshold', version: '0.1.0', author: 'Farkle Arena' };

  /** A match begins. */
  start(game) {}

  decide(turn) {
    const keep = turn.bestBank();
    if (keep && (turn.atRiskWith(keep) >= 300 || turn.winsByBanking(keep))) return keep.bank();
    return turn.bestKeep().roll();
  }
}
