"""What is said of a shake: its faces and tumbles, why it must be repeated, that it decides."""

from collections.abc import Iterable

from replay.games.shared.shakes import Faces, Shake
from replay.sentence import Sentence, say

VERDICT = {
    "valid": say("shared.shake_valid"),
    "again": say("shared.shake_again"),
    "unknown": say("shared.shake_unknown"),
    "unfinished": say("shared.shake_unfinished"),
    "late": say("shared.shake_of_no_round"),
}


def judged(shake: Shake, verdict: str, seen: Faces, why: Sentence) -> Sentence:
    """A shake, what became of it, and why."""
    counts = shake.tumbles
    return say(
        "shared.shake",
        number=shake.index,
        faces=faces(seen) if seen else say("shared.faces_unknown"),
        tumbles=say("shared.tumbles", counts=counts) if counts else say("shared.not_counted"),
        verdict=VERDICT[verdict],
        why=why,
    )


def decides(shake: Shake, seen: Faces, total: int | None) -> Sentence:
    """The shake that decides, with its faces and their total in a game that has one."""
    result = faces(seen)
    if total is not None:
        result = say("shared.faces_total", faces=seen, total=total)
    return say("shared.shake_decides", number=shake.index, result=result)


def fault(word: str, least: int) -> Sentence:
    """Why a shake is repeated; the dealer may give another reason than the three of the rules."""
    match word:
        case "overlap":
            return say("shared.dice_overlap")
        case "not_flat":
            return say("shared.die_not_flat")
        case "tumbles":
            return say("shared.too_few_tumbles", least=least)
    return say("shared.reason_given", why=word)


def faces(seen: Iterable[object]) -> Sentence:
    """Faces as they lay: `4-1-2`."""
    return say("shared.faces", faces=tuple(map(str, seen)))


def reading(who: str, seen: Faces) -> Sentence:
    """What one witness read."""
    return say("shared.faces_read", who=who, faces=seen)


def counted(shake: Shake) -> Sentence:
    """The counts of one shake that contradict each other."""
    return say("shared.tumbles_contradicted", counts=shake.tumbles)
