"""docs/architecture.md lists every room, in the order of the import contracts."""

import re
import tomllib
from pathlib import Path

import pytest

PAGE = Path("docs/architecture.md").read_text("utf-8")
CONTRACTS = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
PACKAGES = ("ingest", "replay", "vision", "audit")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_has_its_row(package: str) -> None:
    there = {path.parent.name for path in Path(package).glob("*/__init__.py")}

    assert set(_rooms(package)) == there
    assert len(there) > 4


@pytest.mark.parametrize("package", PACKAGES)
def test_the_rooms_are_in_the_order_of_their_contract(package: str) -> None:
    rooms, layers = _rooms(package), _layers(package)
    heights = [layers[room] for room in rooms]

    assert heights == sorted(heights), list(zip(rooms, heights, strict=True))


def test_the_packages_are_in_the_order_of_their_contract() -> None:
    (layers,) = (
        contract["layers"] for contract in CONTRACTS if "audit" in contract.get("layers", ())
    )

    assert PAGE.count("| `audit/` |") == 1
    assert layers == ["audit", "replay | vision", "ingest", "schemas"]


def _rooms(package: str) -> list[str]:
    """The rooms of a package as the page orders them."""
    return re.findall(rf"^\| `{package}/(\w+)/` \|", PAGE, re.MULTILINE)


def _layers(package: str) -> dict[str, int]:
    """Each room or module of a package with the number of its layer, 0 for the highest."""
    (layers,) = (
        contract["layers"] for contract in CONTRACTS if contract.get("containers") == [package]
    )
    return {name: n for n, layer in enumerate(layers) for name in layer.split(" | ")}
