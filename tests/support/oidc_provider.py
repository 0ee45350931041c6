"""A small OpenID Connect provider on loopback: discovery, codes with PKCE, signed tokens."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "roundproof-console", "a secret of the client"


@cache
def key(name: str) -> RSAKey:
    """A signing key; made once, since it takes a while."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


class OidcProvider:
    """What the provider says next: who signs in, and what is wrong with its answer."""

    def __init__(self) -> None:
        self.issuer = ""
        self._codes: dict[str, dict[str, str]] = {}
        self.begin_anew()

    def begin_anew(self) -> None:
        """Be honest again."""
        self.person: dict[str, Any] = {"sub": "s-1", "preferred_username": "op-1", "amr": ["pwd"]}
        self.wrong: dict[str, Any] = {}  # claims that replace the right ones
        self.signed_by = "k1"
        self.described: dict[str, Any] = {}  # replaces parts of the description

    def authorized(self, asked: Mapping[str, str]) -> str:
        """The address that the browser is sent back to, with a code."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._codes[code] = dict(asked)
        back = {"code": code, "state": asked["state"], "iss": self.issuer}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def token(self, form: Mapping[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """The token for a code, once, for the client that asked and its verifier."""
        asked = self._codes.pop(form.get("code", ""), None)
        expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(
            hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        ).rstrip(b"=")
        if (
            asked is None
            or challenge.decode() != asked["code_challenge"]
            or form.get("redirect_uri") != asked["redirect_uri"]
            or authorization != f"Basic {expected}"
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60}
        claims |= {"nonce": asked["nonce"], **self.person, **self.wrong}
        header = {"alg": "RS256", "kid": "k1"}
        return 200, {"id_token": jwt.encode(header, claims, key(self.signed_by))}

    def description(self) -> dict[str, Any]:
        """The discovery document."""
        paths = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
        paths |= {"jwks_uri": "keys"}
        found = {name: f"{self.issuer}/{path}" for name, path in paths.items()}
        return {"issuer": self.issuer, **found, **self.described}


@contextmanager
def provided() -> Iterator[OidcProvider]:
    """The provider, answering on a free port of loopback."""
    provider = OidcProvider()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(303)
                self.send_header("location", provider.authorized(asked))
                self.end_headers()
                return
            keys = KeySet([key("k1")]).as_dict(private=False)
            self._say(200, dict(keys) if parts.path == "/keys" else provider.description())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._say(*provider.token(form, self.headers.get("authorization", "")))

        def _say(self, status: int, what: Mapping[str, Any]) -> None:
            body = json.dumps(what).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
