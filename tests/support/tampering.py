"""What somebody with write access does to a table's events.

Each takes the events' bytes and a place, and returns them changed; the place is the first event
that is then not the one that was there.
"""

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO

from schemas import codec

Bodies = Sequence[bytes]


def edit(bodies: Bodies, at: int, choose: random.Random) -> list[bytes]:
    """Another time in one event."""
    event = codec.decode_event(BytesIO(bodies[at]))
    changed = replace(event, occurred_at=event.occurred_at + choose.randint(1, 10**9))
    return [*bodies[:at], codec.encode_event(changed), *bodies[at + 1 :]]


def insert(bodies: Bodies, at: int, choose: random.Random) -> list[bytes]:
    """One event more."""
    return [*bodies[:at], *edit(bodies, at, choose)[at : at + 1], *bodies[at:]]


def delete(bodies: Bodies, at: int, choose: random.Random) -> list[bytes]:
    """One event less."""
    del choose
    return [*bodies[:at], *bodies[at + 1 :]]


def swap(bodies: Bodies, at: int, choose: random.Random) -> list[bytes]:
    """Two events in each other's place."""
    changed, other = list(bodies), choose.randrange(at + 1, len(bodies))
    changed[at], changed[other] = changed[other], changed[at]
    return changed


def truncate(bodies: Bodies, at: int, choose: random.Random) -> list[bytes]:
    """Everything from a place on gone."""
    del choose
    return list(bodies[:at])


ACTS: dict[str, Callable[[Bodies, int, random.Random], list[bytes]]] = {
    act.__name__: act for act in (edit, insert, delete, swap, truncate)
}


def chained_anew(bodies: Bodies) -> list[bytes]:
    """The same events with sequences and hashes that fit again."""
    chain: list[bytes] = []
    for seq, body in enumerate(bodies):
        previous = hashlib.sha256(chain[-1]).digest() if chain else codec.NO_HASH
        event = codec.decode_event(BytesIO(body))
        chain.append(codec.encode_event(replace(event, seq=seq, prev_hash=previous)))
    return chain
