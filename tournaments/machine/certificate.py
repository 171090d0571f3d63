"""The certificate of https in the hall: a warning before it ends."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

WARNED_BEFORE = timedelta(days=14)


def certificate_warning() -> str:
    """Return the sentence that the certificate ends or has ended; empty for two weeks and more."""
    ends, now = settings.CERTIFICATE_ENDS, timezone.now()
    if ends is None or ends - now > WARNED_BEFORE:
        return ""
    if ends <= now:
        sentence = _(
            "Das Zertifikat für https ist abgelaufen ({day}): Browser warnen vor der Seite."
        )
    else:
        sentence = _("Das Zertifikat für https läuft ab am {day}.")
    sentence = sentence.format(day=date_format(timezone.localtime(ends), "DATE_FORMAT"))
    return sentence + " " + _("Ein neues an dieselbe Stelle legen und das Programm neu starten.")
