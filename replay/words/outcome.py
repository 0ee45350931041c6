"""The outcome of a round as people say it: the record's short words in the reader's language."""

import re
from collections import Counter

from replay import words
from replay.sentence import say

WINNERS = {"P": "Player", "B": "Banker", "T": "Tie"}  # as the outcome of a baccarat begins
POINTS = re.compile(r"(P|B|T|dragon|tiger|tie) (\d+)-(\d+)")
POCKET = re.compile(r"(\d+) (red|black|green)")
TOKENS = re.compile(r"(?:\d?[RW]-?){2,}|\d[RW]")  # RRWW, R-R-W-W, 3R1W or 4R
FACES = re.compile(r"[a-z]+(-[a-z]+){2}")
POK_DENG = re.compile(r"B (\S+), P (.+)")
SHOWDOWN = re.compile(r"(A wins|B wins|Tie), (.+) against (.+)")
CLASS = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


class SpokenWords:
    """The labels of one language and game."""

    def __init__(self, language: str, game: str = "") -> None:
        self.language, self.game = language, game

    def label(self, kind: str, word: str) -> str:
        """A word of the record, as people say it."""
        return words.label(kind, word, self.language, self.game)

    def held(self, text: str) -> str:
        """What a hand is worth: `NIU_9 TC`, `ONE_PAIR player higher`, `bust`, `17`."""
        parts = text.split(" ")
        if len(parts[0]) > 2 and CLASS.fullmatch(parts[0]):
            parts[0] = capital(self.label("class", parts[0]))
        if parts[-1] in ("higher", "bust", "surrender", "folded", "equal"):
            at = -2 if parts[-1] == "higher" else -1
            parts[at:] = [self.label("held", "_".join(parts[at:]))]
        return " ".join(parts)


def spoken_outcome(outcome: str, language: str, game: str = "") -> str:
    """An outcome without its codes: `Banker 3–8`, `Dealer Niu 9 TC; seat 1 No hand JD`."""
    said = SpokenWords(language, game)
    if found := POINTS.fullmatch(outcome):
        winner = WINNERS.get(found[1]) or capital(said.label("hand", found[1]))
        return f"{winner} {found[2]}–{found[3]}"
    if found := POCKET.fullmatch(outcome):
        return f"{found[1]} {said.label('colour', found[2])}"
    if TOKENS.fullmatch(outcome):
        return ", ".join(f"{n} {said.label('face', face)}" for face, n in _tokens(outcome))
    if found := POK_DENG.fullmatch(outcome):
        players = (f"Player {n} {figure}" for n, figure in enumerate(found[2].split(), 1))
        return "; ".join((f"Banker {found[1]}", *players))
    if found := SHOWDOWN.fullmatch(outcome):
        first, second = (_class(said, word) for word in found.groups()[1:])
        if found[1] == "Tie":
            return words.text(say("page.showdown_tie", first=first, second=second), language)
        winner = f"Player {found[1][0]}"
        sentence = say("page.showdown_won", winner=winner, first=first, second=second)
        return words.text(sentence, language)
    return _hands(outcome, said)


def _tokens(outcome: str) -> list[tuple[str, int]]:
    """How many tokens lie with each face up."""
    counted = Counter[str]()
    for number, face in re.findall(r"(\d?)([RW])", outcome):
        counted[face] += int(number or 1)
    return sorted(counted.items())


def capital(text: str) -> str:
    """A text with a capital letter first."""
    return text[:1].upper() + text[1:]


def _class(said: SpokenWords, word: str) -> str:
    """A class of hands, such as `high card`."""
    return said.label("class", word.upper().replace(" ", "_")).lower()


def _hands(outcome: str, said: SpokenWords) -> str:
    """Faces of dice, or one hand after the other."""
    if FACES.fullmatch(outcome):
        return " · ".join(said.label("face", face) for face in outcome.split("-"))
    if outcome.isalpha():
        return said.label("bet", outcome)
    if not re.match(r"dealer ", outcome):
        return outcome
    return "; ".join(_hand(part, said) for part in re.split(r"[,;] ", outcome))


def _hand(part: str, said: SpokenWords) -> str:
    """One hand of an outcome: where it lies, and what it is."""
    name, _, held = part.partition(" ")
    where = capital(said.label("hand", name))
    if name[:1].isdigit():
        where = words.text(say("page.seat", seat=name), said.language)
    return f"{where} {said.held(held)}".strip()
