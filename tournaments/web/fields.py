"""Form fields that convert typed values, and forms with only a reason."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from stdnum import iban

from scoring.money import euro, percent
from scoring.payments.prizes import WHOLE_POT
from tournaments.common.digits import MOST_DIGITS, number_in, parse_euro
from tournaments.common.short_texts import clean_line, clean_lines
from tournaments.models import Receipt

MOST_CENTS = 100_000_000  # as in scoring.reading.records.Cents, so that every amount fits a tariff
# With the pickers of the browser. Each field has a copy of its own.
DATE_INPUT = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
TIME_INPUT = forms.TimeInput({"type": "time"}, format="%H:%M")


class SafeControlNames(forms.BaseForm):
    """Gives controls other names than properties of HTML forms, which they would hide.

    ``form.method`` stays the property of the form, because the control of *method* is „method_“.
    """

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field's control."""
        is_taken = not self.prefix and field_name in {"method", "name", "role"}
        return forms.BaseForm.add_prefix(self, f"{field_name}_" if is_taken else field_name)


def euro_input(cents: int) -> str:
    """Return *cents* for an input field: „12,50“ without the sign of the currency.

    >>> euro_input(1250), euro_input(-5)
    ('12,50', '−0,05')
    """
    return euro(cents).removesuffix("\N{NO-BREAK SPACE}€")


class _FiguresField(forms.Field):
    """A number that is stored in another unit than it is typed."""

    widget = forms.TextInput
    size: int  # of the field, in figures

    def has_changed(self, initial: object, data: object) -> bool:
        """Compare numbers, not how they are written."""
        try:
            return self.to_python(initial) != self.to_python(data)
        except ValidationError:
            return True

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Request a keyboard with digits and a comma, and a short field."""
        attrs = {"inputmode": "decimal", "autocomplete": "off", "size": str(self.size)}
        return super().widget_attrs(widget) | attrs


class EuroField(_FiguresField):
    """An amount that is typed in euros and stored in cents.

    ``cleaned_data`` has an int or, where nothing was entered, ``empty_value``. Amounts
    below zero are refused unless ``min_cents`` allows them.
    """

    size = 10
    default_error_messages = {
        "invalid": _("Bitte einen Betrag in Euro eingeben, zum Beispiel 12,50."),
    }

    def __init__(
        self,
        *,
        min_cents: int = 0,
        max_cents: int = MOST_CENTS,
        empty_value: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.min_cents = min_cents
        self.max_cents = max_cents
        self.empty_value = empty_value

    def validate(self, value: int | None) -> None:
        """Refuse a missing amount where one is required, and one out of bounds."""
        super().validate(value)
        if value is None or self.min_cents <= value <= self.max_cents:
            return
        if value > self.max_cents:
            sentence = gettext("Der Betrag kann höchstens {most} sein.")
        elif self.min_cents == 0:
            sentence = gettext("Der Betrag kann nicht kleiner als null sein.")
        else:
            sentence = gettext("Der Betrag muss mindestens {least} sein.")
        limits = {"least": euro(self.min_cents), "most": euro(self.max_cents)}
        raise ValidationError(sentence.format(**limits), code="out_of_bounds")

    def to_python(self, value: object) -> int | None:
        """Return the cents; an int is taken for cents already."""
        if isinstance(value, int):
            return value
        text = str(value or "").strip()
        if not text:
            return self.empty_value
        cents = parse_euro(text)
        if cents is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return cents

    def prepare_value(self, value: object) -> object:
        """Write cents as euros; typed text stays unchanged."""
        return euro_input(value) if isinstance(value, int) else value


class PercentField(_FiguresField):
    """A share that is typed in percent and stored in thousandths.

    ``cleaned_data`` has an int, 0 where nothing was entered: „12,5 %“ is 125.
    """

    size = 5
    default_error_messages = {
        "invalid": _("Bitte einen Anteil von 0 bis 100 Prozent eingeben, zum Beispiel 12,5."),
    }
    _PERCENT = re.compile(r"(\d{1,3})(?:[.,](\d))?%?")

    def to_python(self, value: object) -> int:
        """Return thousandths; an int is taken for thousandths already."""
        if isinstance(value, int):
            return value
        bare = "".join(str(value or "").split())
        if not bare:
            return 0
        match = self._PERCENT.fullmatch(bare)
        permille = int(match[1]) * 10 + int(match[2] or 0) if match else -1
        if not (bare.isascii() and 0 <= permille <= WHOLE_POT):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return permille

    def prepare_value(self, value: object) -> object:
        """Write thousandths as percent; typed text stays unchanged."""
        if not isinstance(value, int):
            return value
        return percent(value).removesuffix("\N{NO-BREAK SPACE}%") if value else ""


class PercentsField(PercentField):
    """Several shares in percent, between spaces; ``cleaned_data`` has their thousandths."""

    size = 20
    default_error_messages = {
        "several": _("Bitte Anteile in Prozent mit Leerzeichen dazwischen eingeben: „50 30 20“."),
    }

    def to_python(self, value: object) -> Any:
        """Return a tuple of thousandths; a tuple is returned unchanged."""
        if isinstance(value, tuple):
            return value
        text = re.sub(r"[\s\xa0]+%", "%", str(value or ""))
        parts = [part.rstrip(",") for part in re.split(r"[;/\s]+", text)]
        try:
            shares = tuple(super(PercentsField, self).to_python(part) for part in parts if part)
        except ValidationError:
            shares = (0,)
        if 0 in shares:
            raise ValidationError(self.error_messages["several"], code="several")
        return shares

    def prepare_value(self, value: object) -> object:
        """Write thousandths as percent; typed text stays unchanged."""
        if not isinstance(value, tuple):
            return value
        return " ".join(str(super(PercentsField, self).prepare_value(share)) for share in value)


class TextField(forms.CharField):  # noqa: TID251
    """A text that is cleaned as its rows are (``common.short_texts``)."""

    def to_python(self, value: Any) -> str:
        """Return the text without invisible characters."""
        text = super().to_python(value) or ""
        is_long = isinstance(self.widget, forms.Textarea)
        return clean_lines(text) if is_long else clean_line(text)


class NumberField(forms.IntegerField):  # noqa: TID251
    """A whole number within the range of both databases, besides its own bounds."""

    def to_python(self, value: Any) -> int | None:
        """Return the number; one out of range is invalid."""
        number: int | None = super().to_python(value)
        if number is not None and abs(number) >= 10**MOST_DIGITS:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class DayField(forms.DateField):
    """A day whose hours, and the night after it, every time zone can represent."""

    default_validators = [
        MinValueValidator(date(1900, 1, 1)),
        MaxValueValidator(date(2199, 12, 31)),
    ]


class MomentField(forms.DateTimeField):
    """A time within the days of :class:`DayField`."""

    default_validators = [
        MinValueValidator(datetime(1900, 1, 1, tzinfo=UTC)),
        MaxValueValidator(datetime(2199, 12, 31, tzinfo=UTC)),
    ]


class ShortCodeField(TextField):
    """The six characters of a short code, typed with spaces or dashes anywhere."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Code"), max_length=12, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return attributes for capitals and a keyboard that sends the form."""
        return {
            **super().widget_attrs(widget),
            "autocomplete": "off",
            "autocapitalize": "characters",
            "spellcheck": "false",
            "enterkeyhint": "go",
        }


class YearField(NumberField):
    """A year of birth."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1900, max_value=2100, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return attributes for a short field without arrows."""
        return {**super().widget_attrs(widget), "autocomplete": "off"}


class MultipleField(forms.ModelMultipleChoiceField):
    """Several objects, by their keys; a number out of range is no key."""

    def clean(self, value: Any) -> Any:
        """Return the objects; only keys within range are looked up."""
        keys = value if isinstance(value, list | tuple) else []
        return super().clean([key if number_in(str(key)) is not None else "" for key in keys])


class IbanField(TextField):
    """An international account number: kept without spaces, its check figures verified."""

    default_error_messages = {
        "invalid": _(
            "Diese IBAN gibt es nicht: Eine Stelle stimmt nicht oder fehlt. Bitte mit dem "
            "Kontoauszug vergleichen."
        ),
    }

    def to_python(self, value: object) -> str:
        """Return the number in capitals without spaces."""
        number = iban.compact(super().to_python(value) or "")
        if number and not (number.isascii() and iban.is_valid(number)):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number

    def prepare_value(self, value: object) -> object:
        """Write it in groups of four, as banks do."""
        return iban.format(value) if isinstance(value, str) else value


METHODS = [
    (method.value, method.label)
    for method in (Receipt.Method.CASH, Receipt.Method.CARD, Receipt.Method.BANK)
]


class ReasonForm(forms.Form):
    """An act that needs only its reason."""

    reason = TextField(label=_("Grund"), max_length=300)


class OptionalReasonForm(forms.Form):
    """An act that may have a reason."""

    reason = TextField(label=_("Grund"), max_length=300, required=False)
