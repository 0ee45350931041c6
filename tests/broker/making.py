"""New nodes in a folder: their ports, settings, certificates, users and storage."""

import json
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ingest.kafka.topics import ROLES
from tests.broker import certificates, ports
from tests.broker.brokers import CA, LAYOUT, Brokers
from tests.broker.nodes import Node, cluster_id

ONE, THREE = (Path(__file__).with_name(f"{name}.properties") for name in ("one", "three"))
STRANGER = "stranger"  # known by password, with no right at all
USERS = ("broker", "controller", "admin", *ROLES, STRANGER)


class Site(NamedTuple):
    """Where nodes live: their address, the address clients are told, and the words before java."""

    host: str = ports.HOST
    advertised_port: int = 0  # another one than they listen on, where something stands between
    within: tuple[str, ...] = ()


HERE = Site()


def one(folder: Path, wanted: Sequence[int] = (), site: Site = HERE, *, quick: bool) -> Brokers:
    """One open node, formatted and not yet started; what the folder held is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    return _made(folder, ONE, wanted or ports.some(2), {}, site, quick=quick)


def three(folder: Path, wanted: Sequence[int] = (), *, quick: bool) -> Brokers:
    """Three secured nodes, formatted and not yet started; what the folder held is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    users = papers(folder)
    return _made(folder, THREE, wanted or ports.some(6), users, HERE, quick=quick)


def papers(folder: Path) -> dict[str, str]:
    """A CA, a node's certificate, and a password for each user, which are also returned."""
    folder.mkdir(0o700, parents=True)
    authority = certificates.authority()
    authority.write(folder / CA)
    authority.sign(folder / "broker.pem")
    users = {user: secrets.token_hex(16) for user in USERS}
    (folder / "passwords").mkdir()
    for user, password in users.items():
        _write(folder / "passwords" / user, f"{password}\n")
    _write(folder / "users", "".join(f"{user}={word}\n" for user, word in users.items()))
    named = (f"{user.upper()}_PASSWORD={word}\n" for user, word in users.items())
    _write(folder / "node.env", "".join(named))
    return users


def voters(pairs: Sequence[int], host: str = ports.HOST) -> str:
    """The controllers among such pairs of ports, in the words of the quorum."""
    return ",".join(f"{n}@{host}:{port}" for n, port in enumerate(pairs[1::2], 1))


def _made(
    folder: Path,
    template: Path,
    wanted: Sequence[int],
    users: Mapping[str, str],
    site: Site,
    *,
    quick: bool,
) -> Brokers:
    found = ports.free(wanted)
    common = {
        "host": site.host,
        "bind": site.host,
        "voters": voters(found, site.host),
        "tls": folder,
        **{f"{user}_password": password for user, password in users.items()},
    }
    nodes = []
    for number, (port, controller_port) in enumerate(zip(found[::2], found[1::2], strict=True), 1):
        own = {
            "node": number,
            "port": port,
            "advertised_port": site.advertised_port or port,
            "controller_port": controller_port,
        }
        nodes.append(Node(folder / f"node-{number}", site.host, port, site.within))
        nodes[-1].write(template, common | own)
    _format(nodes, users)
    layout = {
        "host": site.host,
        "within": site.within,
        "ports": found[::2],
        "users": dict(users),
        "quick": quick,
    }
    _write(folder / LAYOUT, json.dumps(layout))  # last: a folder without it was never finished
    return Brokers(folder)


def _write(path: Path, text: str) -> None:
    """Write what only its owner may read."""
    path.touch(0o600)
    path.write_text(text, "utf-8")


def _format(nodes: Iterable[Node], users: Mapping[str, str]) -> None:
    name = cluster_id()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda node: node.format(name, users), nodes))
