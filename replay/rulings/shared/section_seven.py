"""What the rulings on section 7 of NN, TB and TH are written with: remarks, looks into the log.

Three rulebooks are three rules: which clause applies, and what follows, each game says itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Flag
from replay.rulings.shared import (
    conclusion,
    declared_void,
    shoe_gaps,
    stray_cards,
    unruled_words,
)
from replay.rulings.shared.remark import Remark
from replay.sentence import Prose, Sentence, say
from schemas import events as e
from schemas.ranks import LADDER, at_least

Evidence = tuple[str, ...]  # event ids
Ruling = tuple[str, e.RulingMade]  # event id and ruling
Spoken = Mapping[str, tuple[str, ...]]  # what a ruling may say, by the clause it is made under

REOPENS = "reopen"  # another round, by whom the rules let
JAMS = ("device_jam", "shuffler_jam")  # after a round they stop no card
GOES_ON = ("continue",)  # all there is to say under a clause that leaves nobody a choice


class VoidCause(NamedTuple):
    """Something that lets the House void a round."""

    told: Remark
    since: int  # the place in the round where it came up: a ruling before is not about it
    declared: bool  # by somebody, not only found in the cards


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round and its terms; a game's record adds what its own rulings look at."""

    round: Round
    terms: Terms
    rulings: tuple[Ruling, ...]
    over: int  # where the round of play was over: its close, or the last wager settled before it

    def seen(self, *kinds: type[e.Payload]) -> Evidence:
        """The ids of the round's events of these kinds."""
        return tuple(
            event.event_id for event in self.round.events if isinstance(event.payload, kinds)
        )

    def rulings_under(self, clause: str) -> list[Ruling]:
        """The rulings made under a clause or one of its parts."""
        return [(at, made) for at, made in self.rulings if within(made.clause, clause)]

    def place(self, event_id: str) -> int:
        """Where in the round an event stands."""
        return next(n for n, at in enumerate(self.round.events) if at.event_id == event_id)

    @property
    def closed(self) -> int:
        """Where the round was closed; beyond the last event where it was not."""
        closings = self.seen(e.RoundClosed)
        return self.place(closings[0]) if closings else len(self.round.events)

    def made_in_time(self, event_id: str, since: int) -> bool:
        """Whether a ruling came after its matter had come up, and before the close over it."""
        at = self.place(event_id)
        return since < at and (at < self.closed or self.closed < since)


def rulings(events: Iterable[e.Event]) -> tuple[Ruling, ...]:
    """Every ruling, in the order they were made."""
    return tuple(
        (event.event_id, event.payload)
        for event in events
        if isinstance(event.payload, e.RulingMade)
    )


def standing(made: Sequence[Ruling], minimum: str) -> e.RulingMade | None:
    """The ruling that counts on one matter: the highest rank's, and among equals the latest."""
    good = [ruling for _, ruling in made if at_least(ruling.rank, minimum)]
    return max(reversed(good), key=lambda at: LADDER.index(at.rank), default=None)


def contradicted(made: Sequence[Ruling], minimum: str, clause: str) -> Iterator[Remark]:
    """Rulings of whoever may decide that say another thing than the one that stands."""
    stands = standing(made, minimum)
    for event_id, other in made:
        if stands and at_least(other.rank, minimum) and other.decision != stands.decision:
            text = say(
                "shared.ruling_contradicted",
                rank=other.rank,
                decision=other.decision,
                above=stands.rank,
                stands=stands.decision,
            )
            yield Remark("RULING_CONTRADICTED", clause, text, (event_id,))


def against_rules(record: RoundRecord, *clauses: str) -> Iterator[Remark]:
    """Rulings to go on under clauses that void the round and leave nobody the choice."""
    for clause in clauses:
        for event_id, made in record.rulings_under(clause):
            if made.decision == "continue":
                text = say("shared.ruled_to_go_on", rank=made.rank)
                yield Remark("RULING_AGAINST_RULES", clause, text, (event_id,))


def without_cause(event_id: str, made: e.RulingMade, why: Prose) -> Remark:
    """A ruling on something that did not happen."""
    text = say(
        "shared.ruled_without_cause",
        rank=made.rank,
        decision=made.decision,
        clause=made.clause,
        why=why,
    )
    return Remark("RULING_WITHOUT_CAUSE", made.clause, text, (event_id,))


def unreported(decided: Sequence[Ruling], minimum: str) -> Iterator[Remark]:
    """Voids of the House for a cause that nobody reported and nothing shows."""
    for event_id, made in decided:
        if made.decision == "void" and at_least(made.rank, minimum):
            yield without_cause(event_id, made, say("shared.nobody_reported_it"))


def unheard(record: RoundRecord, section: str, spoken: Spoken) -> Iterator[Remark]:
    """Rulings under a section in a word that is no decision of their clause: not said.

    Nor is what was ruled under another game's rules. `spoken` are the words of those clauses that
    leave a choice, some of them in other sections.
    """
    for event_id, made in record.rulings:
        book, _, named = made.clause.partition(":")
        if named and book != section.partition(":")[0]:
            text = say("shared.ruled_under_other_game", clause=made.clause)
            yield Remark("WORD_UNKNOWN", section, text, (event_id,))
            continue
        known = decisions(made.clause, section, spoken)
        if known and made.decision not in known:
            clause = _speaking(made.clause, spoken) or section
            text = say("shared.ruled_no_decision", decision=made.decision)
            yield Remark("WORD_UNKNOWN", clause, text, (event_id,))


def decisions(clause: str, section: str, spoken: Spoken) -> tuple[str, ...]:
    """The words that a ruling under a clause may say; none where nobody has to rule."""
    speaking = _speaking(clause, spoken)
    if not speaking and not within(clause, section):
        return ()
    return tuple(dict.fromkeys((*spoken.get(speaking, GOES_ON), REOPENS)))


def _speaking(clause: str, spoken: Spoken) -> str:
    """The clause that says which words there are under another; empty where none does."""
    return max((above for above in spoken if within(clause, above)), key=len, default="")


def within(anchor: str, clause: str) -> bool:
    """Whether an anchor names a clause or one of its parts."""
    return anchor == clause or anchor.startswith(f"{clause}.")


def each_once(told: Iterable[Remark]) -> tuple[Flag, ...]:
    """Each code once a round, as it was first remarked on."""
    first: dict[str, Flag] = {}
    for remark in told:
        if remark.code:
            first.setdefault(remark.code, remark.flag)
    return tuple(first.values())


def off_the_record(record: RoundRecord, clause: str) -> Iterator[Remark]:
    """Cards that left the shoe unread, what was told too late, and a round that had no card."""
    round, over = record.round, record.over
    for event in conclusion.afterwards(round.events, over):
        match event.payload:
            case e.IrregularityReported(kind=kind) if kind not in JAMS:
                text = say("shared.reported_afterwards", kind=kind)
            case e.CardExposed(card=card):
                text = say("shared.exposed_afterwards", card=card)
            case _:
                continue
        yield Remark("TOLD_AFTERWARDS", clause, text, (event.event_id,))
    late = stray_cards.after_close(round.events, over)
    gap = shoe_gaps.first_gap([event for event in round.events if event not in late])
    if gap:
        yield Remark(shoe_gaps.CODE, clause, gap.text, gap.evidence)
    for text, evidence in unruled_words.without_cards(round.events):
        yield Remark(unruled_words.WITHOUT_CARDS, clause, text, evidence)


def called_off(events: Sequence[e.Event]) -> Evidence:
    """The events that called the round void before anybody knew or settled its result."""
    found = declared_void.ids(events)
    for event in events:
        match event.payload:
            case e.ResultCalled():
                return ()
            case e.WagerSettled() as seen if seen.paid or seen.collected or seen.reserve_taken:
                return ()
        if event.event_id in found:
            return found
    return ()


def touched_again(events: Iterable[e.Event]) -> Iterator[tuple[Sentence, str]]:
    """Signs that an outcome that stands was touched again: what was done, and in which event."""
    events = tuple(events)
    own = {event.payload.wager_id for event in events if isinstance(event.payload, e.WagerPlaced)}
    closed, settled = False, set[str]()
    for event in events:
        match event.payload:
            case e.RoundClosed():
                closed = True
            case e.WagerSettled(wager_id=wager_id):
                if wager_id not in own:
                    yield say("shared.settled_of_other_round", wager=wager_id), event.event_id
                elif closed and wager_id in settled:
                    yield say("shared.settled_after_close", wager=wager_id), event.event_id
                settled.add(wager_id)
            case e.RoundVoided() if closed:
                yield say("shared.voided_after_close"), event.event_id
            case e.RulingMade(decision="reopen"):
                yield say("shared.reopened_by_ruling"), event.event_id
