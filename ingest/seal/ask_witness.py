"""How a house asks a witness for its cosignature, over HTTP or by any other way."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ingest.seal import checkpoint, note, proof
from ingest.seal.house import SealBroken, SealedHouse
from ingest.seal.note import NoteSignature, NoteWrong, PublicKey
from ingest.seal.witness import SIZE_TYPE, TEXT_TYPE, WitnessAnswer

MAX_ANSWER = 1 << 16
TIMEOUT_S = 10.0

# What carries a request to a witness, and its answer back.
Ask = Callable[[str], WitnessAnswer]


class WitnessAway(Exception):
    """The witness did not answer, or answered something that is no answer."""


class WitnessRefused(Exception):
    """The witness does not know the house or its key."""


def cosignatures(
    house: SealedHouse, witnesses: Sequence[PublicKey], ask: Ask
) -> tuple[str, tuple[NoteSignature, ...]]:
    """The newest checkpoint's text and a witness's signatures of it.

    SealBroken where the witness saw another history.
    """
    state = house.state()
    if state.head is None:
        raise proof.NotSealed("nothing was sealed yet")
    answer = ask(proof.request(house, 0, state.note))
    if answer.status == HTTPStatus.CONFLICT and answer.kind.startswith(SIZE_TYPE):
        old = _size(answer.text)
        if old > state.head.size:
            what = f"a witness cosigned {old} heads, the log has {state.head.size}"
            raise SealBroken(f"checkpoint {old}: the log was rolled back: {what}")
        answer = ask(proof.request(house, old, state.note))
    if answer.status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY):
        where = f"checkpoint {state.head.size}"
        raise SealBroken(f"{where}: a witness refuses it as a fork: {answer.text.strip()}")
    if answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN):
        raise WitnessRefused(f"the witness refuses the house: {answer.text.strip()[:200]}")
    if answer.status != HTTPStatus.OK:
        raise WitnessAway(f"the witness answered {answer.status}: {answer.text.strip()[:200]}")
    found = known_signatures(state.note, answer.text, witnesses)
    return note.parse(state.note).text, found


def known_signatures(
    said: str, lines: str, witnesses: Sequence[PublicKey]
) -> tuple[NoteSignature, ...]:
    """The lines that known witnesses signed; NoteWrong where there is none."""
    signed = note.parse(said)
    more = note.signatures(lines)
    signers = signed._replace(signatures=more).signers(witnesses)
    known = {(key.name, key.id) for key in signers}
    found = tuple(each for each in more if (each.name, each.key_id) in known)
    if not found:
        names = ", ".join(sorted({each.name for each in more}))
        size = checkpoint.parse(signed.text).size
        raise NoteWrong(f"checkpoint {size}: signed by {names}, whom the house does not know")
    return found


def over_http(url: str, timeout_s: float = TIMEOUT_S) -> Ask:
    """Carry requests to a witness's address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NoteWrong(f"witness {url!r}: an http(s) address expected")
    place = url.rstrip("/") + "/add-checkpoint"

    def ask(body: str) -> WitnessAnswer:
        request = Request(place, body.encode(), method="POST")  # noqa: S310 - checked above
        try:
            with urlopen(request, timeout=timeout_s) as answer:  # noqa: S310 - as above
                kind = answer.headers.get("Content-Type", TEXT_TYPE)
                text = answer.read(MAX_ANSWER).decode("utf-8", "replace")
                return WitnessAnswer(HTTPStatus(answer.status), text, kind)
        except HTTPError as error:
            with error:
                kind = error.headers.get("Content-Type", TEXT_TYPE)
                text = error.read(MAX_ANSWER).decode("utf-8", "replace")
            return WitnessAnswer(_status(error.code), text, kind)
        except (URLError, TimeoutError, ConnectionError) as error:
            raise WitnessAway(f"witness {url}: {getattr(error, 'reason', error)}") from error

    return ask


def _size(text: str) -> int:
    if not text.strip().isdecimal():
        raise WitnessAway(f"the witness answered a conflict without a size: {text.strip()[:60]!r}")
    return int(text)


def _status(code: int) -> HTTPStatus:
    try:
        return HTTPStatus(code)
    except ValueError:
        return HTTPStatus.BAD_GATEWAY
