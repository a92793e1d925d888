// The contract between an agent in C and the arena, as it stands in wit/arena.wit: no bindings, no
// C library. Numbers and structs are as C lays them out.

#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stdint.h>

#define IMPORT(interface, name) \
  __attribute__((import_module("farkle:arena/" interface "@0.1.0"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

// The rules of the match. Values in points; 0 means that a combination does not exist.
struct ruleset {
  uint8_t dice;
  uint8_t reading; // 0 best, 1 per-face
  int32_t single_one, single_five, three_ones;
  uint8_t kinds; // 0 flat, 1 doubling, 2 adding, 3 none
  int32_t four_of_a_kind, five_of_a_kind, six_of_a_kind;
  bool six_wins;
  int32_t straight, three_pairs, four_and_pair, two_triplets, five_run, full_house, no_score;
  bool toxic_twos, keep_all, must_roll_hot_dice, exact_landing;
  int32_t opening, penalty;
  uint32_t penalty_after;
  bool penalty_floor;
  uint8_t ending; // 0 immediate-win, 1 final-round, 2 turns
  int32_t target;
  uint32_t turns;
  uint8_t min_seats, max_seats;
};

IMPORT("rules", "current") void rules_current(struct ruleset *rules);
IMPORT("logging", "log") void logging_log(const char *text, uint32_t length);

struct text {
  const char *at;
  uint32_t length;
};
#define TEXT(literal) { literal, sizeof(literal) - 1 }

// Who the agent says it is.
struct about {
  struct text name, version, author;
};

// What the arena calls: write all three.
EXPORT("farkle:arena/agent@0.1.0#identity") const struct about *identity(void);
EXPORT("farkle:arena/agent@0.1.0#start")
void start(uint32_t seat, uint32_t seats, uint64_t agent_seed, uint32_t turn_limit, uint64_t ruleset_id);
// The dice to keep, `n` of face `f` as `n << 4 * (f - 1)`, and BANK to bank.
EXPORT("farkle:arena/agent@0.1.0#decide")
uint32_t decide(uint32_t ones, uint32_t twos, uint32_t threes, uint32_t fours, uint32_t fives, uint32_t sixes,
                int32_t at_risk, int32_t score, int32_t best_rival, int32_t opening_due, uint32_t turns,
                uint32_t rolls, uint32_t farkles_in_a_row, bool closing);
#define BANK (1u << 24)

#endif
