"""Fields for Startgeld, rankings and wishes: when registering, and for later changes."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.money import euro
from tournaments.cash.queries.tariff import category_label, cheapest_suiting, years
from tournaments.desk.forms.days import DaysField
from tournaments.desk.online.services.choice import category_refusal, ranking_refusal
from tournaments.models import Category, EntryLine, Ranking, Tournament
from tournaments.web.fields import TextField

AUTOMATIC = "auto"  # the Startgeld that suits the year of birth
# Mails contain typed text and go to a typed address, so the text must not contain a link.
_ADDRESS_END = re.compile(r"\w\.[a-z]{2,}(?=$|[\s/])")


class Options:
    """The choices that a tournament offers; two queries at any number of persons."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.categories = list(tournament.categories.all())
        every = tournament.rankings.exclude(kind=Ranking.Kind.SINGLE)
        self.rankings = list(every)
        self.taking_all = [ranking for ranking in self.rankings if ranking.takes_all]
        self.team_rankings = [ranking for ranking in self.rankings if ranking.has_teams]
        self.needs_gender = any(ranking.asks_gender for ranking in self.rankings)
        limited: list[Category | Ranking] = [*self.categories, *self.rankings]
        self.needs_birth_year = any(
            choice.born_from is not None or choice.born_until is not None for choice in limited
        )
        self.category_choices = [
            (str(category.pk), f"{category_label(category)}: {euro(category.startgeld_cents)}")
            for category in self.categories
        ]
        labels = {ranking: (str(ranking.pk), _ranking_label(ranking)) for ranking in self.rankings}
        self.declined_choices = [labels[ranking] for ranking in self.taking_all]
        self.ranking_choices = [labels[ranking] for ranking in labels if not ranking.takes_all]

    def category(self, key: str) -> Category | None:
        """Return the Startgeld with *key*, one of the choices; None: automatic."""
        return next((category for category in self.categories if str(category.pk) == key), None)

    def ranking(self, key: str) -> Ranking:
        """Return the ranking with *key*, one of the choices."""
        return next(ranking for ranking in self.rankings if str(ranking.pk) == key)


def refuse_addresses(text: str) -> None:
    """Refuse an internet address in a field for a name."""
    if "://" in text or "@" in text or "www." in text.lower() or _ADDRESS_END.search(text):
        raise ValidationError(gettext("Bitte keine Internet- oder E-Mail-Adresse eintragen."))


class ChoiceForm(forms.Form):
    """Startgeld, rankings and wishes of one person, and consent to be named."""

    publish_consent = forms.BooleanField(
        label=_("Name darf im Internet stehen"),
        required=False,
        help_text=_(
            "Ohne Haken erscheinen dort nur die Anfangsbuchstaben. Was im Saal zu lesen ist, steht "
            "unter „Was mit den Angaben geschieht“."
        ),
    )

    def __init__(self, *args: Any, options: Options, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = options
        if len(options.categories) > 1:
            self.fields["category"] = forms.TypedChoiceField(
                label=_("Startgeld"),
                choices=[(AUTOMATIC, _("passend zum Jahrgang")), *options.category_choices],
                coerce=options.category,
                initial=AUTOMATIC,
            )
        if options.ranking_choices:
            self.fields["rankings"] = forms.TypedMultipleChoiceField(
                label=_("Weitere Wertungen"),
                choices=options.ranking_choices,
                coerce=options.ranking,
                required=False,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("An der Einzelwertung nehmen alle teil."),
            )
        if options.taking_all:
            self.fields["declined"] = forms.TypedMultipleChoiceField(
                label=_("Nicht teilnehmen an"),
                choices=options.declined_choices,
                coerce=options.ranking,
                required=False,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("Wer passt, nimmt hier ohne Einsatz von selbst teil."),
            )
        if options.tournament.days.numbers:
            self.fields["plays_on"] = DaysField(options.tournament)
        for ranking in options.team_rankings:
            self.fields[_wish(ranking)] = TextField(
                label=_("Tandem mit (Name)") if ranking.is_of_pairs else _("Name der Mannschaft"),
                max_length=80,
                required=False,
                validators=[refuse_addresses],
            )
        self.order_fields([*self.before(), "category", "rankings", "declined", *self.wish_names])

    def before(self) -> list[str]:
        """Return the fields shown first."""
        return []

    @property
    def wish_names(self) -> list[str]:
        """The names of the fields for wishes."""
        return [_wish(ranking) for ranking in self.options.team_rankings]

    @property
    def has_choice(self) -> bool:
        """Whether a ranking or a wish is given or wrong, so that the page shows its field."""
        names = ("rankings", "declined", *self.wish_names)
        bounds = [self[name] for name in names if name in self.fields]
        return any(bound.value() or bound.errors for bound in bounds)

    def person(self) -> tuple[int | None, str]:
        """Return year of birth and gender of the person; unknown here."""
        return None, ""

    def clean(self) -> None:
        """Check that the choice suits the person; a new wish also chooses its ranking."""
        data = self.cleaned_data
        birth_year, gender = self.person()
        self._check_category(data.get("category"), birth_year)
        rankings = list(data.get("rankings") or [])
        for ranking in self.options.team_rankings:
            is_new = _wish(ranking) in self.changed_data
            if data.get(_wish(ranking)) and is_new and ranking not in rankings:
                rankings.append(ranking)
        data["rankings"] = rankings
        for ranking in rankings:
            if refusal := ranking_refusal(ranking, birth_year, gender):
                self.add_error("rankings", refusal)

    def _check_category(self, category: Category | None, birth_year: int | None) -> None:
        if category is not None and (refusal := category_refusal(category, birth_year)):
            self.add_error("category", refusal)
        elif category is None and cheapest_suiting(self.options.categories, birth_year) is None:
            self.add_error(
                "category" if "category" in self.fields else None,
                gettext("Zu diesem Jahrgang passt keine Startgeldgruppe. Bitte nachfragen."),
            )

    def chosen(self) -> dict[str, Any]:
        """Return the fields of an ``EntryChoice``."""
        data = self.cleaned_data
        return {
            "category": data.get("category"),
            "rankings": data["rankings"],
            "declined": data.get("declined") or [],
            "wishes": {
                ranking.pk: text
                for ranking in self.options.team_rankings
                if (text := " ".join(data.get(_wish(ranking), "").split()))
            },
            "publish_consent": data["publish_consent"],
            "plays_on": data.get("plays_on", ""),
        }


class ChangeForm(ChoiceForm):
    """The choice for a registration that exists."""

    def __init__(self, *args: Any, line: EntryLine, options: Options, **kwargs: Any) -> None:
        self.line = line
        super().__init__(*args, options=options, **kwargs)

    def person(self) -> tuple[int | None, str]:
        """Return year of birth and gender as typed when registering."""
        return self.line.birth_year, self.line.gender


class EmailForm(forms.Form):
    """A new e-mail address for an entry."""

    email = forms.EmailField(label=_("E-Mail"), max_length=200)


def _ranking_label(ranking: Ranking) -> str:
    parts = [years(ranking)]
    if ranking.kind == Ranking.Kind.TEAM:
        size = ranking.size or 0
        parts.append(ngettext("{size} Person", "{size} Personen", size).format(size=size))
    if ranking.stake_cents:
        parts.append(gettext("Einsatz {stake}").format(stake=euro(ranking.stake_cents)))
    details = ", ".join(part for part in parts if part)
    return f"{ranking} ({details})" if details else str(ranking)


def _wish(ranking: Ranking) -> str:
    return f"wish_{ranking.pk}"
