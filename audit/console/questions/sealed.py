"""How far the log is sealed: the newest checkpoint, who cosigned it, what waits for the next."""

from pathlib import Path
from typing import NamedTuple

from audit.house import seal
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt
from ingest.seal import checkpoint, keys, note
from ingest.seal.note import COSIGNS, NoteWrong


class SealStanding(NamedTuple):
    """The newest checkpoint of a house, with what was verified of it."""

    origin: str = ""
    size: int = 0  # heads that it holds
    root: str = ""
    signed_at: int | None = None  # UTC microseconds
    own: bool = False  # a key of the house signed it, and the signature verifies
    witnesses: tuple[tuple[str, int], ...] = ()  # trusted ones: name, UTC seconds
    waiting: int = 0  # records that no checkpoint holds yet
    wrong: str = ""


def standing(home: Path) -> SealStanding:
    """The newest checkpoint; an empty one where nothing was sealed."""
    log = LocalLog(home / "log")
    house = seal.sealed(home)
    try:
        state = house.state()
        heads = {lane: log.head_of(*lane) for lane in seal.lanes(log)}
        waiting = sum(
            head.end - (state.lanes[lane].size if lane in state.lanes else 0)
            for lane, head in heads.items()
            if head
        )
        if state.head is None:
            return SealStanding(waiting=waiting)
        signed = note.parse(state.note)
        folder = seal.key_folder(home)
        own = signed.signers(keys.public_keys(folder))
        trusted = {key.id: key.name for key in keys.trusted(folder, COSIGNS)}
        signed.signers(keys.trusted(folder, COSIGNS))
        last = list(house.records(max(0, state.records - 1)))
    except (LogCorrupt, NoteWrong, OSError) as error:
        return SealStanding(wrong=str(error))
    return SealStanding(
        state.head.origin,
        state.head.size,
        checkpoint.encode_hash(state.head.root),
        last[-1][1].signed_at if last else None,
        bool(own),
        tuple(
            (trusted[each.key_id], note.cosigned_at(each.signature))
            for each in signed.signatures
            if each.key_id in trusted
        ),
        waiting,
    )
