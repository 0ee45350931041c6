"""The front of a report: the finding and its money, the facts, and the round in plain words."""

from collections.abc import Iterator

from audit.checks import titles
from audit.evidence import figures
from audit.evidence.report.report_text import ReportText
from audit.evidence.settlement_sheet import SheetRow, short
from replay.sentence import Sentence, say


def headline(page: ReportText) -> dict[str, str]:
    """The finding and the money: who is short, and by how much."""
    finding = page.file.costliest
    owner, money, tone = _money(page)
    sure = say("page.certain") if finding and finding.certain else say("page.possible")
    return {
        "tone": tone,
        "kind": page.words(say("page.report_finding") if finding else say("page.report_checked")),
        "title": title(page),
        "sure": page.words(sure) if finding else "",
        "owner": page.words(owner) if money else "",
        "money": money,
    }


def title(page: ReportText) -> str:
    """The costliest finding in words, or that there is none."""
    finding = page.file.costliest
    if finding:
        return titles.title(finding.title, page.language)
    status = page.judged.ruled.status
    if status == "unknown":
        return page.words(say("page.verdict_unknown"))
    if status == "settled":
        own = page.file.withheld
        return page.words(say("page.verdict_own") if own else say("page.verdict_settled"))
    return page.words(say("page.verdict_other", status=status))


def _money(page: ReportText) -> tuple[Sentence, str, str]:
    """Whose money it is, how much, and how the box is coloured."""
    players, house = short(tuple(filter(page.shows, page.file.sheet)))
    if players:
        return say("page.player_short"), page.money(players), "wrong"
    if house:
        return say("page.house_short"), page.money(house), "wrong"
    finding = page.file.costliest
    most = max(finding.player_minor, finding.house_minor) if finding else 0
    if page.judged.ruled.status == "unknown":
        return say("page.at_stake"), page.money(most) if most else "", "unknown"
    if finding:
        return say("page.at_stake"), page.money(most) if most else "", "wrong"
    return say("page.no_difference"), page.money(0), "right"


def facts(page: ReportText) -> Iterator[tuple[str, str, str]]:
    """Label, value and a second line: rules, time, outcome, staff."""
    round, edition, terms = page.judged.round, page.judged.edition, page.judged.terms
    if edition and terms:
        name = f"{edition.title}, {edition.number}"
        several = len(edition.paytables) > 1
        paytable = page.label("paytable", terms.paytable) if several else ""
        yield page.words(say("page.fact_rules")), name, paytable
    first, last = round.events[0].occurred_at, round.events[-1].occurred_at
    here, utc = (
        f"{figures.clock(first, zone)} – {figures.clock(last, zone)}" for zone in (page.zone, "UTC")
    )
    err = max(event.err_ms for event in round.events)
    offset = figures.offset(first, page.zone)
    yield page.words(say("page.fact_time")), f"{here} {offset}", f"{utc} UTC ±{err} ms"
    status = page.label("status", page.judged.ruled.status)
    outcome = page.outcome
    yield page.words(say("page.fact_outcome")), outcome or status, status if outcome else ""
    staff = [f"{page.label('rank', rank)} {who}" for rank, who in round.staff.items()]
    yield page.words(say("page.fact_staff")), ", ".join(staff[:2]) or "–", ", ".join(staff[2:])


def happened(page: ReportText) -> Iterator[Sentence]:
    """The round in a few sentences that a lay person follows."""
    round, ruled, sheet = page.judged.round, page.judged.ruled, page.file.sheet
    opened, closed = (
        figures.clock(event.occurred_at, page.zone)[:8]
        for event in (round.events[0], round.events[-1])
    )
    yield say("page.played", table=round.table_id, opened=opened, closed=closed)
    if page.file.withheld:
        yield say("page.wagers_of_all", n=len(sheet))
    elif sheet:
        total = page.money(sum(row.wager.lying for row in sheet))
        yield say("page.wagers_lay", n=len(sheet), total=total)
        reserve = sum(row.wager.placed.reserve for row in sheet)
        if reserve:
            yield say("page.reserve_lay", total=page.money(reserve))
    if ruled.status == "unknown":
        yield say("page.outcome_unknown")
    elif ruled.outcome:
        yield say("page.outcome_is", outcome=page.outcome)
    else:
        yield say("page.status_is", status=ruled.status)
    yield from _differences(page)


def _differences(page: ReportText) -> Iterator[Sentence]:
    """The wagers that were not settled as due, or that all were that this edition shows."""
    shown = [row for row in page.file.sheet if page.shows(row)]
    wrong = [row for row in shown if row.difference]
    yield from (_difference(page, row) for row in wrong)
    if wrong or not any(row.due for row in shown):
        return
    if any(row.given is None for row in shown):
        yield say("page.not_all_seen")
    else:
        yield say("page.own_as_due") if page.file.withheld else say("page.all_as_due")


def _difference(page: ReportText, row: SheetRow) -> Sentence:
    """One wager that was not settled as due, with who is short."""
    assert row.owed is not None
    assert row.given is not None
    assert row.due is not None
    owed, given, gap = page.money(row.owed), page.money(row.given), abs(row.given - row.owed)
    where, bet, stake = page.where(row), row.wager.bet, page.money(row.wager.lying)
    if row.given < row.owed:
        return say(
            "page.player_was_short",
            where=where,
            bet=bet,
            stake=stake,
            outcome=row.due.outcome,
            owed=owed,
            given=given,
            short=page.money(gap),
        )
    return say(
        "page.player_got_more",
        where=where,
        bet=bet,
        stake=stake,
        outcome=row.due.outcome,
        owed=owed,
        given=given,
        short=page.money(gap),
    )


def caption(page: ReportText) -> Sentence:
    """What the picture of the felt shows."""
    last = page.judged.round.events[-1].occurred_at
    at, offset = figures.clock(last, page.zone), figures.offset(last, page.zone)
    if page.file.flagged - page.file.withheld:
        return say("page.felt_caption_flagged", at=at, offset=offset)
    return say("page.felt_caption", at=at, offset=offset)
