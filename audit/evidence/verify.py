"""Verifies an evidence pack of Roundproof: offline, with Python 3.9 or later and nothing else.

    python3 -I verify.py PACK.zip [--key KEY] [--witness VKEY]

Exit code 0: verified. 4: something was altered, and it is named. 2: something needed is missing.
It takes these steps, and each relies only on the ones before it:

    1. zip       every byte of the file is what its names and contents make of it
    2. manifest  the house signed the list of all files with their SHA-256      (Ed25519, RFC 8032)
    3. events    the events' bytes follow one another by hash; the readable lines say what they say
    4. proofs    a checkpoint that the house signed holds all of them           (RFC 6962, c2sp.org)
    5. sums      what each wager is due follows from the pack's own paytable lines and facts
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import mmap
import re
import struct
import sys
import zlib
from fractions import Fraction
from typing import Any, NamedTuple


class PackRefused(Exception):
    """Why a pack is not verified: 4 altered, 2 something needed is missing; and what it is."""


def need(holds: Any, what: str, code: int = 4) -> None:
    """Raise PackRefused unless something holds."""
    if not holds:
        raise PackRefused(code, what)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs of a JSON object; PackRefused where a key stands twice."""
    need(len(dict(pairs)) == len(pairs), "a key of JSON stands twice")
    return dict(pairs)


NEVER = "that cameras, devices and people recorded what truly happened"
SEEN = "8.4.6-surveillance"
CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # RFC 8785
WRONG = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
PARSED = json.JSONDecoder(object_pairs_hook=_unique)


def main(words: list[str] | None = None) -> int:
    """Verify a pack and print what is proven; returns the exit code."""
    parser = argparse.ArgumentParser(description="Verify an evidence pack, offline.")
    parser.add_argument("pack", help="the pack, a zip file")
    parser.add_argument("--key", default="", help="the house's key, as VKEY or in hex")
    parser.add_argument("--witness", action="append", default=[], help="VKEY that must cosign")
    options = parser.parse_args(words)
    pack, code = Pack(options.pack), 0
    try:
        said = f"VERIFIED: {pack.verify(options)}\n\nProven:\n  " + "\n  ".join(pack.proven)
        said += "\n\nNot proven:\n  " + "\n  ".join([*pack.unproven, NEVER])
    except PackRefused as error:
        code, what = error.args
        where = "" if ": " in what else f"{pack.reading}: "
        said = f"{'ALTERED' if code == 4 else 'INCOMPLETE'}: {where}{what}"
    except OSError as error:
        code, said = 2, f"INCOMPLETE: {error}"
    except WRONG as error:
        code, said = 4, f"ALTERED: {pack.reading}: {type(error).__name__} {error}"
    print(said)
    return code


class Pack:
    """A pack: its files, and what was proven of it so far."""

    def __init__(self, path: str) -> None:
        self.path = self.reading = path
        self.files, self.manifest = dict[str, bytes](), dict[str, Any]()
        self.rows: dict[int, Any] = {}  # the readable line of each event, by sequence
        self.shown: dict[int, bytes] = {}  # the Avro bytes of each event that is shown
        self.proven, self.unproven = list[str](), list[str]()

    def verify(self, options: Any) -> str:
        """Take every step; returns the pack's id."""
        with open(self.path, "rb") as stream:
            size = stream.seek(0, 2)
            need(END.size <= size <= MAX_PACK, f"{self.path}: a pack expected, {size} bytes found")
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as body:
                self.files = read_zip(body, self.path)
        self.proven.append(f"{len(self.files)} files are those of one zip, byte for byte")
        keys = check_manifest(self, options.key)
        check_events(self)
        check_proofs(self, keys, [read_key(text) for text in options.witness])
        check_sums(self)
        return str(self.manifest["pack"])

    def text(self, name: str) -> str:
        """A file's text; PackRefused where it is not there."""
        self.reading = name
        need(name in self.files, f"{name}: a file of this name expected, none found", 2)
        return self.files[name].decode("utf-8")

    def lines(self, name: str) -> list[str]:
        """A file's lines, the last one ended too."""
        *lines, rest = self.text(name).split("\n")
        need(not rest, f"{name}: a newline at its end expected")
        return lines


# 1. The zip

MAX_PACK, MAX_FILES = 2**31 - 1, 100_000
LOCAL, CENTRAL, END = map(struct.Struct, ("<4s5H3I2H", "<4s6H3I5H2I", "<4s4H2IH"))
NAME = re.compile(rb"[0-9A-Za-z_-][0-9A-Za-z._-]*(/[0-9A-Za-z_-][0-9A-Za-z._-]*)*")
DATE, MODE, VERSION, UNIX = 0x21, 0o100644 << 16, 20, 3 << 8  # 1 January 1980, a plain file


def read_zip(body: mmap.mmap, path: str) -> dict[str, bytes]:
    """The files of a zip; PackRefused unless every byte is what names and contents make of it.

    Nothing is unpacked: headers, directory and end record are written again from what was read, and
    compared. That leaves no room for a second file of one name, a link, or bytes between.
    """
    mark, _, _, _, count, length, start, _ = END.unpack(body[len(body) - END.size :])
    fits = mark == b"PK\5\6" and start + length + END.size == len(body) and count <= MAX_FILES
    need(fits, f"{path}: the end record of a pack expected")
    files, entries, at, before = dict[str, bytes](), list[tuple[str, bytes]](), 0, b""
    for _ in range(count):
        need(at + LOCAL.size <= start, f"{path}: a file expected at byte {at}, none found")
        size, letters = struct.unpack("<IH", body[at + 22 : at + 28])
        begin = at + LOCAL.size + letters
        name = body[at + LOCAL.size : begin]
        need(NAME.fullmatch(name) and len(name) < 200, f"{path}: byte {at}: a plain name expected")
        text, content = name.decode(), bytes(body[begin : begin + size])
        need(begin + size <= start and name > before, f"{text}: its size or place in the zip")
        fields = (VERSION, 0, 0, 0, DATE, zlib.crc32(content), size, size, letters, 0)
        fits = body[at : at + LOCAL.size] == LOCAL.pack(b"PK\3\4", *fields)
        need(fits, f"{text}: its header in the zip does not fit its content")
        entry = CENTRAL.pack(b"PK\1\2", VERSION | UNIX, *fields, 0, 0, 0, MODE, at) + name
        entries.append((text, entry))
        files[text], at, before = content, begin + size, name
    need(at == start, f"{path}: bytes between the last file and the directory")
    entries.append((path, END.pack(b"PK\5\6", 0, 0, count, count, length, start, 0)))
    for text, entry in entries:
        need(body[at : at + len(entry)] == entry, f"{text}: its entry in the zip's directory")
        at += len(entry)
    need(at == len(body), f"{path}: the end record of the zip")
    return files


# 2. The manifest and its signature

ROTATION = "roundproof key rotation v1\n"
OF_FILES = ("pack", "counts", "key", "files", "missing")  # the rest of the manifest names the pack


class Key(NamedTuple):
    """An Ed25519 public key with its name; kind 1 signs, kind 4 cosigns with a time."""

    name: str
    kind: int
    raw: bytes

    @property
    def id(self) -> bytes:
        """The key id of c2sp.org/signed-note."""
        return sha256(self.name.encode(), b"\n", bytes([self.kind]), self.raw)[:4]

    def __str__(self) -> str:
        said = base64.b64encode(bytes([self.kind]) + self.raw).decode()
        return f"{self.name}+{self.id.hex()}+{said}"


def read_key(vkey: str) -> Key:
    """The key in a line name+id+base64."""
    name, _, said = vkey.strip().split("+", 2)
    key = Key(name, unbase64(said)[0], unbase64(said)[1:])
    need(str(key) == vkey.strip(), f"a key as name+id+base64 expected, {vkey[:80]!r} found")
    return key


def check_manifest(pack: Pack, pinned: str) -> list[Key]:
    """The manifest lists exactly the files, and the house signed it; the house's keys."""
    manifest = pack.manifest = PARSED.decode(pack.text("manifest.json"))
    own = Key(manifest["key"]["name"], 1, bytes.fromhex(manifest["key"]["ed25519"]))
    fits = manifest["format"] == "roundproof-pack/1" and own.id.hex() == manifest["key"]["id"]
    need(fits, "manifest.json: format 1 of a pack, and a key with its id expected")
    need(CANONICAL.encode(manifest) == pack.text("manifest.json"), "manifest.json: not canonical")
    named = CANONICAL.encode({name: manifest[name] for name in manifest.keys() - OF_FILES})
    fits = manifest["pack"] == f"rp-{sha256(named.encode()).hex()[:16]}"
    need(fits, "manifest.json: the pack has another id")
    need(unbase64(pack.text("key.pem").split("\n")[1])[12:] == own.raw, "key.pem: another key")
    need("manifest.sig" in pack.files, "manifest.sig: a signature expected, none found", 2)
    fits = signed(own.raw, pack.files["manifest.json"], pack.files["manifest.sig"])
    need(fits, "manifest.sig: it does not sign manifest.json")
    for name in sorted({*manifest["files"], *pack.files} - {"manifest.json", "manifest.sig"}):
        need(name in manifest["files"], f"{name}: the manifest does not list it")
        need(name in pack.files, f"{name}: the manifest lists it, and it is not there")
        is_so = {"sha256": sha256(pack.files[name]).hex(), "size": len(pack.files[name])}
        need(manifest["files"][name] == is_so, f"{name}: another content than the manifest lists")
    keys = [own]
    text = pack.text("proof/rotations") if "proof/rotations" in pack.files else ""
    notes = [Note(ROTATION + part.rstrip() + "\n") for part in text.split(ROTATION)[1:]]
    for note in notes * len(notes):  # each leads to a key or from one; they stand in any order
        old, new = (read_key(line[4:]) for line in note.text.split("\n")[2:4])
        if (old in keys) != (new in keys):
            fits = note.signed_by(old) and note.signed_by(new) and old.name == new.name == own.name
            need(fits, "proof/rotations: both keys of the house must sign a rotation")
            keys.append(new if old in keys else old)
    known = [form for key in keys for form in (str(key), key.raw.hex())]
    need(pinned.strip() in ["", *known], f"manifest.sig: signed by {own}, not by the key you gave")
    if not pinned:
        pack.unproven.append(f"that {own} is the house's key: compare it with the published one")
    pack.proven.append(f"{own} signed the manifest of all of them")
    return keys


# 3. The events
def check_events(pack: Pack) -> None:
    """The events chain, and their lines say what their bytes say."""
    span, table = pack.manifest["span"], pack.manifest["span"]["table"]
    records = read_records(pack, f"{SEEN}/events")
    pack.rows = {row["seq"]: row for row in map(PARSED.decode, pack.lines(f"{SEEN}/events.jsonl"))}
    every = list(range(span["start"], span["end"]))
    need(list(pack.rows) == every, f"{SEEN}/events.jsonl: a line for each event of the span")
    hidden = {seq for seq, row in pack.rows.items() if row.get("withheld") is True}
    for record, body in records:
        seq, where = record["seq"], f"event {record['seq']} of {table}"
        fits = pack.rows.get(seq) == record and record["table_id"] == table
        need(fits, f"{where}: events.jsonl does not say what its Avro bytes say")
        before = pack.shown.get(seq - 1)
        fits = before is None or sha256(before).hex() == record["prev_hash"]
        need(fits, f"{where}: it does not carry the hash of the event before it")
        pack.shown[seq] = body
    gone = [seq for seq in every if (seq in pack.shown) == (seq in hidden)]
    need(not gone, f"event {gone[:1]} of {table}: its Avro bytes are not in events.avro")
    party, counts = pack.manifest["party"], pack.manifest["counts"]
    fits = pack.manifest["edition"] == ("party" if party else "full") and (party or not hidden)
    need(fits, "manifest.json: a full edition withholds nothing, another one names its party")
    fits = (counts["events"], counts["withheld"]) == (len(every), len(hidden))
    need(fits, f"manifest.json: it counts other events than {SEEN}/events.jsonl has")
    if hidden:
        pack.unproven.append(f"what {len(hidden)} withheld events say; the full edition opens them")
    pack.proven.append(f"{len(records)} events follow one another; the lines say what they say")


def read_records(pack: Pack, path: str) -> list[tuple[Any, bytes]]:
    """The records of Avro containers as JSON values, each with its bytes."""
    more = (name for name in pack.files if re.fullmatch(re.escape(path) + r"-\d+\.avro", name))
    found: list[tuple[Any, bytes]] = []
    for name in [f"{path}.avro", *sorted(more, key=lambda name: (len(name), name))]:
        pack.reading, data = name, pack.files.get(name, b"")
        need(data[:4] == b"Obj\1", f"{name}: an Avro container expected")
        meta, at = Avro(data, {}).value({"type": "map", "values": "bytes"}, 4)
        schema = json.loads(bytes.fromhex(meta["avro.schema"]))
        named, sync, at = dict(_named_types(schema)), data[at : at + 16], at + 16
        while at < len(data):
            count, at = Avro(data, {})._long(at)
            body, at = Avro(data, {})._sized(at)
            record, end = Avro(body, named).value(schema, 0)
            fits = count == 1 and end == len(body) and data[at : at + 16] == sync
            need(fits, f"{name}: one whole record in each block expected, before byte {at}")
            found.append((record, body))
            at += 16
    return found


def _named_types(kind: Any) -> list[tuple[str, Any]]:
    if isinstance(kind, list):
        return [found for branch in kind for found in _named_types(branch)]
    if isinstance(kind, str) or kind is None:
        return []
    inside = [*(field["type"] for field in kind.get("fields", ())), kind.get("items")]
    return [("roundproof." + kind.get("name", ""), kind), *_named_types(inside)]


class Avro(NamedTuple):
    """Avro bytes as JSON values: long numbers as text, bytes as hexadecimal digits."""

    data: bytes
    named: dict[str, Any]

    def _long(self, at: int) -> tuple[int, int]:
        value = shift = 0
        while shift < 70:
            value, shift, at = value | (self.data[at] & 127) << shift, shift + 7, at + 1
            if self.data[at - 1] < 128:
                return (value >> 1) ^ -(value & 1), at
        raise ValueError("a number that is too long")

    def _sized(self, at: int) -> tuple[bytes, int]:
        size, at = self._long(at)
        need(0 <= size <= len(self.data) - at, f"{size} Avro bytes, {len(self.data) - at} left")
        return self.data[at : at + size], at + size

    def value(self, kind: Any, at: int, name: str = "") -> tuple[Any, int]:
        """The value of a kind at a byte, and the byte after it."""
        if isinstance(kind, list):
            branch, at = self._long(at)
            made, at = self.value(kind[branch], at)
            if isinstance(made, dict) and len(kind) - ("null" in kind) > 1:
                word = kind[branch]["name"] if isinstance(kind[branch], dict) else kind[branch]
                made = {"type": word.rpartition(".")[2], **made}
            return made, at
        kind = self.named.get(kind, {"type": kind}) if isinstance(kind, str) else kind
        what = kind["type"]
        if what == "record":
            made = {}
            for field in kind["fields"]:
                made[field["name"]], at = self.value(field["type"], at, field["name"])
            return made, at
        if what in ("array", "map"):
            return self._many(kind, at)
        if what in ("int", "long"):
            count, at = self._long(at)
            return (count if what == "int" or name in ("seq", "device_seq") else str(count)), at
        sizes = {"null": 0, "boolean": 1, "double": 8, "fixed": kind.get("size", 0)}
        if what in sizes:
            body = self.data[at : at + sizes[what]]
            made = {"null": None, "boolean": body == b"\1", "fixed": body.hex()}
            value = struct.unpack("<d", body)[0] if what == "double" else made[what]
            return value, at + sizes[what]
        body, at = self._sized(at)
        return (body.hex() if what == "bytes" else body.decode("utf-8")), at

    def _many(self, kind: Any, at: int) -> tuple[Any, int]:
        found: dict[Any, Any] = {}
        count, at = self._long(at)
        while count:
            need(0 < count <= len(self.data) - at, f"{count} Avro values in {len(self.data)} bytes")
            for _ in range(count):
                name, at = self._sized(at) if kind["type"] == "map" else (b"", at)
                key = name.decode("utf-8") if kind["type"] == "map" else len(found)
                found[key], at = self.value(kind.get("items", kind.get("values")), at)
            count, at = self._long(at)
        return (found if kind["type"] == "map" else list(found.values())), at


# 4. The proofs

LANE_PROOF, HEAD_PROOF = "roundproof.lane-proof@v1\n", "c2sp.org/tlog-proof@v1\n"


class Note:
    """A signed note: text, an empty line, signature lines (c2sp.org/signed-note)."""

    def __init__(self, note: str) -> None:
        self.whole, (text, empty, lines) = note, note.rpartition("\n\n")
        need(empty and lines.endswith("\n"), f"a signed note expected, {note[:60]!r} found")
        said = [line.split(" ") for line in lines[:-1].split("\n")]
        need({dash for dash, _, _ in said} == {"—"}, f"signature lines expected, {lines[:60]!r}")
        self.text, self.said = text + "\n", [(name, unbase64(sign)) for _, name, sign in said]

    def signed_by(self, key: Key) -> int:
        """When a key signed: 0 if never, 1 for a house; PackRefused where it signed otherwise."""
        for name, body in self.said:
            if (name, body[:4]) == (key.name, key.id):
                text, time, signature = self.text.encode(), 1, body[4:]
                if key.kind == 4:
                    time, signature = int.from_bytes(body[4:12], "big"), body[12:]
                    text = f"cosignature/v1\ntime {time}\n".encode() + text
                need(signed(key.raw, text, signature), f"the signature of {name} does not fit")
                return time
        return 0


Head = NamedTuple("Head", [("text", str), ("origin", str), ("size", int), ("root", bytes)])


def read_head(text: str) -> Head:
    """The head of a tree in three lines: origin, leaves, root (c2sp.org/tlog-checkpoint)."""
    origin, size, root, rest = text.split("\n")
    need(origin and not rest and size.isdigit(), f"origin, size and root expected, {text[:60]!r}")
    return Head(text, origin, int(size), unbase64(root, 32))


def read_proof(pack: Pack, name: str, header: str) -> tuple[list[str], list[bytes], str]:
    """The words after a proof's header, its hashes, and what stands after the empty line."""
    text = pack.text(name)
    need(text.startswith(header), f"{name}: {header.strip()} expected")
    lines, _, rest = text[len(header) :].partition("\n\n")
    what, *path = lines.split("\n")
    return what.split(" "), [unbase64(line, 32) for line in path], rest


def check_proofs(pack: Pack, keys: list[Key], witnesses: list[Key]) -> None:
    """The events lead to the signed checkpoint."""
    span, said, case = (pack.manifest[name] for name in ("span", "checkpoint", "subject"))
    first, last, table = span["start"], span["end"] - 1, span["table"]
    note = Note(pack.text("proof/checkpoint"))
    house, signer = read_head(note.text), next((key for key in keys if note.signed_by(key)), None)
    need(signer and house.origin == keys[0].name, "proof/checkpoint: no signature of the house")
    fits = note.text == f"{said['origin']}\n{said['size']}\n{said['root']}\n"
    need(fits, "proof/checkpoint: not the checkpoint of the manifest")
    what, path, rest = read_proof(pack, "proof/events.lane-proof", LANE_PROOF)
    head, leaves = read_head(rest), list(map(bytes.fromhex, pack.lines("proof/leaves.txt")))
    fits = what == ["span", str(first), str(last + 1)] and len(leaves) == len(pack.rows)
    need(fits, "proof/events.lane-proof: not of the manifest's span")
    wrong = [seq for seq, body in pack.shown.items() if sha256(b"\0", body) != leaves[seq - first]]
    need(not wrong, f"event {wrong[:1]} of {table}: proof/leaves.txt has another hash of it")
    fits = root_of_span(leaves, first, head.size, path) == head.root
    need(fits, "proof/events.lane-proof: the events do not lead to the head of the table's log")
    check_head(pack, "proof/events.tlog-proof", head, note, f"/events/{table}")
    pack.proven.append(f"events {first} to {last} of {table} are all there, in their order")
    pack.proven.append(f"checkpoint {house.size} of {house.origin} holds them, signed by {signer}")
    count = check_singles(pack, f"{SEEN}/context", "context", note, f"/events/{table}")
    pack.proven.append(f"{count} earlier events, such as the posted terms, are in the same log")
    if case["case"]:
        count = check_singles(pack, "decision/case", "case", note, f"/cases/{table}")
        pack.proven.append(f"{count} steps of case {case['case']} are in the sealed log too")
    if "proof/consistency" in pack.files:
        older = Note(pack.text("proof/older-checkpoint"))
        old, ours = read_head(older.text), any(map(older.signed_by, keys))
        need(ours and old.origin == house.origin, "proof/older-checkpoint: not signed by the house")
        (_, size), path, _ = read_proof(pack, "proof/consistency", "")
        fits = size == str(old.size) and consistent(old, house, path)
        need(fits, f"proof/consistency: checkpoint {house.size} does not extend {old.size}")
        pack.proven.append(f"checkpoint {house.size} extends {old.size}: the log only grew")
    check_witnesses(pack, note, witnesses)


def check_head(pack: Pack, name: str, head: Head, note: Note, lane: str) -> None:
    """The head of a lane's tree is a leaf of the house tree that the checkpoint signs."""
    (_, index), path, rest = read_proof(pack, name, HEAD_PROOF)
    house, leaf = read_head(note.text), sha256(b"\0", head.text.encode())
    need(rest == note.whole and head.origin == house.origin + lane, f"{name}: another proof")
    found = root_of_leaf(leaf, int(index), house.size, path)
    need(found == house.root, f"{name}: the head of {head.origin} is not in the checkpoint")


def check_singles(pack: Pack, path: str, proof: str, note: Note, lane: str) -> int:
    """Single records of a lane stand in the sealed log, each by a proof of its own; how many."""
    number = "seq" if proof == "context" else "number"
    records = {row[number]: (row, body) for row, body in read_records(pack, path)}
    rows = list(map(PARSED.decode, pack.lines(f"{path}.jsonl")))
    leaves = list(map(bytes.fromhex, pack.lines(f"proof/{proof}-leaves.txt")))
    need(len(rows) == len(leaves), f"proof/{proof}-leaves.txt: a hash for each line expected")
    for n, (row, leaf) in enumerate(zip(rows, leaves), 1):
        name = f"proof/{proof}-{n}.lane-proof"
        record, body = records.pop(row[number], (row, b""))
        fits = sha256(b"\0", body) == leaf if body else row.get("withheld") is True
        need(fits and record == row, f"{path}.jsonl: line {n} does not say what its bytes say")
        (_, index), hashes, rest = read_proof(pack, name, LANE_PROOF)
        head = read_head(rest)
        fits = root_of_leaf(leaf, int(index), head.size, hashes) == head.root
        need(fits and index == str(row.get("seq", index)), f"{name}: not of line {n}")
        check_head(pack, f"proof/{proof}.tlog-proof", head, note, lane)
    need(not records, f"{path}.avro: a record that {path}.jsonl does not have")
    return len(rows)


def check_witnesses(pack: Pack, note: Note, mine: list[Key]) -> None:
    """Who cosigned the checkpoint, and when."""
    named = pack.lines("proof/witnesses.txt") if "proof/witnesses.txt" in pack.files else ()
    times_of = {key: note.signed_by(key) for key in (*mine, *map(read_key, named))}
    for key, time in times_of.items():
        need(time or key not in mine, f"proof/checkpoint: no cosignature of {key}", 2)
        trust = "" if key in mine else ", a witness by the house's word: compare its key"
        if time:
            pack.proven.append(f"{key} cosigned it at POSIX time {time}{trust}")
    if not any(times_of.values()):
        pack.unproven.append("that the house shows everybody the same log: no witness cosigned")


def sha256(*parts: bytes) -> bytes:
    """SHA-256; of a tree's leaf after a byte 0, of a node's children after a byte 1 (RFC 6962)."""
    return hashlib.sha256(b"".join(parts)).digest()


def root_of_span(leaves: list[bytes], start: int, size: int, path: list[bytes]) -> bytes:
    """The root that all leaves of a span and the hashes around it lead to; empty where none."""
    end, around = start + len(leaves), path[::-1]

    def rebuilt(low: int, high: int) -> bytes:
        if high <= start or low >= end:
            return around.pop() if around else b""
        if high - low == 1:
            return leaves[low - start]
        middle = low + (1 << (high - low - 1).bit_length() - 1)  # a tree parts here (2.1)
        return sha256(b"\1", rebuilt(low, middle), rebuilt(middle, high))

    found = rebuilt(0, size) if 0 <= start < end <= size else b""
    return found if not around else b""


def root_of_leaf(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that a leaf and its path lead to (RFC 6962, 2.1.1); empty where none."""
    if size <= 1 or not path:
        return leaf if size == 1 and index == 0 and not path else b""
    middle, (*below, sibling) = 1 << (size - 1).bit_length() - 1, path
    if index < middle:
        return sha256(b"\1", root_of_leaf(leaf, index, middle, below), sibling)
    return sha256(b"\1", sibling, root_of_leaf(leaf, index - middle, size - middle, below))


def consistent(old: Head, new: Head, path: list[bytes]) -> bool:
    """Whether the new tree begins with the old one (RFC 6962, 2.1.2)."""
    hashes = list(path)

    def roots(size: int, whole: int, known: bool) -> tuple[bytes, bytes]:
        if size == whole:
            found = old.root if known else hashes.pop()
            return found, found
        middle, sibling = 1 << (whole - 1).bit_length() - 1, hashes.pop()
        if size <= middle:
            first, second = roots(size, middle, known)
            return first, sha256(b"\1", second, sibling)
        first, second = roots(size - middle, whole - middle, False)
        return sha256(b"\1", sibling, first), sha256(b"\1", sibling, second)

    grown = 0 < old.size <= new.size and roots(old.size, new.size, True) == (old.root, new.root)
    return grown and not hashes


# 5. The sums

AMOUNTS = ("paid", "commission", "collected", "reserve_taken", "returned")
WINS = re.compile(r"(\d+):(\d+)(?: less ([0-9.]+)%)?")
LOSES = re.compile(r"(push|lose)(?: (\d+(?:/\d+)?))?(?: reserve (\d+(?:/\d+)?))?(?: as (.+))?")


def check_sums(pack: Pack) -> None:
    """What each wager is due follows from lines and facts."""
    book = PARSED.decode(pack.text("derivation/settlement.json"))
    wagers, lines = book["wagers"], []
    if book["status"] == "unknown" or not book["lines"]:
        pack.unproven.append("what the wagers are due: cards, results or terms are not known")
        return
    found = [due(wager, book) for wager in wagers]
    rows: dict[Any, list[Any]] = {}  # what was said of each wager, and of none, with its place
    shown = ((seq, row["payload"]) for seq, row in pack.rows.items() if "withheld" not in row)
    for seq, what in shown:
        rows.setdefault((what["type"], what.get("wager_id")), []).append((seq, what))
    for limit in sorted({wager["shares"] for wager in wagers} - {""}):
        check_shares(book, found, limit)
    for wager, made in zip(wagers, found):
        where = f"derivation/settlement.json: wager {wager['wager']}"
        for name, amount in made.items():
            said = wager["due"].get(name, wager["outcome"])
            need(str(amount) == said, f"{where}: {name} {amount} follows, {said} stands there")
        if wager["seen"] is not None:
            check_seen(rows, wager, made, where)
        back = made["returned"] + made["reserve_returned"] + made["paid"]
        said = f"{made['outcome']} at {wager['odds']} to 1" if wager["odds"] else made["outcome"]
        gaps = "".join(f"; seen {name} {gap}" for name, gap in wager["differences"].items())
        lines.append(f"  {wager['bet']} {made['stake']:,}: {said}, {back:,} back{gaps}")
    total = f"the sums of {len(found)} wagers in {book['currency']}, by the paytable:"
    pack.proven += [total, *lines]
    if book["withheld"]:
        need(pack.manifest["party"], "derivation/settlement.json: a full edition withholds a wager")
        pack.unproven.append(f"the sums of {len(book['withheld'])} wagers of others, withheld here")


def due(wager: Any, book: Any) -> dict[str, Any]:
    """What one wager is due, derived again."""
    stake, reserve, action = int(wager["stake"]), int(wager["reserve"]), Fraction(wager["action"])
    made: dict[str, Any] = dict.fromkeys(("gross_win", "commission", "paid", "collected"), 0)
    made.update(stake=stake, reserve_taken=0, outcome=wager["fate"])
    if wager["recorded"]:  # the rules leave the settlement as it was made
        made.update({name: int(amount) for name, amount in wager["recorded"].items()})
        return dict(made, gross_win=made["paid"] + made["commission"], reserve_returned=0)
    if wager["fate"] or (not action and not wager["parts"] and wager["stand_clauses"]):
        held = wager["fate"] == "open"  # nothing is won or lost; the chips go back, or stay
        made.update(outcome=wager["fate"] or "returned", returned=0 if held else stake)
        return dict(made, reserve_returned=0 if held else reserve)
    parts = [(part["position"], Fraction(part["action"])) for part in wager["parts"]]
    best = Fraction(-1)
    for position, amount in parts or [(wager["bet"], action)]:
        odds = deciding(position, {*book["facts"], *wager["facts"]}, book["lines"])
        pays, outcome, amounts = settled(odds, amount, book["rounding"])
        for name in amounts:
            made[name] += amounts[name]
        best, made["outcome"] = (pays, outcome) if pays > best else (best, made["outcome"])
    made["reserve_taken"] = min(made["reserve_taken"], reserve)
    made.update(commission=made["gross_win"] - made["paid"], returned=stake - made["collected"])
    return dict(made, reserve_returned=reserve - made["reserve_taken"])


def deciding(position: str, facts: set[str], lines: list[Any]) -> str:
    """The odds of the first line of a position, or else of its kind, whose fact holds."""
    own = [line for line in lines if line["bet"] == position]
    for line in own or [line for line in lines if line["bet"] == position.partition(":")[0]]:
        fact = position + line["fact"][2:] if line["fact"].startswith("it ") else line["fact"]
        if fact == "otherwise" or fact in facts:
            return str(line["odds"])
    raise PackRefused(4, f"derivation/settlement.json: no line of the paytable decides {position}")


def settled(cell: str, action: Fraction, rounding: str) -> tuple[Fraction, str, dict[str, int]]:
    """What odds pay to one, their outcome, and the whole amounts that an action makes."""
    wins, loses = WINS.fullmatch(cell), LOSES.fullmatch(cell)
    if wins:
        pays = Fraction(int(wins[1]), int(wins[2]))
        paid = whole(action * pays * (1 - Fraction(wins[3] or 0) / 100), rounding)
        return pays, "win", {"gross_win": whole(action * pays, rounding), "paid": paid}
    if loses is None:
        raise PackRefused(4, f"derivation/settlement.json: odds expected, {cell!r} found")
    if loses[1] == "push":
        return Fraction(0), loses[4] or "push", {}
    lost = whole(action, rounding) - whole(action * (1 - Fraction(loses[2] or 1)), rounding)
    taken = whole(action * Fraction(loses[3] or 0), rounding)
    return Fraction(0), loses[4] or "lose", {"collected": lost, "reserve_taken": taken}


def whole(amount: Fraction, rounding: str) -> int:
    """An amount in whole minor units, by the rounding that the table posted."""
    amount += Fraction(rounding == "half up", 2)
    return -(-amount.numerator // amount.denominator) if rounding == "up" else amount.__floor__()


def check_shares(book: Any, found: list[dict[str, Any]], limit: str) -> None:
    """Wagers that share a limit are rounded as one: what they get must add up to that."""
    pairs = [(w, made) for w, made in zip(book["wagers"], found) if w["shares"] == limit]
    pairs = [(wager, made) for wager, made in pairs if Fraction(wager["action"])]
    for bet in {wager["bet"] for wager, _ in pairs}:
        action = sum((Fraction(wager["action"]) for wager, _ in pairs), Fraction(0))
        odds = deciding(bet, set(book["facts"]), book["lines"])
        total = settled(odds, action, book["rounding"])[2]
        for name in ("gross_win", "paid", "collected"):
            fits = sum(int(wager["due"][name]) for wager, _ in pairs) == total.get(name, 0)
            need(fits, f"derivation/settlement.json: {name} of wagers under one limit ({limit})")
    for wager, made in pairs:  # how it is split among them is the house's word
        made.update({name: int(amount) for name, amount in wager["due"].items()})


def check_seen(rows: dict[Any, Any], wager: Any, made: dict[str, Any], where: str) -> None:
    """What was seen to be paid is the sum of its events, and the differences are its gaps."""
    seen = {name: int(wager["seen"][name]) for name in AMOUNTS}
    gaps = {name: seen[name] - made[name] for name in AMOUNTS}
    gaps["returned"] -= made["reserve_returned"]
    told = {name: f"{gap:+d}" for name, gap in gaps.items() if gap}
    need(told == wager["differences"], f"{where}: the differences are not seen less due")
    paid = rows.get(("WagerSettled", wager["wager"]), [])
    ends = rows.get(("RoundClosed", None), []) + rows.get(("CorrectionMade", None), [])
    sums = {name: sum(int(said[name]) for _, said in paid) for name in AMOUNTS}
    later = paid and ends and paid[-1][0] > min(ends)[0]  # then not every payment counts
    need(sums == seen or later, f"{where}: what was seen is not the sum of its {len(paid)} events")


# Ed25519 (RFC 8032, 5.1.7): a point is x, y, z, t with X = x/z, Y = y/z and X·Y = t/z
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes fits a message and a public key of 32 bytes."""
    if len(key) != 32 or len(signature) != 64:
        return False
    point, scalar = _point(key), int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER or _times(8, point)[0] == 0:  # such a key fits anything
        return False
    challenge = hashlib.sha512(signature[:32] + key + message).digest()
    x, y, z, t = _times(int.from_bytes(challenge, "little") % ORDER, point)
    base = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or point
    x, y, z, t = _added(_times(scalar, base), (-x % P, y, z, -t % P))
    inverse = pow(z, P - 2, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little") == signature[:32]


def _added(one: Point, two: Point) -> Point:
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: Point) -> Point:
    found = (0, 1, 1, 0)
    while factor:
        found = _added(found, point) if factor & 1 else found
        point, factor = _added(point, point), factor >> 1
    return found


def _point(body: bytes) -> Point | None:
    y, odd = int.from_bytes(body, "little") & (2**255 - 1), body[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and odd):
        return None
    x = x if x & 1 == odd else P - x
    return x, y, 1, x * y % P


def unbase64(text: str, size: int = 0) -> bytes:
    """The bytes of base64 in its one form; of a size where one is given."""
    body = base64.b64decode(text.encode("ascii"), validate=True)
    fits = base64.b64encode(body).decode() == text and len(body) == (size or len(body))
    need(fits, f"base64 expected, {text[:60]!r} found")
    return body


if __name__ == "__main__":
    sys.exit(main())
