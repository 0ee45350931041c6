"""`roundproof vision clip` and `verify`: the frames behind an observation as evidence."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.access import desk
from audit.access.access_log import AccessRequest
from audit.cli import camera_errors, screen, times
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from vision.recognise.detections import Detection
    from vision.sources.types import Frame

app = typer.Typer()
SHOWN = 4  # faults in one line


@app.command("clip")
def clip(
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(help="A film or a folder of pictures.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="A new or empty folder.")],
    frames: Annotated[
        str, typer.Option(metavar="FIRST-LAST", help="Frames by number, such as 120-140 or 120.")
    ] = "",
    at: Annotated[
        str, typer.Option(metavar="TIME", help="The moment, such as 2026-03-01T20:00:07Z.")
    ] = "",
    seconds: Annotated[float, typer.Option(min=0, help="Before and after --at.")] = 2.0,
    around: Annotated[int, typer.Option(min=0, help="Frames of film before and after.")] = 25,
    stills: Annotated[int, typer.Option(min=1, help="Stills to keep, at most.")] = 8,
    layout: Annotated[
        str,
        typer.Option(
            metavar="CODE|FILE", help="Read the frames as this game, and draw the readings."
        ),
    ] = "",
    start: Annotated[str, typer.Option(metavar="TIME", help="When a film began.")] = "",
    as_json: AsJson = False,
) -> None:
    """Keep the frames behind an observation: untouched, and with the readings drawn in.

    \b
    Examples:
        roundproof vision clip table.mp4 --frames 120-140 --layout TB --out evidence/T01-120
        roundproof vision clip frames/ --at 2026-03-01T20:00:07Z --seconds 1 --out evidence/T01

    Stills keep the original bytes where the source has them; clip.json lists every time and hash.
    """
    from vision.clips.build import clip as cut

    if bool(frames) == bool(at):
        step = "roundproof vision clip --help shows examples"
        raise Stopped("either --frames or --at expected", step, Code.USAGE)
    numbers = _numbers(frames) if frames else None
    moment, reach = times.microseconds(at, "--at"), round(seconds * 1_000_000)
    places = (screen.encodable(str(source)), screen.encodable(str(out)))
    desk.asked(ctx, AccessRequest("export", "vision clip", "clip", places))
    with camera_errors.refusals():
        made = cut(
            source,
            out,
            frames=numbers,
            span_us=None if numbers else (moment - reach, moment + reach),
            around=around,
            stills=stills,
            look=_look(layout) if layout else None,
            start_at_us=times.microseconds(start, "--start"),
        )
    if as_json:
        screen.say_json(made.record | {"sha256": made.sha256})
    else:
        screen.say_line(f"{len(list(made.folder.iterdir())):,} files in {made.folder}")
        screen.say(f"record SHA-256 {made.sha256}")
    screen.hint("write the record's SHA-256 into the case file: it proves the clip later")
    screen.hint(f"next: roundproof vision verify {made.folder} --sha256 {made.sha256}")


@app.command("verify")
def verify(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder that vision clip made.")],
    sha256: Annotated[
        str, typer.Option(metavar="HASH", help="The record's SHA-256 that vision clip printed.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Verify that a clip is unchanged: its files, its record, and the record's hash.

    \b
    Examples:
        roundproof vision verify evidence/T01-120
        roundproof vision verify evidence/T01-120 --sha256 9f3a…

    Without --sha256 it finds accidental changes; with the hash from the case file it also proves
    that nobody replaced the whole clip.
    """
    from vision.clips.verify import proved

    kept = sha256.strip().lower()
    if sha256 and not re.fullmatch("[0-9a-f]{64}", kept):
        step = "copy it from the case file, as vision clip printed it"
        raise Stopped(f"--sha256 {sha256}: 64 hexadecimal digits expected", step, Code.USAGE)
    place = screen.encodable(str(folder))
    desk.asked(ctx, AccessRequest("verify", "vision verify", "clip", (place,)))
    own, faults = proved(folder, kept)
    if as_json:
        rows = [fault._asdict() for fault in faults]
        screen.say_json({"folder": str(folder), "sha256": own, "faults": rows})
    elif not faults:
        screen.say_line(f"{folder}: every file is what its record says")
        screen.say(f"record SHA-256 {own}" + (", as expected" if kept else ""))
    if faults:
        more = f"; and {len(faults) - SHOWN} more (--json)" if len(faults) > SHOWN else ""
        what = f"{folder}: {'; '.join(map(str, faults[:SHOWN]))}{more}"
        raise Stopped(what, "take the clip from its copy, or cut it again", Code.UNVERIFIED)
    if not kept and not as_json:
        screen.hint("next: compare the SHA-256 with the one in the case, or give it with --sha256")


def _look(layout: str) -> "Callable[[Frame], Iterable[Detection]]":
    from vision.camera import make_reader

    plan = camera_errors.layout_of(layout)
    reader = make_reader.reader(plan.reads, plan.faces)
    return lambda frame: reader.read(frame.image)


def _numbers(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    pair = first.strip(), (last or first).strip()
    if not all(number.isascii() and number.isdigit() for number in pair):
        step = "write them as 120-140, or one number"
        raise Stopped(f"--frames {text}: numbers of frames expected", step, Code.USAGE)
    return int(pair[0]), int(pair[1])
