"""A clause as people read it: its tables in columns, its words in lines."""

from audit.pages import clause_text
from replay import rulebooks


def test_a_table_stands_in_columns() -> None:
    told = list(
        clause_text.lines("The odds:\nBet | Pays\nTie | 8 to 1\nPlayer Pair | 11 to 1\nEnd.")
    )

    assert told == [
        "The odds:",
        "  Bet          Pays",
        "  Tie          8 to 1",
        "  Player Pair  11 to 1",
        "End.",
    ]


def test_every_clause_has_lines_and_loses_no_word() -> None:
    editions = rulebooks.editions()

    assert editions
    for clause in (clause for edition in editions for clause in edition.clauses.values()):
        told = " ".join(clause_text.lines(clause.text)).split()
        assert told == clause.text.replace("|", " ").split(), clause.anchor
