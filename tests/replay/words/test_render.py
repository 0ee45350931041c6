"""A sentence in words: its values by their kinds, lists, plurals, labels and fragments."""

import pytest

from replay import words
from replay.sentence import Sentence, parsed, plain, say
from tests.support.tables import cases

TWO = say("TB.two_cards", cards=("9S", "KD"), points=9)


@pytest.mark.parametrize(
    ("said", "english", "vietnamese"),
    [
        (
            say("TB.wagers", n=2, total=4_030_000, currency="VND"),
            "2 wagers, 4,030,000 VND in all",
            "2 cược, tổng cộng 4.030.000 VND",
        ),
        (
            say("TB.wagers", n=1, total=500, currency="VND"),
            "1 wager, 500 VND in all",
            "1 cược, tổng cộng 500 VND",
        ),
        (
            say("TB.draws", hand="player", two=TWO, card="2H", points=1),
            "Player 9S KD counts 9 and draws 2H: 1",
            "Player 9S KD được 9 điểm, rút 2H: 1",
        ),
        (
            say("TB.opens_with", cards=("4H", None)),
            "The hand opens with 4H an unread card, drawn before it",
            "Ván mở đầu với 4H một lá chưa đọc được, đã rút từ trước",
        ),
        (
            say("TB.leave_refused", rank="assistant_director"),
            "an assistant director refused leave",
            "Trợ lý giám đốc không cho phép",
        ),
        (
            say("shared.due_action", action="1000000/3"),
            "1,000,000/3 of it in action",
            "trong đó 1.000.000/3 được tính",
        ),
        (
            say("shared.gap", amount="paid", gap=-2_500),
            "paid -2,500",
            "đã trả -2.500",
        ),
    ],
)
def test_a_sentence_in_both_languages(said: Sentence, english: str, vietnamese: str) -> None:
    assert words.text(said) == english
    assert words.text(said, "vi") == vietnamese


@pytest.mark.parametrize(
    ("kind", "word", "english"),
    cases("""
        hand | 3           | box 3        | a box is a number
        hand | player      | Player       | a hand by its name
        rank | pit_manager | pit manager  | a rank
        word | made_up_one | made up one  | a word that nobody knows is shown as it stands
        card |             | a card       | a card that nobody read
    """),
)
def test_a_label(kind: str, word: str, english: str) -> None:
    assert words.label(kind, word) == english


def test_a_list_is_joined_as_its_template_asks() -> None:
    sides = (say("TB.side_counts", side="player", ratio="1/2"),) * 3
    both = say("TB.differential_exceeded", player="10", banker="20", differential=5, cut=sides[:2])

    assert words.text(both).endswith(
        "Player wagers count 1/2 and Player wagers count 1/2 of their amount"
    )


def test_a_sentence_goes_through_json_and_back() -> None:
    said = say("TB.draws", hand="player", two=TWO, card=None, points=1)

    assert parsed(said.key, plain(said.params)) == said
