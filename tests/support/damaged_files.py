"""Files that were damaged on their way."""

import random


def mutated(content: bytes, choose: random.Random) -> bytes:
    """A few bytes changed, a part cut out, a part doubled or the end missing."""
    changed = bytearray(content)
    for _ in range(choose.choice((1, 2, 5, 20))):
        changed[choose.randrange(len(changed))] = choose.randrange(256)
    at, length = choose.randrange(len(changed)), choose.randrange(1, 64)
    match choose.randrange(5):
        case 0:
            del changed[at : at + length]
        case 1:
            changed[at:at] = changed[at : at + length]
        case 2:
            del changed[at:]
    return bytes(changed)
