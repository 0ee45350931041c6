"""Verifies an evidence pack. It needs Python 3.9 or later and nothing else: no network, no package.

    python3 -I verify.py PACK [KEY]

KEY is the house's public key as published: a vkey, 64 hexadecimal digits, or a file that holds one.
Without it the key inside the pack is used, and its fingerprint is printed to be compared.

Exit codes: 0 verified; 4 altered, with the file or event named; 2 incomplete, with what is missing.
"""

import base64
import hashlib
import json
import re
import struct
import sys
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

VERIFIED, INCOMPLETE, ALTERED = 0, 2, 4
MOST_BYTES, MOST_FILES = 2 * 1024**3, 100_000
NAME = re.compile(r"[0-9A-Za-z._-]+(/[0-9A-Za-z._-]+)*")
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
EVENTS, SUMS = "8.4.6-surveillance/", "derivation/settlement.json"
LANE, HEAD = "proof/events.lane-proof", "proof/events.tlog-proof"
WON = ("gross_win", "commission", "paid", "collected")
OWED = (*WON, "reserve_taken", "returned", "reserve_returned")
NOT_PROVEN = (
    "that the cameras saw everything",
    "that a sensor was honest before its reading was taken in",
    "that nobody else held the signing key",
    "that the facts of the round follow from its cards; derivation/derivation.json tells how",
)


class Altered(Exception):
    """Something is not what the house signed; the message names it."""


class Incomplete(Exception):
    """Something that proves the rest is not there; the message names it."""


# The zip is a function of its names and contents: it is written again and compared byte by byte.


def read_zip(data):
    """The files of a pack; Altered where a byte is not as the builder writes it."""
    require(len(data) <= MOST_BYTES, "the zip: larger than 2 GiB")
    files, at = {}, 0
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
        place = next(
            (n for n, pair in enumerate(zip(expected, data)) if pair[0] != pair[1]),
            min(len(expected), len(data)),
        )
        raise Altered(
            f"the zip: byte {place}, {where(files, place)}, is not as the builder writes it"
        )
    return files


def written_zip(files):
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


def where(files, place):
    """Which part of the zip a byte belongs to."""
    at = 0
    for name, content in files.items():
        at += 30 + len(name) + len(content)
        if place < at:
            return f"the entry of {name}"
    return "the directory at its end"


# Ed25519 (RFC 8032).

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def ed25519(key, message, signature):
    """Whether a signature of a message is of this key."""
    if len(key) != 32 or len(signature) != 64:
        return False
    point, r = decoded(key), decoded(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if point is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, BASE), plus(r, times(h, point))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % P == 0


def decoded(text):
    """The point that 32 bytes stand for, in extended coordinates; None where there is none."""
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def plus(one, two):
    """The sum of two points."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    """A point added to itself so many times."""
    found = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = plus(found, point)
        point, number = plus(point, point), number >> 1
    return found


BASE = decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def leaf_hash(record):
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + record).digest()


def node_hash(left, right):
    """The hash of a node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def span_root(leaves, start, size, path):
    """The root that all leaves of a span and the hashes around it lead to."""
    end, around = start + len(leaves), list(reversed(path))

    def rebuilt(low, high):
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


def leaf_root(leaf, index, size, path, name):
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


def parse_proof(files, name, first):
    """The second line of a proof, its hashes, and the text after the empty line."""
    head, _, rest = text_of(files, name).partition("\n\n")
    lines = head.split("\n")
    require(lines[0] == first and len(lines) > 1, f"{name}: not such a proof")
    return lines[1], [from_base64(line, name) for line in lines[2:]], rest


def parse_head(text, name):
    """Origin, size and root of a tree's head."""
    lines = text.split("\n")
    require(len(lines) == 4 and not lines[3] and lines[1].isdigit(), f"{name}: no head of a tree")
    return lines[0], int(lines[1]), from_base64(lines[2], name)


def signed_by(note, key, key_name):
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


def house_keys(files, key, name):
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


def check_sums(settlement: "dict[str, Any]") -> int:
    """How many wagers' dues were derived again; Altered where one is not what the file says."""
    rows = settlement["wagers"]
    amounts = {row["wager"]: due_of(row, settlement) for row in rows}
    groups = {row["shares"] for row in rows if row["shares"]}
    shared = groups and settlement["withheld"]  # others share the limit: their part is withheld
    for group in sorted(groups) if not shared else ():
        amounts.update(
            shared_dues(
                [r for r in rows if r["shares"] == group and Fraction(r["action"])], settlement
            )
        )
    done = 0
    for row in rows:
        if row["due"] is None or (shared and row["shares"]):
            continue
        for name, value in amounts[row["wager"]].items():
            said = row["due"][name]
            what = f"{SUMS}: {row['wager']}: {name} {said}, but {value} by its lines"
            require(int(said) == value, what)
        if row["seen"]:
            check_gaps(row)
        done += 1
    return done


def check_gaps(row):
    """The differences of a row must be what was seen less what is due."""
    due, seen = ({key: int(value) for key, value in row[part].items()} for part in ("due", "seen"))
    gaps = {
        name: seen[name] - due[name]
        for name in ("paid", "commission", "collected", "reserve_taken")
    }
    gaps["returned"] = seen["returned"] - due["returned"] - due["reserve_returned"]
    said = {name: int(gap) for name, gap in row["differences"].items()}
    require(
        said == {name: gap for name, gap in gaps.items() if gap},
        f"{SUMS}: {row['wager']}: its differences",
    )


def due_of(row, settlement):
    """What one wager is due."""
    stake, reserve = int(row["stake"]), int(row["reserve"])
    if row["recorded"]:
        kept = {name: int(value) for name, value in row["recorded"].items()}
        return dict(kept, gross_win=kept["paid"] + kept["commission"], reserve_returned=0)
    action = Fraction(row["action"])
    if row["fate"] or (not action and not row["parts"] and row["stand_clauses"]):
        held = row["fate"] == "open"
        return amounts_of(0, 0, 0, 0, 0 if held else stake, 0 if held else reserve)
    parts = row["parts"] or [{"position": row["bet"], "action": row["action"]}]
    sums = [
        line_amounts(
            deciding(part["position"], row, settlement),
            Fraction(part["action"]),
            settlement["rounding"],
        )
        for part in parts
    ]
    gross, paid, collected, taken = (sum(column) for column in zip(*sums))
    taken = min(taken, reserve)
    return amounts_of(gross, paid, collected, taken, stake - collected, reserve - taken)


def amounts_of(gross, paid, collected, taken, returned, reserve_returned):
    """The amounts of a due by name."""
    amounts = (gross, gross - paid, paid, collected, taken, returned, reserve_returned)
    return dict(zip(OWED, amounts))


def deciding(position, row, settlement):
    """The odds of the first line whose fact holds."""
    facts = set(settlement["facts"]) | set(row["facts"])
    lines = [line for line in settlement["lines"] if line["bet"] == position]
    lines = lines or [line for line in settlement["lines"] if line["bet"] == position.split(":")[0]]
    for line in lines:
        fact = position + line["fact"][2:] if line["fact"].startswith("it ") else line["fact"]
        if fact == "otherwise" or fact in facts:
            return line["odds"]
    raise Altered(f"{SUMS}: {position} has no line that decides")


def line_amounts(odds, action, rounding):
    """Gross, paid, collected and taken from the reserve by one line."""
    win = re.fullmatch(r"(\d+):(\d+)(?: less (\d+(?:\.\d+)?)%)?", odds)
    if win:
        gross = action * Fraction(int(win[1]), int(win[2]))
        return (
            whole(gross, rounding),
            whole(gross * (1 - Fraction(win[3] or 0) / 100), rounding),
            0,
            0,
        )
    if odds.startswith("push"):
        return 0, 0, 0, 0
    lost = re.fullmatch(r"lose(?: (\d+/\d+))?(?: reserve (\d+))?(?: as \w+)?", odds)
    require(lost, f"{SUMS}: odds {odds!r}")
    back = whole(action * (1 - Fraction(lost[1] or 1)), rounding)
    return 0, 0, whole(action, rounding) - back, whole(action * int(lost[2] or 0), rounding)


def shared_dues(rows, settlement):
    """What wagers are due that share a limit: rounded as one, then shared out."""
    rows = sorted(rows, key=lambda row: row["wager"])
    if not rows:
        return {}
    weights = [Fraction(row["action"]) for row in rows]
    bare = dict(rows[0], facts=[])
    gross, paid, collected, _ = line_amounts(
        deciding(rows[0]["bet"], bare, settlement), sum(weights), settlement["rounding"]
    )
    shares = zip(
        rows,
        shared_out(paid, weights),
        shared_out(gross - paid, weights),
        shared_out(collected, weights),
    )
    found = {}
    for row, net, kept, lost in shares:
        stake = int(row["stake"])
        taken = min(lost, stake)
        amounts = (net + kept, kept, net, taken, stake - taken)
        found[row["wager"]] = dict(zip((*WON, "returned"), amounts))
    return found


def shared_out(amount, weights):
    """Whole parts of an amount by weight; the rest goes to the largest remainders."""
    exact = [amount * weight / sum(weights) for weight in weights]
    found = [part.numerator // part.denominator for part in exact]
    order = sorted(range(len(exact)), key=lambda n: (found[n] - exact[n], n))
    for n in order[: amount - sum(found)]:
        found[n] += 1
    return found


def whole(amount, rounding):
    """An amount in whole minor units."""
    top, low = amount.numerator, amount.denominator
    return {"half up": (2 * top + low) // (2 * low), "down": top // low, "up": -(-top // low)}[
        rounding
    ]


def verify(data, trusted=None):
    """What is proven, line by line; Altered or Incomplete where it is not."""
    files = read_zip(data)
    manifest, key = check_manifest(files, trusted)
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
    sums = check_sums(json_of(files, SUMS))
    yield f"the dues of {sums} wagers were derived again from the paytable lines, and are the same"


def check_manifest(files, trusted):
    """The manifest and the key that signed it; every file must be as it says."""
    for name in (MANIFEST, SIGNATURE, "key.pem"):
        needed(files, name)
    manifest = json_of(files, MANIFEST)
    require(
        isinstance(manifest, dict) and manifest.get("format") == "roundproof-pack/1",
        f"{MANIFEST}: not of a pack",
    )
    key = from_base64("".join(text_of(files, "key.pem").split("\n")[1:-2]), "key.pem")[-32:]
    require(trusted in (None, key), "key.pem: not the key that was given")
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


def check_events(files, manifest):
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
    bodies = containers(files, EVENTS + "events")
    require(
        len(shown) == len(bodies),
        f"{EVENTS}events.avro: {len(shown)} events expected, {len(bodies)} found",
    )
    for n, body in zip(shown, bodies):
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
    rows = [json.loads(line) for line in text_of(files, EVENTS + "context.jsonl").splitlines()]
    bodies = containers(files, EVENTS + "context")
    for row, body in zip((row for row in rows if not row.get("withheld")), bodies):
        check_leaf(files, f"proof/context-{row['seq']}.lane-proof", leaf_hash(body), head)
    return head


def check_leaf(files, name, leaf, head):
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


def check_checkpoint(files, manifest, key, name, head):
    """The head of a tree must lead to the checkpoint that the house signed."""
    what, path, note = parse_proof(files, name, "c2sp.org/tlog-proof@v1")
    require(note == text_of(files, "proof/checkpoint"), f"{name}: another checkpoint")
    keys = house_keys(files, key, manifest["key"]["name"])
    text = next(
        filter(None, (signed_by(note, each, manifest["key"]["name"]) for each in keys)), None
    )
    require(text, "proof/checkpoint: the house did not sign it")
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


def check_steps(files, manifest, key):
    """How many steps of the case lead to the checkpoint; 0 where the pack is of a round alone."""
    if not manifest["subject"]["case"]:
        return 0
    leaves = hashes(files, "proof/case-leaves.txt")
    rows = [json.loads(line) for line in text_of(files, "decision/case.jsonl").splitlines()]
    require(len(rows) == len(leaves), "decision/case.jsonl: its length")
    bodies = iter(containers(files, "decision/case"))
    _, _, head = parse_proof(files, "proof/case-1.lane-proof", "roundproof.lane-proof@v1")
    for n, (row, leaf) in enumerate(zip(rows, leaves), 1):
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


def containers(files, name):
    """The records of Avro containers with one record a block: NAME.avro, NAME-2.avro and so on."""
    found = blocks(needed(files, f"{name}.avro"), f"{name}.avro")
    n = 2
    while f"{name}-{n}.avro" in files:
        found += blocks(files[f"{name}-{n}.avro"], f"{name}-{n}.avro")
        n += 1
    return found


def blocks(data, name):
    """The records of one Avro container."""
    require(data[:4] == b"Obj\x01", f"{name}: no Avro container")
    count, at = varint(data, 4, name)
    while count:
        for _ in range(2 * abs(count)):
            size, at = varint(data, at, name)
            at += size
        count, at = varint(data, at, name)
    sync, at, found = data[at : at + 16], at + 16, []
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


def varint(data, at, name):
    """A zigzag number of Avro, and the place after it."""
    number, shift = 0, 0
    while shift < 64 and at < len(data):
        byte = data[at]
        number, shift, at = number | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return number >> 1 ^ -(number & 1), at
    raise Altered(f"{name}: cut off")


def hashes(files, name):
    """The hashes of a file, one a line in hex."""
    lines = text_of(files, name).split("\n")
    require(
        lines[-1] == "" and all(re.fullmatch("[0-9a-f]{64}", line) for line in lines[:-1]),
        f"{name}: hashes expected",
    )
    return [bytes.fromhex(line) for line in lines[:-1]]


def needed(files, name):
    """A file that the proof needs."""
    if name not in files:
        raise Incomplete(f"{name} is missing")
    return files[name]


def text_of(files, name):
    """A file as text."""
    try:
        return needed(files, name).decode()
    except UnicodeDecodeError:
        raise Altered(f"{name}: text expected") from None


def json_of(files, name):
    """A file as JSON."""
    try:
        return json.loads(text_of(files, name))
    except ValueError:
        raise Altered(f"{name}: JSON expected") from None


def from_base64(text, name):
    """The bytes that a text stands for."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise Altered(f"{name}: base64 expected") from None


def require(holds, what):
    """Altered unless something holds."""
    if not holds:
        raise Altered(what)


def public_key(text):
    """The raw key of a vkey, of 64 hexadecimal digits, or of a file that holds one."""
    text = Path(text).read_text("utf-8").strip() if Path(text).is_file() else text
    if re.fullmatch("[0-9a-f]{64}", text):
        return bytes.fromhex(text)
    return base64.b64decode(
        text.split("+", 2)[2] if text.count("+") > 1 else "".join(text.split("\n")[1:-1])
    )[-32:]


def main(arguments: "list[str]") -> int:
    """Verify a pack, say what is proven and what is not, and return the exit code."""
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write("usage: python3 -I verify.py PACK [KEY]\n")
        return INCOMPLETE
    try:
        trusted = public_key(arguments[1]) if len(arguments) == 2 else None
        for line in verify(Path(arguments[0]).read_bytes(), trusted):
            sys.stdout.write(f"proven: {line}\n")
    except Altered as error:
        sys.stdout.write(f"ALTERED: {error}\n")
        return ALTERED
    except (Incomplete, OSError, ValueError) as error:
        sys.stdout.write(f"INCOMPLETE: {error}\n")
        return INCOMPLETE
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        RecursionError,
        ZeroDivisionError,
    ) as error:
        sys.stdout.write(f"ALTERED: a file has not the shape of a pack ({error!r})\n")
        return ALTERED
    for what in NOT_PROVEN:
        sys.stdout.write(f"not proven: {what}\n")
    if trusted is None:
        sys.stdout.write("compare the key above with the one that the house published\n")
    sys.stdout.write("VERIFIED\n")
    return VERIFIED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
