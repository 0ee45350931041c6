"""Money in whole minor units. Only this module divides and rounds amounts."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

WITHOUT_CENTS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
IN_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
# What a currency's minor unit is, in decimal places, where that is not two (ISO 4217).
EXPONENT: Mapping[str, int] = {
    **dict.fromkeys(WITHOUT_CENTS.split(), 0),
    **dict.fromkeys(IN_THOUSANDTHS.split(), 3),
}

# The currency codes of ISO 4217, with some that ended lately.
CODES = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP
    GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD
    KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN
    NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES
    VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""
ISO_4217 = frozenset(CODES.split())

ROUNDINGS = ("half up", "down", "up")

# The most that one amount may be, in minor units: beyond any bankroll in any currency, and small
# enough that a thousand times as much still is a 64-bit number.
MOST = 10**15


def whole(amount: Fraction, rounding: str = "half up") -> int:
    """The amount in whole minor units, by the rounding the table posted; never negative."""
    if amount < 0:
        raise ValueError(f"cannot round {amount}: an amount is never negative")
    rounded: int = quotient(amount.numerator, amount.denominator, rounding)
    return rounded


def quotient(numerator: Any, denominator: Any, rounding: str = "half up") -> Any:
    """The one division: of whole numbers, or of whole columns of them, none of them negative.

    It uses operators that numbers and columns share, so both are rounded by the same lines.
    """
    if rounding == "half up":
        return (2 * numerator + denominator) // (2 * denominator)
    if rounding == "down":
        return numerator // denominator
    if rounding == "up":
        return -(-numerator // denominator)
    raise ValueError(f"{rounding!r} is not a rounding: one of {', '.join(ROUNDINGS)}")


def apportioned(amount: int, weights: Sequence[Fraction]) -> tuple[int, ...]:
    """Split an amount into whole parts by weight; the rest goes to the largest remainders."""
    whole_weight = sum(weights)
    if not whole_weight:
        return (0,) * len(weights)
    exact = [amount * weight / whole_weight for weight in weights]
    found = [part.numerator // part.denominator for part in exact]
    order = sorted(range(len(exact)), key=lambda n: (found[n] - exact[n], n))
    for n in order[: amount - sum(found)]:
        found[n] += 1
    return tuple(found)


def shown(amount: int, currency: str) -> str:
    """The amount as text, digits in groups of three: `1,234,567 VND`."""
    if not currency:  # then nobody knows its minor unit either
        return f"{amount:,} of an unknown currency"
    places = EXPONENT.get(currency, 2)
    sign, digits = "-" if amount < 0 else "", str(abs(amount)).rjust(places + 1, "0")
    units = f"{int(digits[: len(digits) - places]):,}"
    cents = f".{digits[len(digits) - places :]}" if places else ""
    return f"{sign}{units}{cents} {currency}"
