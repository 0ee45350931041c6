"""Signing in at an OpenID Connect provider: authorization code with PKCE, state and nonce.

    /sign-in/oidc ──▶ provider ──code──▶ /sign-in/oidc/back ──▶ token ──JWKS──▶ verified claims

The provider says who somebody is; what they may do stands in the accounts of the house. The first
sign-in binds an account to the provider's subject, so that a name that is given to somebody else
later opens nothing. Needs the extra `oidc`.
"""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from audit.console.accounts import Account, Accounts
from audit.console.roles import NEEDS_CODE
from audit.console.store import ConsoleStore

TIMEOUT_S = 5.0
PENDING_S = 600.0
MOST_PENDING = 1_000
MOST_BYTES = 1 << 18
CLOCK_S = 60  # seconds that the provider's clock may be off
ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
SECOND_FACTORS = frozenset({"mfa", "otp", "hwk", "swk", "sms", "pop"})
BACK = "/sign-in/oidc/back"


class OidcClient(NamedTuple):
    """What the provider knows this console as."""

    issuer: str
    client_id: str
    secret: str = ""  # empty for a public client
    claim: str = "preferred_username"  # the claim that names the account


class OidcRefused(Exception):
    """The provider, its answer or its person cannot be trusted; the text says what was expected."""


class PendingSignIn(NamedTuple):
    """A sign-in that is at the provider now."""

    nonce: str
    verifier: str
    after: str
    redirect: str


class OidcDoor:
    """Sends people to the provider and takes them back."""

    def __init__(
        self,
        client: OidcClient,
        store: ConsoleStore,
        accounts: Accounts,
        now: Callable[[], float],
    ) -> None:
        require_private(client.issuer)
        self.client, self._store, self._accounts, self._now = client, store, accounts, now

    def begin(self, address: str, after: str) -> tuple[str, str]:
        """Where to send the browser, and the state that it must bring back in its cookie."""
        where = self._discovered()["authorization_endpoint"]
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        redirect = address + BACK
        self._keep(state, PendingSignIn(nonce, verifier, after, redirect))
        challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
        asked = {
            "response_type": "code",
            "scope": "openid profile",
            "client_id": self.client.client_id,
            "redirect_uri": redirect,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        return f"{where}{'&' if '?' in where else '?'}{urlencode(asked)}", state

    def finish(self, state: str, code: str, issuer: str = "") -> tuple[Account, str]:
        """The account that came back, and where it wanted to go; a state counts once."""
        pending = self._taken(state)
        if pending is None:
            raise OidcRefused("a sign-in of the last ten minutes expected; begin again")
        if issuer and issuer != self.client.issuer:
            raise OidcRefused("the answer of another provider came back")
        known = self._discovered()
        claims = self._claims(known, self._token(known, code, pending), pending.nonce)
        return self._account(claims), pending.after

    def _token(self, known: Mapping[str, Any], code: str, pending: PendingSignIn) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": pending.redirect,
            "code_verifier": pending.verifier,
            "client_id": self.client.client_id,
        }
        secret = (self.client.client_id, self.client.secret) if self.client.secret else None
        token = _fetched(str(known["token_endpoint"]), form, secret).get("id_token")
        if not isinstance(token, str):
            raise OidcRefused("an id_token expected in the provider's answer")
        return token

    def _claims(self, known: Mapping[str, Any], token: str, nonce: str) -> dict[str, Any]:
        """The claims of a token whose signature, issuer, audience, times and nonce are right."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        keys = KeySet.import_key_set(_fetched(str(known["jwks_uri"])))  # type: ignore[arg-type]  # checked by it
        expected = jwt.JWTClaimsRegistry(
            now=lambda: int(self._now()),
            leeway=CLOCK_S,
            iss={"essential": True, "value": self.client.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": self.client.client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            claims = jwt.decode(token, keys, algorithms=list(ALGORITHMS)).claims
            expected.validate(claims)
        except (JoseError, ValueError) as error:
            raise OidcRefused(f"the provider's token does not hold: {error}") from error
        audience = claims["aud"]
        shared = isinstance(audience, list) and len(audience) > 1
        if (shared or "azp" in claims) and claims.get("azp") != self.client.client_id:
            raise OidcRefused("a token for this console alone expected")
        return claims

    def _account(self, claims: Mapping[str, Any]) -> Account:
        """The account of the subject; a name is bound to the first subject that brings it."""
        subject, name = str(claims["sub"]), str(claims.get(self.client.claim, ""))
        bound = self._bound(subject)
        account = self._accounts.account(bound or name)
        if account is None or not account.active:
            raise OidcRefused(f"no open account for {(bound or name)[:32]!r}; ask an administrator")
        factors = claims.get("amr")
        proven = SECOND_FACTORS & {str(each) for each in factors or ()}
        if account.role in NEEDS_CODE and not proven:
            raise OidcRefused(f"the role {account.role} needs a second factor at the provider")
        if not bound:
            self._bind(subject, account.name)
        return account

    def _discovered(self) -> dict[str, Any]:
        found = _fetched(f"{self.client.issuer.rstrip('/')}/.well-known/openid-configuration")
        if found.get("issuer") != self.client.issuer:
            raise OidcRefused(f"issuer {self.client.issuer} expected in its own description")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            require_private(str(found.get(name, "")))
        return found

    def _keep(self, state: str, pending: PendingSignIn) -> None:
        now = self._now()
        with self._store.writing() as db:
            db.execute("delete from oidc_pending where begun_at < ?", (now - PENDING_S,))
            ((waiting,),) = db.execute("select count(*) from oidc_pending").fetchall()
            if waiting >= MOST_PENDING:
                raise OidcRefused("too many sign-ins wait at the provider; try again in a while")
            db.execute(
                "insert into oidc_pending values (?, ?, ?, ?, ?, ?)",
                (_hash(state), *pending, now),
            )

    def _taken(self, state: str) -> PendingSignIn | None:
        with self._store.writing() as db:
            row = db.execute(
                "delete from oidc_pending where state_hash = ? and begun_at >= ?"
                " returning nonce, verifier, after, redirect",
                (_hash(state), self._now() - PENDING_S),
            ).fetchone()
        return PendingSignIn(*row) if row else None

    def _bound(self, subject: str) -> str:
        with self._store.reading() as db:
            row = db.execute(
                "select name from oidc_subjects where issuer = ? and subject = ?",
                (self.client.issuer, subject),
            ).fetchone()
        return row["name"] if row else ""

    def _bind(self, subject: str, name: str) -> None:
        with self._store.writing() as db:
            taken = db.execute(
                "select 1 from oidc_subjects where issuer = ? and name = ?",
                (self.client.issuer, name),
            ).fetchone()
            if taken:
                raise OidcRefused(f"account {name} belongs to another person at the provider")
            db.execute(
                "insert into oidc_subjects values (?, ?, ?)", (self.client.issuer, subject, name)
            )


def _fetched(
    url: str, form: Mapping[str, str] | None = None, secret: tuple[str, str] | None = None
) -> dict[str, Any]:
    """A JSON object of the provider; it follows no redirect and reads no long answer."""
    import httpx

    try:
        with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False) as web:
            answer = (
                web.post(url, data=form, auth=secret or httpx.USE_CLIENT_DEFAULT)
                if form
                else web.get(url)
            )
            answer.raise_for_status()
            found = answer.json() if len(answer.content) <= MOST_BYTES else None
    except (httpx.HTTPError, ValueError) as error:
        raise OidcRefused(f"the provider did not answer as expected: {error}"[:300]) from error
    if not isinstance(found, dict):
        raise OidcRefused(f"{url}: a JSON object expected")
    return found


def require_private(url: str) -> None:
    """Secrets cross the network under TLS alone, but on this machine itself."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  (raises where it is none)
    except ValueError as error:
        raise OidcRefused(
            f"an https address of the provider expected, {url[:80]!r} found"
        ) from error
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme == "http" and parts.hostname and _is_here(parts.hostname):
        return
    raise OidcRefused(f"an https address of the provider expected, {url[:80]!r} found")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _hash(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
