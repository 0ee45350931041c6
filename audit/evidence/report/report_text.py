"""What every part of a report needs: the round on file, the reader's language, the venue's zone."""

import re
from typing import NamedTuple

from audit.evidence import figures
from audit.evidence.round_file import RoundFile
from audit.evidence.settlement_sheet import SheetRow
from replay import words
from replay.judge import Judgement
from replay.sentence import Prose, Sentence, say
from replay.words.outcome import capital, spoken_outcome

MARK = "\ue000"  # what report.typ draws as a card
CARD = re.compile(rf"(?<![\w:/{MARK}-])[2-9TJQKA][SHDC](?!\w|:\d|[/-]\w)")
BEHIND = "0"  # the box of those who stand behind the table


def marked(text: str) -> str:
    """A text with one mark before each card: `9S` and no clause such as `TH:5.3`."""
    return CARD.sub(f"{MARK}\\g<0>", text)


def unmarked(rows: list[list[str]]) -> list[list[str]]:
    """Rows without the marks before cards."""
    return [[cell.replace(MARK, "") for cell in row] for row in rows]


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
        return marked(spoken_outcome(self.judged.ruled.outcome, self.language, self.judged.code))

    def card_place(self, hand: str, slot: int) -> str:
        """Where a card lies: `Player, card 2`."""
        return self.words(say("page.card_place", hand=capital(self.label("hand", hand)), n=slot))

    def money(self, amount: int) -> str:
        """An amount with its currency."""
        return figures.money(amount, self.currency, self.language)

    def moment(self, micros: int) -> str:
        """A time as people say it: `10:04 on 1 March 2026`."""
        time, day = figures.spoken_time(micros, self.zone, self.language)
        return self.words(say("page.moment", time=time, day=day))

    def wager(self, wager_id: str) -> str:
        """A wager by its place and bet; by its id where it is not of this round."""
        for row in self.file.sheet:
            if row.wager.wager_id == wager_id:
                place = capital(self.words(self.where(row)))
                return f"{place}, {self.label('bet', row.wager.bet)}"
        return wager_id

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
