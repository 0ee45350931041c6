"""Frames of a camera: one iterator for a film, a folder of pictures or a stream.

    frames(source, start_at_us=0, err_ms=None, fps=None, first=0, last=None, every=1,
           on_notice=None, ...) -> Iterator[Frame]

A decoder process works at most two frames ahead of the caller; leaving the loop ends it. A source
that ends too early first gives every readable frame, then raises FramesRefused with their count.
A problem that does not end the source (a damaged frame, a lost connection) becomes a notice.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from vision.decoder.errors import FramesRefused
from vision.sources.addresses import is_stream, shown_address
from vision.sources.films import film
from vision.sources.folders import folder
from vision.sources.streams import stream
from vision.sources.types import Frame, FrameOptions, OnNotice


def frames(
    source: str | Path,
    *,
    start_at_us: int = 0,
    fps: float | Fraction | None = None,
    on_notice: OnNotice | None = None,
    **others: Any,
) -> Iterator[Frame]:
    """Yield the frames of a film, a folder or a stream URL; `others` are fields of FrameOptions."""
    rate = None if fps is None else Fraction(fps).limit_denominator(1001)
    options = FrameOptions(start_at_us=start_at_us, fps=rate, **others)
    on_notice = on_notice or (lambda _: None)
    if rate is not None and rate <= 0:
        raise FramesRefused(
            "times", shown_address(source), "a rate above 0", f"{fps}", "correct fps"
        )
    if is_stream(source):
        yield from stream(str(source), options, on_notice)
    elif Path(source).is_dir():
        yield from folder(Path(source), options, on_notice)
    else:
        yield from film(Path(source), options, on_notice)
