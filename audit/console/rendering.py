"""Pages: Jinja templates with autoescape, in the person's language, zone and theme."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import cache
from math import log10
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from audit.checks.wording import game_of, worded
from audit.cli import screen
from audit.console import standing, words
from audit.console.guard import Visit
from audit.console.roles import Action
from replay.words.outcome import spoken_outcome
from replay.words.render import label
from schemas.money import EXPONENT

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  (UTC without a zone, as in tables)
FOLDER = Path(__file__).parent / "templates"
ICONS = {
    "floor": "M3 3h5v5H3zM10 3h5v5h-5zM3 10h5v5H3zM10 10h5v5h-5z",
    "queue": "M3 4h8M3 9h8M3 14h5M12 12l2 2 3-4M15 3v5",
    "find": "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM12 12l3.5 3.5",
    "cases": "M9 3v12M4 6h10M4 6l-2 5h4zM14 6l-2 5h4zM6 15h6",
    "sql": "M3 4h12v10H3zM5.5 7l2 2-2 2M9 11.5h3.5",
    "checks": "M9 2.5l5.5 2V9c0 3.4-2.4 5.6-5.5 6.5-3.1-.9-5.5-3.1-5.5-6.5V4.5zM6.5 9l2 2 3-3.6",
    "devices": "M9 2.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM9 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "dealers": "M7 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM2.5 15c0-6 9-6 9 0",
    "rules": "M4 3h8.5A1.5 1.5 0 0 1 14 4.5V15H5.5A1.5 1.5 0 0 1 4 13.5zM7 6h4M7 9h4",
    "health": "M2 9h3l2-5 3.5 10L13 9h3",
    "access": "M2 9c4-6 10-6 14 0-4 6-10 6-14 0zM9 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "topics": "M3 4h12M3 9h12M3 14h12M6 2v14",
    "accounts": "M9 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 16c0-3.5 2.6-5 6-5s6 1.5 6 5",
}


def page(visit: Visit, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """One page for a signed-in person."""
    state = visit.request.app.state
    zone = ZoneInfo("UTC" if visit.zone_is_utc else state.zone)
    common = {
        "visit": visit,
        "account": visit.session.account,
        "csrf": visit.session.csrf,
        "Action": Action,
        "venue": state.zone,
        "zone": zone,
        "theme": "light" if visit.request.cookies.get("theme") == "light" else "dark",
        "path": visit.request.url.path,
        "freshness": state.freshness(),
        "open_findings": standing.open_findings(visit),
    }
    return _response(template, visit.language, zone, status, {**common, **shown})


def plain_page(language: str, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """A page for somebody who is not signed in."""
    return _response(template, language, ZoneInfo("UTC"), status, {"theme": "dark", **shown})


def part(language: str, template: str, zone: str, **shown: Any) -> str:
    """A part of a page in a language of its own, such as a letter."""
    body = environment(language).get_template(template)
    return body.render(lang=language, tz=ZoneInfo(zone), **shown)


def _response(
    template: str, language: str, zone: ZoneInfo, status: int, shown: dict[str, Any]
) -> HTMLResponse:
    body = environment(language).get_template(template)
    return HTMLResponse(body.render(lang=language, tz=zone, **shown), status)


@cache
def environment(language: str) -> Environment:
    """The templates in one language."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["epoch"] = EPOCH
    made.install_gettext_translations(words.translations(language), newstyle=True)  # type: ignore[attr-defined]  # added by the extension
    made.filters |= {
        "amount": lambda minor: amount(minor, language),
        "money": lambda minor, currency: money(minor, currency, language),
        "signed": lambda minor: signed(minor, language),
        "decimal": lambda value, places: decimal(value, places, language),
        "odds": lambda value: odds(value, language),
        "embedded": embedded,
        "urlencode": in_path,
        "clock": clock,
        "moment": moment,
        "at_us": at_us,
        "age": lambda seconds: age(seconds, language),
        "visible": screen.visible,
        "visible_lines": lambda text: "\n".join(map(screen.visible, text.split("\n"))),
        "icon": icon,
        "cards": card_text,
        "with_cards": with_cards,
        "outcome": lambda code, game="": with_cards(spoken_outcome(code, language, game)),
        "label": lambda word, kind, game="": screen.visible(label(kind, word, language, game)),
        "worded": lambda text, clauses: worded(text, language, game_of(clauses)),
        "translated": lambda text, _: words.translations(language).gettext(text),
    }
    return made


def amount(minor: int, language: str) -> str:
    """A whole number of minor units, grouped as the language does it."""
    return format_decimal(minor, locale=language)


def decimal(value: float, places: int, language: str) -> str:
    """A measured number with so many places."""
    return format_decimal(value, format=f"#,##0.{'0' * places}", locale=language)


def odds(value: float, language: str) -> str:
    """Odds against chance: exact enough to read, a power of ten where they are huge."""
    if value >= 1_000_000:
        return f"10^{int(log10(value))}"
    places = 0 if value >= 100 else 1 if value >= 1 else 4
    return decimal(value, places, language) if places else amount(int(value), language)


def in_path(text: object) -> str:
    """A name inside an address: not even a slash of it can lead to another page."""
    return quote(str(text), safe="")


def embedded(value: Any) -> Markup:
    """Plain values inside a script element of data; nothing in them can end the element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(safe)  # noqa: S704  (escaped above)


def signed(minor: int, language: str) -> str:
    """An amount with its sign; the minus is a minus and no hyphen."""
    text = format_decimal(abs(minor), locale=language)
    return f"−{text}" if minor < 0 else f"+{text}" if minor else "0"


def money(minor: int, currency: str, language: str) -> str:
    """An exact amount with its currency, in the order and grouping of the language."""
    places = EXPONENT.get(currency, 2)
    whole, part = divmod(abs(minor), 10**places)
    text = format_decimal(whole, locale=language)
    if places:
        text += ("," if language == "vi" else ".") + str(part).rjust(places, "0")
    sign = "−" if minor < 0 else ""
    symbol = "₫" if currency == "VND" else f"{currency} "
    return f"{sign}{text} {symbol.strip()}" if language == "vi" else f"{sign}{symbol}{text}"


def clock(at: datetime | None, zone: ZoneInfo, *, exact: bool = True) -> str:
    """A UTC time as a clock shows it in a zone."""
    if at is None:
        return "–"
    local = at.replace(tzinfo=UTC).astimezone(zone)
    return f"{local:%H:%M:%S}.{local.microsecond // 1000:03}" if exact else f"{local:%H:%M:%S}"


def moment(at: datetime | None, zone: ZoneInfo) -> str:
    """A UTC time with date and offset."""
    if at is None:
        return "–"
    local = at.replace(tzinfo=UTC).astimezone(zone)
    offset = f"{local:%z}"
    return f"{local:%Y-%m-%d %H:%M:%S} {offset[:3]}{'' if offset.endswith('00') else offset[3:]}"


def at_us(microseconds: int) -> datetime:
    """UTC microseconds as a time without a zone, as the tables have them."""
    return EPOCH + timedelta(microseconds=microseconds)


def age(seconds: float, language: str) -> str:
    """How long ago, in one or two units."""
    vi = language == "vi"
    whole = int(seconds)
    if whole < 60:
        return f"{whole} {'giây' if vi else 's'}"
    if whole < 3600:
        return f"{whole // 60} {'phút' if vi else 'min'}"
    if whole < 86_400:
        return f"{whole // 3600} {'giờ' if vi else 'h'} {whole % 3600 // 60:02}"
    return f"{whole // 86_400} {'ngày' if vi else 'd'}"


def icon(name: str) -> Markup:
    """A line drawing of the rail."""
    return Markup(
        '<svg class="ico" viewBox="0 0 18 18" aria-hidden="true"><path d="{}"/></svg>'
    ).format(ICONS[name])


CARD = re.compile(r"\b([2-9TJQKA])([SHDC])\b")
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_text(code: str | None) -> Markup:
    """A card as rank and suit; red suits have their own class, so colour is not the only sign."""
    if not code or code[-1] not in SUITS:
        return escape(code or "–")
    rank = "10" if code[:-1] == "T" else code[:-1]
    red = " red-suit" if code[-1] in "HD" else ""
    return Markup('<span class="card-text{}">{}{}︎</span>').format(red, rank, SUITS[code[-1]])


def with_cards(text: str) -> Markup:
    """A sentence in which every card is drawn as rank and suit."""
    parts, at = [], 0
    for found in CARD.finditer(text):
        parts += [escape(screen.visible(text[at : found.start()])), card_text(found[0])]
        at = found.end()
    return Markup("").join([*parts, escape(screen.visible(text[at:]))])
