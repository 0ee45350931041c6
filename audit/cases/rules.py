"""Which step may be taken in a dispute, by whom, and after what (clauses 8.1 to 8.6).

Each kind of step has a `StepRule`: its clause, who may take it, and what it needs. `refusal` goes
through them in this order: the case is open, the rank is enough, the person is not judging their
own round (R20), everything that the step needs is there. It returns the first thing that is wrong.

    raise ─ say ─┬─ accepted ───────────────────────────────────────────────────────── close
                 └─ escalate ─ inform, promise, statements, recompute ─ decide ─ confirm
                        ┌──────────────────────────────────────────────────────────────┘
                        └─ settle ─ tell ─┬─ agrees ────────────────────────────────── close
                                          └─ assist ─┬─ no complaint ───────────────── close
                                                     └─ review ─┬─ stands ──────────── close
                                                                └─ set aside ─ decide …
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from audit.cases.case import Case
from schemas import events as e
from schemas.ranks import LADDER, at_least

PIT_MANAGER = "pit_manager"
TABLE = LADDER[LADDER.index("dealer_inspector") :]
PIT = LADDER[LADDER.index(PIT_MANAGER) :]
CASHIERS = ("cage_cashier", *LADDER[LADDER.index("pit_supervisor") :])
SURVEILLANCE = ("surveillance_operator", "surveillance_director")
OVERSIGHT = ("compliance_officer", "senior_management")


class Actor(NamedTuple):
    """Who takes a step: a person's pseudonym, and the rank or office they act in."""

    person_id: str
    rank: str


class Refusal(NamedTuple):
    """Why a step may not be taken: the clause, what is wrong, who may, and what comes first."""

    verb: str
    clause: str
    need: "UnmetNeed"  # expected and found
    who: tuple[str, ...]  # ranks and offices that may take the step

    @property
    def what(self) -> str:
        """What was expected and what was found, in English."""
        return self.need.what

    @property
    def first(self) -> str:
        """The verb of the step that is missing, with what it needs."""
        return self.need.first

    def __str__(self) -> str:
        return f"{command(self.verb)} is refused ({self.clause}): {self.what}"


class StepRule(NamedTuple):
    """The rule of one kind of step."""

    verb: str
    clause: str  # its number in section 8
    who: tuple[str, ...]
    needs: Callable[[Case, Actor, Any], Iterable["UnmetNeed"]]
    when_closed: bool = False  # whether a closed case still takes it


class UnmetNeed(NamedTuple):
    """Something that a step needs and does not have; the text is translated before it is filled."""

    clause: str
    text: str
    first: str = ""
    values: Mapping[str, str] = {}

    @property
    def what(self) -> str:
        """What was expected and what was found, in English."""
        return self.text % self.values if self.values else self.text


def refusal(case: Case, actor: Actor, step: e.CaseStep) -> Refusal | None:
    """Why this person may not take this step now; None where they may."""
    rule = RULES[type(step)]
    found = next(_missing(case, actor, rule, step), None)
    if found is None:
        return None
    return Refusal(rule.verb, case.clause(found.clause), found, rule.who)


def unmet(case: Case, actor: Actor, kind: type[Any]) -> list[UnmetNeed]:
    """Everything that a step of this kind still needs before this person may take it."""
    rule = RULES[kind]
    return list(_missing(case, actor, rule, None))


def raising(actor: Actor) -> Refusal | None:
    """Why this person may not raise a dispute; None where they may."""
    rule = RULES[e.DisputeRaised]
    if actor.rank in rule.who:
        return None
    return Refusal(rule.verb, rule.clause, _too_low(actor, rule), rule.who)


def open_verbs(case: Case, actor: Actor | None = None) -> list[str]:
    """The steps that may come next, and for one person those they may take themselves."""
    return [
        rule.verb
        for kind, rule in RULES.items()
        if kind is not e.DisputeRaised and not _blocked(case, actor, rule)
    ]


def command(verb: str) -> str:
    """How a step is typed: the end of a hold is confirmed by `confirm --hold`."""
    return "confirm --hold" if verb == "confirm-release" else verb


def involved(case: Case) -> dict[str, str]:
    """The persons who judge nothing in this dispute, each with the reason (R20)."""
    duty = {
        person: f"was on duty at the table as {rank.replace('_', ' ')}"
        for rank, person in case.raised.staff.items()
    }
    accounts = {
        statement.given_by: f"gave the account of the {statement.party}"
        for _, statement in case.all(e.StatementTaken)
    }
    answers = {
        event.person_id: "gave the first answer" for event, _ in case.all(e.FirstAnswerGiven)
    }
    return answers | accounts | duty


def who_may(ranks: tuple[str, ...]) -> str:
    """The ranks of a rule in words: a run up the ladder as "and above"."""
    words = [rank.replace("_", " ") for rank in ranks]
    on_ladder = [rank for rank in ranks if rank in LADDER]
    if len(on_ladder) > 1 and tuple(on_ladder) == LADDER[LADDER.index(on_ladder[0]) :]:
        lowest = f"{on_ladder[0].replace('_', ' ')} and above"
        words = [lowest, *(rank.replace("_", " ") for rank in ranks if rank not in LADDER)]
    return ", ".join(words)


def _missing(
    case: Case, actor: Actor, rule: StepRule, step: e.CaseStep | None
) -> Iterator[UnmetNeed]:
    if not case.is_open and not rule.when_closed:
        found = {"case": case.case_id}
        yield UnmetNeed(rule.clause, "an open case expected, %(case)s is closed", "open", found)
    if actor.rank not in rule.who:
        yield _too_low(actor, rule)
    yield from rule.needs(case, actor, step)


def _blocked(case: Case, actor: Actor | None, rule: StepRule) -> bool:
    """Whether the step cannot come next, whatever it says."""
    if not case.is_open and not rule.when_closed:
        return True
    if actor is not None and actor.rank not in rule.who:
        return True
    return any(True for _ in rule.needs(case, actor or Actor("", ""), None))


def _too_low(actor: Actor, rule: StepRule) -> UnmetNeed:
    found = {"who": who_may(rule.who), "rank": actor.rank.replace("_", " ") or "no rank"}
    return UnmetNeed(rule.clause, "%(who)s expected, %(rank)s found", "", found)


def _nothing(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del case, actor, step
    yield from ()


def _raised_once(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del actor, step
    found = {"case": case.case_id}
    yield UnmetNeed("8.1", "a new dispute expected, %(case)s was raised already", "", found)


def _answerable(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    """A first answer is the table's own: it comes before the dispute goes up (8.1)."""
    del actor, step
    if case.last(e.DisputeEscalated):
        yield UnmetNeed("8.1", "a dispute still at the table expected, it was escalated", "inform")


def _unresolved(case: Case, actor: Actor, step: e.DisputeEscalated | None) -> Iterator[UnmetNeed]:
    """Only what the table could not resolve goes up, and only to a pit manager or above (8.1)."""
    del actor
    answer = case.last(e.FirstAnswerGiven)
    if answer is None:
        yield UnmetNeed("8.1", "an answer at the table expected first, none found", "say")
    elif isinstance(answer.step, e.FirstAnswerGiven) and answer.step.accepted:
        yield UnmetNeed("8.1", "an unresolved dispute expected, the answer was accepted", "close")
    yield from _undecided(case, "8.1")
    if step is None:
        return
    if not at_least(step.to_rank, PIT_MANAGER):
        found = {"rank": step.to_rank.replace("_", " ")}
        yield UnmetNeed(
            "8.1", "a pit manager or above expected to take it over, %(rank)s found", "", found
        )
    yield from _not_involved(case, step.to_person_id, "take it over")


def _undecided(case: Case, clause: str) -> Iterator[UnmetNeed]:
    if case.decision is not None:
        first = "tell" if case.confirmation else "confirm"
        yield UnmetNeed(clause, "a dispute without a decision expected, one is in force", first)


def _escalated(case: Case, clause: str) -> Iterator[UnmetNeed]:
    if case.last(e.DisputeEscalated) is None:
        yield UnmetNeed(
            clause, "an escalated dispute expected, it is still at the table", "escalate"
        )


def _informing(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del actor, step
    yield from _escalated(case, "8.2")
    yield from _undecided(case, "8.2")


def _promising(case: Case, actor: Actor, step: e.TimeframePromised | None) -> Iterator[UnmetNeed]:
    del actor
    yield from _escalated(case, "8.3")
    yield from _undecided(case, "8.3")
    if step is not None and step.promised_at <= case.steps[-1].done_at:
        yield UnmetNeed(
            "8.3", "a time after the last step expected, an earlier one found", "promise"
        )


def _stating(case: Case, actor: Actor, step: e.StatementTaken | None) -> Iterator[UnmetNeed]:
    del actor
    if step is None:
        return
    if not (step.text or step.evidence_id or step.signature == "refused"):
        yield UnmetNeed(
            "8.4.5", "a text, a recording or a refusal expected, none found", "statement"
        )
    if step.evidence_id and step.evidence_id not in _evidence(case):
        found = {"evidence": step.evidence_id}
        yield UnmetNeed(
            "8.4.5",
            "a recording in evidence expected, no evidence %(evidence)s found",
            "add",
            found,
        )


def _adding(case: Case, actor: Actor, step: e.EvidenceAdded | None) -> Iterator[UnmetNeed]:
    del actor
    if step is not None and step.evidence_id in _evidence(case):
        found = {"number": step.evidence_id}
        yield UnmetNeed(step.basis, "a new number expected, %(number)s is taken", "add", found)


def _deciding(case: Case, actor: Actor, step: e.DisputeDecided | None) -> Iterator[UnmetNeed]:
    """A decision rests on what 8.4.1 to 8.4.8 name, and is nobody's own (R20)."""
    if case.decision is not None:
        yield UnmetNeed("8.4", "a dispute without a decision expected, one is in force", "confirm")
    yield from _escalated(case, "8.1")
    yield from _rank_of_escalation(case, actor)
    if case.last(e.SurveillanceInformed) is None:
        yield UnmetNeed("8.2", "Surveillance informed expected, no notice found", "inform")
    if case.last(e.TimeframePromised) is None:
        yield UnmetNeed("8.3", "a timeframe promised to the player expected, none found", "promise")
    parties = {statement.party for _, statement in case.all(e.StatementTaken)}
    for party in ("player", "house"):
        if party not in parties:
            first = f"statement --party {party}"
            found = {"party": party}
            yield UnmetNeed(
                "8.4.5", "the account of the %(party)s expected, none found", first, found
            )
    if case.last(e.SettlementRecomputed) is None:
        yield UnmetNeed(
            "8.4.1",
            "the money under every open reading expected, no recomputation found",
            "recompute",
        )
    yield from _not_involved(case, actor.person_id, "decide it")
    yield from _not_again(case, actor)
    if step is not None:
        yield from _well_decided(case, step)


def _rank_of_escalation(case: Case, actor: Actor) -> Iterator[UnmetNeed]:
    """Whoever it was escalated to decides, or somebody of that rank or above."""
    taken = [step.to_rank for _, step in case.all(e.DisputeEscalated)]
    if taken and actor.rank in LADDER and not at_least(actor.rank, taken[-1]):
        found = {"wanted": taken[-1].replace("_", " "), "rank": actor.rank.replace("_", " ")}
        yield UnmetNeed(
            "8.1", "a %(wanted)s or above expected, as it was escalated, %(rank)s found", "", found
        )


def _not_again(case: Case, actor: Actor) -> Iterator[UnmetNeed]:
    """What a review set aside is decided by somebody else."""
    before = {event.person_id for event, _ in case.all(e.DisputeDecided)}
    if case.decision is None and actor.person_id in before:
        found = {"person": actor.person_id}
        yield UnmetNeed(
            "8.5", "another person expected, %(person)s made the decision before", "", found
        )


def _well_decided(case: Case, step: e.DisputeDecided) -> Iterator[UnmetNeed]:
    if not step.clauses:
        yield UnmetNeed("8.4.1", "the clauses of the decision expected, none found", "decide")
    if not (step.facts and step.reasons):
        yield UnmetNeed("8.4", "the facts found and the reasons expected, nothing found", "decide")
    recomputed = case.last(e.SettlementRecomputed)
    if step.option_id and recomputed and isinstance(recomputed.step, e.SettlementRecomputed):
        known = [option.option_id for option in recomputed.step.options]
        if step.option_id not in known:
            found = {"options": ", ".join(known), "option": step.option_id}
            yield UnmetNeed(
                "8.4.1", "one of %(options)s expected, %(option)s found", "decide", found
            )


def _confirming(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del step
    if case.decision is None:
        yield UnmetNeed("8.4", "a decision expected, none is in force", "decide")
    elif case.confirmation is not None:
        yield UnmetNeed("8.4", "a decision to confirm expected, it is confirmed already", "tell")
    elif case.decision.person_id == actor.person_id:
        found = {"person": actor.person_id}
        yield UnmetNeed("8.4", "a second person expected, %(person)s decided it (R20)", "", found)
    yield from _not_involved(case, actor.person_id, "confirm it")


def _settling(case: Case, actor: Actor, step: e.CorrectionPaid | None) -> Iterator[UnmetNeed]:
    """A correcting payment is what the confirmed decision says, no more and no less."""
    del actor
    yield from _confirmed(case)
    if case.confirmation is not None and not case.unpaid:
        yield UnmetNeed("8.4", "a payment that is still open expected, none is", "tell")
    if step is None:
        return
    for payment in step.payments:
        if payment not in case.unpaid:
            found = {
                "amount": f"{payment.amount:,}",
                "wager": payment.wager_id,
                "player": payment.player_id,
            }
            yield UnmetNeed(
                "8.4",
                "an open payment of the decision expected,"
                " %(amount)s on %(wager)s to %(player)s found",
                "settle",
                found,
            )


def _confirmed(case: Case) -> Iterator[UnmetNeed]:
    if case.decision is None:
        yield UnmetNeed("8.4", "a decision expected, none is in force", "decide")
    elif case.confirmation is None:
        yield UnmetNeed("8.4", "a decision confirmed by a second person expected, it is not (R20)",
                      "confirm")  # fmt: skip


def _telling(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del actor, step
    yield from _confirmed(case)


def _assisting(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    """Help with a complaint is for a player who disagrees and knows of the right (8.5, 8.6)."""
    del actor, step
    told = case.told.step if case.told else None
    if not isinstance(told, e.PlayerTold):
        yield UnmetNeed("8.5", "a player who was told the decision expected, nobody was", "tell")
    elif told.agrees:
        yield UnmetNeed("8.6", "a player who disagrees expected, the player agreed", "close")
    elif not told.right_told:
        yield UnmetNeed(
            "8.5",
            "a player who knows of the right to complain expected, nobody told them",
            "tell --right-told",
        )


def _reviewing(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    del step
    if case.unreviewed is None:
        yield UnmetNeed(
            "8.5", "a formal complaint without an answer expected, none found", "assist"
        )
    made = (case.decision, case.confirmation)
    if any(event and event.person_id == actor.person_id for event in made):
        found = {"person": actor.person_id}
        yield UnmetNeed(
            "8.5", "somebody else expected, %(person)s decided or confirmed (R20)", "", found
        )
    yield from _not_involved(case, actor.person_id, "review it")


def _holding(case: Case, actor: Actor, step: e.HoldPlaced | None) -> Iterator[UnmetNeed]:
    del actor
    if step is not None and step.hold_id in {hold.hold_id for hold in case.holds}:
        found = {"number": step.hold_id}
        yield UnmetNeed("8.4.6", "a new number expected, %(number)s is taken", "hold", found)


def _asking_release(
    case: Case, actor: Actor, step: e.HoldReleaseAsked | None
) -> Iterator[UnmetNeed]:
    del actor
    waiting = {hold.hold_id for hold in case.holds if not hold.asked and not hold.released}
    if not waiting or (step is not None and step.hold_id not in waiting):
        found = {"holds": ", ".join(sorted(waiting)) or "none"}
        yield UnmetNeed(
            "8.4.6", "a hold that nobody asked to end expected; there is %(holds)s", "show", found
        )


def _releasing(case: Case, actor: Actor, step: e.HoldReleased | None) -> Iterator[UnmetNeed]:
    """Nobody ends a hold alone (R2, R20)."""
    asked = {hold.hold_id: hold.asked for hold in case.holds if hold.asked and not hold.released}
    if not asked or (step is not None and step.hold_id not in asked):
        yield UnmetNeed(
            "8.4.6", "a hold that somebody asked to end expected, none found", "release"
        )
    by = [event.person_id for name, event in asked.items() if step is None or name == step.hold_id]
    if actor.person_id in by and len(set(by)) == 1:
        found = {"person": actor.person_id}
        yield UnmetNeed(
            "8.4.6", "a second person expected, %(person)s asked for it (R20)", "", found
        )


def _closing(case: Case, actor: Actor, step: Any) -> Iterator[UnmetNeed]:
    """A case ends with an accepted answer, or when 8.4 to 8.6 are done."""
    del actor, step
    answer = case.last(e.FirstAnswerGiven)
    accepted = answer and isinstance(answer.step, e.FirstAnswerGiven) and answer.step.accepted
    if accepted and case.last(e.DisputeEscalated) is None:
        return
    if case.decision is None and case.last(e.DisputeEscalated) is None:
        yield UnmetNeed("8.1", "an accepted answer or a decision expected, neither found", "say")
        return
    yield from _confirmed(case)
    for payment in case.unpaid:
        found = {"amount": f"{payment.amount:,}", "wager": payment.wager_id}
        yield UnmetNeed(
            "8.4", "%(amount)s on %(wager)s paid expected, nothing found", "settle", found
        )
    yield from _told_to_the_end(case)


def _told_to_the_end(case: Case) -> Iterator[UnmetNeed]:
    told = case.told.step if case.told else None
    if not isinstance(told, e.PlayerTold):
        yield UnmetNeed("8.5", "a player who was told the decision expected, nobody was", "tell")
    elif not told.agrees and not told.right_told:
        yield UnmetNeed(
            "8.5",
            "a player who knows of the right to complain expected, nobody told them",
            "tell --right-told",
        )
    elif not told.agrees and case.since_decision(e.PlayerAssisted) is None:
        yield UnmetNeed("8.6", "help with a formal complaint expected, none was offered", "assist")
    if case.unreviewed is not None:
        yield UnmetNeed("8.5", "an answer of Senior Management expected, none found", "review")


def _not_involved(case: Case, person_id: str, doing: str) -> Iterator[UnmetNeed]:
    """Nobody decides a round they dealt or supervised, or a dispute they are a party to (R20)."""
    why = involved(case).get(person_id)
    if why:
        found = {"doing": doing, "person": person_id, "why": why}
        yield UnmetNeed(
            "8.4.4", "somebody else expected to %(doing)s, %(person)s %(why)s (R20)", "", found
        )


def _evidence(case: Case) -> set[str]:
    return {evidence.evidence_id for _, evidence in case.all(e.EvidenceAdded)}


_GATHER = (*TABLE, *SURVEILLANCE)
_KEEP = (*PIT, *SURVEILLANCE, "internal_auditor", *OVERSIGHT)
_END_HOLD = ("surveillance_director", *OVERSIGHT)
_SECOND = (*PIT, "surveillance_director", *OVERSIGHT)

RULES: Mapping[type[Any], StepRule] = {
    e.DisputeRaised: StepRule("open", "8.1", _GATHER, _raised_once),
    e.FirstAnswerGiven: StepRule("say", "8.1", TABLE, _answerable),
    e.DisputeEscalated: StepRule("escalate", "8.1", _GATHER, _unresolved),
    e.SurveillanceInformed: StepRule("inform", "8.2", PIT, _informing),
    e.TimeframePromised: StepRule("promise", "8.3", PIT, _promising),
    e.StatementTaken: StepRule("statement", "8.4.5", (*_GATHER, "guest_relations"), _stating),
    e.EvidenceAdded: StepRule("add", "8.4.7", (*_GATHER, *OVERSIGHT), _adding),
    e.SettlementRecomputed: StepRule(
        "recompute", "8.4.1", (*_GATHER, "internal_auditor", *OVERSIGHT), _nothing
    ),
    e.DisputeDecided: StepRule("decide", "8.4", PIT, _deciding),
    e.DecisionConfirmed: StepRule("confirm", "8.4", _SECOND, _confirming),
    e.CorrectionPaid: StepRule("settle", "8.4", CASHIERS, _settling),
    e.PlayerTold: StepRule("tell", "8.5", PIT, _telling),
    e.PlayerAssisted: StepRule("assist", "8.6", (*PIT, "guest_relations"), _assisting),
    e.DecisionReviewed: StepRule("review", "8.5", ("senior_management",), _reviewing),
    e.AuthorityNotified: StepRule(
        "notify", "8.4.8", ("surveillance_director", *OVERSIGHT), _nothing, when_closed=True
    ),
    e.HoldPlaced: StepRule("hold", "8.4.6", _KEEP, _holding, when_closed=True),
    e.HoldReleaseAsked: StepRule("release", "8.4.6", _END_HOLD, _asking_release, when_closed=True),
    e.HoldReleased: StepRule("confirm-release", "8.4.6", _END_HOLD, _releasing, when_closed=True),
    e.CaseClosed: StepRule("close", "8.5", (*PIT, *OVERSIGHT), _closing),
}
