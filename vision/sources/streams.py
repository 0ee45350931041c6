"""Frames of a stream; reconnects when the stream stops, with pauses of up to 8 seconds."""

import time
from collections.abc import Iterator

from vision.decoder.errors import FramesRefused
from vision.decoder.process import DecoderProcess
from vision.sources.addresses import shown_address
from vision.sources.films import FrameSequence, decoder_request
from vision.sources.types import Frame, FrameOptions, Notice, OnNotice

LONGEST_PAUSE_S = 8.0
STALLED = "Immediate exit requested"
FINAL = {"size", "memory"}  # the next connection would end the same way


def stream(url: str, options: FrameOptions, on_notice: OnNotice) -> Iterator[Frame]:
    """Yield frames with their arrival time; numbers continue over every connection."""
    sequence = FrameSequence(shown_address(url), options, on_notice)
    failures = 0
    while True:
        before, why = sequence.given, None
        try:
            with DecoderProcess(
                decoder_request(_left(options, sequence.next), url=url), options.limits
            ) as decoder:
                yield from sequence.frames(decoder)
        except FramesRefused as refused:
            why = refused
        if sequence.done:
            return
        if sequence.given and not sequence.live:  # a film behind a URL has an end
            if why is None:
                return
            raise why
        failures = 0 if sequence.given > before else failures + 1
        _check(sequence, why, failures)
        pause_s = min(options.pause_s * 2 ** min(failures, 10), LONGEST_PAUSE_S)
        next_step = f"connects again in {pause_s:g} s, and goes on until it is stopped"
        on_notice(
            Notice(
                "reconnecting",
                sequence.next,
                f"{sequence.where}: {_found(why, options)}; {next_step}",
            )
        )
        time.sleep(pause_s)


def _found(why: FramesRefused | None, options: FrameOptions) -> str:
    """What ended a connection, in words; FFmpeg reports its own timeout as an exit."""
    if why is None:
        return "the stream ended"
    return f"no frame for {options.wait_s:g} s" if STALLED in why.found else why.found


def _left(options: FrameOptions, given: int) -> FrameOptions:
    """The options for a new connection, whose frames count from 0 again."""
    last = None if options.last is None else max(0, options.last - given)
    return options._replace(first=max(0, options.first - given), last=last)


def _check(sequence: FrameSequence, why: FramesRefused | None, failures: int) -> None:
    """Give up if another connection would fail the same way, or after enough failures."""
    if why is not None and why.reason in FINAL:
        raise why
    if sequence.options.tries is not None and failures >= sequence.options.tries:
        expected = f"a frame within {failures} connections"
        found = _found(why, sequence.options) if why else "connections that ended without one"
        step = "check the camera, the network and the address, then start again"
        reason = "unreachable"
        raise FramesRefused(
            reason, sequence.where, expected, found, step, given=sequence.given
        ) from why
