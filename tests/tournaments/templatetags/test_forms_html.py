"""A form field as HTML: its parts are linked for screen readers."""

# ruff: noqa: TID251 - fields as Django has them

from __future__ import annotations

import re

from django import forms
from django.template import Context, Template


class Registration(forms.Form):
    name = forms.CharField(label="Name", help_text="Nachname, Vorname")
    club = forms.CharField(label="Verein", required=False)
    junior = forms.BooleanField(label="Junior", required=False)
    method = forms.ChoiceField(
        label="Bezahlt", choices=[("bar", "bar"), ("frei", "frei")], widget=forms.RadioSelect
    )
    prize = forms.ChoiceField(
        label="Preis", choices=[("frei", "frei")], widget=forms.RadioSelect, required=False
    )
    start = forms.SplitDateTimeField(label="Beginn", required=False)
    version = forms.CharField(widget=forms.HiddenInput)


def show(text: str, form: forms.Form) -> str:
    template = Template("{% load forms_html %}" + text)
    html = " ".join(template.render(Context({"form": form})).split())
    return re.sub(r"(?<=>) | (?=[<>])", "", html)  # no browser shows these spaces


def test_label_and_help_belong_to_the_widget() -> None:
    html = show("{% field form.name %}", Registration())

    assert '<label for="id_name">Name</label>' in html
    assert '<div class="field-help" id="id_name_helptext">Nachname, Vorname</div>' in html
    assert 'aria-describedby="id_name_helptext"' in html


def test_numbered_fields_are_shown_together_in_their_order() -> None:
    form = Registration()
    for name in ("club_2", "clubs", "club_1"):
        form.fields[name] = forms.CharField()

    shown = show('{% for bound in form|numbered:"club" %}[{{ bound.name }}]{% endfor %}', form)

    assert shown == "[club_2][club_1]"


def test_a_refused_form_focuses_the_first_wrong_field() -> None:
    fields = "{% field form.club autofocus=True %}{% field form.name %}"

    assert '<input type="text" name="club" autofocus' in show(fields, Registration())
    refused = show(fields, Registration({"name": ""}))
    assert refused.count("autofocus") == 1
    assert "autofocus" in refused[refused.index('name="name"') :]


def test_an_error_belongs_to_the_widget() -> None:
    html = show("{% field form.name %}", Registration({"name": ""}))

    assert '<ul class="field-errors" role="list" id="id_name_error">' in html
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html


def test_optional_fields_are_marked() -> None:
    assert "(freiwillig)" in show("{% field form.club %}", Registration())
    assert "(freiwillig)" not in show("{% field form.name %}", Registration())
    assert "(freiwillig)" not in show("{% field form.junior %}", Registration())
    assert "(freiwillig)" in show("{% field form.prize %}", Registration())


def test_a_preselected_field_is_not_marked_optional() -> None:
    chosen = Registration(initial={"prize": "frei"})

    assert "(freiwillig)" not in show("{% field form.prize %}", chosen)


def test_attributes_label_and_classes_can_be_given() -> None:
    text = '{% field form.club autofocus=True data_choose="found" label="Klub" css="short" %}'

    html = show(text, Registration())

    assert " autofocus" in html
    assert 'data-choose="found"' in html
    assert ">Klub" in html
    assert 'class="field short"' in html


def test_a_checkbox_precedes_its_label() -> None:
    html = show("{% field form.junior %}", Registration())

    assert html.index("<input") < html.index("Junior")
    assert '<label class="choice" for="id_junior">' in html


def test_choices_are_a_group_with_a_legend() -> None:
    html = show("{% field form.method %}", Registration())

    assert html.startswith('<fieldset class="field field-choices">')
    assert "<legend>Bezahlt</legend>" in html
    assert html.count('type="radio"') == 2


def test_parts_of_a_value_are_a_group_with_a_legend() -> None:
    html = show("{% field form.start %}", Registration())

    assert html.startswith("<fieldset")
    assert html.count("<input") == 2


def test_a_hidden_field_is_nothing_but_its_widget() -> None:
    html = show("{% field form.version %}", Registration(initial={"version": "3"}))

    assert html == '<input type="hidden" name="version" value="3" id="id_version">'


def test_a_whole_form_lists_all_errors_on_top() -> None:
    form = Registration({"method": "Muschel"})
    form.add_error(None, "Der Meldeschluss ist vorbei.")

    html = show("{% fields form %}", form)

    top = html[: html.index('class="field')]
    assert "Der Meldeschluss ist vorbei." in top
    assert '<a href="#id_name">Name</a>' in top
    assert '<a href="#id_method">Bezahlt</a>' in top
    assert html.count('name="version"') == 1


def test_an_unsent_form_has_no_errors() -> None:
    assert 'role="alert"' not in show("{% fields form %}", Registration())
