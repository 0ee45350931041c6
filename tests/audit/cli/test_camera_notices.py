"""Notices of a source: what repeats is counted and said now and then."""

from audit.cli.camera_notices import SUMMARY_EVERY_S, NoticePrinter
from vision.sources.types import Notice


def test_dropped_frames_are_counted_instead_of_said_one_by_one() -> None:
    said, now = list[str](), [0.0]
    notices = NoticePrinter(said.append, lambda: now[0])

    for n in range(100):
        now[0] = n * SUMMARY_EVERY_S / 50
        notices.take(Notice("dropped", n, "its reader was too slow for it"))
    notices.close()

    assert said == [
        "frame 0: its reader was too slow for it",
        "frame 50: its reader was too slow for it (50 times more, dropped)",
        "frame 99: its reader was too slow for it (49 times more, dropped)",
    ]


def test_what_does_not_repeat_is_said_each_time() -> None:
    said = list[str]()
    notices = NoticePrinter(said.append)

    for n in range(3):
        notices.take(Notice("damaged", n, "a frame could not be decoded"))
    notices.close()

    assert len(said) == 3
