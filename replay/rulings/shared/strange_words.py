"""Words that mean nothing in a game: what they say counts for nothing, and the auditor is told."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from schemas import events as e


class Lexicon(NamedTuple):
    """The words a game knows, by where they stand; what is empty, the game has no word for."""

    clause: str  # how a round is played
    shown_by: tuple[str, ...] = ("dealer", "board")  # ResultCalled
    reports: tuple[str, ...] = ()  # IrregularityReported
    disturbances: tuple[str, ...] = ()  # SpinDisturbed
    no_spins: tuple[str, ...] = ()  # NoSpinCalled, where another reason is not told of elsewhere
    reshakes: tuple[str, ...] = ()  # ReshakeOrdered
    dropped: tuple[str, ...] = ()  # EquipmentDropped
    face: Callable[[str], bool] | None = None  # whether a die or token has the face
    pieces: int = 0  # how many of them there are; a reading may lack some
    called: Callable[[str], Iterable[str]] | None = None  # strange words of a called result
    rules: bool = False  # rulings are looked at by the game itself


def remarks(known: Lexicon, events: Iterable[e.Event]) -> Iterator[Remark]:
    """Each word that the game does not know, with where it stood and what was expected."""
    for event in events:
        for where, word, expected in _strange(known, event.payload):
            text = say("shared.strange_word", expected=expected, word=word)
            yield Remark("WORD_UNKNOWN", known.clause, text, (event.event_id,), f"{where}.{word}")


def _strange(known: Lexicon, payload: e.Payload) -> Iterator[tuple[str, str, Sentence]]:
    match payload:
        case e.SpinDisturbed(kind=word) if known.disturbances:
            yield from _none_of("seen", word, known.disturbances)
        case e.NoSpinCalled(reason=word) if known.no_spins:
            yield from _none_of("no_spin", word, known.no_spins)
        case e.ReshakeOrdered(reason=word):
            yield from _none_of("reshake", word, known.reshakes)
        case e.EquipmentDropped(items=items):
            for word in items:
                yield from _none_of("dropped", word, known.dropped)
        case e.IrregularityReported(kind=word):
            yield from _none_of("reported", word, known.reports)
        case e.RulingMade(decision=word) if not known.rules:
            yield "ruled", word, say("shared.no_ruling_asked")
        case e.ResultCalled(shown_by=word, result=result):
            yield from _none_of("shown_by", word, known.shown_by)
            for part in known.called(result) if known.called else ():
                yield "called", part, say("shared.number_and_chances")
        case e.ShakerOpened(faces=faces) | e.TokensRevealed(faces=faces):
            yield from _no_faces(known, faces)
        case e.TokensRearranged(faces=faces):
            yield from _no_faces(known, faces)


def _none_of(where: str, word: str, words: Sequence[str]) -> Iterator[tuple[str, str, Sentence]]:
    if word not in words:
        expected = say("shared.one_of", words=tuple(words)) if words else say("shared.no_such_word")
        yield where, word, expected


def _no_faces(known: Lexicon, faces: Sequence[str]) -> Iterator[tuple[str, str, Sentence]]:
    if known.face and (len(faces) > known.pieces or not all(map(known.face, faces))):
        yield "faces", "-".join(faces), say("shared.at_most_faces", n=known.pieces)
