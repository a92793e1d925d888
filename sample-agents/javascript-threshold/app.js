// What the arena calls. Nothing of the agent's own is here: that is `agent.js`.

import { log } from 'farkle:arena/logging@0.1.0';
import { current } from 'farkle:arena/rules@0.1.0';
import { MyAgent } from './agent.js';
import { Game, Turn } from './farkle.js';

// Every match has an instance of its own, so this is the state of one match.
const mine = new MyAgent();
let game = null;

export const agent = {
  identity: () => MyAgent.about,

  start: telling((seat, seats, agentSeed, turnLimit) => {
    game = new Game(current(), { seat, seats, agentSeed, turnLimit });
    mine.start(game);
  }),

  decide: telling((turn) => {
    const { ones, twos, threes, fours, fives, sixes } = turn.roll;
    const decision = mine.decide(new Turn(game, [ones, twos, threes, fours, fives, sixes], turn));
    if (!Number.isInteger(decision)) {
      throw new TypeError(`decide returned ${decision}, not keep.bank() or keep.roll()`);
    }
    return decision;
  }),
};

// Notes an exception: the arena shows a note that begins with `threw` before an agent stops as its
// fault. The last line of a stack is that of what componentize-js puts around this file.
function telling(call) {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      const stack = `${error?.stack ?? ''}`.split('\n').filter((line) => line && !line.includes('initializer.js'));
      log(`threw ${[error, ...stack].join('\n  in ')}`);
      throw error;
    }
  };
}

// A component has no terminal: what is printed becomes notes.
for (const level of ['debug', 'error', 'info', 'log', 'warn']) {
  console[level] = (...parts) => log(parts.join(' '));
}
