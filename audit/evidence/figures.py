"""Amounts and times as a reader of one language writes them, exact and with their unit."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from replay.explain import EPOCH
from schemas.money import EXPONENT


def money(amount: int, currency: str, language: str) -> str:
    """An amount with its currency: `₫2,520,000`, in Vietnamese `2.520.000 ₫`."""
    from babel.numbers import format_currency  # slow to import

    units = Decimal(amount).scaleb(-EXPONENT.get(currency, 2))
    if not currency:
        return figure(amount, currency, language)
    return format_currency(units, currency, locale=language).replace("-", "−")


def figure(amount: int, currency: str, language: str, *, signed: bool = False) -> str:
    """An amount for a table whose head names the currency."""
    places = EXPONENT.get(currency, 2) if currency else 0
    digits = f"{Decimal(amount).scaleb(-places):{'+' if signed and amount else ''},.{places}f}"
    if language == "vi":
        digits = digits.translate(str.maketrans(",.", ".,"))
    return digits.replace("-", "−")


def percent(share: float, language: str) -> str:
    """A probability in whole per cent, never rounded up to certainty."""
    whole = min(99, int(share * 100)) if share < 1 else 100
    return f"{whole} %" if language == "vi" else f"{whole}%"


def moment(micros: int, zone: str) -> datetime:
    """A time of the record in the venue's zone."""
    return (EPOCH + timedelta(microseconds=micros)).astimezone(ZoneInfo(zone))


def clock(micros: int, zone: str) -> str:
    """The time of day, to the millisecond."""
    return moment(micros, zone).strftime("%H:%M:%S.%f")[:-3]


def time(micros: int, zone: str) -> str:
    """A day and the time of day, to the minute: `2026-03-01 21:40`."""
    return moment(micros, zone).strftime("%Y-%m-%d %H:%M")


def spoken_time(micros: int, zone: str, language: str) -> tuple[str, str]:
    """The time of day to the minute, and the day as people write it."""
    at = moment(micros, zone)
    return at.strftime("%H:%M"), day(at.date().isoformat(), language)


def offset(micros: int, zone: str) -> str:
    """The zone's distance from UTC at that time: `+07:00`."""
    text = moment(micros, zone).strftime("%z")
    return f"{text[:3]}:{text[3:]}" if zone != "UTC" else "UTC"


def day(text: str, language: str) -> str:
    """A gaming day as people write it: `1 March 2026`, in Vietnamese `1 tháng 3, 2026`."""
    from babel.dates import format_date  # slow to import

    if not text:
        return ""
    return format_date(datetime.fromisoformat(text).date(), "d MMMM y", locale=language)
