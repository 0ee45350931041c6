"""What every part of a report needs: the round on file, the reader's language, the venue's zone."""

import re
from typing import NamedTuple

from audit.evidence import figures
from audit.evidence.round_file import RoundFile
from audit.evidence.settlement_sheet import SheetRow
from replay import words
from replay.judge import Judgement
from replay.sentence import Prose, Sentence, say

MARK = "\ue000"  # what report.typ draws as a card
CARD = re.compile(r"(?<![\w:/-])[2-9TJQKA][SHDC](?!\w|:\d|[/-]\w)")
BEHIND = "0"  # the box of those who stand behind the table


WINNERS = {"P": "Player", "B": "Banker", "T": "Tie"}  # as the outcome of a baccarat begins


def marked(text: str) -> str:
    """A text with a mark before each card: `9S` and no clause such as `TH:5.3`."""
    return CARD.sub(f"{MARK}\\g<0>", text)


def unmarked(rows: list[list[str]]) -> list[list[str]]:
    """Rows without the marks before cards."""
    return [[cell.replace(MARK, "") for cell in row] for row in rows]


def spoken_outcome(outcome: str, language: str) -> str:
    """An outcome without its codes: `Banker 3–8`, `Dealer Niu 9 TC; seat 1 No hand JD`."""
    head, _, rest = outcome.partition(" ")
    if head in WINNERS and re.fullmatch(r"\d+-\d+", rest):
        return f"{WINNERS[head]} {rest.replace('-', '–')}"
    if "_" not in outcome and ";" not in outcome:
        return outcome
    parts = re.split(r"[,;] ", outcome)
    return "; ".join(_spoken_hand(part, language) for part in parts)


def _spoken_hand(part: str, language: str) -> str:
    """One hand of an outcome: where it lies, and what it is."""
    name, _, held = part.partition(" ")
    where = name.capitalize()
    if name[:1].isdigit():
        where = words.text(say("page.seat", seat=name), language)
    spoken = re.sub(r"[A-Z]+(_[A-Z0-9]+)+", lambda at: at[0].replace("_", " ").capitalize(), held)
    return f"{where} {spoken}".strip()


class ReportText(NamedTuple):
    """A round on file, and how its reader reads: language and time zone."""

    file: RoundFile
    language: str
    zone: str

    @property
    def judged(self) -> Judgement:
        """The round as the rules judge it."""
        return self.file.judged

    @property
    def currency(self) -> str:
        """The currency of the table; empty where no terms were posted."""
        return self.judged.round.terms.currency if self.judged.round.terms else ""

    def words(self, said: Prose) -> str:
        """A sentence in the reader's language, its cards marked so that suits can be drawn."""
        return marked(words.text(said, self.language, self.judged.code))

    def label(self, kind: str, code: str) -> str:
        """A word of the record in the reader's language."""
        return words.label(kind, code, self.language, self.judged.code)

    @property
    def outcome(self) -> str:
        """The derived outcome as people read it; empty where there is none."""
        return marked(spoken_outcome(self.judged.ruled.outcome, self.language))

    def money(self, amount: int) -> str:
        """An amount with its currency."""
        return figures.money(amount, self.currency, self.language)

    def figure(self, amount: int, *, signed: bool = False) -> str:
        """An amount for a table whose head names the currency."""
        return figures.figure(amount, self.currency, self.language, signed=signed)

    def shows(self, row: SheetRow) -> bool:
        """Whether this edition shows whose wager it is, and its amounts."""
        return row.wager.wager_id not in self.file.withheld

    def where(self, row: SheetRow) -> Sentence:
        """Where a wager lies: its seat, or whose it is where the layout has no seats."""
        box = row.wager.box
        if box == BEHIND:
            return say("page.behind")
        return say("page.seat", seat=box) if box else say("page.player", player=row.wager.player_id)
