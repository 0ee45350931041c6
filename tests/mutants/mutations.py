"""Changes of an honest day that know no rule of any game.

A draft is the day's readings in order of arrival. A mutation changes the draft and says in words
what it did. What it tells beside its words is whether an honest table could have said the same: a
carrier's mutation only touches the way in (arrival, doubles, losses, clocks within their bounds),
so nobody may be accused for it.
"""

from tests.mutants.changes import (
    change,
    change_bound,
    change_device,
    change_everywhere,
    change_part,
    mislabel,
    shift_clock,
    spoil,
)
from tests.mutants.deliveries import come_late, come_twice, hold_device, lose, skew_device, slip
from tests.mutants.draft import Mutation
from tests.mutants.insertions import bet_late, borrow, borrow_several, insert, insert_wager
from tests.mutants.moves import (
    drop,
    exchange,
    move,
    move_over_a_mark,
    move_to_another_round,
    repeat,
    silence,
    swap,
)

MUTATIONS = (
    Mutation("drop", drop, weight=3),
    Mutation("repeat", repeat, weight=2),
    Mutation("swap", swap, weight=2),
    Mutation("move", move, weight=3),
    Mutation("move over a mark", move_over_a_mark, weight=3),
    Mutation("move to another round", move_to_another_round, weight=2),
    Mutation("exchange", exchange, weight=2),
    Mutation("silence", silence, weight=2),
    Mutation("change", change, weight=5),
    Mutation("spoil", spoil, weight=3),
    Mutation("change everywhere", change_everywhere, weight=3),
    Mutation("change part", change_part),
    Mutation("change device", change_device),
    Mutation("change bound", change_bound),
    Mutation("mislabel", mislabel),
    Mutation("shift clock", shift_clock),
    Mutation("slip", slip, weight=3),
    Mutation("insert", insert, weight=5),
    Mutation("insert wager", insert_wager, weight=3),
    Mutation("bet late", bet_late, weight=3),
    Mutation("borrow", borrow, weight=3),
    Mutation("borrow several", borrow_several, weight=2),
    Mutation("lose", lose, carrier=True, weight=3),
    Mutation("come twice", come_twice, carrier=True),
    Mutation("come late", come_late, carrier=True, weight=3),
    Mutation("hold device", hold_device, carrier=True, weight=2),
    Mutation("skew device", skew_device, carrier=True),
)
