"""Frames of a stream: connected again when it falls silent, with waits that are bounded."""

import time
from collections.abc import Iterator

from vision.decoder.errors import FramesRefused
from vision.decoder.process import Darkroom
from vision.sources.addresses import named
from vision.sources.films import Roll, request
from vision.sources.types import Frame, Notice, Tell, Wish

LONGEST_PAUSE_S = 8.0
STALLED = "Immediate exit requested"
FINAL = {"size", "memory"}  # the next connection would end the same way


def stream(url: str, wish: Wish, tell: Tell) -> Iterator[Frame]:
    """Frames by their time of arrival; the row goes on over every connection."""
    roll = Roll(named(url), wish, tell)
    failures = 0
    while True:
        before, why = roll.given, None
        try:
            with Darkroom(request(_left(wish, roll.next), url=url), wish.fence) as room:
                yield from roll.frames(room)
        except FramesRefused as refused:
            why = refused
        if roll.done:
            return
        if roll.given and not roll.live:  # a film behind an address: it has an end
            if why is None:
                return
            raise why
        failures = 0 if roll.given > before else failures + 1
        _check(roll, why, failures)
        pause_s = min(wish.pause_s * 2 ** min(failures, 10), LONGEST_PAUSE_S)
        next_step = f"connects again in {pause_s:g} s, and goes on until it is stopped"
        tell(Notice("reconnecting", roll.next, f"{roll.where}: {_found(why, wish)}; {next_step}"))
        time.sleep(pause_s)


def _found(why: FramesRefused | None, wish: Wish) -> str:
    """What ended a connection; a library calls its own time limit an exit."""
    if why is None:
        return "the stream ended"
    return f"no frame for {wish.wait_s:g} s" if STALLED in why.found else why.found


def _left(wish: Wish, given: int) -> Wish:
    """What is still asked for, in the numbers of a new connection."""
    last = None if wish.last is None else max(0, wish.last - given)
    return wish._replace(first=max(0, wish.first - given), last=last)


def _check(roll: Roll, why: FramesRefused | None, failures: int) -> None:
    """Give up where trying again is of no use, or was tried often enough."""
    if why is not None and why.reason in FINAL:
        raise why
    if roll.wish.tries is not None and failures >= roll.wish.tries:
        expected = f"a frame within {failures} connections"
        found = _found(why, roll.wish) if why else "connections that ended without one"
        step = "check the camera, the network and the address, then start again"
        reason = "unreachable"
        raise FramesRefused(reason, roll.where, expected, found, step, given=roll.given) from why
