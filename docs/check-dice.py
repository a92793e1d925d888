#!/usr/bin/env python3
"""Farkle Arena dice, a second time: written from docs/dice.md alone, no packages.

  check-dice.py                           check the ciphers and every test vector in dice.md
  check-dice.py SEED SEAT TURN ROLL DICE  print one roll
  check-dice.py --print                   print the test vectors as computed here
"""

import hashlib
import re
import struct
import sys
from pathlib import Path

MASK = 0xFFFFFFFF
LIMIT = 2**32 // 6**6 * 6**6


# ChaCha as D. J. Bernstein published it: 64-bit block counter, 64-bit nonce.

def quarter(s, a, b, c, d):
    for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & MASK
        v = s[z] ^ s[x]
        s[z] = (v << n | v >> (32 - n)) & MASK


def chacha_block(key, counter, nonce, rounds):
    """The 16 words of one block; key is 32 bytes, counter and nonce are integers."""
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<QQ", counter, nonce)))
    s = start[:]
    for _ in range(rounds // 2):
        quarter(s, 0, 4, 8, 12)
        quarter(s, 1, 5, 9, 13)
        quarter(s, 2, 6, 10, 14)
        quarter(s, 3, 7, 11, 15)
        quarter(s, 0, 5, 10, 15)
        quarter(s, 1, 6, 11, 12)
        quarter(s, 2, 7, 8, 13)
        quarter(s, 3, 4, 9, 14)
    return [(x + y) & MASK for x, y in zip(s, start)]


# draft-strombergson-chacha-test-vectors-01, ChaCha8 with a 256-bit key: TC1 and TC8.
PUBLISHED = [
    ("00" * 32, "00" * 8,
     "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
     "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
     "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
     "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa"),
    ("c46ec1b18ce8a878725a37e780dfb7351f68ed2e194c79fbc6aebee1a667975d", "1ada31d5cf688221",
     "838751b42d8ddd8a3d77f48825a2ba752cf4047cb308a5978ef274973be374c9"
     "6ad848065871417b08f034e681fe46a93f7d5c61d1306614d4aaf257a7cff08b"
     "16f2fda170cc18a4b58a2667ed962774af792a6e7f3c77992540711a7a136d7e"
     "8a2f8d3f93816709d45a3fa5f8ce72fde15be7b841acba3a2abd557228d9fe4f"),
]


def check_cipher():
    for key, nonce, expected in PUBLISHED:
        nonce = int.from_bytes(bytes.fromhex(nonce), "little")
        words = [w for counter in (0, 1) for w in chacha_block(bytes.fromhex(key), counter, nonce, 8)]
        assert struct.pack("<32I", *words).hex() == expected, "ChaCha8 differs from the published vectors"


# The scheme.

def word(seed, stream, number):
    key = struct.pack("<Q", seed) + b"farkle-arena dice ver. 1"
    return chacha_block(key, number // 16, stream, 8)[number % 16]


def words_read(seed, seat, turn, roll):
    """(stream, word number, word) for every word this roll reads; the last one is accepted."""
    assert seat < 2**8 and turn < 2**24 and roll < 2**32 - 1
    read = []
    if roll < 8:
        read.append((seat, 8 * turn + roll, word(seed, seat, 8 * turn + roll)))
    spare = (roll + 1) << 32 | turn << 8 | seat
    number = 0
    while not read or read[-1][2] >= LIMIT:
        read.append((spare, number, word(seed, spare, number)))
        number += 1
    return read


def dice(seed, seat, turn, roll, count=6):
    y = words_read(seed, seat, turn, roll)[-1][2] % 6**6
    return [1 + y // 6**i % 6 for i in range(count)]


# The seeds.

def sha(label, *parts):
    return hashlib.sha256(b"farkle-arena " + label + b" 1\n" + b"".join(parts)).digest()


def u64(number):
    return struct.pack("<Q", number)


def first(digest):
    return struct.unpack("<Q", digest[:8])[0]


def agent_seed(match_seed, seat):
    return first(sha(b"agent-seed", u64(match_seed), bytes([seat])))


def secret_of(seed):
    return sha(b"tournament-seed", u64(seed))


def match_seed(secret, pair):
    return first(sha(b"match-seed", secret, u64(pair)))


def draw(secret, pair, agents):
    return sorted(range(agents), key=lambda agent: sha(b"draw", secret, u64(pair), u64(agent)))


def commitment(secret):
    return sha(b"commitment", secret)


# The vectors: (seed, seat, turn, roll).
ROLLS = [
    (0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0),
    (2024, 0, 0, 0), (2024, 1, 3, 0), (2024, 1, 3, 7), (2024, 1, 7, 7), (2024, 1, 8, 0),
    (2**64 - 1, 11, 1000, 2), (2**64 - 1, 255, 2**24 - 1, 7),
    (2024, 1, 3, 8), (2024, 0, 12, 9), (2**64 - 1, 255, 2**24 - 1, 2**32 - 2),
    (2843, 0, 11, 0), (10968, 1, 2, 3), (26160, 1, 10, 1), (5524, 1, 1, 12),
]


def roll_rows():
    for place in ROLLS:
        shown = " ".join(str(d) for d in dice(*place))
        yield [*map(str, place), ", ".join(f"{w:08x}" for _, _, w in words_read(*place)), shown]


def bulk_rows():
    every = bytes(
        die
        for seed in range(10) for seat in range(2) for turn in range(20) for roll in range(10)
        for die in dice(seed, seat, turn, roll)
    )
    yield ["seeds 0 to 9, seats 0 to 1, turns 0 to 19, rolls 0 to 9", hashlib.sha256(every).hexdigest()]


def seed_rows():
    for seed, seat in ((0, 0), (2024, 0), (2024, 1), (2**64 - 1, 11)):
        yield [f"agent seed of match seed {seed}, seat {seat}", f"{agent_seed(seed, seat):016x}"]
    for seed in (0, 1):
        secret = secret_of(seed)
        yield [f"secret of tournament seed {seed}", secret.hex()]
        yield ["its commitment", commitment(secret).hex()]
        for pair in (0, 1, 2**32):
            yield [f"its match seed of pair {pair}", f"{match_seed(secret, pair):016x}"]
        for pair, agents in ((0, 6), (2**32, 12)):
            yield [f"its draw of {agents} agents for pair {pair}", " ".join(map(str, draw(secret, pair, agents)))]


def table(rows):
    return ["| " + " | ".join(row) + " |" for row in rows]


def check_page():
    page = Path(__file__).with_name("dice.md").read_text(encoding="utf-8")
    for name, rows in (("rolls", roll_rows()), ("bulk", bulk_rows()), ("seeds", seed_rows())):
        found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", page, re.S)
        assert found, f"dice.md has no table of {name}"
        page_rows = found.group(1).strip().splitlines()[2:]
        own_rows = table(rows)
        assert len(page_rows) == len(own_rows), f"dice.md: {len(page_rows)} {name}, expected {len(own_rows)}"
        for theirs, own in zip(page_rows, own_rows):
            assert theirs == own, f"dice.md says\n{theirs}\nbut it is\n{own}"
        print(f"{name}: {len(own_rows)} agree with dice.md")


def main(args):
    check_cipher()
    if args == ["--print"]:
        print("\n".join([*table(roll_rows()), "", *table(bulk_rows()), "", *table(seed_rows())]))
    elif len(args) == 5:
        seed, seat, turn, roll, count = map(int, args)
        assert 1 <= count <= 6
        print(*dice(seed, seat, turn, roll, count))
    elif args:
        sys.exit(__doc__)
    else:
        print("ChaCha8 agrees with the published vectors")
        check_page()


if __name__ == "__main__":
    main(sys.argv[1:])
