"""Certificates for nodes of a test: a CA of our own, and what it or another one signed."""

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

Host = x509.GeneralName
HERE = (x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
ELSEWHERE = (x509.DNSName("kafka.elsewhere.example"),)
DAYS = timedelta(days=30)


class Authority(NamedTuple):
    """A CA: its key and its own certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def write(self, path: Path) -> Path:
        """Write the certificate that clients trust."""
        path.write_bytes(self.certificate.public_bytes(Encoding.PEM))
        return path

    def sign(
        self,
        path: Path,
        hosts: tuple[Host, ...] = HERE,
        until: timedelta = DAYS,
        since: timedelta = -DAYS,
    ) -> Path:
        """Write a new key with its certificate and ours, as one PEM file."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            _begun("broker", self.certificate.subject, key, since, until)
            .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        path.touch(0o600)
        path.write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            + certificate.public_bytes(Encoding.PEM)
            + self.certificate.public_bytes(Encoding.PEM)
        )
        return path


def authority(name: str = "tests") -> Authority:
    """A new CA."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = dict.fromkeys(USES, False) | {"key_cert_sign": True, "crl_sign": True}
    certificate = (
        _begun(name, _name(name), key, -DAYS, DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(**usage), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Authority(key, certificate)


USES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
    "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip


def _begun(
    name: str,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    since: timedelta,
    until: timedelta,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + since)
        .not_valid_after(now + until)
    )


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
