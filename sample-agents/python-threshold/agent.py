"""Keeps the most valuable dice, and banks once a turn is worth 300 points or wins the match."""


class MyAgent:
    name, version, author = "python-threshold", "0.1.0", "Farkle Arena"

    def start(self, game):
        """A match begins."""

    def decide(self, turn):
        keep = turn.best_bank
        if keep and (turn.at_risk_with(keep) >= 300 or turn.wins_by_banking(keep)):
            return keep.bank()
        return turn.best_keep.roll()
