"""Certificates for tests: an authority and the certificates that it signs for this machine."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

NAME = "turnier.example"
_USES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
    *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)
SIGNS = x509.KeyUsage(**{use: use == "key_cert_sign" for use in _USES})


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a certificate, its key, and the authority that has signed it."""

    cert: Path
    key: Path
    authority: Path

    @property
    def fingerprint(self) -> str:
        """Return the key fingerprint that makes Chromium trust the key."""
        public = x509.load_pem_x509_certificate(self.cert.read_bytes()).public_key()
        spki = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return b64encode(sha256(spki).digest()).decode()

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables that the program needs."""
        return {"TLS_CERT": str(self.cert), "TLS_KEY": str(self.key)}


def make_certificate(folder: Path, *, days: float = 90) -> Files:
    """Store a certificate for ``NAME``, localhost and 127.0.0.1 that ends after so many days."""
    ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _each in range(2))
    club = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "SC Altenburg")])
    ends = datetime.now(UTC) + timedelta(days=days)
    begun = min(datetime.now(UTC), ends) - timedelta(days=1)

    def signed(subject: x509.Name, public: ec.EllipticCurvePublicKey, *, is_ca: bool) -> bytes:
        made = (
            x509.CertificateBuilder(club, subject, public, x509.random_serial_number())
            .not_valid_before(begun)
            .not_valid_after(ends)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            # Python requires these usages of an authority since 3.13.
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()),
                critical=False,
            )
        )
        if not is_ca:
            names = [x509.DNSName(NAME), x509.DNSName("localhost")]
            address = x509.IPAddress(ip_address("127.0.0.1"))
            made = made.add_extension(
                x509.SubjectAlternativeName([*names, address]), critical=False
            )
        else:
            made = made.add_extension(SIGNS, critical=True)
        return made.sign(ca_key, SHA256()).public_bytes(Encoding.PEM)

    files = Files(folder / "cert.pem", folder / "key.pem", folder / "authority.pem")
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    files.cert.write_bytes(signed(subject, key.public_key(), is_ca=False))
    files.authority.write_bytes(signed(club, ca_key.public_key(), is_ca=True))
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    files.key.write_bytes(pem)
    return files
