#!/usr/bin/env python3
"""Farkle Arena records: the hash, a second time, written from docs/record.md alone. No packages.

  check-record.py FILE...        recompute the hash of each record; exit 1 if one is not equal
  check-record.py --bytes FILE   print the bytes that are hashed, with what they mean
"""

import hashlib
import json
import struct
import sys

FAULTS = ["trap", "out-of-fuel", "out-of-memory", "stack-overflow",
          "illegal-keep", "illegal-bank", "malformed-answer", "cannot-start"]
ENDINGS = ["immediate-win", "final-round", "turns", "turn-limit", "outright-win", "forfeit"]
NEXT = {"roll": 0, "bank": 1, "win": 2}


def ruleset_text(ruleset):
    """A line `field=value` for every field but the name; 0 and false are left out."""
    lines = []
    for field in sorted(ruleset):
        value = ruleset[field]
        if field == "name" or value is False or value == 0:
            continue
        lines.append(f"{field}={'true' if value is True else value}\n")
    return "".join(lines)


def faces(dice):
    """Dice as one number: how many show face f stands in bits 4(f-1) to 4(f-1)+3."""
    return struct.pack("<I", sum(1 << 4 * (die - 1) for die in dice))


def points(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


def event_bytes(event):
    place = struct.pack("<BI", event["seat"], event["turn"])
    if "fault" in event:
        return b"\x03" + place + faces(event.get("roll", [])) + bytes([FAULTS.index(event["fault"]["kind"]) + 1])
    if event.get("farkle"):
        cost = points(event["lost"], event.get("penalty", 0), event.get("banked", 0))
        return b"\x02" + place + faces(event["roll"]) + cost
    kept = points(event["points"], event["at_risk"], event.get("banked", 0))
    return b"\x01" + place + faces(event["roll"]) + faces(event["keep"]) + kept + bytes([NEXT[event["next"]]])


def parts(record):
    """(bytes, meaning), in order: what is hashed is all the bytes, one after another."""
    if record["format"] != 1:
        sys.exit(f"format {record['format']} is not the format that this script reads, 1")
    limits, result = record["limits"], record["result"]
    yield b"farkle-arena record 1\n", "label"
    yield hashlib.sha256(ruleset_text(record["ruleset"]).encode()).digest(), "SHA-256 of the ruleset's text"
    yield struct.pack("<Q", int(record["seed"])), f"seed {record['seed']}"
    for field in ("start_fuel", "decide_fuel", "memory_bytes"):
        yield struct.pack("<Q", limits[field]), f"{field} {limits[field]}"
    yield struct.pack("<I", limits["turns"]), f"turns {limits['turns']}"
    yield bytes([len(record["seats"])]), f"{len(record['seats'])} seats"
    for seat in record["seats"]:
        yield bytes.fromhex(seat["sha256"]), f"component of {seat['name']}"
    yield struct.pack("<I", len(record["events"])), f"{len(record['events'])} events"
    for number, event in enumerate(record["events"], 1):
        kind = "fault" if "fault" in event else "farkle" if event.get("farkle") else f"keep, {event['next']}"
        yield event_bytes(event), f"event {number}: {kind}"
    yield bytes([ENDINGS.index(result["ending"]) + 1]), f"ending {result['ending']}"
    for seat, (score, rank) in enumerate(zip(result["scores"], result["ranks"])):
        yield points(score) + bytes([rank]), f"seat {seat}: score {score}, rank {rank}"


def main(args):
    if len(args) == 2 and args[0] == "--bytes":
        at = 0
        for part, meaning in parts(json.load(open(args[1], encoding="utf-8"))):
            print(f"{at:4}  {part.hex()}  {meaning}")
            at += len(part)
        return 0
    if not args or args[0].startswith("-"):
        sys.exit(__doc__)
    differ = False
    for name in args:
        record = json.load(open(name, encoding="utf-8"))
        computed = hashlib.sha256(b"".join(part for part, _ in parts(record))).hexdigest()
        equal = computed == record["hash"]
        differ |= not equal
        print(f"{name}: {'equal' if equal else 'NOT equal: the record says ' + record['hash'] + ', and it is'} {computed}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
