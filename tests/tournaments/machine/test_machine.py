"""The address in the hall is found in whatever network the hall has."""

from __future__ import annotations

import ipaddress
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tournaments.machine import operating_system

ROOT = Path(__file__).resolve().parents[3]
REFUSED = 77

# A process in its own network namespace: one address, no route out.
IN_A_HALL = f"""
import ctypes, fcntl, socket, struct, sys
from tournaments.machine.operating_system import lan_address

A_USER_OF_ITS_OWN, A_NETWORK_OF_ITS_OWN = 0x10000000, 0x40000000
if ctypes.CDLL(None).unshare(A_USER_OF_ITS_OWN | A_NETWORK_OF_ITS_OWN):
    sys.exit({REFUSED})
SET_FLAGS, SET_ADDRESS, UP = 0x8914, 0x8916, 1
address = struct.pack("H2x4s8x", socket.AF_INET, socket.inet_aton(sys.argv[1]))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
    fcntl.ioctl(it, SET_FLAGS, struct.pack("16sH14x", b"lo", UP))
    fcntl.ioctl(it, SET_ADDRESS, struct.pack("16s16s", b"lo", address))
print(lan_address())
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param("192.168.50.7", "192.168.50.7", id="its address in the hall"),
        pytest.param("127.0.0.1", "None", id="no network at all"),
        pytest.param("169.254.3.4", "None", id="nobody gave it an address"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="networks of one's own are Linux's")
def test_the_address_is_found_without_internet(given, expected):
    run = subprocess.run(
        [sys.executable, "-c", IN_A_HALL, given],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    if run.returncode == REFUSED:
        pytest.skip("this system gives nobody a network of their own")
    assert (run.stdout.strip(), run.stderr) == (expected, "")


def test_the_first_reachable_address_is_used_without_internet(monkeypatch):
    fcntl = pytest.importorskip("fcntl", reason="Windows is asked in test_on_windows.py")
    interfaces = {
        "lo": "127.0.0.1",
        "usb0": None,
        "eth1": "169.254.3.4",
        "wlan0": "192.168.50.7",
        "docker0": "172.17.0.1",
    }

    class NoWayOut(socket.socket):
        def connect(self, _address):
            raise OSError("Network is unreachable")

    def asked(_probe, _request, name):
        address = interfaces[name[:16].rstrip(b"\0").decode()]
        if address is None:
            raise OSError("Cannot assign requested address")
        return name[:20] + socket.inet_aton(address) + bytes(8)

    monkeypatch.setattr(socket, "socket", NoWayOut)
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(interfaces)))
    monkeypatch.setattr(fcntl, "ioctl", asked)

    assert operating_system.lan_address() == "192.168.50.7"


def test_the_address_of_this_machine_is_reachable():
    address = operating_system.lan_address()

    assert address is None or not ipaddress.ip_address(address).is_loopback
