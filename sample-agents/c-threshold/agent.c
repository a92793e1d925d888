// Keeps the most valuable dice, and banks once a turn is worth 300 points or wins the match.

#include "farkle.h"

static const struct about me = { TEXT("c-threshold"), TEXT("0.1.0"), TEXT("Farkle Arena") };
static struct ruleset rules;

const struct about *identity(void) { return &me; }

void start(uint32_t seat, uint32_t seats, uint64_t agent_seed, uint32_t turn_limit, uint64_t ruleset_id) {
  rules_current(&rules);
}

uint32_t decide(uint32_t ones, uint32_t twos, uint32_t threes, uint32_t fours, uint32_t fives, uint32_t sixes,
                int32_t at_risk, int32_t score, int32_t best_rival, int32_t opening_due, uint32_t turns,
                uint32_t rolls, uint32_t farkles_in_a_row, bool closing) {
  const uint32_t roll[6] = { ones, twos, threes, fours, fives, sixes };
  struct keep keep = best_keep(&rules, roll);
  int32_t with = at_risk + keep.points;
  bool enough = with >= 300 || (rules.target > 0 && score + with >= rules.target);
  return keep.dice | (enough && with >= opening_due ? BANK : 0);
}
