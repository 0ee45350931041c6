"""The worked examples of Tiger Baccarat, with every column.

Each example: its title; layout, cards as drawn, status, result, round flags and the next hand's
opening card; then its wagers: player, bet, stake, action, outcome, odds, gross, commission, net
win, collected, stake back, line flags. Limits as in tests/support/tiger_baccarat_sheets.py.
"""

from typing import Any

import pytest

from tests.support.tables import judged
from tests.support.tiger_baccarat_sheets import Json, event, sheet, withdraws

EXAMPLES = """
E1 Banker wins 7 to 5
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 |  |
    P1 | banker      | 100 | 100 | win  | 1 | 100 | 5 | 95 | 0   | 100 |
    P1 | player      | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | tie         | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | banker_pair | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | player_pair | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | tiger       | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | small_tiger | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |
    P1 | big_tiger   | 100 | 100 | lose |   | 0   | 0 | 0  | 100 | 0   |

E2 Banker wins on 6 with two cards
non_commission | 2S>P KS>B 3H>P 6H>B TD>P | settled | B 5-6 |  |
    P1 | banker      | 100 | 100 | win  | 1/2 | 50   | 0 | 50   | 0   | 100 |
    P1 | player      | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | tie         | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | banker_pair | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | player_pair | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | tiger       | 100 | 100 | win  | 12  | 1200 | 0 | 1200 | 0   | 100 |
    P1 | small_tiger | 100 | 100 | win  | 22  | 2200 | 0 | 2200 | 0   | 100 |
    P1 | big_tiger   | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |

E3 Banker wins on 6 with three cards, after a pair
non_commission | KS>P AS>B 2H>P AH>B 2D>P 4C>B | settled | B 4-6 |  |
    P1 | banker      | 100 | 100 | win  | 1/2 | 50   | 0 | 50   | 0   | 100 |
    P1 | player      | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | tie         | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | banker_pair | 100 | 100 | win  | 11  | 1100 | 0 | 1100 | 0   | 100 |
    P1 | player_pair | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | tiger       | 100 | 100 | win  | 20  | 2000 | 0 | 2000 | 0   | 100 |
    P1 | small_tiger | 100 | 100 | lose |     | 0    | 0 | 0    | 100 | 0   |
    P1 | big_tiger   | 100 | 100 | win  | 50  | 5000 | 0 | 5000 | 0   | 100 |

E4 The same hand on the commission layout: no half pay
commission | KS>P AS>B 2H>P AH>B 2D>P 4C>B | settled | B 4-6 |  |
    P1 | banker      | 100 | 100 | win  | 1  | 100  | 5 | 95   | 0   | 100 |
    P1 | player      | 100 | 100 | lose |    | 0    | 0 | 0    | 100 | 0   |
    P1 | tie         | 100 | 100 | lose |    | 0    | 0 | 0    | 100 | 0   |
    P1 | banker_pair | 100 | 100 | win  | 11 | 1100 | 0 | 1100 | 0   | 100 |
    P1 | player_pair | 100 | 100 | lose |    | 0    | 0 | 0    | 100 | 0   |
    P1 | tiger       | 100 | 100 | win  | 20 | 2000 | 0 | 2000 | 0   | 100 |
    P1 | small_tiger | 100 | 100 | lose |    | 0    | 0 | 0    | 100 | 0   |
    P1 | big_tiger   | 100 | 100 | win  | 50 | 5000 | 0 | 5000 | 0   | 100 |

E5 Tie on 6: every tiger bet loses
commission | KS>P QS>B 6H>P 6D>B | settled | T 6-6 |  |
    P1 | banker      | 100 | 100 | push |   | 0   | 0 | 0   | 0   | 100 |
    P1 | player      | 100 | 100 | push |   | 0   | 0 | 0   | 0   | 100 |
    P1 | tie         | 100 | 100 | win  | 8 | 800 | 0 | 800 | 0   | 100 |
    P1 | banker_pair | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | player_pair | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | tiger       | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | small_tiger | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | big_tiger   | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |

E6 Player natural 9; king and queen are not a pair
commission | KS>P KD>B 9H>P QD>B | settled | P 9-0 |  |
    P1 | banker      | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | player      | 100 | 100 | win  | 1 | 100 | 0 | 100 | 0   | 100 |
    P1 | tie         | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | banker_pair | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | player_pair | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | tiger       | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | small_tiger | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |
    P1 | big_tiger   | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   |

E7 Half-up rounding of 0.95 to 1
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 |  |
    P1 | banker | 1005 | 1005 | win | 1 | 1005 | 50 | 955 | 0 | 1005 |
    P2 | banker | 110  | 110  | win | 1 | 110  | 5  | 105 | 0 | 110  |
    P3 | banker | 101  | 101  | win | 1 | 101  | 5  | 96  | 0 | 101  |

E8 Half-up rounding of 1 to 2
non_commission | 2S>P KS>B 3H>P 6H>B TD>P | settled | B 5-6 |  |
    P1 | banker | 1005 | 1005 | win | 1/2 | 503 | 0 | 503 | 0 | 1005 |
    P2 | banker | 102  | 102  | win | 1/2 | 51  | 0 | 51  | 0 | 102  |

E9 Below minimum, first time (7.17)
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 |  |
    P1 | banker | 60 | 60 | win  | 1 | 60 | 3 | 57 | 0  | 60 | BELOW_MIN
    P1 | tie    | 10 | 10 | lose |   | 0  | 0 | 0  | 10 | 0  | BELOW_MIN

E10 Below minimum again (7.17): P1 has used the one time
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 |  |
    P1 | banker | 60 | 0  | returned |  | 0 | 0 | 0 | 0  | 60 | BELOW_MIN BELOW_MIN_REPEAT
    P2 | player | 60 | 60 | lose     |  | 0 | 0 | 0 | 60 | 0  | BELOW_MIN

E11 Over the maximum (7.18)
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 |  |
    P1 | banker | 12000 | 10000 | win  | 1 | 10000 | 500 | 9500 | 0     | 12000 | OVER_MAX
    P2 | player | 11000 | 10000 | lose |   | 0     | 0   | 0    | 10000 | 1000  | OVER_MAX
    P3 | tiger  | 1500  | 1000  | lose |   | 0     | 0   | 0    | 1000  | 500   | OVER_MAX

E12 Differential 10,000 exceeded, heavy side wins (7.19): ratio (2,000 + 10,000) / 18,000 = 2/3
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 | DIFFERENTIAL_EXCEEDED |
    P1 | banker | 10000 | 20000/3 | win  | 1 | 6667 | 334 | 6333 | 0    | 10000 | PRO_RATA
    P2 | banker | 8000  | 16000/3 | win  | 1 | 5333 | 266 | 5067 | 0    | 8000  | PRO_RATA
    P3 | player | 2000  | 2000    | lose |   | 0    | 0   | 0    | 2000 | 0     |

E13 The same wagers, heavy side loses
commission | KS>P KD>B 9H>P QD>B | settled | P 9-0 | DIFFERENTIAL_EXCEEDED |
    P1 | banker | 10000 | 20000/3 | lose |   | 0    | 0 | 0    | 6667 | 3333 | PRO_RATA
    P2 | banker | 8000  | 16000/3 | lose |   | 0    | 0 | 0    | 5333 | 2667 | PRO_RATA
    P3 | player | 2000  | 2000    | win  | 1 | 2000 | 0 | 2000 | 0    | 2000 |

E14 Differential with a below-minimum wager (7.19.1): ratio (2,000 + 10,000 - 60) / 18,000 = 199/300
commission | 2S>P KS>B 3H>P 7H>B TD>P | settled | B 5-7 | DIFFERENTIAL_EXCEEDED |
    P1 | banker | 10000 | 19900/3 | win  | 1 | 6633 | 331 | 6302 | 0    | 10000 | PRO_RATA
    P2 | banker | 8000  | 15920/3 | win  | 1 | 5307 | 266 | 5041 | 0    | 8000  | PRO_RATA
    P3 | player | 2000  | 2000    | lose |   | 0    | 0   | 0    | 2000 | 0     |
    P4 | banker | 60    | 60      | win  | 1 | 60   | 3   | 57   | 0    | 60    | BELOW_MIN PRO_RATA_EXEMPT

E15 Maximum first, then differential: Banker counts 10,000 + 8,000, light side 0, ratio 10/18
non_commission | 2S>P KS>B 3H>P 6H>B TD>P | settled | B 5-6 | DIFFERENTIAL_EXCEEDED |
    P1 | banker | 14000 | 50000/9 | win | 1/2 | 2778 | 0 | 2778 | 0 | 14000 | OVER_MAX PRO_RATA
    P2 | banker | 8000  | 40000/9 | win | 1/2 | 2222 | 0 | 2222 | 0 | 8000  | PRO_RATA

E16 Differential exceeded but the hand ties: stand-off, nothing scaled in money
commission | KS>P QS>B 7H>P 7D>B | settled | T 7-7 | DIFFERENTIAL_EXCEEDED |
    P1 | banker | 10000 | 20000/3 | push |  | 0 | 0 | 0 | 0 | 10000 | PRO_RATA
    P2 | banker | 8000  | 16000/3 | push |  | 0 | 0 | 0 | 0 | 8000  | PRO_RATA
    P3 | player | 2000  | 2000    | push |  | 0 | 0 | 0 | 0 | 2000  |

E17 Undue third card to Player that Banker needs (7.6)
commission | 2S>P KS>B 4S>P 4H>B 3D>P | settled | B 6-7 | UNDUE_THIRD_CARD_USED_BY_BANKER |
    P1 | banker | 1000 | 1000 | win  | 1 | 1000 | 50 | 950 | 0    | 1000 |
    P2 | player | 1000 | 1000 | lose |   | 0    | 0  | 0   | 1000 | 0    |

E18 The same, but the Dealer then drew another card for Banker (7.6 and 7.7)
commission | 2S>P KS>B 4S>P 4H>B 3D>P 9C>B | settled | B 6-7 | UNDUE_THIRD_CARD_USED_BY_BANKER UNDUE_BANKER_CARD | 9C
    P1 | banker | 1000 | 1000 | win  | 1 | 1000 | 50 | 950 | 0    | 1000 |
    P2 | player | 1000 | 1000 | lose |   | 0    | 0  | 0   | 1000 | 0    |

E19 Undue third card to Player after a natural (7.6)
commission | 9S>P KS>B KH>P 4H>B 3D>P | settled | P 9-4 | UNDUE_PLAYER_CARD | 3D
    P1 | banker | 1000 | 1000 | lose |   | 0    | 0 | 0    | 1000 | 0    |
    P2 | player | 1000 | 1000 | win  | 1 | 1000 | 0 | 1000 | 0    | 1000 |

E20 Undue, exposed third card to Banker (7.7)
commission | KS>P 7S>B 7H>P KH>B 3D>B | settled | T 7-7 | UNDUE_BANKER_CARD | 3D
    P1 | banker | 1000 | 1000 | push |  | 0 | 0 | 0 | 0 | 1000 |
    P2 | player | 1000 | 1000 | push |  | 0 | 0 | 0 | 0 | 1000 |

E21 Cards two and three crossed; P1 withdraws with the Shift Manager's leave (7.9)
commission | 9S>P KS>P KH>B 4H>B | settled | P 9-4 | WRONG_ORDER |
    P1 | banker | 1000 | 0    | returned |   | 0    | 0 | 0    | 0 | 1000 | WITHDRAWN
    P2 | player | 1000 | 1000 | win      | 1 | 1000 | 0 | 1000 | 0 | 1000 |

E22 Shoe runs out (7.2)
commission | 2S>P KS>B 3S>P | void |  | SHOE_EXHAUSTED |
    P1 | banker | 1000 | 0 | returned |  | 0 | 0 | 0 | 0 | 1000 |
    P2 | player | 1000 | 0 | returned |  | 0 | 0 | 0 | 0 | 1000 |

E23 Dealer calls Banker, Player has won (7.16)
commission | 9S>P KS>B KH>P 4H>B | settled | P 9-4 | WRONG_CALL |
    P1 | banker | 1000 | 1000 | lose |   | 0    | 0 | 0    | 1000 | 0    |
    P2 | player | 1000 | 1000 | win  | 1 | 1000 | 0 | 1000 | 0    | 1000 |
"""  # noqa: E501 (rows as the page has them)

# What else happened in an example: events after the cards, and what the rounds before left.
BESIDES: dict[str, tuple[Json, ...]] = {
    "E21": (withdraws("W1", "TB:7.9", "shift_manager"),),
    "E22": (event("ShoeExhausted", shoe_id="S1"),),
    "E23": (event("ResultCalled", result="banker"),),
}
LEFT: dict[str, Json] = {"E10": {"below_min_used": ["P1"]}}


def examples() -> list[Any]:
    found = []
    for block in EXAMPLES.strip().split("\n\n"):
        title, head, *rows = block.splitlines()
        lines = [[cell.strip() for cell in row.split("|")] for row in rows]
        name = title.split()[0]
        found.append(
            pytest.param(name, [cell.strip() for cell in head.split("|")], lines, id=title)
        )
    return found


@pytest.mark.parametrize(("name", "head", "lines"), examples())
def test_worked_examples(name: str, head: list[str], lines: list[list[str]]) -> None:
    paytable, cards, status, outcome, flags, opening = head
    bets = ", ".join(" ".join(line[:3]) for line in lines)
    written = sheet(bets, cards, *BESIDES.get(name, ()), carry=LEFT.get(name), paytable=paytable)

    found = judged(written)

    assert found.ruled.status == status
    assert found.ruled.outcome == outcome
    assert [flag.code for flag in found.flags] == flags.split()
    assert found.ruled.memory["free_hand"] == ([opening] if opening else None)
    assert [
        [
            due.player_id,
            due.bet,
            str(due.stake),
            str(due.action),
            due.outcome,
            due.odds,
            str(due.gross_win),
            str(due.commission),
            str(due.paid),
            str(due.collected),
            str(due.returned),
            " ".join(due.flags),
        ]
        for due in found.dues
    ] == lines


def test_every_example_is_here() -> None:
    names = [example.values[0] for example in examples()]

    assert names == [f"E{n}" for n in range(1, 24)]
