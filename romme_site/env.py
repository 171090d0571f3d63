"""The environment variables of the program, read and checked once.

There are two modes. ``laptop`` (preset) is one organiser's machine in a hall without internet: it
makes its own secret at the first start and answers on every address it has. ``server`` is
reached from the internet by https: every secret and every host must be set, and the program
refuses to start without them.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import ssl
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured

from romme_site import paths
from romme_site.command.language import gettext as _

BASE_DIR = paths.BASE_DIR
INSTALLATION_KEY_BYTES = 32
_SQLITE = "django.db.backends.sqlite3"
# Options of each PostgreSQL connection: no request waits for a lock forever, nor for a host that
# froze while it held one; the server notices within the same time that a host is gone.
_REQUEST_OPTIONS = (
    "-c plan_cache_mode=force_generic_plan"  # once, as prepare_threshold has it
    " -c lock_timeout=12s -c statement_timeout=30s -c idle_in_transaction_session_timeout=10s"
    " -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=2"
    " -c tcp_user_timeout=10s"
)
# Commands, jobs, backups and migrations may take longer.
_COMMAND_OPTIONS = (
    " -c lock_timeout=60s -c statement_timeout=1h -c idle_in_transaction_session_timeout=5min"
)

environ.Env.read_env(paths.home() / ".env")
_env = environ.Env()


def _choice(name: str, *possible: str) -> str:
    """Return a setting with few possible values; the first is the preset."""
    value: str = _env.str(name, default="") or possible[0]
    if value not in possible:
        raise ImproperlyConfigured(
            _("{name} ist {given!r}. Möglich sind: {possible}.").format(
                name=name, given=value, possible=", ".join(filter(None, possible))
            )
        )
    return value


MODE = _choice("ROMME_MODE", "laptop", "server")
IS_SERVER = MODE == "server"

DEBUG: bool = _env.bool("DEBUG", default=False)
if DEBUG and IS_SERVER:
    raise ImproperlyConfigured(
        _(
            "DEBUG=true zeigt bei jedem Fehler das Innere des Programms. Ein Server startet damit "
            "nicht; bitte in .env löschen oder auf false setzen."
        )
    )
DATA_DIR = Path(_env.str("DATA_DIR", default="") or paths.data()).absolute()

# Files of the program contain names or secrets: database, backups, keys, PDFs. Other users of the
# machine must not read them.
os.umask(0o077)


def _make_private(path: Path) -> None:
    """Remove the rights of other users from an existing file or folder, if it is ours."""
    with contextlib.suppress(OSError):  # missing, of another user, or on a read-only disk
        path.chmod(path.stat().st_mode & 0o700)


for _folder in ("files", "print", "sicherungen"):
    _make_private(DATA_DIR / _folder)


def _required(name: str, why: str) -> str:
    value: str = _env.str(name, default="")
    if not value:
        raise ImproperlyConfigured(
            _(
                "{name} fehlt. {why} Ohne diese Angabe startet das Programm im Servermodus nicht."
            ).format(name=name, why=why)
        )
    return value


def public_url() -> str:
    """Return the public address of the site, "" for a laptop."""
    if IS_SERVER:
        why = _("Sie steht in E-Mails und QR-Codes, etwa https://example.org.")
        _required("PUBLIC_URL", why)
    url: str = _env.str("PUBLIC_URL", default="")
    return url.rstrip("/")


def tls() -> tuple[Path, Path] | None:
    """Return the files of the certificate and its key; None without https.

    A certificate is for a name, so it needs a public address, which is also in the QR codes.
    """
    cert, key = _env.str("TLS_CERT", default=""), _env.str("TLS_KEY", default="")
    if not cert and not key:
        return None
    why = ""
    if IS_SERVER:
        why = _("Im Servermodus hat der Webserver davor das Zertifikat.")
    elif not (cert and key):
        why = _("Beide gehören zusammen.")
    elif not PUBLIC_URL.startswith("https://"):
        why = _("Dazu gehört PUBLIC_URL mit dem Namen im Zertifikat: https://name:8000.")
    else:
        try:
            # Without a password, OpenSSL would ask for it at the terminal.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
        except OSError as problem:
            why = str(problem)
    if why:
        sentence = _("TLS_CERT und TLS_KEY sind nicht zu gebrauchen. {why}")
        raise ImproperlyConfigured(sentence.format(why=why))
    return Path(cert).absolute(), Path(key).absolute()


def certificate_ends() -> datetime | None:
    """Return when the certificate of this process expires; None without https."""
    if TLS is None:
        return None
    from cryptography.x509 import load_pem_x509_certificate  # noqa: PLC0415 - few have https

    return load_pem_x509_certificate(TLS[0].read_bytes()).not_valid_after_utc


def secret_key() -> str:
    """Return the key that signs sessions and links; a laptop makes it once and stores it."""
    if IS_SERVER:
        return _required("SECRET_KEY", _("Sie ist eine lange zufällige Zeichenkette."))
    key: str = _env.str("SECRET_KEY", default="")
    if key:
        return key
    return _stored_secret("secret_key", secrets.token_urlsafe(50))


def _data_folder() -> Path:
    """Return the data folder, made if it is missing."""
    try:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        _refuse_folder(problem)
    return DATA_DIR


def _refuse_folder(problem: OSError) -> NoReturn:
    raise ImproperlyConfigured(
        _(
            "In den Ordner der Daten, {folder}, lässt sich nicht schreiben ({why}). "
            "Bitte die Rechte, den Datenträger oder DATA_DIR in .env berichtigen."
        ).format(folder=DATA_DIR, why=problem.strerror)
    ) from None


def _stored_secret(name: str, made: str) -> str:
    """Return the secret *name* of the data folder; store *made* if there is none."""
    path = DATA_DIR / name
    try:
        now = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        _data_folder()
        try:
            write_if_missing(path, made)
        except OSError as problem:
            _refuse_folder(problem)
        now = path.stat()
    text = _text_of(path, now.st_ino, now.st_mtime_ns, now.st_size)
    if not text:
        sentence = _("{path} ist leer. Bitte löschen und neu starten.")
        raise ImproperlyConfigured(sentence.format(path=path))
    return text


@lru_cache(maxsize=8)
def _text_of(path: Path, *_state: int) -> str:
    # Cached, because each journal entry reads it twice; *_state* changes when the file does.
    return path.read_text(encoding="ascii").strip()


def write_if_missing(path: Path, text: str) -> None:
    """Write a file atomically unless another process has written it first."""
    own_path = path.with_name(f"{path.name}.{os.getpid()}")
    own_path.touch(mode=0o600)
    own_path.write_text(text, encoding="ascii")
    try:
        path.hardlink_to(own_path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links, as on USB sticks
        own_path.replace(path)
    own_path.unlink(missing_ok=True)


def installation_key() -> bytes:
    """Return the 32 bytes that seal the journal and the archives of this installation.

    They are not in the database, because with them a forged journal would verify. They are read
    at each use, because a backup restored into a running program has its own.
    """
    given: str = _env.str("INSTALLATION_KEY", default="")
    text = given or _stored_secret("installation_key", secrets.token_hex(32))
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != INSTALLATION_KEY_BYTES:
        raise ImproperlyConfigured(
            _(
                "Der Schlüssel der Installation (INSTALLATION_KEY, sonst die Datei "
                "installation_key im Datenordner) hat 64 Zeichen, Ziffern und Buchstaben von a "
                "bis f. Bitte den richtigen eintragen oder die Datei aus einer Sicherung "
                "zurückholen."
            )
        )
    return key


def allowed_hosts() -> list[str]:
    """Return the host names the program answers to.

    In a hall the laptop's address changes with the router, and phones use its IP address.
    Links in e-mails use ``PUBLIC_URL`` and never the host of the request.
    """
    hosts: list[str] = _env.list("ALLOWED_HOSTS", default=[])
    if IS_SERVER and not hosts:
        _required("ALLOWED_HOSTS", _("Sie nennt die Rechnernamen, durch Komma getrennt."))
    return hosts or ["*"]


def database() -> dict[str, Any]:
    """Return Django's settings for the database of ``DATABASE_URL``."""
    # An empty value, as in a copied .env file, means "not set".
    url = _env.str("DATABASE_URL", default="").strip()
    config: dict[str, Any] = {"ENGINE": _SQLITE}
    config |= _named_database(url) if url else {"NAME": str(_data_folder() / "romme.sqlite3")}
    # A connection is kept for the next request, and tried before it is used.
    config |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    if config["ENGINE"] == _SQLITE:
        for suffix in ("", "-wal", "-shm"):
            _make_private(Path(f"{config['NAME']}{suffix}"))
        # FULL keeps committed data when the power fails; IMMEDIATE makes the second of two
        # writers wait instead of failing in the middle of its transaction.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY;"
            ),
        }
    else:
        # A server that does not answer is given up after seconds, not a quarter of an hour.
        # A repeated statement is planned once for each connection.
        preset: dict[str, Any] = {
            "connect_timeout": 5,
            "tcp_user_timeout": 10_000,
            "keepalives_idle": 5,
            "keepalives_interval": 3,
            "keepalives_count": 2,
            "server_side_binding": True,
            "prepare_threshold": 1,
        }
        given = config.get("OPTIONS", {})
        options = f"{_REQUEST_OPTIONS} {given.get('options', '')}".rstrip()
        config["OPTIONS"] = preset | given | {"options": options}
    return config


def limit(database: dict[str, Any], *, is_command: bool) -> None:
    """Give new connections of this process to :func:`database` the limits of a command."""
    options = database["OPTIONS"]
    if "options" in options:
        of_requests = options["options"].removesuffix(_COMMAND_OPTIONS)
        options["options"] = of_requests + _COMMAND_OPTIONS * is_command


def _named_database(url: str) -> dict[str, Any]:
    kind = url.partition("://")[0]
    if kind not in {"sqlite", "postgres", "postgresql"}:
        _refuse_database(_("Sie muss mit sqlite:/// oder postgres:// beginnen."))
    if kind == "sqlite" and (not url.startswith("sqlite:///") or "\0" in url):
        _refuse_database(_("Gebraucht wird der Pfad einer Datei: sqlite:////pfad/datei.sqlite3."))
    try:
        config: dict[str, Any] = _env.db_url_config(url)
    except ValueError:  # its message is English and names a part only
        _refuse_database(_("Rechnername oder Port (eine Zahl) stimmen nicht."))
    name = config["NAME"]
    if kind != "sqlite":
        if not name:
            _refuse_database(_("Hinter dem Rechner fehlt der Name der Datenbank: /name."))
        return config
    if name == ":memory:":
        _refuse_database(_("Es fehlt der Pfad der Datei: sqlite:////pfad/datei.sqlite3."))
    # If the folder is mistyped, an empty database there would look like a loss of all data.
    file = Path(name).absolute()
    if not file.parent.is_dir():
        why = _("Den Ordner {folder} gibt es nicht. Bitte anlegen oder berichtigen.")
        _refuse_database(why.format(folder=file.parent))
    if file.is_dir():
        _refuse_database(_("{file} ist ein Ordner und keine Datei.").format(file=file))
    return config


def _refuse_database(why: str) -> NoReturn:
    raise ImproperlyConfigured(
        _(
            "DATABASE_URL in .env oder der Umgebung ist nicht zu gebrauchen. {why} Ohne die "
            "Angabe liegt die Datenbank als Datei im Ordner der Daten."
        ).format(why=why)
    )


def _does_itself(name: str, value: str, otherwise: str) -> bool:
    """Return whether the program does a task itself; only with PostgreSQL others may do it."""
    if not value or value.lower() in environ.Env.BOOLEAN_TRUE_STRINGS:
        return True
    if database()["ENGINE"] == _SQLITE:
        sentence = _("{name}=false geht nur mit PostgreSQL: {what}")
        raise ImproperlyConfigured(sentence.format(name=name, what=otherwise))
    return False


def hsts() -> tuple[bool, bool]:
    """Return the HSTS options: includeSubDomains and preload."""
    wish = _choice("HSTS", "", "subdomains", "preload")
    return wish != "", wish == "preload"


def email() -> dict[str, Any]:
    """Return Django's e-mail settings; without ``EMAIL_URL`` no mail is sent."""
    if not _env.str("EMAIL_URL", default=""):
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    config: dict[str, Any] = _env.email_url("EMAIL_URL")
    return {name: value for name, value in config.items() if name.startswith("EMAIL_")}


def security_contact() -> str:
    """Return the contact for security reports in the form of security.txt; "" for none."""
    contact = _env.str("SECURITY_CONTACT", default="").strip()
    return f"mailto:{contact}" if "@" in contact and ":" not in contact else contact


PUBLIC_URL = public_url()
TLS = tls()
EMAIL_FROM: str = _env.str("EMAIL_FROM", default="Rommé-Turnier <turnier@localhost>")
SECURITY_CONTACT = security_contact()
HAS_EMAIL = bool(_env.str("EMAIL_URL", default=""))
WORKS_HERE = _does_itself(
    "WORK_HERE", _env.str("WORK_HERE", default=""), _("Sonst druckt niemand.")
)
SAVES_ITSELF = _does_itself("BACKUPS", _env.str("BACKUPS", default=""), _("Sonst sichert niemand."))
LOG_FORMAT = _choice("LOG_FORMAT", "line", "json")
LOG_LEVEL = _choice("LOG_LEVEL", "WARNING", "INFO", "ERROR")
ACCESS_LOG: bool = _env.bool("ACCESS_LOG", default=False)
METRICS_KEY: str = _env.str("METRICS_KEY", default="")
