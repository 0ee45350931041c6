"""Nothing that the console says is left untranslated."""

import re
from collections.abc import Iterable
from pathlib import Path

from babel.messages.extract import extract, extract_from_dir
from babel.messages.pofile import read_po

from audit.cases import rules
from audit.checks import catalogue, reviews, titles
from audit.console import case_forms, packs, queries, words
from audit.console.app import PLACES
from audit.console.questions import case as desk
from audit.console.questions import pack as pack_builder
from audit.console.roles import AccountRole, Action
from audit.console.routes import devices, player, queue
from audit.console.routes import packs as pack_routes
from schemas.ranks import LADDER, OFFICES

TEMPLATES = Path(words.__file__).parents[1] / "templates"
STATES = ("Closed", "Between rounds", "Settling", "Dealing", "Betting")
STATUSES = ("Settled", "Unsettled", "Void", "Free hand", "Unknown")
STAGES = (
    "Raised",
    "Answered",
    "Escalated",
    "Decided",
    "Confirmed",
    "Settled",
    "Told",
    "Complained",
    "Set aside",
    "Closed",
)
CLOCKS = ("inform Surveillance", "settle it as promised", "answer the complaint")
DEVICES = ("Wheel", "Dice", "Shoe", "Camera", "Chips", "Pit", "Shaker")
SIDES = ("House", "Player", "Player is short", "House is short", "Certain", "Possible")


def _in_templates() -> set[str]:
    found = extract_from_dir(
        str(TEMPLATES), method_map=[("**.html", "jinja2")], keywords={"_": None}
    )
    return {message for _, _, message, *_ in found if isinstance(message, str)}


def _from_code() -> Iterable[str]:
    """Words that templates translate although they come from code."""
    yield from (role.capitalize() for role in AccountRole)
    yield from (action.replace("_", " ").capitalize() for action in Action if action != "signed_in")
    for rank in (*LADDER, *OFFICES):
        yield from (rank.replace("_", " "), rank.replace("_", " ").capitalize())
    yield from _of_disputes()
    yield from (word for *_, word, _ in PLACES)
    yield from player.LANE_WORDS.values()
    yield from player.SENSED_WORDS.values()
    yield from devices.CHART_WORDS
    yield from (word for _, word in queue.ORDER_WORDS)
    yield from (check.title for check in catalogue.checks().values())
    yield from (check.mode for check in catalogue.checks().values())
    yield from _of_checks()
    for query in queries.shipped():
        yield from (query.title, query.about)
    yield from (*STATES, *STATUSES, *DEVICES, *SIDES)


def _of_checks() -> Iterable[str]:
    """What every check says about itself, as far as it says it."""
    for check in catalogue.checks().values():
        yield from filter(None, (check.why, check.benign, check.budget, check.unseen))


def _of_disputes() -> Iterable[str]:
    """The words of the dispute desk: forms, stages, clocks, and what a step still needs."""
    yield from case_forms.words()
    yield from (word for _, word, _ in desk.ROWS)
    yield from desk.SPOKEN
    yield from (*STAGES, *CLOCKS, *("kept", "late", "overdue", "running"))
    yield from ("Upheld", "Partly", "Rejected", "Player", "House", "Witness")
    yield from ("video", "events", "case", "access", "player", "house")
    yield from _arguments(Path(rules.__file__), "UnmetNeed", 2)
    yield from _arguments(Path(packs.__file__), "ExportRefused", 1)
    yield from _arguments(Path(reviews.__file__), "UnmetNeed", 2)
    yield from queue.VERB_WORDS.values()
    yield from (state.replace("_", " ") for state in queue.VERBS)
    yield from reviews.STATE_AFTER
    yield from (word for *_, word in pack_builder.ITEMS)
    yield from pack_routes.CUSTODY_WORDS


def _arguments(path: Path, name: str, place: int) -> Iterable[str]:
    """The argument in a place of every call of this name."""
    with path.open("rb") as file:
        for _, message, *_ in extract("python", file, keywords={name: (place,)}):
            yield message if isinstance(message, str) else message[0]


def _translated() -> dict[str, str]:
    with (words.FOLDER / "vi.po").open("rb") as file:
        own = {str(each.id): str(each.string) for each in read_po(file, "vi") if each.id}
    return own | titles.titles("vi") | titles.about("vi")


def test_every_word_of_the_console_is_in_vietnamese() -> None:
    said = _in_templates() | set(_from_code())
    known = _translated()

    assert len(said) > 300
    assert sorted(said - known.keys()) == []
    assert [word for word in said if not known[word].strip()] == []


def test_no_translation_is_of_something_that_nobody_says() -> None:
    assert sorted(_translated().keys() - _in_templates() - set(_from_code())) == []


def test_both_languages_use_the_same_parameters() -> None:
    named = re.compile(r"%\((\w+)\)s")
    for word, translated in _translated().items():
        assert sorted(named.findall(word)) == sorted(named.findall(translated)), word


def test_a_page_speaks_the_language_that_is_asked_for() -> None:
    assert words.translations("vi").gettext("Nothing needs eyes") == "Không có gì cần xem"
    assert words.translations("en").gettext("Nothing needs eyes") == "Nothing needs eyes"
