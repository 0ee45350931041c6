"""Steps of a dispute made of what people give at a desk: the command line's or the console's.

A value that a person gives is checked like anything that comes from outside. What the case itself
knows (its next number, its wagers, its open payments) is taken from the case.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from audit.cases.case import Case
from audit.cases.evidence_store import StoredFile
from audit.cli import amounts
from audit.cli.errors import Code, Stopped
from replay.locate import LocatedRound
from schemas import events as e
from schemas import shape

NEAR = 2  # rounds on either side that Surveillance looks at (8.2)
DECIDE = "roundproof case decide --help has examples"


def checked(kind: str, **values: Any) -> Any:
    """A step of these values, checked like anything that comes from outside."""
    given = {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }
    return shape.record(kind, given)


def raised(
    found: LocatedRound, player: str, wagers: Sequence[str], **given: Any
) -> e.DisputeRaised:
    """A dispute over a round, with the round as the case remembers it (8.1)."""
    made: e.DisputeRaised = checked(
        "DisputeRaised", **_round(found), **_disputed(found, player, wagers), **given
    )
    return made


def informed(case: Case, whom: str, how: str) -> e.SurveillanceInformed:
    """The notice to Surveillance, with the rounds to look at (8.2)."""
    made: e.SurveillanceInformed = checked(
        "SurveillanceInformed",
        informed_person_id=whom,
        how=how,
        rounds=(*case.raised.rounds_near, case.raised.round_id),
    )
    return made


def evidence(case: Case, stored: StoredFile, entry: Mapping[str, object]) -> e.EvidenceAdded:
    """A stored file as the next number of the case's evidence."""
    number = f"E{len(case.all(e.EvidenceAdded)) + 1}"
    made: e.EvidenceAdded = checked(
        "EvidenceAdded", evidence_id=number, sha256=stored.sha256, size=stored.size, **entry
    )
    return made


def hold(case: Case, classes: Sequence[str], reason: str) -> e.HoldPlaced:
    """The next legal hold of the case; on every class where none is named (R2)."""
    chosen = list(classes) or ["video", "events", "case", "access"]
    made: e.HoldPlaced = checked(
        "HoldPlaced", hold_id=f"H{len(case.holds) + 1}", classes=chosen, reason=reason
    )
    return made


def payment(case: Case, wagers: Sequence[str], reference: str, event_id: str) -> e.CorrectionPaid:
    """The payments of the decision that are open, all or those on some wagers."""
    decision = case.decision.step if case.decision else None
    currency = decision.currency if isinstance(decision, e.DisputeDecided) else ""
    chosen = tuple(each for each in case.unpaid if not wagers or each.wager_id in wagers)
    # Only what a person typed is checked here; the rest is the decision's, or the rules refuse it.
    # XXX is the code for no currency (ISO 4217).
    checked("CorrectionPaid", payments=[], currency="XXX", reference=reference, event_id=event_id)
    return e.CorrectionPaid(chosen, currency, reference, event_id)


def decision(
    case: Case, given: Mapping[str, object], clauses: Sequence[str], pay: Sequence[str] | None
) -> e.DisputeDecided:
    """The decision: clauses and payments as given, else as the option says (8.4)."""
    chosen = option(case, str(given["option_id"]))
    cited = list(clauses) or list(
        dict.fromkeys(anchor for line in disputed_lines(case, chosen) for anchor in line.clauses)
    )
    payments = corrections(case, chosen) if pay is None else _given(case, pay)
    made: e.DisputeDecided = checked(
        "DisputeDecided",
        **given,
        clauses=cited,
        payments=list(payments),
        currency=case.raised.currency if payments else "",
    )
    return made


def options(case: Case) -> tuple[e.DisputeOption, ...]:
    """The options of the last recomputation."""
    event = case.last(e.SettlementRecomputed)
    return event.step.options if event and isinstance(event.step, e.SettlementRecomputed) else ()


def option(case: Case, name: str) -> e.DisputeOption | None:
    """The option of this name."""
    return next((each for each in options(case) if each.option_id == name), None)


def disputed_lines(case: Case, chosen: e.DisputeOption | None) -> list[e.OptionLine]:
    """The option's wagers that are in dispute; all of them where the whole round is."""
    named = case.raised.wagers
    lines = chosen.lines if chosen else ()
    return [line for line in lines if not named or line.wager_id in named]


def corrections(case: Case, chosen: e.DisputeOption | None) -> list[e.CasePayment]:
    """What the house owes on the disputed wagers under an option."""
    return [
        e.CasePayment(line.wager_id, line.player_id, line.correction_minor)
        for line in disputed_lines(case, chosen)
        if line.correction_minor
    ]


def _given(case: Case, pay: Sequence[str]) -> list[e.CasePayment]:
    """Payments as a person writes them, WAGER=AMOUNT."""
    owners = {line.wager_id: line.player_id for each in options(case) for line in each.lines}
    payments = []
    for word in pay:
        wager, sign, amount = word.partition("=")
        if not sign or wager not in owners:
            known = ", ".join(owners) or "none"
            what = f"--pay {word}: WAGER=AMOUNT with a WAGER of {known} expected"
            raise Stopped(what, DECIDE, Code.USAGE)
        minor = amounts.minor_units(amount, "--pay", example=DECIDE, signed=True)
        payments.append(e.CasePayment(wager, owners[wager], minor))
    return payments


def _round(found: LocatedRound) -> dict[str, object]:
    """The round as the case remembers it."""
    round = found.judged.round
    terms = round.terms
    ids = [other.round_id for other in found.day]
    place = ids.index(round.round_id)
    near = (*ids[max(0, place - NEAR) : place], *ids[place + 1 : place + 1 + NEAR])
    return {
        "round_id": round.round_id,
        "gaming_day": round.gaming_day,
        "game": terms.game if terms else "",
        "currency": terms.currency if terms else "",
        "staff": dict(round.staff),
        "rounds_near": near,
        "round_opened_at": round.events[0].occurred_at if round.events else 0,
    }


def _disputed(found: LocatedRound, player: str, wagers: Sequence[str]) -> dict[str, object]:
    """The wagers in dispute and whose they are; a wager's own id names both."""
    placed = {
        event.payload.wager_id: event.payload.player_id
        for event in found.judged.round.events
        if isinstance(event.payload, e.WagerPlaced)
    }
    named = list(wagers) or [found.wager_id] * bool(found.wager_id)
    for wager in named:
        if wager not in placed:
            what = f"--wager {wager!r}: one of {', '.join(placed) or 'none'} expected"
            raise Stopped(what, "roundproof explain ROUND lists its wagers", Code.NOT_FOUND)
    owners = {placed[wager] for wager in named}
    owner = player or (owners.pop() if len(owners) == 1 else "")
    return {"wagers": tuple(named), "player_id": owner}
