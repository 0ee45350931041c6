"""`roundproof vision watch`: turn a camera's frames into readings, and send them."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import camera_errors, screen, settings, times
from audit.cli.errors import Code, Stopped
from audit.commands import spool

if TYPE_CHECKING:
    from audit.cli.camera_notices import NoticePrinter
    from vision.camera.camera_state import CameraState
    from vision.camera.send import ReadingOutbox, Send
    from vision.camera.watch import FrameResult
    from vision.sources.types import Frame
    from vision.track.cards import CardMissed
    from vision.types import Point

    Outlines = Callable[[int], dict[str, list[Point]]]

app = typer.Typer()
PATIENCE_S = 30.0  # for the gateway to take waiting readings after the last frame
EARLIEST_US = 946_684_800_000_000  # the year 2000; an earlier time means that nobody set the clock
KEYS = "TOML file with the camera's key, as for ingest serve; or ROUNDPROOF_DEVICE_KEYS"


@app.command("watch")
def watch(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(help="A film, a folder of pictures or a stream URL.")],
    layout: Annotated[str, typer.Option(metavar="CODE|FILE", help="The game's code or a layout.")],
    felt: Annotated[Path, typer.Option(metavar="FILE", help="The camera's calibration.")],
    table: Annotated[str, typer.Option(help="The table below the camera.")],
    device: Annotated[str, typer.Option(help="The camera's name [default: camera-TABLE]")] = "",
    boxes: Annotated[int | None, typer.Option(min=1, help="Boxes of this table.")] = None,
    to: Annotated[
        str, typer.Option(metavar="URL", help="Send to a gateway: roundproof ingest serve.")
    ] = "",
    keys: Annotated[Path | None, typer.Option(help=KEYS)] = None,
    into_log: Annotated[bool, typer.Option("--log", help="Write into the local log.")] = False,
    out: Annotated[
        str, typer.Option(metavar="FILE", help="JSON lines; - for stdout [default: -]")
    ] = "",
    start: Annotated[
        str, typer.Option(metavar="TIME", help="When a film began: 2026-03-01T20:00:00Z.")
    ] = "",
    fps: Annotated[
        float | None, typer.Option(help="Pictures a second, if they have no times.")
    ] = None,
    err_ms: Annotated[
        int | None, typer.Option(min=0, help="How far the camera's clock may be off.")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Look at every n-th frame.")] = 1,
    preview: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Newest annotated frame, PNG or JPEG.")
    ] = None,
    preview_every: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="How often; 0: on SIGUSR1 alone.")
    ] = 2.0,
    memory: Annotated[
        Path | None, typer.Option(help="File that keeps the camera's state [default: in the house]")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Start again at the first frame.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document at the end.")] = False,
) -> None:
    """Watch a table: send readings of cards, dice and tokens, and of a disturbed view.

    \b
    Examples:
        roundproof vision watch table.mp4 --layout TB --felt T01.json --table T01
        roundproof vision watch rtsp://camera-1/ --layout TB --felt T01.json --table T01 \\
            --to https://house:8710 --keys keys.toml --preview now.png
        roundproof vision watch frames/ --layout SA-SB --felt S01.json --table S01 --log

    It may be stopped or killed at any moment: readings are on disk before they are sent, and the
    next run continues after the last frame. kill -USR1 writes a preview at once.
    """
    from audit.cli.camera_notices import NoticePrinter
    from audit.cli.signals import stopping
    from vision.camera import camera_state, make_reader
    from vision.camera import watch as watching
    from vision.camera.send import ReadingOutbox
    from vision.felt import calibration
    from vision.sources.addresses import is_stream, shown_address

    plan, known = camera_errors.layout_of(layout, boxes), calibration.load(felt)
    camera_errors.must_belong(plan, known, felt)
    name = device or f"camera-{table}"
    _must_be_names(table, name)
    _must_go_one_way(to, out, into_log=into_log, as_json=as_json)
    _must_be_dated(source, start, fps)
    path = memory or settings.of(ctx).home / "vision" / f"{name}.json"
    begun = times.microseconds(start, "--start")
    with ExitStack() as open_, camera_errors.refusals():
        state = open_.enter_context(camera_state.locked_state(path, table, name))
        first = 0 if again else state.watched.get(shown_address(source), -1) + 1
        first = 0 if is_stream(source) else first
        if first:
            screen.hint(f"continues at frame {first:,}; --again starts at the first")
        state.source = shown_address(source)
        send = open_.enter_context(_sender(ctx, to, keys, name, out, into_log=into_log))
        outbox = ReadingOutbox(send, state.waiting, time.monotonic)
        reader, in_zones = make_reader.both(plan, known.felt)
        watcher = watching.TableWatcher(plan, known, reader, state, in_zones)
        drawn = partial(camera_errors.outlines, plan, known)
        notices = NoticePrinter(screen.hint)
        open_.callback(notices.close)
        row = _InterruptibleFrames(_frames(source, begun, fps, err_ms, first, every, notices))
        stopped = open_.enter_context(stopping(lambda: row.waits))
        look = open_.enter_context(_previews(preview, preview_every, drawn))
        advance = open_.enter_context(screen.progress("watch", None, "frames"))
        count = _RunCounts()

        def each(frame: "Frame", found: "FrameResult") -> None:
            advance()
            count.add(found)
            look(frame, found)

        try:
            watching.run(row.frames(), watcher, state, path, outbox, stopped=stopped, each=each)
        finally:
            watching.finish(state, path, outbox, time.monotonic() + PATIENCE_S)
        count.miss(watcher.unfinished())
    _say(count, outbox, state, as_json=as_json)


class _RunCounts:
    """Counts the frames, readings and missed cards of a run."""

    def __init__(self) -> None:
        self.frames = self.readings = self.missed = 0
        self.view = "unknown"  # until a frame shows it

    def add(self, found: "FrameResult") -> None:
        self.frames += 1
        self.readings += len(found.readings)
        self.view = found.view
        self.miss(found.missed)

    def miss(self, cards: Iterable["CardMissed"]) -> None:
        for missed in cards:
            if not self.missed:
                screen.hint(_too_rare(missed))
            self.missed += 1


def _say(
    count: _RunCounts, outbox: "ReadingOutbox", memory: "CameraState", *, as_json: bool
) -> None:
    waiting = len(outbox.waiting)
    if as_json:
        document = {"frames": count.frames, "readings": count.readings, "sent": outbox.sent}
        document |= {"missed": count.missed} if count.missed else {}
        screen.say_json(document | {"waiting": waiting, "view": count.view, "seq": memory.seq})
    else:
        counts = f"{count.frames:,} frames, {count.readings:,} readings, {outbox.sent:,} sent"
        view = f"the view is {count.view}" if count.frames else "no frame arrived"
        screen.hint(f"{counts}; {view}")
    if count.missed:
        screen.hint(
            f"{count.missed:,} cards were seen too briefly to be reported: use a higher frame rate"
        )
    if waiting:
        what = (
            f"{waiting:,} readings wait: {outbox.away or 'the gateway did not take them in time'}"
        )
        step = "they are kept; run the same command again when the gateway is back"
        raise Stopped(what, step, Code.UNREACHABLE)


def _too_rare(missed: "CardMissed") -> str:
    from vision.track.frame_rate import MIN_FPS

    lay = f"{missed.seen} lay in {missed.zone} for {missed.frames} frames, too few to report it"
    return f"{lay}: at least {MIN_FPS:g} frames a second expected, {missed.fps:g} found"


class _InterruptibleFrames:
    """Frames that can be interrupted while waiting, such as for a stream that sends none."""

    def __init__(self, row: Iterator["Frame"]) -> None:
        self._row, self.waits = row, False

    def frames(self) -> Iterator["Frame"]:
        from audit.cli.signals import SignalReceived

        try:
            while frame := self._next():
                yield frame
        except SignalReceived:
            screen.hint("stopped while waiting for a frame")

    def _next(self) -> "Frame | None":
        self.waits = True
        try:
            return next(self._row, None)
        finally:
            self.waits = False


def _frames(
    source: str,
    begun: int,
    fps: float | None,
    err_ms: int | None,
    first: int,
    every: int,
    notices: "NoticePrinter",
) -> Iterator["Frame"]:
    from vision.decoder.errors import FramesRefused
    from vision.sources.addresses import is_stream
    from vision.sources.frames import frames

    tries = {"tries": None} if is_stream(source) else {}
    try:
        for frame in frames(
            source,
            start_at_us=begun,
            fps=fps,
            err_ms=err_ms,
            first=first,
            every=every,
            on_notice=notices.take,
            **tries,
        ):
            if frame.at_us < EARLIEST_US:
                raise _undated(source, f"frame {frame.number:,} of {times.told(frame.at_us)}")
            yield frame
    except FramesRefused as error:
        if error.reason != "no_frames" or not first:
            raise
        screen.hint("every frame was watched already")


@contextmanager
def _sender(
    ctx: typer.Context, to: str, keys: Path | None, device: str, out: str, *, into_log: bool
) -> Iterator["Send"]:
    from vision.camera import send

    if to:
        from ingest.doors.device_keys import own

        yield send.posted(to, own(device, keys, os.environ))
    elif into_log:
        from contextlib import nullcontext

        from audit.house import open as open_house
        from ingest.forward.run import forward_in_background

        kafka = settings.kafka_of(ctx)
        with open_house.opened(spool.log_of(ctx), kafka) as house:
            forwarding = (
                forward_in_background(house.spool, house.forwarder)
                if house.forwarder
                else nullcontext()
            )
            with forwarding:
                yield send.into(house.gateway(), device)
    elif out in ("", "-"):
        yield send.written(sys.stdout)
    else:
        with Path(out).open("a", encoding="utf-8") as file:
            yield send.written(file)


@contextmanager
def _previews(
    path: Path | None, every_s: float, outlines: "Outlines"
) -> Iterator[Callable[["Frame", "FrameResult"], None]]:
    """Write the newest frame with its detections, every few seconds or on SIGUSR1."""
    asked, written = [False], [float("-inf")]
    before = signal.signal(signal.SIGUSR1, lambda *_: asked.__setitem__(0, True))

    def look(frame: "Frame", found: "FrameResult") -> None:
        due = every_s and time.monotonic() - written[0] >= every_s
        if path is None or not (asked[0] or due):
            return
        from vision.clips.draw import annotate
        from vision.clips.save_image import write

        asked[0], written[0] = False, time.monotonic()
        zones = outlines(frame.image.shape[1])
        caption = f"frame {frame.number}  {times.told(frame.at_us)}  view {found.view}"
        write(path, annotate(frame.image, found.seen, zones=zones, caption=caption))

    try:
        yield look
    finally:
        signal.signal(signal.SIGUSR1, before)


def _must_be_names(*names: str) -> None:
    from ingest.log import is_id

    for name in names:
        if not is_id(name):
            step = "use letters, digits, dots and hyphens, such as T01"
            raise Stopped(f"{name!r}: a name of a table or device expected", step, Code.USAGE)


def _must_be_dated(source: str, start: str, fps: float | None) -> None:
    """Refuse a source without times: its readings could not be placed in a round."""
    from vision.sources.addresses import is_stream
    from vision.sources.folders import dated

    path = Path(source)
    if is_stream(source) or not path.exists():
        return
    if not path.is_dir():
        if not start:
            raise _undated(source, "a film, which does not say when it was recorded,")
        return
    missing = [name for name, given in (("--start", start), ("--fps", fps)) if not given]
    if missing and not dated(path):
        what = f"{source}: times of its pictures expected, neither frames.jsonl nor names with them"
        step = f"give {' and '.join(missing)}: when they begin, and how many a second there are"
        raise Stopped(f"{what} found", step, Code.USAGE)


def _undated(source: str, found: str) -> Stopped:
    step = "give --start with the time at which it began, such as 2026-03-01T20:00:00Z"
    return Stopped(f"{source}: frames with their time expected, {found} found", step, Code.USAGE)


def _must_go_one_way(to: str, out: str, *, into_log: bool, as_json: bool) -> None:
    ways = sum((bool(to), bool(out), into_log))
    if ways > 1:
        raise Stopped(
            "one of --to, --log and --out expected, several found",
            "choose one place for the readings",
            Code.USAGE,
        )
    if as_json and (out == "-" or not ways):
        step = "send the readings elsewhere: --to, --log or --out FILE"
        raise Stopped("--json: readings go to stdout already", step, Code.USAGE)
