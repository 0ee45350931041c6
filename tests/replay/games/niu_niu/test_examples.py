"""The worked examples of Niu Niu, with every column.

Each example: its title; packets as they left the device, status, hands used, round flags and the
outcome; then its wagers: box, bet, stake, action, outcome, odds, gross, commission, net win,
collected, stake back, reserve, reserve taken, reserve back, line flags. Limits 100 to 10,000.
"""

from typing import Any

import pytest

from tests.support.niu_niu_sheets import happened, sheet
from tests.support.tables import cases, judged

EXAMPLES = """
E1 Win with Niu 9 on all three bets
1: 3S 7H TC 9D TS; D: 3D 7C TD 7D TH | settled | D: 3D 7C TD 7D TH; 1: 3S 7H TC 9D TS |  | dealer NIU_7 TH, 1 NIU_9 TS
    1 | even      | 1000 | 1000 | win | 1 | 1000 | 0  | 1000 | 0 | 1000 | 0    | 0 | 0    |
    1 | double    | 500  | 500  | win | 2 | 1000 | 50 | 950  | 0 | 500  | 1000 | 0 | 1000 |
    1 | super_niu | 200  | 200  | win | 9 | 1800 | 90 | 1710 | 0 | 200  | 2200 | 0 | 2200 |

E2 Niu 6 win, Even alone
1: 3S 7H TC 6D TS; D: 3D 7C TD 2D TH | settled | D: 3D 7C TD 2D TH; 1: 3S 7H TC 6D TS |  | dealer NIU_2 TH, 1 NIU_6 TS
    1 | even | 1000 | 1000 | win | 1 | 1000 | 500 | 500 | 0 | 1000 | 0 | 0 | 0 |

E3 Niu 6 win with Double and Super Niu
1: 3S 7H TC 6D TS; D: 3D 7C TD 2D TH | settled | D: 3D 7C TD 2D TH; 1: 3S 7H TC 6D TS |  | dealer NIU_2 TH, 1 NIU_6 TS
    1 | even      | 1000 | 1000 | win | 1 | 1000 | 500 | 500  | 0 | 1000 | 0    | 0 | 0    |
    1 | double    | 500  | 500  | win | 1 | 500  | 0   | 500  | 0 | 500  | 1000 | 0 | 1000 |
    1 | super_niu | 200  | 200  | win | 6 | 1200 | 60  | 1140 | 0 | 200  | 2200 | 0 | 2200 |

E4 Four of a kind that contains no Niu
1: AS AH AC AD 5S; D: KS QH JC KD QS | settled | D: KS QH JC KD QS; 1: AS AH AC AD 5S |  | dealer ULTIMATE_NIU_NIU KS, 1 HOIANA_NIU_NIU 5S
    1 | even      | 1000 | 1000 | win | 1  | 1000  | 0   | 1000  | 0 | 1000 | 0     | 0 | 0     |
    1 | double    | 1000 | 1000 | win | 3  | 3000  | 150 | 2850  | 0 | 1000 | 2000  | 0 | 2000  |
    1 | super_niu | 1000 | 1000 | win | 12 | 12000 | 600 | 11400 | 0 | 1000 | 11000 | 0 | 11000 |

E5 Five pictures holding four kings rank as Hoiana Niu Niu
1: KS KH KC KD QS; D: JS QH JC JD QC | settled | D: JS QH JC JD QC; 1: KS KH KC KD QS |  | dealer ULTIMATE_NIU_NIU QH, 1 HOIANA_NIU_NIU KS
    1 | even      | 500 | 500 | win | 1  | 500  | 0  | 500  | 0 | 500 | 0    | 0 | 0    |
    1 | super_niu | 100 | 100 | win | 12 | 1200 | 60 | 1140 | 0 | 100 | 1100 | 0 | 1100 |

E6 Dealer wins with Niu Niu
1: 3S 7H TC 9D TS; D: 5S 5H JC KD QS | settled | D: 5S 5H JC KD QS; 1: 3S 7H TC 9D TS |  | dealer NIU_NIU KD, 1 NIU_9 TS
    1 | even      | 1000 | 1000 | lose |  | 0 | 0 | 0 | 1000 | 0 | 0    | 0    | 0   |
    1 | double    | 500  | 500  | lose |  | 0 | 0 | 0 | 500  | 0 | 1000 | 1000 | 0   |
    1 | super_niu | 200  | 200  | lose |  | 0 | 0 | 0 | 200  | 0 | 2200 | 1800 | 400 |

E7 Dealer wins with Niu 8: half of the Double Reserve goes
1: 2D 3C 4H 5D 9H; D: 2S 3H 5C 8D TS | settled | D: 2S 3H 5C 8D TS; 1: 2D 3C 4H 5D 9H |  | dealer NIU_8 TS, 1 NIU_3 9H
    1 | even      | 1000 | 1000 | lose |  | 0 | 0 | 0 | 1000 | 0 | 0    | 0    | 0   |
    1 | double    | 500  | 500  | lose |  | 0 | 0 | 0 | 500  | 0 | 1000 | 500  | 500 |
    1 | super_niu | 200  | 200  | lose |  | 0 | 0 | 0 | 200  | 0 | 2200 | 1400 | 800 |

E8 Dealer wins with Niu 2 against No Hand
1: 2D 4C 9H JD 5S; D: 3D 7C TD 2C TH | settled | D: 3D 7C TD 2C TH; 1: 2D 4C 9H JD 5S |  | dealer NIU_2 TH, 1 NO_HAND JD
    1 | even      | 1000 | 1000 | lose |  | 0 | 0 | 0 | 1000 | 0 | 0    | 0   | 0    |
    1 | double    | 500  | 500  | lose |  | 0 | 0 | 0 | 500  | 0 | 1000 | 0   | 1000 |
    1 | super_niu | 200  | 200  | lose |  | 0 | 0 | 0 | 200  | 0 | 2200 | 200 | 2000 |

E9 No Hand against No Hand, decided by the top card
1: 2D 4C 9H JD 5S; D: 3S 4H 8C TD 5D | settled | D: 3S 4H 8C TD 5D; 1: 2D 4C 9H JD 5S |  | dealer NO_HAND TD, 1 NO_HAND JD
    1 | even      | 1000 | 1000 | win | 1 | 1000 | 0 | 1000 | 0 | 1000 | 0     | 0 | 0     |
    1 | double    | 1000 | 1000 | win | 1 | 1000 | 0 | 1000 | 0 | 1000 | 2000  | 0 | 2000  |
    1 | super_niu | 1000 | 1000 | win | 1 | 1000 | 0 | 1000 | 0 | 1000 | 11000 | 0 | 11000 |

E10 Equal points and equal top rank: suit decides (6.2.15)
1: KH 7H TC 9D 3S; D: KC 7C TD 9S 3C | settled | D: KC 7C TD 9S 3C; 1: KH 7H TC 9D 3S |  | dealer NIU_9 KC, 1 NIU_9 KH
    1 | even   | 400 | 400 | win | 1 | 400 | 0  | 400 | 0 | 400 | 0   | 0 | 0   |
    1 | double | 400 | 400 | win | 2 | 800 | 40 | 760 | 0 | 400 | 800 | 0 | 800 |

E11 Two fours of a kind: the fifth card can be the top card
1: 5S 5H 5C 5D KD; D: 9S 9H 9C 9D QS | settled | D: 9S 9H 9C 9D QS; 1: 5S 5H 5C 5D KD |  | dealer HOIANA_NIU_NIU QS, 1 HOIANA_NIU_NIU KD
    1 | even      | 400 | 400 | win | 1  | 400  | 0  | 400  | 0 | 400 | 0    | 0 | 0    |
    1 | super_niu | 100 | 100 | win | 12 | 1200 | 60 | 1140 | 0 | 100 | 1100 | 0 | 1100 |

E12 Over the maximum, losing
1: 3D 7C TD 7D TH; D: 3S 7H TC 9D TS | settled | D: 3S 7H TC 9D TS; 1: 3D 7C TD 7D TH |  | dealer NIU_9 TS, 1 NIU_7 TH
    1 | even   | 12000 | 10000 | lose |  | 0 | 0 | 0 | 10000 | 2000 | 0     | 0     | 0     | OVER_MAX
    1 | double | 11000 | 10000 | lose |  | 0 | 0 | 0 | 10000 | 1000 | 22000 | 10000 | 12000 | OVER_MAX

E13 Over the maximum, winning
1: 3S 7H TC 9D TS; D: 3D 7C TD 7D TH | settled | D: 3D 7C TD 7D TH; 1: 3S 7H TC 9D TS |  | dealer NIU_7 TH, 1 NIU_9 TS
    1 | even   | 12000 | 10000 | win | 1 | 10000 | 0    | 10000 | 0 | 12000 | 0     | 0 | 0     | OVER_MAX
    1 | double | 11000 | 10000 | win | 2 | 20000 | 1000 | 19000 | 0 | 11000 | 22000 | 0 | 22000 | OVER_MAX

E14 Below the minimum, winning with Niu 6
1: 3S 7H TC 6D TS; D: 3D 7C TD 2D TH | settled | D: 3D 7C TD 2D TH; 1: 3S 7H TC 6D TS |  | dealer NIU_2 TH, 1 NIU_6 TS
    1 | even | 51 | 51 | win | 1 | 51 | 25 | 26 | 0 | 51 | 0 | 0 | 0 | BELOW_MIN

E15 Half-up rounding on odd stakes
1: 3S 7H TC 7D TS; D: 3D 7C TD 2D TH | settled | D: 3D 7C TD 2D TH; 1: 3S 7H TC 7D TS |  | dealer NIU_2 TH, 1 NIU_7 TS
    1 | even      | 333 | 333 | win | 1 | 333 | 0  | 333 | 0 | 333 | 0    | 0 | 0    |
    1 | double    | 105 | 105 | win | 2 | 210 | 10 | 200 | 0 | 105 | 210  | 0 | 210  |
    1 | super_niu | 111 | 111 | win | 7 | 777 | 39 | 738 | 0 | 111 | 1221 | 0 | 1221 |

E16 Double larger than Even
1: 3S 7H TC 9D TS; D: 3D 7C TD 7D TH | settled | D: 3D 7C TD 7D TH; 1: 3S 7H TC 9D TS |  | dealer NIU_7 TH, 1 NIU_9 TS
    1 | even   | 300 | 300 | win | 1 | 300 | 0  | 300 | 0 | 300 | 0    | 0 | 0    |
    1 | double | 500 | 300 | win | 2 | 600 | 30 | 570 | 0 | 500 | 1000 | 0 | 1000 | OVER_EVEN

E17 Reserve short by 600 on Super Niu, losing
1: 3D 7C TD 7D TH; D: 3S 7H TC 9D TS | settled | D: 3S 7H TC 9D TS; 1: 3D 7C TD 7D TH | DECISION_MISSING | dealer NIU_9 TS, 1 NIU_7 TH
    1 | even      | 300 | 300    | lose |  | 0 | 0 | 0 | 300 | 0  | 0   | 0   | 0   |
    1 | super_niu | 100 | 500/11 | lose |  | 0 | 0 | 0 | 45  | 55 | 500 | 364 | 136 | RESERVE_SHORT

E18 Dealer holds four cards (7.5)
1: 3S 7H TC 9D TS; 3: 2S 3H 5C 6D TH; D: 3D 7C TD 7D | void |  | DEALER_CARD_COUNT |
    1 | even   | 100 | 0 | returned |  | 0 | 0 | 0 | 0 | 100 | 0   | 0 | 0   |
    3 | even   | 200 | 0 | returned |  | 0 | 0 | 0 | 0 | 200 | 0   | 0 | 0   |
    3 | double | 100 | 0 | returned |  | 0 | 0 | 0 | 0 | 100 | 200 | 0 | 200 |

E19 Box 1 holds four cards, box 3 already handled (7.4.1)
1: 3S 7H TC 9D; 3: 2S 3H 5C 6D TH; D: 3D 7C TD 7D JH | settled | D: 3D 7C TD 7D JH; 3: 2S 3H 5C 6D TH | HAND_CARD_COUNT | dealer NIU_7 JH, 3 NIU_6 TH
    1 | even   | 100 | 0   | returned |  | 0 | 0 | 0 | 0   | 100 | 0   | 0   | 0   |
    3 | even   | 200 | 200 | lose     |  | 0 | 0 | 0 | 200 | 0   | 0   | 0   | 0   |
    3 | double | 100 | 100 | lose     |  | 0 | 0 | 0 | 100 | 0   | 200 | 100 | 100 |

E20 Box 3 missed, nothing handled, next packet available (7.7)
1: 3S 7H TC 9D TS; D: 3D 7C TD 7D JH; next: KS KH 4C 4D 9H | settled | 1: 3S 7H TC 9D TS; 3: 3D 7C TD 7D JH; D: KS KH 4C 4D 9H | NO_CARDS_TO_BOX RECONSTRUCTED | dealer NO_HAND KS, 1 NIU_9 TS, 3 NIU_7 JH
    1 | even   | 100 | 100 | win | 1 | 100 | 0  | 100 | 0 | 100 | 0   | 0 | 0   |
    3 | even   | 200 | 200 | win | 1 | 200 | 0  | 200 | 0 | 200 | 0   | 0 | 0   |
    3 | double | 100 | 100 | win | 2 | 200 | 10 | 190 | 0 | 100 | 200 | 0 | 200 |

E21 Empty box 2 dealt in, nothing handled (7.6)
1: 3S 7H TC 9D TS; 2: KS KH 4C 4D 9H; 3: 2S 3H 5C 6D TH; D: 3D 7C TD 7D JH | settled | 1: 3S 7H TC 9D TS; 3: KS KH 4C 4D 9H; D: 2S 3H 5C 6D TH | CARDS_TO_EMPTY_BOX RECONSTRUCTED | dealer NIU_6 TH, 1 NIU_9 TS, 3 NO_HAND KS
    1 | even   | 100 | 100 | win  | 1 | 100 | 0 | 100 | 0   | 100 | 0   | 0 | 0   |
    3 | even   | 200 | 200 | lose |   | 0   | 0 | 0   | 200 | 0   | 0   | 0 | 0   |
    3 | double | 100 | 100 | lose |   | 0   | 0 | 0   | 100 | 0   | 200 | 0 | 200 |
"""  # noqa: E501 (rows as the page has them)

# What else happened in an example, after the cards.
BESIDES = {"E18": "close void", "E19": "handle 3 P3"}


def examples() -> list[Any]:
    found = []
    for block in EXAMPLES.strip().split("\n\n"):
        title, head, *rows = block.splitlines()
        lines = [[cell.strip() for cell in row.split("|")] for row in rows]
        cells = [cell.strip() for cell in head.split("|")]
        found.append(pytest.param(title.split()[0], cells, lines, id=title))
    return found


@pytest.mark.parametrize(("name", "head", "lines"), examples())
def test_worked_examples(name: str, head: list[str], lines: list[list[str]]) -> None:
    cards, status, used, flags, outcome = head

    found = judged(sheet(_bets(lines), cards, *happened(BESIDES.get(name, ""))))

    assert found.ruled.status == status
    assert found.ruled.outcome == outcome
    assert {fact for fact in found.ruled.facts if " holds " in fact} == _holding(used)
    assert [flag.code for flag in found.flags] == flags.split()
    assert [
        [
            due.box,
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
            str(due.reserve_taken + due.reserve_returned),
            str(due.reserve_taken),
            str(due.reserve_returned),
            " ".join(due.flags),
        ]
        for due in found.dues
    ] == lines


def test_every_example_is_here() -> None:
    names = [example.values[0] for example in examples()]

    assert names == [f"E{n}" for n in range(1, 22)]


@pytest.mark.parametrize(
    ("name", "bet", "clauses"),
    cases("""
        E1  | even      | 5.1 5.2 6.3.1           | even money
        E1  | double    | 5.1 5.3.1 6.3.1         | Double with commission
        E3  | double    | 5.1 5.3.2 6.3.1         | Double at even money
        E4  | super_niu | 5.1 5.4.1 6.3.1         | Super Niu with commission
        E9  | super_niu | 5.1 5.4.2 6.3.1         | Super Niu at even money
        E6  | double    | 6.3.2 6.4.1.i           | all of the Double Reserve
        E7  | double    | 6.3.2 6.4.1.ii          | half of it
        E8  | double    | 6.3.2 6.4.1.iii         | none of it
        E6  | super_niu | 6.3.2 6.4.2.iii         | nine times Super Niu
        E7  | super_niu | 6.3.2 6.4.2.v           | seven times
        E8  | super_niu | 6.3.2 6.4.2.xi          | once
        E12 | even      | 7.11 6.3.2              | over the maximum
        E14 | even      | 7.11 5.1 5.2 6.3.1      | below the minimum
        E16 | double    | 4.5.2.i 5.1 5.3.1 6.3.1 | above Even
        E17 | super_niu | 4.5.3.ii 6.3.2 6.4.2.iv | a short Reserve
        E18 | double    | 7.5 7.10                | a void round
        E19 | even      | 7.4.1                   | a void hand
    """),
)
def test_every_amount_cites_its_clauses(name: str, bet: str, clauses: str) -> None:
    _, head, lines = next(example.values for example in examples() if example.values[0] == name)
    found = judged(sheet(_bets(lines), head[0], *happened(BESIDES.get(name, ""))))

    due = next(due for due in found.dues if due.bet == bet)

    assert due.clauses == tuple(f"NN:{clause}" for clause in clauses.split())


def _bets(lines: list[list[str]]) -> str:
    """The wagers of an example as they were placed: stake and Reserve."""
    return ", ".join(f"{row[0]} P{row[0]} {row[1]} {row[2]}+{row[11]}" for row in lines)


def _holding(used: str) -> set[str]:
    """`D: KS QH ...; 1: ...` as the facts say it."""
    packets = [packet.strip().partition(": ") for packet in used.split(";") if packet.strip()]
    names = {"D": "dealer"}
    return {f"{names.get(hand, hand)} holds {cards}" for hand, _, cards in packets}
