#!/bin/sh
# Sets up a Raspberry Pi (Raspberry Pi OS 12 or newer, 64 bit) as the server of a hall: the program as
# a service, an access point with a host name, optional https, and a power button.
#
#   sudo PASSWORD=… sh raspberry-pi.sh [--dry-run] [--https] [--cable] romme_turnier-….whl
#
#   --dry-run  prints the commands; needs neither root nor a Pi
#   --https    creates a certificate authority, or uses the files TLS_CERT and TLS_KEY
#   --cable    no access point: the Pi is connected to a router
#   SSID, PASSWORD, NAME, COUNTRY  of the WLAN
#
# A second run, with a newer wheel or other settings, replaces the installation. It keeps the data
# and .env in /var/lib/romme-turnier.
set -eu
umask 022

refuse() { echo "$1" >&2; exit 2; }

dry_run='' https='' cable='' wheel=''
for given in "$@"; do
    case "$given" in
    --dry-run) dry_run=1 ;;
    --https) https=1 ;;
    --cable) cable=1 ;;
    *.whl) wheel=$given ;;
    *) refuse "Unbekannt: $given. Möglich sind --dry-run, --https, --cable und die Datei des Programms." ;;
    esac
done
: "${SSID:=Romme-Turnier}" "${PASSWORD:=}" "${NAME:=turnier.home.arpa}" "${COUNTRY:=DE}"
: "${TLS_CERT:=}" "${TLS_KEY:=}"
address=192.168.50.1
program=/opt/romme-turnier settings=/etc/romme-turnier boot=/boot/firmware/config.txt

run() { echo "  \$ $*"; [ "$dry_run" ] || "$@"; }
write() { echo "  > $1"; if [ "$dry_run" ]; then sed 's/^/  | /'; else cat >"$1"; fi; }

[ -f "$wheel" ] || refuse 'Es fehlt die Datei des Programms: romme_turnier-….whl'
[ "$cable" ] || { [ ${#PASSWORD} -ge 8 ] && [ ${#PASSWORD} -le 63 ]; } ||
    refuse 'Es fehlt das Kennwort des WLANs, 8 bis 63 Zeichen: sudo PASSWORD=… sh raspberry-pi.sh …'
[ "${TLS_CERT:+1}" = "${TLS_KEY:+1}" ] || refuse 'TLS_CERT und TLS_KEY gehören zusammen.'
[ ! "$TLS_CERT" ] || https=1
[ "$dry_run" ] || [ "$(id -u)" = 0 ] || refuse 'Bitte mit sudo.'

echo 'Programm und was es zum Drucken braucht (mit Internet)'
run apt-get update
run apt-get install -y --no-install-recommends python3-venv dnsmasq-base openssl \
    libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core
id romme >/dev/null 2>&1 || run useradd --system --home-dir /var/lib/romme-turnier --shell /usr/sbin/nologin romme
run python3 -m venv --clear "$program"
run "$program/bin/pip" install --no-cache-dir "$wheel"
run install -d "$settings"

url=http://$address port=80
if [ "$https" ]; then
    url=https://$NAME port=443
    if [ "$TLS_CERT" ]; then
        echo 'https mit dem eigenen Zertifikat'
        run install -m 644 "$TLS_CERT" "$settings/hall.pem"
        run install -m 640 -g romme "$TLS_KEY" "$settings/hall.key"
    elif [ ! -e "$settings/authority.pem" ]; then
        echo "https mit einer eigenen Stelle, die nur $NAME unterschreiben darf und deren Schlüssel danach weg ist"
        new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825' # Apple accepts no more days
        # shellcheck disable=SC2086 # several words
        run openssl req -x509 $new -keyout "$settings/authority.key" -out "$settings/authority.pem" \
            -subj "/CN=Saal $NAME" -addext keyUsage=critical,keyCertSign \
            -addext "nameConstraints=critical,permitted;DNS:$NAME"
        # shellcheck disable=SC2086
        run openssl req -x509 $new -keyout "$settings/hall.key" -out "$settings/hall.pem" \
            -CA "$settings/authority.pem" -CAkey "$settings/authority.key" -subj "/CN=$NAME" \
            -addext "subjectAltName=DNS:$NAME" -addext basicConstraints=critical,CA:FALSE \
            -addext extendedKeyUsage=serverAuth
        run rm "$settings/authority.key"
        run chgrp romme "$settings/hall.key"
        run chmod 640 "$settings/hall.key"
    fi
fi

echo 'Dienst, der mit dem Pi startet'
{
    printf '%s\n' XDG_DATA_HOME=/var/lib DEMO=0 "PORT=$port"
    [ "$cable" ] && [ ! "$https" ] || echo "PUBLIC_URL=$url"
    [ ! "$https" ] || printf '%s\n' "TLS_CERT=$settings/hall.pem" "TLS_KEY=$settings/hall.key"
} | write "$settings/hall.env"
write /etc/systemd/system/romme-turnier.service <<END
[Unit]
Description=Rommé-Turnier
After=NetworkManager.service

[Service]
User=romme
StateDirectory=romme-turnier
StateDirectoryMode=0700
EnvironmentFile=$settings/hall.env
ExecStart=$program/bin/romme-turnier
AmbientCapabilities=CAP_NET_BIND_SERVICE
Restart=on-failure

[Install]
WantedBy=multi-user.target
END
write /usr/local/bin/romme-turnier <<END
#!/bin/sh
exec sudo -u romme env \$(cat $settings/hall.env) $program/bin/romme-turnier "\$@"
END
run chmod 755 /usr/local/bin/romme-turnier
run systemctl daemon-reload
run systemctl enable romme-turnier
run systemctl restart romme-turnier

echo 'Taster zwischen GPIO 3 und Masse (Stifte 5 und 6), der vom nächsten Start an sauber aus- und wieder einschaltet'
grep -qs '^dtoverlay=gpio-shutdown' "$boot" || run sed -i '$ a [all]\ndtoverlay=gpio-shutdown' "$boot"
[ -e /dev/rtc0 ] ||
    echo 'Dieser Pi hat keine Uhr: ohne Internet beim Einschalten die Zeit stellen, sudo date --set "2026-11-22 08:30"'

if [ ! "$cable" ]; then
    echo 'WLAN; wer über WLAN angemeldet ist, verliert jetzt die Verbindung'
    run raspi-config nonint do_wifi_country "$COUNTRY"
    run mkdir -p /etc/NetworkManager/dnsmasq-shared.d
    # Phones request the other names to detect internet access; the program answers, so they stay.
    for name in "$NAME" connectivitycheck.gstatic.com connectivitycheck.android.com clients3.google.com \
        captive.apple.com www.msftconnecttest.com www.msftncsi.com detectportal.firefox.com \
        connectivitycheck.platform.hicloud.com connect.rom.miui.com; do
        echo "address=/$name/$address"
    done | write /etc/NetworkManager/dnsmasq-shared.d/romme-turnier.conf
    nmcli connection show romme-turnier >/dev/null 2>&1 && run nmcli connection delete romme-turnier
    # WPA2 with AES only, PMF disabled: otherwise the chip of the Pi rejects phones.
    run nmcli connection add type wifi ifname wlan0 con-name romme-turnier ssid "$SSID" \
        connection.autoconnect yes connection.autoconnect-priority 100 wifi.mode ap wifi.band bg \
        wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.group ccmp \
        wifi-sec.pmf 1 wifi-sec.psk "$PASSWORD" \
        ipv4.method shared ipv4.addresses "$address/24" ipv6.method disabled
    run nmcli connection up romme-turnier
fi

echo 'Fertig. Das erste Konto entsteht über den Link, den „romme-turnier setup-link“ nennt.'
