"""What a picture says besides the words printed on the cloth, in English and Vietnamese."""

from schemas.money import EXPONENT

LANGUAGES = ("en", "vi")
WORDS = {
    "also": ("also bet on", "cược khác"),
    "behind": ("behind", "đứng sau"),
    "called": ("called", "đã gọi"),
    "called_number": ("called or marked {0}", "đã gọi hoặc đánh dấu {0}"),
    "cards": ("cards", "lá bài"),
    "cards_of": ("cards {0}–{1} of {2}", "lá {0}–{1} trong {2}"),
    "derived": ("derived", "theo luật"),
    "directions": ("ball {0}, wheel {1}", "bóng {0}, vòng quay {1}"),
    "clockwise": ("clockwise", "thuận chiều"),
    "anticlockwise": ("anticlockwise", "ngược chiều"),
    "empty": ("empty", "trống"),
    "felt": ("Felt of {0}", "Mặt bàn {0}"),
    "free_hand": ("FREE HAND", "VÁN MIỄN CƯỢC"),
    "hand": ("hand {0}", "ván {0}"),
    "hidden": ("withheld", "được che"),
    "open": ("UNSETTLED", "CHƯA THANH TOÁN"),
    "other_cards": ("other cards", "lá bài khác"),
    "rested": ("ball rested in {0}", "bóng dừng ở ô {0}"),
    "reserve": ("RESERVE", "DỰ PHÒNG"),
    "revolutions": ("{0} revolutions", "{0} vòng"),
    "seat": ("seat {0}", "ghế {0}"),
    "shake": ("shake {0}", "lần lắc {0}"),
    "shoe": ("Shoe {0}", "Hộp bài {0}"),
    "thousands": ("chips in thousands of {0} (k)", "chip tính bằng nghìn {0} (k)"),
    "tumbles": ("{0} tumbles", "{0} lần lật"),
    "unknown": ("UNKNOWN", "CHƯA RÕ"),
    "void": ("VOID", "HỦY"),
    "what_if": ("hypothetical", "giả định"),
}


def word(name: str, language: str, *values: object) -> str:
    """The words of a name in a language, with the values in their places."""
    return WORDS[name][LANGUAGES.index(language)].format(*values)


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
