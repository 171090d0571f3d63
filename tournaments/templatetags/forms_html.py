"""One form field as HTML: label, help, errors, and the widget."""

from __future__ import annotations

from django import forms, template
from django.forms import BaseForm, BoundField
from django.template import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

register = template.Library()

TEMPLATE = "components/field.html"
CHOICES = (forms.RadioSelect, forms.CheckboxSelectMultiple)


@register.simple_tag(takes_context=True)
def field(
    context: Context,
    bound: BoundField,
    /,
    *,
    css: str = "",
    label: str | None = None,
    **attrs: str | bool,
) -> SafeString:
    """Show a field of a form; further arguments become attributes of the widget.

    Args:
        context: determines the rules to which paragraphs are linked.
        bound: the field, as in ``form.name``.
        css: classes for the box around label and widget.
        label: replaces the label of the field.
        attrs: HTML attributes; an underscore becomes a hyphen, True for one without value.

    ``{% field form.start_number inputmode="numeric" autofocus=True css="narrow-field" %}``
    """
    if bound.is_hidden:
        return bound.as_widget()
    attributes = {name.replace("_", "-"): value for name, value in attrs.items()}
    wrong = next((each for each in bound.form.visible_fields() if each.errors), None)
    if wrong is not None and not isinstance(wrong.field.widget, CHOICES):
        # After a refusal the focus belongs to the invalid field.
        attributes.pop("autofocus", None)
        if bound.name == wrong.name:
            attributes["autofocus"] = True
    shown = {
        "tournament": context.get("tournament"),
        "field": bound,
        "css": css,
        "label": label,
        "widget_html": bound.as_widget(attrs=attributes),
    }
    return render_to_string(TEMPLATE, shown)


@register.filter
def kind(bound: BoundField) -> str:
    """Return how the field is laid out: „check“, „choices“, „group“ or „plain“."""
    widget = bound.field.widget
    if isinstance(widget, forms.CheckboxInput):
        return "check"
    if isinstance(widget, CHOICES):
        return "choices"
    return "group" if widget.use_fieldset else "plain"


@register.filter
def numbered(form: BaseForm, name: str) -> list[BoundField]:
    """Return the fields of a form whose names begin with *name* and „_“: „place_1“."""
    return [bound for bound in form if bound.name.startswith(f"{name}_")]


@register.simple_tag(takes_context=True)
def fields(context: Context, form: BaseForm) -> SafeString:
    """Show a whole form: its errors, then every field in order."""
    shown = {"tournament": context.get("tournament"), "form": form}
    return render_to_string("components/fields.html", shown)
