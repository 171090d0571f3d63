"""German formats that Django's own German formats do not define."""

MONTH_DAY_FORMAT = "d.m."
SHORT_DATETIME_FORMAT = "d.m.Y H:i"
