"""Before every request: a known host, a bounded body, headers against foreign pages."""

from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES = 1 << 20
UPLOAD_BYTES = 32 << 20  # a statement's recording or a photo
UPLOADS = "/uploads"  # the last part of the paths that take files

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Shield:
    """Refuses foreign hosts and large bodies, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], *, tls: bool) -> None:
        self._app, self._hosts = app, hosts
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if tls:
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = self._with_headers(scope, send)
        given = dict(scope["headers"])
        if _host(given) not in self._hosts:
            await _refuse(guarded, 421, "this console does not answer to that host name")
            return
        most = UPLOAD_BYTES if scope["path"].endswith(UPLOADS) else BODY_BYTES
        if _length(given) > most:
            await _refuse(guarded, 413, f"a body of at most {most:,} bytes expected")
            return
        try:
            await self._app(scope, _bounded(receive, most), guarded)
        except BodyTooLarge as error:
            await _refuse(guarded, 413, str(error))

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        kept = scope["path"].startswith("/static/")
        cache = b"public, max-age=86400" if kept else b"no-store"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                extra = [*self._headers, (b"cache-control", cache)]
                message["headers"] = [
                    *message["headers"],
                    *((name, value) for name, value in extra if name not in there),
                ]
            await send(message)

        return sending


class BodyTooLarge(BaseException):
    """A body that said nothing of its length and went on too long.

    No handler of an ordinary error may catch it on its way to the shield.
    """


def _bounded(receive: Receive, most: int) -> Receive:
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise BodyTooLarge(f"a body of at most {most:,} bytes expected")
        return message

    return receiving


def _host(headers: dict[bytes, bytes]) -> str:
    """The host name that was asked for, without its port."""
    name = headers.get(b"host", b"").decode("latin-1").lower()
    return name[: name.rindex("]") + 1] if "]" in name else name.partition(":")[0]


def _length(headers: dict[bytes, bytes]) -> int:
    text = headers.get(b"content-length", b"0")
    return int(text) if text.isdigit() else 0


async def _refuse(send: Send, status: int, why: str) -> None:
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"text/plain; charset=utf-8")],
    }
    await send(start)
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
