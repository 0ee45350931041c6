"""A second verifier of packs, written apart from audit/evidence/verify.py, as its oracle.

It shares no code with it: Ed25519 comes from `cryptography`. It proves the zip, the signature, the
files, the events, the steps of a case and the checkpoint; it leaves the sums to the other one.
"""

import base64
import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST_BYTES, MOST_FILES = 2 * 1024**3, 100_000
NAME = re.compile(r"[0-9A-Za-z._-]+(/[0-9A-Za-z._-]+)*")
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
NOT_NAMED = ("pack", "counts", "key", "files", "missing")  # what the id is not made of
EVENTS = "8.4.6-surveillance/"
LANE, HEAD = "proof/events.lane-proof", "proof/events.tlog-proof"
# What reading hostile bytes may raise; all of it means that the pack is not a pack.
UNREADABLE = (KeyError, TypeError, IndexError, AttributeError, RecursionError, ValueError)


Files = dict[str, bytes]


class Altered(Exception):
    """Something is not what the house signed."""


class Incomplete(Exception):
    """Something that proves the rest is not there."""


def verdict(data: bytes) -> int:
    """The exit code that a verifier owes for these bytes: 0, 4 or 2."""
    try:
        list(verify(data))
    except Incomplete:
        return 2
    except (Altered, *UNREADABLE):
        return 4
    return 0


def ed25519(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of a message is of this key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# The zip is a function of its names and contents: it is written again and compared byte by byte.


def read_zip(data: bytes) -> Files:
    """The files of a pack; Altered where a byte is not as the builder writes it."""
    require(len(data) <= MOST_BYTES, "the zip: larger than 2 GiB")
    files: Files = {}
    at = 0
    while data[at : at + 4] == b"PK\x03\x04":
        require(len(data) >= at + 30, f"the zip: cut off at byte {at}")
        size, name_size = (
            struct.unpack("<I", data[at + 18 : at + 22])[0],
            data[at + 26] | data[at + 27] << 8,
        )
        start = at + 30 + name_size
        name = data[at + 30 : start].decode("ascii", "replace")
        require(
            NAME.fullmatch(name) and ".." not in name and len(name) <= 120,
            f"the zip: a file name at byte {at}",
        )
        require(name not in files, f"{name}: it is there twice")
        require(start + size <= len(data), f"{name}: cut off")
        require(len(files) < MOST_FILES, "the zip: too many files")
        files[name], at = data[start : start + size], start + size
    require(files, "the zip: no files")
    require(list(files) == sorted(files), "the zip: its files are not in order")
    expected = written_zip(files)
    if expected != data:
        raise Altered("the zip: not as the builder writes it")
    return files


def written_zip(files: Files) -> bytes:
    """The zip that the builder makes of these files."""
    parts, index, offset = [], b"", 0
    for name, content in files.items():
        common = struct.pack(
            "<HHHHHIIIHH",
            20,
            0,
            0,
            0,
            0x21,
            zlib.crc32(content),
            len(content),
            len(content),
            len(name),
            0,
        )
        local = b"PK\x03\x04" + common + name.encode()
        index += b"PK\x01\x02" + struct.pack("<H", 3 << 8 | 20) + common
        index += struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, offset) + name.encode()
        parts += [local, content]
        offset += len(local) + len(content)
    body = b"".join(parts)
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(index), len(body), 0)
    return body + index + b"PK\x05\x06" + end


def leaf_hash(record: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + record).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def span_root(leaves: list[bytes], start: int, size: int, path: list[bytes]) -> bytes:
    """The root that all leaves of a span and the hashes around it lead to."""
    end, around = start + len(leaves), list(reversed(path))

    def rebuilt(low: int, high: int) -> bytes:
        if high <= start or low >= end:
            require(around, f"{LANE}: too few hashes")
            return around.pop()
        if high - low == 1:
            return leaves[low - start]
        half = 1 << (high - low - 1).bit_length() - 1
        return node_hash(rebuilt(low, low + half), rebuilt(low + half, high))

    require(0 <= start < end <= size < 2**60, f"{LANE}: an impossible span")
    found = rebuilt(0, size)
    require(not around, f"{LANE}: too many hashes")
    return found


def leaf_root(leaf: bytes, index: int, size: int, path: list[bytes], name: str) -> bytes:
    """The root that a leaf and its path lead to."""
    require(0 <= index < size, f"{name}: an impossible place")
    node, last, found = index, size - 1, leaf
    for sibling in path:
        require(last, f"{name}: too many hashes")
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    require(not last, f"{name}: too few hashes")
    return found


def parse_proof(files: Files, name: str, first: str) -> tuple[str, list[bytes], str]:
    """The second line of a proof, its hashes, and the text after the empty line."""
    head, _, rest = text_of(files, name).partition("\n\n")
    lines = head.split("\n")
    require(lines[0] == first and len(lines) > 1, f"{name}: not such a proof")
    return lines[1], [from_base64(line, name) for line in lines[2:]], rest


def parse_head(text: str, name: str) -> tuple[str, int, bytes]:
    """Origin, size and root of a tree's head."""
    lines = text.split("\n")
    require(len(lines) == 4 and not lines[3] and lines[1].isdigit(), f"{name}: no head of a tree")
    return lines[0], int(lines[1]), from_base64(lines[2], name)


def signed_by(note: str, key: bytes, key_name: str) -> str | None:
    """The text of a note that this key signed; None where it did not."""
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    key_id = hashlib.sha256(key_name.encode() + b"\n\x01" + key).digest()[:4]
    for line in lines.splitlines():
        words = line.split(" ")
        if len(words) == 3 and words[0] == "\u2014" and words[1] == key_name:
            said = from_base64(words[2], "proof/checkpoint")
            if said[:4] == key_id and ed25519(key, text.encode(), said[4:]):
                return text
    return None


def house_keys(files: Files, key: bytes, name: str) -> list[bytes]:
    """The manifest's key and those before it, as far as rotation notes lead back."""
    known, notes = [key], files.get("proof/rotations", b"").decode()
    for note in reversed(
        re.findall(r"roundproof key.*?\n\n(?:\u2014 [^\n]*\n)+", notes, re.DOTALL)
    ):
        keys = re.findall(r"^(?:old|new) [^+]+\+[0-9a-f]+\+(\S+)$", note, re.MULTILINE)
        old, new = (from_base64(each, "proof/rotations")[1:] for each in keys)
        if new == known[-1] and signed_by(note, old, name) and signed_by(note, new, name):
            known.append(old)
    return known


def verify(data: bytes) -> Iterator[str]:
    """What is proven, line by line; Altered or Incomplete where it is not."""
    files = read_zip(data)
    manifest, key = check_manifest(files)
    yield f"signed by {manifest['key']['vkey']}"
    yield f"{len(manifest['files'])} files are those that were signed"
    head = check_events(files, manifest)
    span = manifest["span"]
    which = f"events {span['start']} to {span['end'] - 1} of {span['table']}"
    yield f"{which} are in the sealed log, and none between them is missing"
    check_checkpoint(files, manifest, key, HEAD, head)
    sealed = manifest["checkpoint"]
    yield f"checkpoint {sealed['size']} of {sealed['origin']} is signed by the house"
    steps = check_steps(files, manifest, key)
    if steps:
        yield f"{steps} steps of the case are in the sealed log"


def check_manifest(files: Files) -> tuple[Any, bytes]:
    """The manifest and the key that signed it; every file must be as it says."""
    for name in (MANIFEST, SIGNATURE, "key.pem"):
        needed(files, name)
    manifest = json_of(files, MANIFEST)
    require(
        isinstance(manifest, dict) and manifest.get("format") == "roundproof-pack/1",
        f"{MANIFEST}: not of a pack",
    )
    require(rfc8785.dumps(manifest) == files[MANIFEST], f"{MANIFEST}: not canonical (RFC 8785)")
    about = {name: value for name, value in manifest.items() if name not in NOT_NAMED}
    digest = hashlib.sha256(rfc8785.dumps(about)).hexdigest()
    require(manifest["pack"] == f"rp-{digest[:16]}", f"{MANIFEST}: another id")
    key = from_base64("".join(text_of(files, "key.pem").split("\n")[1:-2]), "key.pem")[-32:]
    require(
        ed25519(key, files[MANIFEST], files[SIGNATURE]),
        f"{SIGNATURE}: not a signature of {MANIFEST} by key.pem",
    )
    require(manifest["key"]["ed25519"] == key.hex(), f"{MANIFEST}: another key")
    listed = manifest["files"]
    for name in sorted(set(listed) | set(files) - {MANIFEST, SIGNATURE}):
        require(name in listed, f"{name}: the manifest does not list it")
        require(name in files, f"{name}: it is missing")
        same = hashlib.sha256(files[name]).hexdigest() == listed[name]["sha256"]
        require(
            same and len(files[name]) == listed[name]["size"], f"{name}: its content was changed"
        )
    return manifest, key


def check_events(files: Files, manifest: Any) -> str:
    """The head of the table's tree, once all events of the span and the context lead to it."""
    span, leaves = manifest["span"], hashes(files, "proof/leaves.txt")
    what, path, head = parse_proof(files, LANE, "roundproof.lane-proof@v1")
    require(what == f"span {span['start']} {span['end']}", f"{LANE}: another span")
    require(len(leaves) == span["end"] - span["start"], "proof/leaves.txt: its length")
    rows = [json.loads(line) for line in text_of(files, EVENTS + "events.jsonl").splitlines()]
    require(
        [row["seq"] for row in rows] == list(range(span["start"], span["end"])),
        f"{EVENTS}events.jsonl: its sequences",
    )
    shown = [n for n, row in enumerate(rows) if not row.get("withheld")]
    hidden, counted = len(rows) - len(shown), manifest["counts"]
    require(
        (counted["events"], counted["withheld"]) == (len(rows), hidden),
        f"{MANIFEST}: its counts",
    )
    whole = manifest["edition"] == "full" and not manifest["party"] and not hidden
    for_party = manifest["edition"] == "party" and manifest["party"]
    require(whole or for_party, f"{MANIFEST}: its edition")
    bodies = containers(files, EVENTS + "events")
    require(
        len(shown) == len(bodies),
        f"{EVENTS}events.avro: {len(shown)} events expected, {len(bodies)} found",
    )
    for n, body in zip(shown, bodies, strict=True):
        require(
            leaf_hash(body) == leaves[n], f"event {span['start'] + n}: not the one that was sealed"
        )
    origin, size, root = parse_head(head, LANE)
    require(
        origin == f"{manifest['checkpoint']['origin']}/events/{span['table']}",
        f"{LANE}: another table",
    )
    require(
        span_root(leaves, span["start"], size, path) == root,
        f"{LANE}: it does not lead to its head",
    )
    bodies = containers(files, EVENTS + "context")
    leaves = hashes(files, "proof/context-leaves.txt")
    require([leaf_hash(body) for body in bodies] == leaves, "proof/context-leaves.txt")
    for n, leaf in enumerate(leaves, 1):
        check_leaf(files, f"proof/context-{n}.lane-proof", leaf, head)
    return head


def check_leaf(files: Files, name: str, leaf: bytes, head: str) -> None:
    """A record must lead to the head of its tree."""
    what, path, found = parse_proof(files, name, "roundproof.lane-proof@v1")
    require(
        found == head and what.startswith("index ") and what[6:].isdigit(),
        f"{name}: another head or place",
    )
    _, size, root = parse_head(head, name)
    require(
        leaf_root(leaf, int(what[6:]), size, path, name) == root,
        f"{name}: the record is not in the sealed log",
    )


def check_checkpoint(files: Files, manifest: Any, key: bytes, name: str, head: str) -> None:
    """The head of a tree must lead to the checkpoint that the house signed."""
    what, path, note = parse_proof(files, name, "c2sp.org/tlog-proof@v1")
    require(note == text_of(files, "proof/checkpoint"), f"{name}: another checkpoint")
    keys = house_keys(files, key, manifest["key"]["name"])
    text = next(
        filter(None, (signed_by(note, each, manifest["key"]["name"]) for each in keys)), None
    )
    if text is None:
        raise Altered("proof/checkpoint: the house did not sign it")
    origin, size, root = parse_head(text, "proof/checkpoint")
    said = manifest["checkpoint"]
    require(
        (origin, size, root) == (said["origin"], said["size"], from_base64(said["root"], MANIFEST)),
        "proof/checkpoint: not the manifest's",
    )
    require(what.startswith("index ") and what[6:].isdigit(), f"{name}: its place")
    require(
        leaf_root(leaf_hash(head.encode()), int(what[6:]), size, path, name) == root,
        f"{name}: it does not lead to the checkpoint",
    )


def check_steps(files: Files, manifest: Any, key: bytes) -> int:
    """How many steps of the case lead to the checkpoint; 0 where the pack is of a round alone."""
    if not manifest["subject"]["case"]:
        return 0
    leaves = hashes(files, "proof/case-leaves.txt")
    rows = [json.loads(line) for line in text_of(files, "decision/case.jsonl").splitlines()]
    require(len(rows) == len(leaves), "decision/case.jsonl: its length")
    bodies = iter(containers(files, "decision/case"))
    _, _, head = parse_proof(files, "proof/case-1.lane-proof", "roundproof.lane-proof@v1")
    for n, (row, leaf) in enumerate(zip(rows, leaves, strict=True), 1):
        if not row.get("withheld"):
            require(
                leaf_hash(next(bodies, b"")) == leaf,
                f"step {n} of the case: not the one that was sealed",
            )
        check_leaf(files, f"proof/case-{n}.lane-proof", leaf, head)
    require(
        head.startswith(f"{manifest['checkpoint']['origin']}/cases/{manifest['span']['table']}\n"),
        "proof/case-1.lane-proof: another table",
    )
    check_checkpoint(files, manifest, key, "proof/case.tlog-proof", head)
    return len(rows)


def containers(files: Files, name: str) -> list[bytes]:
    """The records of Avro containers with one record a block: NAME.avro, NAME-2.avro and so on."""
    found = blocks(needed(files, f"{name}.avro"), f"{name}.avro")
    n = 2
    while f"{name}-{n}.avro" in files:
        found += blocks(files[f"{name}-{n}.avro"], f"{name}-{n}.avro")
        n += 1
    return found


def blocks(data: bytes, name: str) -> list[bytes]:
    """The records of one Avro container."""
    require(data[:4] == b"Obj\x01", f"{name}: no Avro container")
    count, at = varint(data, 4, name)
    while count:
        for _ in range(2 * abs(count)):
            size, at = varint(data, at, name)
            at += size
        count, at = varint(data, at, name)
    found: list[bytes] = []
    sync, at = data[at : at + 16], at + 16
    while at < len(data):
        count, at = varint(data, at, name)
        size, at = varint(data, at, name)
        require(
            count == 1 and size > 0 and data[at + size : at + size + 16] == sync,
            f"{name}: record {len(found)} is damaged",
        )
        found.append(data[at : at + size])
        at += size + 16
    return found


def varint(data: bytes, at: int, name: str) -> tuple[int, int]:
    """A zigzag number of Avro, and the place after it."""
    number, shift = 0, 0
    while shift < 64 and at < len(data):
        byte = data[at]
        number, shift, at = number | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return number >> 1 ^ -(number & 1), at
    raise Altered(f"{name}: cut off")


def hashes(files: Files, name: str) -> list[bytes]:
    """The hashes of a file, one a line in hex."""
    lines = text_of(files, name).split("\n")
    require(
        lines[-1] == "" and all(re.fullmatch("[0-9a-f]{64}", line) for line in lines[:-1]),
        f"{name}: hashes expected",
    )
    return [bytes.fromhex(line) for line in lines[:-1]]


def needed(files: Files, name: str) -> bytes:
    """A file that the proof needs."""
    if name not in files:
        raise Incomplete(f"{name} is missing")
    return files[name]


def text_of(files: Files, name: str) -> str:
    """A file as text."""
    try:
        return needed(files, name).decode()
    except UnicodeDecodeError:
        raise Altered(f"{name}: text expected") from None


def json_of(files: Files, name: str) -> Any:
    """A file as JSON."""
    try:
        return json.loads(text_of(files, name))
    except ValueError:
        raise Altered(f"{name}: JSON expected") from None


def from_base64(text: str, name: str) -> bytes:
    """The bytes that a text stands for."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise Altered(f"{name}: base64 expected") from None


def require(holds: object, what: str) -> None:
    """Altered unless something holds."""
    if not holds:
        raise Altered(what)
