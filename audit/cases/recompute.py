"""What a disputed round owed under each option: posted terms, other readings, rulings, lawful play.

- *posted*: as the round is judged by the terms that were posted.
- *reading*: an unclear clause read another way, where that changes the round (8.4.1).
- *ruling*: a clause leaves somebody a choice, and they choose another word of it.
- *counterfactual*: a procedure failed, and the shoe's own cards had been dealt lawfully (M4). This
  one is hypothetical: the cards did not lie so.

Each option says for every wager what is due, what was seen to be paid, and what the house still
owes the player. Nothing is settled here; a person decides.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from replay import payments
from replay.disputes.lawful_deal import lawful_deal
from replay.game_modules import rulings
from replay.judge import Judgement
from replay.locate import LocatedRound
from replay.relied_readings import relied
from replay.rulebooks.terms import BadTerms
from replay.whatif import whatif
from replay.whatif_changes import BadChange
from schemas import codec
from schemas import events as e

POSTED, LAWFUL = "as-posted", "lawful-deal"
KINDS = ("posted", "reading", "ruling", "counterfactual")


def recomputed(
    found: LocatedRound, precedents: Sequence[e.Precedent] = ()
) -> e.SettlementRecomputed:
    """The round under every option, as posted first."""
    judged = found.judged
    bodies = [codec.encode_event(event) for event in judged.round.events]
    return e.SettlementRecomputed(
        edition=judged.edition.number if judged.edition else "",
        events=len(bodies),
        events_sha256=hashlib.sha256(b"".join(bodies)).hexdigest(),
        options=tuple(options(found)),
        precedents=tuple(precedents),
    )


def options(found: LocatedRound) -> Iterator[e.DisputeOption]:
    """Every option of a round that changes its status or its money, and the posted one."""
    judged = found.judged
    what = "the round by the terms that were posted"
    posted = _option(POSTED, "posted", what, judged, judged)
    yield posted
    for option in (*_readings(judged), *_rulings(judged)):
        if (option.status, option.lines) != (posted.status, posted.lines):
            yield option
    yield from _counterfactual(found)


def clauses_of_choice(judged: Judgement) -> tuple[str, ...]:
    """The clauses under which somebody ruled in the round, or must rule."""
    if judged.edition is None:
        return ()
    known = rulings(judged.edition.game).CHOICE_CLAUSES
    made = [ruling.clause for ruling in rulings_made(judged)]
    cited = [anchor for step in judged.steps for anchor in step.clauses if anchor in known]
    return tuple(dict.fromkeys((*made, *cited, *(a for a in judged.ruled.clauses if a in known))))


def rulings_made(judged: Judgement) -> list[e.RulingMade]:
    """The rulings on record in the round."""
    payloads = (event.payload for event in judged.round.events)
    return [payload for payload in payloads if isinstance(payload, e.RulingMade)]


def pattern(judged: Judgement) -> tuple[str, ...]:
    """What went wrong in the round: the irregularities that were reported and the rules' flags."""
    reported = {
        event.payload.kind
        for event in judged.round.events
        if isinstance(event.payload, e.IrregularityReported)
    }
    return tuple(sorted(reported | {flag.code for flag in judged.flags}))


def _readings(judged: Judgement) -> Iterator[e.DisputeOption]:
    for issue, others in relied(judged).items():
        for reading in others:
            change = f"reading:{issue}={reading}"
            after = _changed(judged, change)
            if after is None or judged.edition is None:
                continue
            unclear = judged.edition.issues[issue]
            what = f"{unclear.anchor} read as {reading}: {unclear.what}"
            option = _option(change, "reading", what, judged, after, clause=unclear.anchor)
            yield replace(option, issue=issue, changes=(change,))


def _rulings(judged: Judgement) -> Iterator[e.DisputeOption]:
    if judged.edition is None:
        return
    made = {ruling.clause: ruling.decision for ruling in rulings_made(judged)}
    words = rulings(judged.edition.game).ruling_words
    for clause in clauses_of_choice(judged):
        for word in words(clause):
            if made.get(clause) == word:
                continue
            change = f"ruling:{clause}={word}"
            after = _changed(judged, change)
            if after is not None:
                what = f"ruled {word} under {clause}"
                option = _option(change, "ruling", what, judged, after, clause=clause)
                yield replace(option, changes=(change,))


def _counterfactual(found: LocatedRound) -> Iterator[e.DisputeOption]:
    lawful = lawful_deal(found.judged, found.day)
    if lawful is None:
        return
    if lawful.judged is None:
        yield e.DisputeOption(
            option_id=LAWFUL,
            kind="counterfactual",
            what=f"hypothetical: the lawful deal cannot be said, as {lawful.unknown}",
            hypothetical=True,
            status="unknown",
            lines=(),
            correction_minor=0,
        )
        return
    dealt = ", ".join(f"{hand} {code}" for hand, code in lawful.cards)
    as_chosen = ", the players choosing as they did" if lawful.chosen else ""
    what = f"hypothetical: the shoe's cards dealt by the rules{as_chosen}, {dealt}"
    edition = found.judged.edition
    clause = rulings(edition.game).PLAY_CLAUSE if edition else ""
    option = _option(LAWFUL, "counterfactual", what, found.judged, lawful.judged, clause=clause)
    yield replace(option, hypothetical=True, later_rounds=lawful.later_rounds)


def _changed(judged: Judgement, change: str) -> Judgement | None:
    """The round with a change; None where the change cannot be made to it."""
    try:
        return whatif(judged, (change,)).after
    except (BadChange, BadTerms):
        return None


def _option(
    name: str, kind: str, what: str, before: Judgement, after: Judgement, *, clause: str = ""
) -> e.DisputeOption:
    lines = tuple(_lines(before, after))
    return e.DisputeOption(
        option_id=name,
        kind=kind,
        clause=clause,
        what=what,
        hypothetical=False,
        status=after.ruled.status,
        outcome=str(after.ruled.outcome),
        lines=lines,
        correction_minor=sum(line.correction_minor for line in lines),
    )


def _lines(before: Judgement, after: Judgement) -> Iterator[e.OptionLine]:
    """Each wager that is due something, beside what was seen to be paid on it at the table."""
    seen = payments.totals(before.round.events)
    for due in after.dues:
        paid = seen.get(due.wager_id)
        seen_minor = None if paid is None else paid.paid - paid.collected - paid.reserve_taken
        due_minor = due.net
        yield e.OptionLine(
            wager_id=due.wager_id,
            player_id=due.player_id,
            bet=due.bet,
            outcome=due.outcome,
            stake=due.stake,
            due_minor=due_minor,
            seen_minor=seen_minor,
            correction_minor=due_minor - (seen_minor or 0),
            clauses=due.clauses,
        )
