"""Amounts as they stand beside chips: in thousands where that is exact, else in full."""

from schemas.money import EXPONENT


def grouped(figure: int, language: str) -> str:
    """A figure in groups of three digits: `1,234,567`, in Vietnamese `1.234.567`."""
    text = f"{figure:,}".replace("-", "−")
    return text.replace(",", ".") if language == "vi" else text


def on_chips(amount: int, currency: str, language: str) -> str:
    """An amount as it stands beside chips: in thousands where that is exact, else in full."""
    units, cents = divmod(amount, 10 ** EXPONENT.get(currency, 2))
    if cents:
        point = "," if language == "vi" else "."
        places = EXPONENT.get(currency, 2)
        return f"{grouped(units, language)}{point}{cents:0{places}}"
    if units and units % 1000 == 0:
        return f"{grouped(units // 1000, language)}k"
    return grouped(units, language)
