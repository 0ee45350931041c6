"""Blackjack: the rule issues with one reading that a round rests on."""

from collections.abc import Iterable

from replay.betting_end import decided_by
from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark
from replay.rulings.shared import dealt_round


def relied(record: BlackjackRecord, remarks: Iterable[BlackjackRemark]) -> dict[str, str]:
    """How each such issue was read."""
    return dealt_round.read_as(
        record.terms,
        {
            "betting_ends": decided_by(record.round.events, record.round.betting_end),
            "limits": any(remark.code == "OFF_LIMITS" for remark in remarks),
        },
    )
