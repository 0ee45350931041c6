"""Camera frames in a pack: real photographs with their bytes, and files that are no pictures."""

import json
from pathlib import Path

import pytest

from audit.cases import case_log, evidence_store
from audit.cases.case_log import Taking
from audit.cases.rules import Actor
from audit.evidence import verify
from audit.evidence.build import BuiltPack
from schemas import events as e
from tests.support import disputes, packs, sealed_houses

ROUND = "T1-20260301-0003"
PHOTOS = sorted(Path("tests/vision/photos/cards").glob("teogop_21*.jpg"))[:3]
FRAMES = "8.4.6-surveillance/frames"
ACTOR = Taking(Actor("I9", "dealer_inspector"), sealed_houses.NOW, sealed_houses.NOW)


def packed_with(home: Path, pictures: list[Path], party: str = "") -> BuiltPack:
    """The pack of a dispute with these files in evidence."""
    raised = e.DisputeRaised(ROUND, "my stake was taken", "VN", game="TB", currency="VND")
    case = case_log.open_case(home, "T1", raised, ACTOR)
    for n, picture in enumerate(pictures, 1):
        stored = evidence_store.put(home, picture)
        added = e.EvidenceAdded(
            *(f"E{n}", "8.4.6", picture.name, stored.sha256, stored.size),
            *("image/jpeg", "camera 3", sealed_houses.NOW),
        )
        case_log.take(home, case.case_id, disputes.always(added), ACTOR)
    sealed_houses.seal(home)
    return packs.packed(home, case.case_id, party, ("en",))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return packs.sealed_house(tmp_path / "house")


def test_photographs_are_in_the_pack_and_in_its_report(home: Path, tmp_path: Path) -> None:
    made = packed_with(home, PHOTOS)
    (tmp_path / "pack.zip").write_bytes(made.body)

    assert [made.files[f"{FRAMES}/E{n}.jpg"] for n in (1, 2, 3)] == [
        photo.read_bytes() for photo in PHOTOS
    ]
    assert made.files["report.en.pdf"].count(b"/DCTDecode") == len(PHOTOS)
    assert json.loads(made.files["manifest.json"])["counts"]["frames"] == len(PHOTOS)
    assert verify.main([str(tmp_path / "pack.zip")]) == 0


def test_a_party_gets_no_photograph(home: Path) -> None:
    party = "T1-P001"
    made = packed_with(home, PHOTOS, party)

    assert not [name for name in made.files if name.startswith(FRAMES)]
    assert b"/DCTDecode" not in made.files["report.en.pdf"]


def test_a_file_that_is_only_called_a_picture_is_packed_and_not_printed(
    home: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture at all")

    made = packed_with(home, [PHOTOS[0], broken])

    assert made.files[f"{FRAMES}/E2.jpg"] == b"no picture at all"
    assert made.files["report.en.pdf"].count(b"/DCTDecode") == 1
