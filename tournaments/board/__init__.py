"""A tournament and its Ausschreibung: sections, tariff, rule set in words."""
