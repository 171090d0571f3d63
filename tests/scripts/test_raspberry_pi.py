"""The commands of the script for a Raspberry Pi in its dry run; no Pi is needed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "raspberry-pi.sh"


@pytest.fixture
def wheel(tmp_path: Path) -> str:
    path = tmp_path / "romme_turnier-0.1.0-py3-none-any.whl"
    path.touch()
    return str(path)


def call(*given: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), *given],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **settings},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def said(*given: str, **settings: str) -> str:
    done = call("--dry-run", *given, **settings)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def written(text: str, path: str) -> list[str]:
    """Return the lines of a file that the script would write."""
    file = re.search(rf"^  > {path}\n((?:  \| .*\n|  \| \n)+)", text, re.MULTILINE)
    return [line[4:] for line in file[1].splitlines()]


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_shells_can_read_it(shell: str):
    subprocess.run([shell, "-n", SCRIPT], check=True)


def test_pi_makes_a_wlan_in_which_the_program_has_a_number_and_a_name(wheel: str):
    text = said(wheel, PASSWORD="im Saal 5", SSID="Saal")

    added = re.search(r"nmcli connection add .*", text)[0]
    assert " ssid Saal " in added
    assert " wifi-sec.psk im Saal 5 " in added
    assert " ipv4.method shared ipv4.addresses 192.168.50.1/24 " in added
    names = written(text, "/etc/NetworkManager/dnsmasq-shared.d/romme-turnier.conf")
    assert names[0] == "address=/turnier.home.arpa/192.168.50.1"
    assert "address=/captive.apple.com/192.168.50.1" in names  # phones that ask for the internet
    assert all(line.endswith("/192.168.50.1") for line in names)
    assert written(text, "/etc/romme-turnier/hall.env") == [
        *("XDG_DATA_HOME=/var/lib", "DEMO=0", "PORT=80", "PUBLIC_URL=http://192.168.50.1")
    ]
    assert "ExecStart=/opt/romme-turnier/bin/romme-turnier" in written(
        text, "/etc/systemd/system/romme-turnier.service"
    )
    assert "openssl req" not in text
    assert text.index("systemctl restart") < text.index("nmcli connection up romme-turnier")


def test_the_own_authority_signs_the_name_and_its_key_is_deleted(wheel: str):
    text = said(wheel, "--https", PASSWORD="geheim12", NAME="saal.home.arpa")

    authority, leaf = re.findall(r"openssl req .*", text)
    assert "nameConstraints=critical,permitted;DNS:saal.home.arpa" in authority
    assert "subjectAltName=DNS:saal.home.arpa" in leaf
    assert text.index(leaf) < text.index("$ rm /etc/romme-turnier/authority.key")
    assert written(text, "/etc/romme-turnier/hall.env")[-4:] == [
        "PORT=443",
        "PUBLIC_URL=https://saal.home.arpa",
        "TLS_CERT=/etc/romme-turnier/hall.pem",
        "TLS_KEY=/etc/romme-turnier/hall.key",
    ]


def test_an_existing_certificate_is_used(wheel: str):
    text = said(wheel, PASSWORD="geheim12", TLS_CERT="/x/full.pem", TLS_KEY="/x/key.pem")

    assert "install -m 640 -g romme /x/key.pem /etc/romme-turnier/hall.key" in text
    assert "openssl req" not in text
    assert "PORT=443" in text


def test_with_a_cable_the_router_has_the_wlan_and_gives_the_number(wheel: str):
    text = said(wheel, "--cable")

    assert "nmcli" not in text
    assert "PUBLIC_URL" not in text
    assert "PORT=80" in text


@pytest.mark.parametrize(
    ("given", "settings", "why"),
    [
        ([], {"PASSWORD": "geheim12"}, "Es fehlt die Datei des Programms"),
        (["x.whl"], {"PASSWORD": "geheim12"}, "Es fehlt die Datei des Programms"),
        (["WHEEL"], {}, "Es fehlt das Kennwort des WLANs"),
        (["WHEEL"], {"PASSWORD": "kurz"}, "Es fehlt das Kennwort des WLANs"),
        (["WHEEL"], {"PASSWORD": "geheim12", "TLS_KEY": "/x"}, "gehören zusammen"),
        (["WHEEL", "--http"], {}, "Unbekannt: --http."),
    ],
)
def test_missing_requirements_are_named_before_any_change(
    wheel: str, given: list[str], settings: dict[str, str], why: str
):
    done = call(
        "--dry-run", *(wheel if argument == "WHEEL" else argument for argument in given), **settings
    )

    assert done.returncode == 2
    assert done.stdout == ""
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
