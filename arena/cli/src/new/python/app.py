"""What the arena calls. Nothing of the agent's own is here: that is `agent.py`."""

import gc
import sys
import traceback

from agent import MyAgent
from farkle import Game, Turn
from wit_world import exports
from wit_world.exports.agent import About
from wit_world.imports import logging, rules

# Every match has an instance of its own, so this is the state of one match. It is not kept in
# `Agent`, of which there is a new one at every call.
game, mine = None, MyAgent()


class Agent(exports.Agent):
    def identity(self):
        return About(MyAgent.name, MyAgent.version, MyAgent.author)

    def start(self, seat, seats, agent_seed, turn_limit, ruleset_id):
        global game
        try:
            game = Game(rules.current(), seat, seats, agent_seed, turn_limit)
            mine.start(game)
        except Exception as error:
            tell(error)
            raise

    def decide(self, turn):
        try:
            r = turn.roll
            roll = (r.ones, r.twos, r.threes, r.fours, r.fives, r.sixes)
            decision = mine.decide(Turn(
                game, roll, turn.at_risk, turn.score, turn.best_rival, turn.opening_due, turn.turns,
                turn.rolls, turn.farkles_in_a_row, turn.closing,
            ))
            if not isinstance(decision, int):
                raise TypeError(f"decide returned {decision!r}, not keep.bank() or keep.roll()")
            return decision
        except Exception as error:
            tell(error)
            raise


def tell(error):
    """Notes an exception: the arena shows a note that begins with `raised` before an agent stops as
    its fault. (The traceback module would look for source files, and a component has none.)"""
    lines = [f"raised {type(error).__name__}: {error}"]
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename.rpartition("/")[2]
        lines.append(f"  in {frame.f_code.co_name}, {file}, line {line}")
    logging.log("\n".join(lines))


class Notes:
    """Takes what is printed, and notes it line by line: a component has no terminal."""

    def __init__(self):
        self.line = ""

    def write(self, text):
        *whole, self.line = (self.line + text).split("\n")
        for line in whole:
            logging.log(line)

    def flush(self):
        pass


sys.stdout, sys.stderr = Notes(), None
# What was made up to here lasts; looking through it again would only cost.
gc.collect()
gc.freeze()
