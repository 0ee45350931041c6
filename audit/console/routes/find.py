"""Find a round by what somebody remembers of it."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from audit.cli.errors import Stopped
from audit.console import rendering, table_files
from audit.console.guard import Visit, asks
from audit.console.questions import phrase
from audit.console.questions.phrase import Phrase
from audit.console.roles import Action
from audit.house import rounds_near
from audit.house.rounds_near import MatchingRound, Remembered

router = APIRouter()
Visitor = Annotated[Visit, asks(Action.SEE_ROUNDS)]
MOST = 200  # rounds of one answer; the page says how many there are
WITHIN = "10m"


@router.get("/find")
def find(
    visit: Visitor,
    q: str = "",
    table: str = "",
    day: str = "",
    at: str = "",
    within: str = WITHIN,
    seat: str = "",
    player: str = "",
    card: str = "",
    amount: str = "",
    number: str = "",
) -> Response:
    """The form, and the rounds that match."""
    visit.saw(f"rounds: {q} {table} {day} {at} {seat} {player} {card} {amount} {number}".strip())
    with visit.request.app.state.snapshot.cursor() as db:
        asked = phrase.understood(db, q[:400])
        if asked.round and visit.sees(asked.round[0]):
            where, round_id = asked.round
            return RedirectResponse(
                f"/t/{rendering.in_path(where)}/r/{rendering.in_path(round_id)}", 303
            )
        asked = _merged(asked, table, day, at, seat, player, card, amount, number)
        found, problem, hint = _rounds(visit, db, asked, within)
        tables = db.execute("select distinct table_id from table_days order by all").fetchall()
    return rendering.page(
        visit,
        "find.html",
        asked=asked,
        q=q,
        within=within,
        rounds=found[:MOST],
        total=len(found),
        problem=problem,
        hint=hint,
        tables=[name for (name,) in tables if visit.sees(name)],
    )


@router.get("/api/rounds")
def rounds_as_data(
    visit: Visitor,
    q: str = "",
    table: str = "",
    day: str = "",
    at: str = "",
    within: str = WITHIN,
    seat: str = "",
    player: str = "",
    card: str = "",
    amount: str = "",
    number: str = "",
) -> dict[str, Any]:
    """The rounds that match, as data; amounts are text."""
    visit.saw(f"rounds: {q} {table} {day} {at} {seat} {player} {card} {amount} {number}".strip())
    with visit.request.app.state.snapshot.cursor() as db:
        asked = phrase.understood(db, q[:400])
        asked = _merged(asked, table, day, at, seat, player, card, amount, number)
        found, problem, hint = _rounds(visit, db, asked, within)
    rows = [
        each._asdict() | {"bets": [bet._asdict() | {"stake": str(bet.stake)} for bet in each.bets]}
        for each in found[:MOST]
    ]
    return {
        "rounds": rows,
        "total": len(found),
        "not_understood": list(asked.unknown),
        "problem": problem,
        "hint": hint,
    }


def _merged(asked: Phrase, table: str, day: str, at: str, *rest: str) -> Phrase:
    """What the phrase says, and over it what the fields say."""
    seat, player, card, amount, number = rest
    digits = amount.replace(".", "").replace(",", "")
    return asked._replace(
        table=table or asked.table,
        day=day or asked.day,
        at=at or asked.at,
        seat=seat or asked.seat,
        player=player or asked.player,
        card=card.upper() or asked.card,
        amount=int(digits) if digits.isdigit() and len(digits) < 16 else asked.amount,
        number=int(number) if number.isdigit() and len(number) < 3 else asked.number,
    )


def _rounds(
    visit: Visit, db: Any, asked: Phrase, within: str
) -> tuple[list[MatchingRound], str, str]:
    """The rounds, what was wrong with the question, and when the table was open."""
    remembered = Remembered(
        asked.seat, asked.player, "", asked.amount, asked.card, asked.number, asked.dealer
    )
    if not (asked.table or asked.at or any(value not in ("", None) for value in remembered)):
        return [], "", ""
    zone = "UTC" if visit.zone_is_utc else visit.request.app.state.zone
    try:
        question = rounds_near.question(
            db,
            asked.table,
            asked.at,
            within=within,
            day=asked.day,
            zone=zone,
            remembered=remembered,
        )
        found = [each for each in rounds_near.rounds(db, question) if visit.sees(each.table_id)]
    except Stopped as stopped:
        return [], str(stopped), stopped.next_step
    return found, "", "" if found else rounds_near.open_hours(db, question)


table_files.add(router, "find", rounds_as_data, "rounds")
