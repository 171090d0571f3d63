"""No control takes the place of a property of its form."""

from __future__ import annotations

from pathlib import Path

import pytest
from django import forms

from scripts import control_names
from tournaments.web.fields import SafeControlNames, TextField


def test_a_form_has_its_own_properties_and_those_of_all_elements():
    own = {"action", "elements", "length", "method", "name", "reset", "submit", "target"}
    of_elements = {"closest", "id", "querySelector", "remove", "title", "addEventListener"}

    assert own | of_elements <= control_names.properties()
    assert not {"add", "drop", "reason", "amount_cents"} & control_names.properties()


def test_controls_of_templates_are_found_on_several_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(control_names, "ROOT", tmp_path)
    page = tmp_path / "templates" / "page.html"
    page.parent.mkdir()
    page.write_text('<form name="name">\n<button class="x"\n  name="remove">\n<input name="add">')

    places = list(control_names.in_templates({"remove", "name"}))

    assert places == ['templates/page.html:2: name="remove"']


def test_a_field_that_is_a_property_has_a_control_of_another_name():
    class Account(SafeControlNames, forms.Form):
        name = TextField()
        reason = TextField()

    form = Account({"name_": "Karla", "reason": "neu"})

    assert [form["name"].html_name, form["reason"].html_name] == ["name_", "reason"]
    assert form.is_valid()
    assert form.cleaned_data == {"name": "Karla", "reason": "neu"}
