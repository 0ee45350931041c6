"""One flipped bit anywhere in a pack is refused by both verifiers, with the place named.

ROUNDPROOF_FLIPS=20000 runs as many of them as a release needs.
"""

import os
import random

import pytest

from audit.evidence import verify
from audit.evidence.canonical_zip import zipped
from audit.evidence.verify import Pack, PackRefused
from tests.support import packs, second_verifier
from tests.support.disputed_games import disputed_house

FLIPS = int(os.environ.get("ROUNDPROOF_FLIPS", "400"))
WRONG = (PackRefused, *verify.WRONG)
Files = dict[str, bytes]


@pytest.fixture(scope="module", params=["full", "party"])
def body(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The pack of a dispute, with a report, in both editions."""
    home = tmp_path_factory.mktemp("house")
    case = disputed_house(home, ("TB",))["TB"]
    party = case.raised.player_id if request.param == "party" else ""
    return packs.packed(home, case.case_id, party, ("en",)).body


def test_a_bit_of_the_zip(body: bytes) -> None:
    choose = random.Random(FLIPS)
    for _ in range(FLIPS // 4):
        at, bit = choose.randrange(len(body)), 1 << choose.randrange(8)
        spoilt = body[:at] + bytes([body[at] ^ bit]) + body[at + 1 :]

        with pytest.raises(PackRefused) as refused:
            verify.read_zip(spoilt, "pack.zip")  # type: ignore[arg-type]  # bytes read like a map

        code, what = refused.value.args
        assert code == 4
        assert ": " in what
        assert second_verifier.verdict(spoilt) in (2, 4)


def test_a_bit_of_its_headers_and_directory(body: bytes) -> None:
    choose, headers = random.Random(1), _headers(body)
    for _ in range(FLIPS // 8):
        at, bit = choose.choice(headers), 1 << choose.randrange(8)
        spoilt = body[:at] + bytes([body[at] ^ bit]) + body[at + 1 :]

        with pytest.raises(WRONG) as refused:
            verify.read_zip(spoilt, "pack.zip")  # type: ignore[arg-type]  # as above

        assert isinstance(refused.value, PackRefused)
        assert refused.value.args[0] == 4
        assert second_verifier.verdict(spoilt) in (2, 4)


def test_a_bit_of_a_file_in_a_zip_made_anew(body: bytes) -> None:
    files, choose = packs.files(body), random.Random(FLIPS + 1)
    filled = sorted(name for name, content in files.items() if content)
    for n in range(FLIPS // 8):
        name = filled[n % len(filled)]
        at = choose.randrange(len(files[name]))
        changed = files[name][:at] + bytes([files[name][at] ^ 1 << choose.randrange(8)])
        spoilt = files | {name: changed + files[name][at + 1 :]}

        said = _refused(spoilt)

        assert name in said or name.startswith("manifest."), (name, said)
        assert second_verifier.verdict(zipped(spoilt)) in (2, 4)


def _refused(files: Files) -> str:
    """What is said of files that were changed; they must be refused."""
    pack = Pack("pack.zip")
    pack.files = files
    with pytest.raises(WRONG) as refused:
        verify.check_manifest(pack, "")
    error = refused.value
    return str(error.args[-1]) if isinstance(error, PackRefused) else f"{pack.reading}: {error}"


def _headers(body: bytes) -> list[int]:
    """Every byte of the zip that is no content of a file."""
    found, at = list[int](), 0
    while body[at : at + 4] == b"PK\x03\x04":
        size = int.from_bytes(body[at + 18 : at + 22], "little")
        start = at + 30 + int.from_bytes(body[at + 26 : at + 28], "little")
        found += range(at, start)
        at = start + size
    return [*found, *range(at, len(body))]
