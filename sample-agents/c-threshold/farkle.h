// The game, for an agent in C: what to keep of a roll. It follows the chart of the ruleset in play,
// and is legal under every preset; under a house table with five-die runs, full houses, `no_score`,
// `toxic_twos` or `keep_all` it is not always the most valuable, and with the last two not always
// legal.
//
// Part of your project: change it as you like.

#ifndef FARKLE_H
#define FARKLE_H

#include "arena.h"

// Dice to keep, as a decision to roll on, and their points.
struct keep {
  uint32_t dice;
  int32_t points;
};

// What `n` dice of a face are worth as one group.
static int32_t worth(const struct ruleset *rules, uint32_t face, uint32_t n) {
  int32_t single = face == 1 ? rules->single_one : face == 5 ? rules->single_five : 0;
  int32_t triple = face == 1 ? rules->three_ones : 100 * (int32_t)face;
  if (n < 3) return (int32_t)n * single;
  if (n == 3) return triple;
  if (n == 6 && rules->six_of_a_kind > 0) return rules->six_of_a_kind;
  switch (rules->kinds) {
  case 0: return n == 4 ? rules->four_of_a_kind : n == 5 ? rules->five_of_a_kind : 0;
  case 1: return triple << (n - 3);
  case 2: return triple * (int32_t)(n - 2);
  default: return 0;
  }
}

// The most valuable keep: the best group of every face, or all six dice as one combination.
static struct keep best_keep(const struct ruleset *rules, const uint32_t roll[6]) {
  struct keep best = { 0, 0 };
  uint32_t whole = 0, dice = 0, with[7] = { 0 };
  for (uint32_t face = 1; face <= 6; face++) {
    uint32_t count = roll[face - 1], most = 0;
    for (uint32_t n = 1; n <= count; n++) {
      if (worth(rules, face, n) > worth(rules, face, most)) most = n;
    }
    best.dice |= most << 4 * (face - 1);
    best.points += worth(rules, face, most);
    whole |= count << 4 * (face - 1);
    dice += count;
    with[count]++;
  }
  if (dice < 6) return best;
  int32_t points = with[1] == 6              ? rules->straight
                   : with[2] == 3            ? rules->three_pairs
                   : with[4] == 1 && with[2] ? rules->four_and_pair
                   : with[3] == 2            ? rules->two_triplets
                                             : 0;
  return points > best.points ? (struct keep){ whole, points } : best;
}

#endif
