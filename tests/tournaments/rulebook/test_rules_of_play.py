"""The rules of play: every paragraph exists, is found, and follows the chosen options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.template import Context, Template

from scoring.reading.ruleset_json import ruleset_to_dict
from scoring.ruleset import OptionField, RuleSet, Variant
from scoring.rulesets import all_rulesets, ruleset
from tests.clients import Client, at
from tests.factories import make_member, make_tournament
from tournaments.checking.forms import PenaltyForm
from tournaments.common import texts
from tournaments.models import Role, Tournament
from tournaments.rulebook.queries import rules_of_play

ORDER = ruleset("rommeordnung")
# Paragraphs that the program does not compute.
PARAGRAPHS = """
    4.3 4.3.1 4.3.2 4.4 4.4.1 4.4.2
    5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.9 5.10 5.11
    6.1 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11
    7.2 7.3
    8.1 8.2 8.3
    III.1 III.2 III.3 III.4 III.5 III.6 III.7
"""
# Further paragraphs named by refusals and findings.
HELD_BY = """
    1.1 1.2 1.3 1.4 1.5 2.1.1 2.1.2 2.1.3 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5 2.2.6
    2.3.1 2.3.2 2.3.3 2.3.4 2.3.5 3.1 8.3
"""


def numbers(rules: RuleSet, typed: str = "") -> list[str]:
    results = rules_of_play.search(rules_of_play.chapters(rules), typed)
    return [paragraph.number for chapter in results for paragraph in chapter.paragraphs]


def page(client: Client, typed: str = "", slug: str = "herbst") -> str:
    answer = client.get(at("public:rules", slug), {"q": typed} if typed else {})
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_every_paragraph_exists_once():
    known = numbers(ORDER)

    assert set(PARAGRAPHS.split()) | set(HELD_BY.split()) <= set(known)
    assert len(known) == len(set(known))


@pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
def test_every_rule_set_explains_its_play_and_its_source(rules: RuleSet):
    paragraphs = [
        paragraph for chapter in rules_of_play.chapters(rules) for paragraph in chapter.paragraphs
    ]

    assert set(HELD_BY.split()) <= {
        paragraph.number for paragraph in paragraphs if paragraph.label.startswith("§")
    }
    assert len(paragraphs) - len(HELD_BY.split()) >= 8  # beside that, its own
    assert len({paragraph.anchor for paragraph in paragraphs}) == len(paragraphs)
    assert all(paragraph.text or paragraph.cases for paragraph in paragraphs)


def test_special_rules_of_the_order_are_not_shown_for_other_rule_sets():
    said = [
        rules_of_play.by_number(rules)["2.2.1"].words() for rules in (ORDER, ruleset("contract"))
    ]

    assert ["zwölf" in words for words in said] == [True, False]


@pytest.mark.parametrize("name", rules_of_play.BASED_ON)
def test_overridden_paragraphs_exist(name: str):
    changes = texts.paragraphs(
        chapter for chapter in texts.chapters("rulebook", name) if not chapter.title
    )
    base, there = name, set[str]()
    while base := rules_of_play.BASED_ON.get(base):
        there |= texts.paragraphs(texts.chapters("rulebook", base)).keys()

    assert changes.keys() <= there
    assert changes


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("§ 5.3", ["5.3"]),
        ("§5.10", ["5.10"]),
        ("8.3", ["8.3"]),
        ("§ 7", ["7.1", "7.2", "7.3"]),
        ("gestochen", ["5.6"]),
        ("Kiebitz", []),
        ("zurückgenommen anleger", ["7.2"]),
        ("ZURUECKGENOMMEN Anleger", ["7.2"]),
        ("§ 6 gesperrt", ["6.8"]),
        ("150", ["8.3"]),
        ("§ 99", []),
        ("% _", []),
    ],
)
def test_a_rule_is_found_by_its_words_and_by_its_number(typed: str, expected: list[str]):
    assert numbers(ORDER, typed) == expected


def test_numbers_of_another_source_are_found_too():
    assert numbers(ruleset("preisromme-1987"), "§ 10") == ["10"]


@pytest.mark.parametrize("variant", Variant)
def test_a_chosen_variant_of_the_hausregel_is_described(variant: Variant):
    plain = ruleset("hausregel")

    chosen = [
        paragraph
        for chapter in rules_of_play.chapters(plain.with_variants([variant]))
        for paragraph in chapter.paragraphs
        if paragraph.is_chosen
    ]

    assert [f"Variante {variant.value}" in str(chapter.title) for chapter in chosen] == [True]
    assert not any(
        paragraph.is_chosen
        for chapter in rules_of_play.chapters(plain)
        for paragraph in chapter.paragraphs
    )


@pytest.mark.parametrize(
    ("field", "value", "letter"),
    [(OptionField.FINISHER_MAY_HOLD, 7, "c"), (OptionField.EXTRA_CARDS, None, "g")],
)
def test_a_variant_with_a_number_is_described(field: OptionField, value: int | None, letter: str):
    rules = ruleset("hausregel").with_option(field, value)

    assert rules_of_play.chosen_options(rules) == [letter]
    assert f"Variante {letter}" in " ".join(
        str(paragraph.title)
        for chapter in rules_of_play.chapters(rules)
        for paragraph in chapter.paragraphs
    )


def test_a_custom_rule_set_is_played_like_its_original():
    own = replace(ORDER, id="unsere", name="Unsere", source="angepasst nach: Romméordnung")

    assert numbers(own) == numbers(ORDER)
    assert rules_of_play.has_own_numbers(own)
    assert set(numbers(replace(own, source="Vereinsheft"))) == set(HELD_BY.split())


@pytest.mark.django_db
class TestPage:
    """One public page."""

    @pytest.mark.parametrize("rules", all_rulesets(), ids=lambda rules: rules.id)
    def test_the_page_explains_play_beside_scoring(self, client: Client, rules: RuleSet):
        make_tournament(slug="herbst", rule_set=ruleset_to_dict(rules))

        text = page(client)

        assert text.count('class="rule"') == len(numbers(rules))
        assert "So wird gezählt" in text

    def test_a_search_works_without_scripts_and_explains_no_results(self, client: Client):
        make_tournament(slug="herbst")

        assert page(client, "§ 5.3").count('class="rule"') == 1
        assert "1 Regel passt zu „§\N{NO-BREAK SPACE}5.3“" in page(client, "§ 5.3")
        assert "„&lt;b&gt;“ steht hier nichts" in page(client, "<b>")

    def test_typing_updates_the_results_only(self, client: Client):
        make_tournament(slug="herbst")
        url = at("public:rules", "herbst")

        text = client.read(url, {"q": "joker"}, headers={"hx-request": "true"})

        assert text.strip().startswith('<div id="found"')

    def test_a_paragraph_links_to_others_it_names(self, client: Client):
        make_tournament(slug="herbst")

        assert '<a class="paragraph-link" href="/t/herbst/regelwerk/#p-6-7"' in page(client)

    def test_a_heading_links_to_its_term(self, client: Client):
        tournament = make_tournament(slug="herbst")
        client.force_login(make_member(tournament, Role.SPIELLEITUNG))

        notices = client.read(at("notices:page", "herbst"))

        link = '<a class="paragraph-link" href="/t/herbst/regelwerk/#p-2-2-5"'
        assert f'<h2 id="waiting">Noch mitzuteilen ({link}' in notices

    def test_staff_have_a_link_back_to_their_work(self, client: Client):
        tournament = make_tournament(slug="herbst")
        assert "Schritte des Turniers" not in page(client)
        client.force_login(make_member(tournament, Role.SCHIEDSRICHTER))

        answer = client.get(at("public:rules", "herbst"))

        assert "Schritte des Turniers" in answer.content.decode()
        assert answer["Cache-Control"] == "no-store"

    def test_rule_sets_have_a_page_without_a_tournament(self, client: Client):
        for rules in all_rulesets():
            text = client.read(at("public:rule_set", rules.id))
            assert f"<h1>{rules.name}</h1>" in text

        assert client.get(at("public:rule_set", "skat")).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "Zu spät (§ 1.3).",
            (
                'Zu spät (<a class="paragraph-link" href="/t/herbst/regelwerk/#p-1-3" '
                'title="Wer mitspielt" target="_blank">§ 1.3</a>).'
            ),
        ),
        ("<b> & § 99", "&lt;b&gt; &amp; § 99"),
        ("§ 14 BGB und 5.3", "§ 14 BGB und 5.3"),
    ],
)
def test_a_paragraph_in_a_sentence_links_to_its_text(said: str, shown: str):
    template = Template("{% sentence text %}")

    html = template.render(Context({"text": said, "tournament": make_tournament(slug="herbst")}))

    assert html == shown


@pytest.mark.django_db
def test_several_paragraphs_in_a_sentence_are_linked_each():
    template = Template("{% sentence text %}")

    html = template.render(Context({"text": "So sagen es §§ 1.2, 2.2.6 und 3.1."}))

    assert html.count("<a ") == 3
    assert html.count('href="/regelwerk/rommeordnung/#p-') == 3


@pytest.mark.django_db
def test_a_refusal_links_to_its_paragraph(client: Client):
    tournament = make_tournament(slug="herbst", status=Tournament.Status.ANNOUNCED)
    client.force_login(make_member(tournament, Role.VERANSTALTER))

    refused = client.post(at("setup:start", "herbst"))

    assert refused.status_code == 409
    assert 'href="/t/herbst/regelwerk/#p-1-3"' in refused.content.decode()


@pytest.mark.django_db
def test_a_refusal_at_a_field_links_to_its_paragraph():
    form = PenaltyForm({"points": "100"}, people=[])
    form.add_error("reason", "Strafpunkte brauchen einen Grund (§ 8.3).")
    template = Template("{% load forms_html %}{% field form.reason %}")

    html = template.render(Context({"form": form, "tournament": make_tournament(slug="herbst")}))

    assert 'href="/t/herbst/regelwerk/#p-8-3"' in html
