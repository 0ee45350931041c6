"""A histogram with the band that chance gives it, as SVG. Bars start at zero."""

from markupsafe import Markup

from audit.console.questions.devices import Histogram

WIDTH, HEIGHT, LEFT, BOTTOM = 880, 240, 40, 24
WIDE, NARROW = 3.0, 2.0  # standard deviations of the two bands


def picture(found: Histogram, name: str) -> Markup:
    """The counts as bars over the two bands; a bar outside the wide one has its own class."""
    if not found.total:
        return Markup("")
    ceiling = max(*found.counts, found.expected[0] + (WIDE + 1) * found.spread[0], 1)
    plot = HEIGHT - BOTTOM - 8
    step = (WIDTH - LEFT) / len(found.labels)

    def y(value: float) -> float:
        return _tenth(8 + plot * (1 - min(max(value, 0), ceiling) / ceiling))

    mean, spread = found.expected[0], found.spread[0]
    parts = [
        Markup('<rect class="band {}" x="{}" y="{}" width="{}" height="{}"/>').format(
            name_,
            LEFT,
            y(mean + times * spread),
            WIDTH - LEFT,
            _tenth(y(mean - times * spread) - y(mean + times * spread)),
        )
        for name_, times in (("wide", WIDE), ("narrow", NARROW))
    ]
    parts.append(
        Markup(
            '<path class="mean" d="M{} {}H{}"/><text class="axis" x="{}" y="{}">{}</text>'
        ).format(LEFT, y(mean), WIDTH, LEFT - 6, y(mean) + 4, f"{mean:.1f}")
    )
    for n, (label, count) in enumerate(zip(found.labels, found.counts, strict=True)):
        outside = " outside" if abs(count - mean) > WIDE * spread else ""
        x = _tenth(LEFT + n * step + step * 0.15)
        parts.append(
            Markup(
                '<rect class="column{}" x="{}" y="{}" width="{}" height="{}">'
                "<title>{}: {}</title></rect>"
                '<text class="column-label" x="{}" y="{}">{}</text>'
            ).format(
                outside,
                x,
                y(count),
                _tenth(step * 0.7),
                _tenth(HEIGHT - BOTTOM - y(count)),
                label,
                count,
                _tenth(LEFT + (n + 0.5) * step),
                HEIGHT - 8,
                label[:6],
            )
        )
    return Markup(
        '<svg class="histogram" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, name, Markup("").join(parts))


def _tenth(value: float) -> float:
    return int(value * 10 + 0.5) / 10
