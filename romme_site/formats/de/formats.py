"""How German readers write what Django's own German formats leave open."""

MONTH_DAY_FORMAT = "d.m."
SHORT_DATETIME_FORMAT = "d.m.Y H:i"
