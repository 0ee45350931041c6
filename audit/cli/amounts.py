"""Amounts of money as users write them."""

from audit.cli.errors import Code, Stopped
from schemas.spans import MONEY, span_text


def minor_units(text: str, option: str, *, example: str, signed: bool = False) -> int:
    """An amount in whole minor units, with or without separators between the thousands."""
    plain = text.replace(",", "").replace("_", "")
    digits = plain.removeprefix("-") if signed else plain
    if not (digits.isascii() and digits.isdigit()):
        what = f"{option} {text!r}: whole minor units such as 500000 or 500,000 expected"
        raise Stopped(what, example, Code.USAGE)
    if len(digits) > len(str(MONEY[1])) or int(digits) > MONEY[1]:
        what = f"{option}: {span_text(MONEY)} expected, {text} found"
        raise Stopped(what, example, Code.USAGE)
    return int(plain)
