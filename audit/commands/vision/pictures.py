"""`roundproof vision read` and `layouts`: read single pictures, list the games' felts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.access import desk
from audit.cli import camera_errors, columns, screen
from audit.cli.errors import Code, Stopped, report
from audit.cli.options import AsJson
from audit.commands.vision import calibrate, clip, film, watch

if TYPE_CHECKING:
    from vision.felt.calibration import Calibration
    from vision.felt.layout import Layout
    from vision.recognise.detections import Detection
    from vision.types import Image, Point

app = typer.Typer(no_args_is_help=True, help="Read cards, dice and tokens from camera pictures.")
app.add_typer(calibrate.app)
app.add_typer(watch.app)
app.add_typer(clip.app)
app.add_typer(film.app)

READS = ("cards", "dice", "tokens")
Layouts = Annotated[
    str | None, typer.Option("--layout", metavar="CODE|FILE", help="A game's code or a layout.")
]
FeltFile = Annotated[
    Path | None, typer.Option("--felt", metavar="FILE", help="The camera's calibration.")
]


@app.command("read")
def read(
    ctx: typer.Context,
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="JPEG, PNG, WebP, BMP.")],
    layout: Layouts = None,
    reads: Annotated[
        str | None, typer.Option(help="cards, dice or tokens [default: as the layout says; cards]")
    ] = None,
    felt: FeltFile = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Annotated picture; a folder for several pictures."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read pictures: what lies there, how sure the reading is, and in which zone.

    \b
    Examples:
        roundproof vision read table.jpg
        roundproof vision read table.jpg --out seen.png --json
        roundproof vision read dice.png --layout SA-SB
        roundproof vision read *.jpg --layout TB --felt felt.json --out seen/

    A card, die or token that cannot be read is listed with a question mark, never guessed.
    """
    from vision.camera import make_reader
    from vision.decoder.errors import MediaRefused
    from vision.sources.pictures import Pictures

    plan = camera_errors.layout_of(layout) if layout else None
    wanted = reads or (plan.reads if plan else READS[0])
    if wanted not in READS:
        raise _usage(f"--reads: {' or '.join(READS)} expected, {wanted!r} found")
    known = _calibration(felt, plan) if felt else None
    reader = make_reader.reader(wanted, plan.faces if plan else ())
    desk.viewed(ctx, "vision read", "picture", *(screen.encodable(str(path)) for path in images))
    documents, worst = list[dict[str, Any]](), Code.OK
    with Pictures() as pictures:
        for path in images:
            try:
                image = pictures.read(path)
                if known is not None:
                    camera_errors.must_fit(path, image, known)
            except MediaRefused as error:
                worst = report(camera_errors.stopped_by(error), debug=False, as_json=as_json)
                continue
            seen = tuple(reader.read(image))
            documents += [_document(path, image, seen, plan, known)]
            if out is not None:
                _annotated(image, seen, plan, known, _target(out, path, len(images) > 1))
    if as_json:
        screen.say_json({"pictures": documents})
    else:
        _say_seen(documents)
    raise typer.Exit(worst)


@app.command("layouts")
def layouts(
    code: Annotated[str | None, typer.Argument(metavar="CODE|FILE")] = None,
    boxes: Annotated[int | None, typer.Option(min=1, help="Boxes of this table.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games with a layout, or the zones of one game.

    \b
    Examples:
        roundproof vision layouts
        roundproof vision layouts TB
        roundproof vision layouts SA-BJ --boxes 5 --json
        roundproof vision layouts own.toml

    A table with another layout needs a file of its own, in the format of
    vision/felt/layouts/TB.toml.
    """
    from vision.felt import layout as zones

    if code is None:
        known = [zones.load(each) for each in zones.codes()]
        rows = [(at.game, at.title, at.reads, ", ".join(_names(at))) for at in known]
        if as_json:
            screen.say_json([_of_layout(each) for each in known])
        else:
            columns.table(("game", "title", "reads", "zones"), rows)
        return
    found = camera_errors.layout_of(code, boxes)
    if as_json:
        screen.say_json(_of_layout(found))
        return
    screen.say_line(f"{found.title} ({found.game}): {found.felt[0]:g} by {found.felt[1]:g} mm")
    rows_of = [(zone.name, _corners(zone.polygon), _places(zone)) for zone in found.zones]
    columns.table(("zone", "corners in mm", "cards are numbered"), rows_of)


def _calibration(path: Path, plan: "Layout | None") -> "Calibration":
    from vision.felt import calibration

    known = calibration.load(path)
    if plan is not None:
        camera_errors.must_belong(plan, known, path)
    return known


def _target(out: Path, path: Path, several: bool) -> Path:
    """The file of an annotated picture; refuses the picture itself."""
    if several or out.is_dir():
        out.mkdir(parents=True, exist_ok=True)
        out /= f"{path.stem}.png"
    if out.exists() and out.samefile(path):
        raise _usage(f"--out {out}: another file than the picture itself expected")
    return out


def _annotated(
    image: "Image",
    seen: Sequence["Detection"],
    plan: "Layout | None",
    known: "Calibration | None",
    out: Path,
) -> None:
    from vision.clips.draw import annotate
    from vision.clips.save_image import write

    drawn = camera_errors.outlines(plan, known, image.shape[1]) if plan and known else {}
    write(out, annotate(image, seen, zones=drawn))


def _document(
    path: Path,
    image: "Image",
    seen: Sequence["Detection"],
    plan: "Layout | None",
    known: "Calibration | None",
) -> dict[str, Any]:
    from vision.recognise.detections import centre

    rows = []
    for thing in seen:
        x, y = centre(thing.quad)
        row: dict[str, Any] = {
            "guesses": [asdict(guess) for guess in thing.guesses],
            "outline": [[round(a, 1), round(b, 1)] for a, b in thing.quad],
            "at": [round(x, 1), round(y, 1)],
        }
        if plan and known:
            scale = known.felt.size[0] / image.shape[1]
            ((right, down),) = known.felt.to_felt([(x * scale, y * scale)]).tolist()
            row |= {"felt_mm": [round(right, 1), round(down, 1)]}
            row |= {"zone": plan.zone_of((right, down))}
        rows.append(row)
    return {"picture": str(path), "size": [image.shape[1], image.shape[0]], "seen": rows}


def _say_seen(documents: Sequence[dict[str, Any]]) -> None:
    rows = []
    for document in documents:
        for thing in document["seen"]:
            best, *others = thing["guesses"] or [None]
            rest = ", ".join(f"{each['seen']} {each['probability']:.3f}" for each in others)
            sure = f"{best['probability']:.3f}" if best else ""
            place = f"{thing['at'][0]:.0f},{thing['at'][1]:.0f}"
            zone = thing.get("zone") or ""
            what = best["seen"] if best else "?"
            rows.append((document["picture"], what, sure, rest, place, zone))
    if rows:
        columns.table(("picture", "seen", "sure", "or", "pixel", "zone"), rows, right=("sure",))
    for document in documents:
        if not document["seen"]:
            screen.hint(f"{document['picture']}: nothing found")


def _names(layout: "Layout") -> Iterator[str]:
    """The names of the zones; of many boxes only the first and the last."""
    names = [zone.name for zone in layout.zones]
    boxes = [name for name in names if name[-1].isdigit() and "." not in name]
    yield from (name for name in names if name not in boxes and "." not in name)
    if boxes:
        yield boxes[0] if len(boxes) == 1 else f"{boxes[0]} to {boxes[-1]}"


def _corners(polygon: Sequence["Point"]) -> str:
    return "  ".join(f"{x:.0f},{y:.0f}" for x, y in polygon)


def _places(zone: Any) -> str:
    if not zone.places:
        return "in the order they land"
    places = (f"{at.slot}{' sideways' * at.sideways} at {at.at[0]:.0f},{at.at[1]:.0f}"
            for at in zone.places)  # fmt: skip
    return "; ".join(places)


def _of_layout(layout: "Layout") -> dict[str, Any]:
    document = asdict(layout)
    document["zones"] = [
        zone | {"places": [place._asdict() for place in own.places]}
        for zone, own in zip(document["zones"], layout.zones, strict=True)
    ]
    return document


def _usage(what: str) -> Stopped:
    return Stopped(what, "roundproof vision --help lists the commands", Code.USAGE)
