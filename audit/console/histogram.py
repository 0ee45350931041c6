"""A histogram with the band that chance gives it, as SVG. Bars start at zero."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from audit.console.questions.devices import Histogram

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 1180, 250, 44, 26, 10
SINGLE = 1.96  # standard deviations that 95 of 100 single counts keep within
RED = frozenset(
    [
        "1",
        "3",
        "5",
        "7",
        "9",
        "12",
        "14",
        "16",
        "18",
        "19",
        "21",
        "23",
        "25",
        "27",
        "30",
        "32",
        "34",
        "36",
    ]
)
LINES = 5


def picture(found: Histogram, name: str, *, is_wheel: bool = False) -> Markup:
    """The counts as bars over both bands; a bar outside the wide one has its own class."""
    if not found.total:
        return Markup("")
    mean, spread = found.expected[0], found.spread[0]
    highest = max(*found.counts, mean + (found.together + 0.3) * spread, 1)
    step = _step(highest / LINES)
    ceiling, plot = -(-int(highest + 1) // step) * step, HEIGHT - BOTTOM - TOP

    def y(value: float) -> float:
        return _tenth(TOP + plot * (1 - min(max(value, 0), ceiling) / ceiling))

    parts = [
        Markup('<rect class="band {}" x="{}" y="{}" width="{}" height="{}"/>').format(
            kind,
            LEFT,
            y(mean + times * spread),
            WIDTH - LEFT,
            _tenth(y(mean - times * spread) - y(mean + times * spread)),
        )
        for kind, times in (("wide", found.together), ("narrow", SINGLE))
    ]
    parts += [
        Markup(
            '<path class="rule" d="M{} {}H{}"/><text class="axis" x="{}" y="{}">{}</text>'
        ).format(LEFT, y(at), WIDTH, LEFT - 8, y(at) + 4, at)
        for at in range(0, ceiling + 1, step)
    ]
    parts += _columns(found, y, is_wheel=is_wheel)
    parts.append(Markup('<path class="mean" d="M{} {}H{}"/>').format(LEFT, y(mean), WIDTH))
    return Markup(
        '<svg class="histogram" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, name, Markup("").join(parts))


def _columns(found: Histogram, y: Callable[[float], float], *, is_wheel: bool) -> Sequence[Markup]:
    mean, wide = found.expected[0], found.together * found.spread[0]
    room = (WIDTH - LEFT) / len(found.labels)
    width = min(room * 0.74, 90.0)
    parts = []
    for n, (label, count) in enumerate(zip(found.labels, found.counts, strict=True)):
        colour = (
            ("zero" if label == "0" else "red" if label in RED else "black") if is_wheel else ""
        )
        outside = " outside" if abs(count - mean) > wide else ""
        middle = LEFT + (n + 0.5) * room
        parts.append(
            Markup(
                '<rect class="column {}{}" x="{}" y="{}" width="{}" height="{}" rx="2">'
                "<title>{}: {}</title></rect>"
                '<text class="column-count" x="{}" y="{}">{}</text>'
                '<text class="column-label" x="{}" y="{}">{}</text>'
            ).format(
                *(colour, outside, _tenth(middle - width / 2), y(count), _tenth(width)),
                *(_tenth(HEIGHT - BOTTOM - y(count)), label, count),
                *(
                    _tenth(middle),
                    HEIGHT - BOTTOM - 6,
                    count,
                    _tenth(middle),
                    HEIGHT - 8,
                    label[:8],
                ),
            )
        )
    return parts


def _step(least: float) -> int:
    """A round number of results between two lines."""
    size = 1
    while True:
        for times in (1, 2, 5):
            if times * size >= least:
                return times * size
        size *= 10


def _tenth(value: float) -> float:
    return int(value * 10 + 0.5) / 10
