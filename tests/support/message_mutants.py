"""A seeded mutator: good messages, bent in the ways that break decoders."""

import random
from collections.abc import Callable, Iterator

Change = Callable[[random.Random, bytearray], None]

NASTY = (
    b"\x00", b"\xff", b"\x80" * 9 + b"\x01", b"\xff" * 9 + b"\x01", b"\xfe\xff\xff\xff\x0f",
    b"NaN", b"-Infinity", b"1e999", b"9" * 40, b"-1", b"null", b"true", b'""', b"[]", b"{}",
    b"[" * 40, b'{"a":' * 20, b"\\ud800", b"\\u0000", b'"', b"\\", b",", b"}", b"]",
    b"gateway", b"../..", b"GapFound", b"\xc3\x01", b"Obj\x01",
)  # fmt: skip


def mutants(good: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """So many messages, each a good one with one to four changes."""
    rng = random.Random(seed)
    for _ in range(count):
        body = bytearray(rng.choice(good))
        for _ in range(rng.choice((1, 1, 2, 4))):
            rng.choice(CHANGES)(rng, body)
        yield bytes(body)


def _flip(rng: random.Random, body: bytearray) -> None:
    if body:
        body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)


def _overwrite(rng: random.Random, body: bytearray) -> None:
    if body:
        body[rng.randrange(len(body))] = rng.randrange(256)


def _cut(rng: random.Random, body: bytearray) -> None:
    del body[rng.randrange(len(body) + 1) :]


def _remove(rng: random.Random, body: bytearray) -> None:
    at = rng.randrange(len(body) + 1)
    del body[at : at + rng.randrange(1, 16)]


def _repeat(rng: random.Random, body: bytearray) -> None:
    at = rng.randrange(len(body) + 1)
    body[at:at] = body[at : at + rng.randrange(1, 64)]


def _plant(rng: random.Random, body: bytearray) -> None:
    at = rng.randrange(len(body) + 1)
    body[at : at + rng.randrange(4)] = rng.choice(NASTY)


CHANGES: tuple[Change, ...] = (_flip, _overwrite, _cut, _remove, _repeat, _plant)
