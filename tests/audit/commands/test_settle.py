"""Round sheets: every example of the documents, and every way to get one wrong."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from audit.cli.app import command_line
from schemas import avro
from tests.support.tables import cases

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "docs/round-sheets.md", *sorted((ROOT / "docs/sheets").glob("*.md"))]

SPIN = {
    "terms": {"game": "RO", "currency": "VND"},
    "events": [
        {"type": "WagerPlaced", "wager_id": "w1", "player_id": "p1", "bet": "red", "stake": 100},
        {"type": "BallReleased", "ball_direction": "clockwise", "wheel_direction": "anticlockwise"},
        {"type": "BettingClosed"},
        {"type": "BallTracked", "revolutions": 9},
        {"type": "BallLanded", "pocket": 3},
    ],
}


def settle(text: str, *options: str) -> Result:
    return CliRunner().invoke(command_line(), ["settle", *options], input=text)


def examples() -> list[Any]:
    """Each sheet of the documents with the answer that is printed after it."""
    found = []
    for page in PAGES:
        blocks = re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        documents = [json.loads(block) for block in blocks]
        for n, (sheet, answer) in enumerate(pairwise(documents), 1):
            if "events" in sheet and "events" not in answer:
                found.append(pytest.param(sheet, answer, id=f"{page.stem} block {n}"))
    return found


def within(part: Any, whole: Any, where: str = "answer") -> None:
    """Assert that everything printed is in the answer; a list must have as many items."""
    if isinstance(part, dict):
        for key, value in part.items():
            assert key in whole, f"{where}.{key}"
            within(value, whole[key], f"{where}.{key}")
    elif isinstance(part, list) and part and isinstance(part[0], dict):
        assert len(part) == len(whole), where
        for n, value in enumerate(part):
            within(value, whole[n], f"{where}[{n}]")
    else:
        assert part == whole, where


@pytest.mark.parametrize(("sheet", "answer"), examples())
def test_the_documents_print_what_settle_answers(
    sheet: dict[str, Any], answer: dict[str, Any]
) -> None:
    seen = settle(json.dumps(sheet))

    assert (seen.exit_code, seen.stderr) == (0, "")
    within(answer, json.loads(seen.stdout))


def test_every_game_has_examples() -> None:
    from replay import rulebooks

    assert {page.stem for page in PAGES} >= set(rulebooks.codes())
    assert len(examples()) >= 2 * len(rulebooks.codes())


def test_the_document_names_real_events_and_fields() -> None:
    page = PAGES[0].read_text("utf-8")
    rows = re.findall(r"^\| `([A-Z]\w+)` \| (.*) \|$", page, re.MULTILINE)

    assert len(rows) > 20
    for kind, cell in rows:
        fields = [field["name"] for field in avro.RECORDS[kind]["fields"]]
        assert set(re.findall(r"`(\w+)`", cell)) <= set(fields), kind


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps(SPIN), id="one line"),
        pytest.param(json.dumps(SPIN, indent=2), id="pretty-printed"),
        pytest.param(f"\n{json.dumps(SPIN)}\n\n", id="blank lines"),
        pytest.param(json.dumps([SPIN]), id="a list of one"),
    ],
)
def test_one_sheet_may_be_written_in_many_ways(text: str) -> None:
    seen = settle(text)

    assert (seen.exit_code, json.loads(seen.stdout)["lines"][0]["paid"]) == (0, 100)


@pytest.mark.parametrize("indent", [None, 1])
def test_many_sheets_give_many_lines(indent: int | None) -> None:
    sheets = [SPIN | {"round": f"R{n}"} for n in range(3)]
    text = json.dumps(sheets, indent=indent) if indent else "\n".join(map(json.dumps, sheets))

    seen = settle(text)

    assert [json.loads(line)["round"] for line in seen.stdout.splitlines()] == ["R0", "R1", "R2"]


def test_carry_of_an_answer_fits_into_the_next_sheet() -> None:
    first = json.loads(settle(json.dumps(SPIN)).stdout)

    second = settle(json.dumps(SPIN | {"carry": first["carry"]}))

    assert (second.exit_code, first["carry"]["previous_pocket"]) == (0, 3)


def test_a_table_for_people() -> None:
    seen = settle(json.dumps(SPIN), "--table")

    assert "w1     p1      Red    100  win       100" in seen.stdout
    assert " box " not in seen.stdout
    assert not seen.stdout.startswith("{")


def test_a_table_shows_boxes_reserves_and_readings_where_there_are_any() -> None:
    page = (Path(__file__).parents[3] / "docs/sheets/NN.md").read_text("utf-8")
    sheet = json.loads(page.split("```json\n")[1].split("```")[0])

    head, first = settle(json.dumps(sheet), "--table").stdout.splitlines()[1:3]

    assert head.split()[:4] == ["wager", "player", "box", "bet"]
    assert "reserve taken" in head
    assert first.split()[0] == "w1"
    plain = settle(json.dumps(sheet)).stdout
    told = settle(json.dumps(sheet), "--table").stdout
    assert [
        f"unclear clause {issue}: read as {reading}" in told
        for issue, reading in json.loads(plain)["readings"].items()
    ].count(False) == 0


def test_a_table_says_that_odds_are_assumed() -> None:
    sheet = {
        "terms": {"game": "SA-SB", "currency": "VND"},
        "events": [
            {
                "type": "WagerPlaced",
                "wager_id": "w1",
                "player_id": "p1",
                "bet": "triple:2",
                "stake": 100,
            },
            {"type": "BettingClosed"},
            {"type": "ShakerOpened", "faces": ["2", "2", "2"]},
        ],
    }

    head, line = settle(json.dumps(sheet), "--table").stdout.splitlines()[1:3]

    assert "odds  odds are" in head
    assert "185   assumed" in line


def test_a_bad_sheet_is_named_and_the_others_are_settled() -> None:
    bad = json.dumps(SPIN | {"gaming_day": "yesterday"})

    seen = settle("\n".join([json.dumps(SPIN), bad, "{", json.dumps(SPIN)]))

    assert seen.exit_code == 2
    assert len(seen.stdout.splitlines()) == 2
    first, second, error, step = seen.stderr.splitlines()
    assert first.startswith(
        "line 2: sheet TableOpened.gaming_day: a day such as 2026-03-01 expected"
    )
    assert second.startswith("line 3: JSON expected")
    assert error == "error 2 (usage): 2 of the sheets could not be settled"
    assert step.startswith("next: ")


def test_the_document_prints_what_is_said_of_a_bad_sheet() -> None:
    placed = {"type": "WagerPlaced", "wager_id": "W1", "player_id": "P1", "bet": "red", "stake": -5}
    page = PAGES[0].read_text("utf-8")

    seen = settle("\n".join([json.dumps(SPIN), json.dumps(SPIN | {"events": [placed]})]))

    assert seen.stderr in page


# A key of the sheet, what is put there, and what is said of it.
WRONG = cases("""
    terms              | null                       | sheet.terms: an object         | no terms
    terms              | 5                          | sheet.terms: an object         | a number
    terms.game         | "ZZ"                       | rulebook 'ZZ': one of          | no such book
    terms.game         | "ro"                       | a rulebook code such as TB     | lower case
    terms.currency     | null                       | TermsPosted.currency: text     | no currency
    terms.edition      | "9"                        | no edition '9' is on file      | other edition
    terms.paytable     | "x"                        | paytable standard expected,    | other table
    terms.readings     | {"x": "y"}                 | 'x' found                      | other issue
    terms.readings     | {"zero_trio": "y"}         | both, only_0_1_2 expected, 'y' | other reading
    terms.table_limits | 5                          | a field of TermsPosted         | no such term
    events             | 5                          | sheet.events: a list expected  | no list
    events             | [5]                        | sheet.events[0]: an object     | a number too
    events             | [{"type": "Win"}]          | sheet.events[0].type: a        | other event
    events             | [{"type": "DollyPlaced"}]  | events[0] DollyPlaced.number   | no number
    events             | [{"type": "NoSpinCalled"}] | NoSpinCalled.rank: a value     | no rank
    carry              | [1]                        | sheet.carry: an object         | carry a list
    shoe               | {"decks": "8"}             | sheet.shoe.decks: a whole      | text
    shoe               | {"deck": 8}                | sheet.shoe.deck: one of        | other field
    round              | 7                          | sheet.round: text expected, 7  | no text
    colour             | 7                          | sheet.colour: one of round,    | no such key
    gaming_day         | "2019-01-01"               | no edition in force on 2019-01 | too early
""")


@pytest.mark.parametrize(("key", "value", "said"), WRONG)
def test_what_is_wrong_with_a_sheet_is_said(key: str, value: str, said: str) -> None:
    sheet: dict[str, Any] = json.loads(json.dumps(SPIN))
    *path, last = key.split(".")
    (sheet[path[0]] if path else sheet)[last] = json.loads(value)

    seen = settle(json.dumps(sheet))

    assert (seen.exit_code, seen.stdout) == (2, "")
    assert said in seen.stderr


@pytest.mark.parametrize("text", ["5", "null", "true", '"sheet"', "", "{", "[{]"])
def test_what_is_no_sheet_is_refused(text: str) -> None:
    seen = settle(text)

    assert (seen.exit_code, seen.stdout) == (2, "")
    assert "expected" in seen.stderr


def test_a_number_without_end_is_refused_and_the_others_are_settled() -> None:
    endless = json.dumps(SPIN).replace(": 100", ": 1" + "0" * 5_000)

    seen = settle("\n".join([json.dumps(SPIN), endless, json.dumps(SPIN)]))

    assert seen.exit_code == 2
    assert len(seen.stdout.splitlines()) == 2
    assert seen.stderr.startswith("line 2: JSON expected, a number of more than 4,300 digits")


def test_nesting_without_end_is_refused() -> None:
    seen = settle("[" * 100_000)

    assert seen.exit_code == 2
    assert "nesting" in seen.stderr or "JSON expected" in seen.stderr
