"""Hoiana Roulette: the order of payment, whatever is bet and wherever the ball rests."""

from typing import Any

from hypothesis import given, settings

from tests.support.any_round.wheels import HOIANA_WAGERS, POCKETS, hoiana
from tests.support.tables import judged


@settings(deadline=None)
@given(HOIANA_WAGERS, POCKETS)
def test_paying_as_due_breaks_no_order(wagers: list[Any], pocket: int) -> None:
    sheet = hoiana(wagers, pocket)
    due = judged(sheet)
    lines = {line.wager_id: line for line in due.dues}
    paid = [lines[wager_id] for wager_id in due.ruled.pay_order]
    settled = [
        {"type": "WagerSettled", "wager_id": at.wager_id, "paid": at.paid, "returned": at.returned}
        for at in paid
    ]

    found = judged({**sheet, "events": [*sheet["events"], *settled]})

    assert not {"PAYMENT_ORDER", "MISPAY"}.intersection(flag.code for flag in found.flags)
