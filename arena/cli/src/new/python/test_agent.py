"""Tests of the agent under any Python: python3 -m unittest"""

import unittest
from types import SimpleNamespace

from agent import MyAgent
from farkle import Game, Keep, Turn

# The preset `immediate-win`. `arena rules show NAME --format json` prints any other.
IMMEDIATE_WIN = SimpleNamespace(
    dice=6, reading="per-face", single_one=100, single_five=50, three_ones=1000, kinds="flat",
    four_of_a_kind=1000, five_of_a_kind=2000, six_of_a_kind=3000, six_wins=False, straight=2500,
    three_pairs=1500, four_and_pair=1500, two_triplets=0, five_run=0, full_house=0, no_score=0,
    toxic_twos=False, keep_all=False, must_roll_hot_dice=False, exact_landing=False, opening=0,
    penalty=0, penalty_after=0, penalty_floor=False, ending="immediate-win", target=10000, turns=0,
    min_seats=2, max_seats=2,
)
# Two 1s, a 3, a 4, a 5 and a 6.
ROLL = (2, 0, 1, 1, 1, 1)


def decide(**situation):
    return MyAgent().decide(Turn(Game(IMMEDIATE_WIN), ROLL, **situation))


class Decisions(unittest.TestCase):
    def test_rolls_on_with_little_at_risk(self):
        self.assertEqual(decide(), Keep((2, 0, 0, 0, 1, 0), 250).roll())

    def test_banks_with_more(self):
        self.assertEqual(decide(at_risk=100), Keep((2, 0, 0, 0, 1, 0), 250).bank())

    def test_banks_what_wins(self):
        self.assertEqual(decide(score=9_750), Keep((2, 0, 0, 0, 1, 0), 250).bank())

    def test_opens_when_it_may(self):
        self.assertEqual(decide(at_risk=200, opening_due=500), Keep((2, 0, 0, 0, 1, 0), 250).roll())


if __name__ == "__main__":
    unittest.main()
