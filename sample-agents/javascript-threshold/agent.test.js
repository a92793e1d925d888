// Tests of the agent under Node.js: node --test

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MyAgent } from './agent.js';
import { Game, Keep, Turn } from './farkle.js';

// The preset `immediate-win`. `arena rules show NAME --format json` prints any other; the fields
// are written in camel case here.
const IMMEDIATE_WIN = {
  dice: 6, reading: 'per-face', singleOne: 100, singleFive: 50, threeOnes: 1000, kinds: 'flat',
  fourOfAKind: 1000, fiveOfAKind: 2000, sixOfAKind: 3000, sixWins: false, straight: 2500,
  threePairs: 1500, fourAndPair: 1500, twoTriplets: 0, fiveRun: 0, fullHouse: 0, noScore: 0,
  toxicTwos: false, keepAll: false, mustRollHotDice: false, exactLanding: false, opening: 0,
  penalty: 0, penaltyAfter: 0, penaltyFloor: false, ending: 'immediate-win', target: 10000,
  turns: 0, minSeats: 2, maxSeats: 2,
};
// Two 1s, a 3, a 4, a 5 and a 6.
const ROLL = [2, 0, 1, 1, 1, 1];
const scorers = new Keep([2, 0, 0, 0, 1, 0], 250);
const decide = (situation) => new MyAgent().decide(new Turn(new Game(IMMEDIATE_WIN), ROLL, situation));

test('rolls on with little at risk', () => assert.equal(decide({}), scorers.roll()));
test('banks with more', () => assert.equal(decide({ atRisk: 50 }), scorers.bank()));
test('banks what wins', () => assert.equal(decide({ score: 9_750 }), scorers.bank()));
test('opens when it may', () => assert.equal(decide({ atRisk: 200, openingDue: 500 }), scorers.roll()));
