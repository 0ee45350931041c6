"""The timeline of a round as SVG: a lane a device, a mark an event, phases above, the call through.

Lengths come from data, so they are SVG attributes; colours are classes of the style sheet.
"""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

WIDTH, LEFT, RIGHT = 884, 104, 12
PHASES_TOP, PHASE_HEIGHT = 6, 16
LANE_TOP, LANE_HEIGHT = 28, 14
TICK_WISHES_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800)
TICKS = 8  # about as many times stand below the lanes


def timeline(round: dict[str, Any], zone: ZoneInfo, names: dict[str, str]) -> Markup:
    """The picture; `names` gives the words of lanes and phases."""
    marks = round["marks"]
    if not marks:
        return Markup("")
    times = [mark["at_us"] for mark in marks]
    begun, over = min(times), max(times)
    span = max(1, over - begun)

    def x(at_us: int) -> float:
        return round_(LEFT + (WIDTH - LEFT - RIGHT) * (at_us - begun) / span)

    lanes = {lane: LANE_TOP + n * LANE_HEIGHT for n, lane in enumerate(round["lanes"])}
    height = LANE_TOP + len(lanes) * LANE_HEIGHT + 24
    parts = [_phase(phase, x, names) for phase in round["phases"]]
    parts += [_lane(names[lane], y) for lane, y in lanes.items()]
    calls = [mark for mark in marks if mark["kind"] == "call"]
    parts += [_call(x(mark["at_us"]), height) for mark in calls[:1]]
    parts += [_mark(mark, x(mark["at_us"]), lanes[mark["lane"]]) for mark in marks]
    parts += _findings(round, marks, x, lanes)
    parts += _ticks(begun, over, x, height, zone)
    first = x(marks[-1]["at_us"])
    cursor = Markup(
        '<g class="tl-cursor" data-cursor><path d="M{x} 24V{y}"/>'
        '<circle cx="{x}" cy="24" r="3.5"/></g>'
    ).format(x=first, y=height - 18)
    return Markup(
        '<svg class="timeline" viewBox="0 0 {w} {h}" role="img" aria-label="{name}"'
        ' data-begun="{begun}" data-over="{over}" data-left="{left}" data-right="{right}">'
        "{parts}</svg>"
    ).format(
        w=WIDTH,
        h=height,
        name=names["timeline"],
        begun=begun,
        over=over,
        left=LEFT,
        right=WIDTH - RIGHT,
        parts=Markup("").join([*parts, cursor]),
    )


def round_(value: float) -> float:
    """A length to a tenth of a unit, so that the same round gives the same bytes."""
    return int(value * 10 + 0.5) / 10


def _phase(phase: dict[str, Any], x: Any, names: dict[str, str]) -> Markup:
    left, right = x(phase["from_us"]), x(phase["until_us"])
    width = round_(max(0, right - left - 1))
    word = names[phase["name"]] if width > 60 else ""
    return Markup(
        '<rect class="tl-phase" x="{}" y="{}" width="{}" height="{}" rx="2"/>'
        '<text class="tl-word" x="{}" y="{}">{}</text>'
    ).format(left, PHASES_TOP, width, PHASE_HEIGHT, left + 6, PHASES_TOP + 12, word)


def _lane(name: str, y: int) -> Markup:
    return Markup(
        '<text class="tl-word" x="8" y="{}">{}</text><path class="tl-lane" d="M{} {}H{}"/>'
    ).format(y + 10, name, LEFT, y + LANE_HEIGHT - 0.5, WIDTH - RIGHT)


def _call(x: float, height: int) -> Markup:
    return Markup('<path class="tl-call" d="M{} {}V{}"/>').format(x, PHASES_TOP, height - 18)


def _mark(mark: dict[str, Any], x: float, y: int) -> Markup:
    late = " late" if mark["late"] else ""
    return Markup(
        '<rect class="tl-mark {}{}" x="{}" y="{}" width="3" height="9" data-seq="{}">'
        "<title>{}</title></rect>"
    ).format(mark["kind"], late, round_(x - 1.5), y + 2, mark["seq"], mark["event_id"])


def _findings(
    round: dict[str, Any], marks: list[dict[str, Any]], x: Any, lanes: dict[str, int]
) -> list[Markup]:
    """A diamond on the last event of each finding."""
    by_seq = {mark["seq"]: mark for mark in marks}
    found = []
    for finding in round["findings"]:
        mark = by_seq.get(finding["seq"])
        if mark:
            middle, y = x(mark["at_us"]), lanes[mark["lane"]] + 6.5
            path = f"M{middle} {y - 6}l6 6-6 6-6-6z"
            shape = '<path class="tl-finding" d="{}" data-seq="{}"><title>{}</title></path>'
            found.append(Markup(shape).format(path, mark["seq"], finding["title"]))  # noqa: S704
    return found


def _ticks(begun: int, over: int, x: Any, height: int, zone: ZoneInfo) -> list[Markup]:
    """Times below the lanes, at round seconds."""
    span_s = max(1, (over - begun) // 1_000_000)
    step_s = next((wish for wish in TICK_WISHES_S if span_s / wish <= TICKS), TICK_WISHES_S[-1])
    step = step_s * 1_000_000
    found = []
    for at in range(-(-begun // step) * step, over + 1, step):
        words = datetime.fromtimestamp(at // 1_000_000, UTC).astimezone(zone).strftime("%M:%S")
        found.append(
            Markup('<text class="tl-tick" x="{}" y="{}">{}</text>').format(x(at), height - 6, words)
        )
    return found
