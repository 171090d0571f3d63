"""The print buttons on pages: their documents, their roles and their jobs."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from scoring.payments.prizes import PrizeLine, PrizePlan, RankingCategory
from scoring.payments.prizes import PrizeRanking as RankingKey
from tests.factories import COMMAND, make_member, make_registration, make_tournament
from tests.factories_lists import FOUR, list_of, make_seated_serie, write_games
from tests.factories_results import take_startgeld
from tests.tournaments.notices.helpers import make_correction, make_notice
from tests.worlds import world
from tournaments.machine import jobs
from tournaments.models import Job, Notice, Role, Tournament
from tournaments.printing.documents import DOCUMENTS
from tournaments.printing.forms import OPTIONAL_PARAMETERS, Choices, PrintForm
from tournaments.prizes.services import prizes
from tournaments.web.idempotency import FIELD

pytestmark = pytest.mark.django_db

FORBIDDEN = 403
SERIE_1 = RankingKey(category=RankingCategory.SERIE, serie=1)


@dataclass(frozen=True)
class Form:
    """A print form on a page."""

    document: str
    sent: dict[str, str]  # without the token


class Forms(HTMLParser):
    """Collects the forms of a page that print, in order."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__()
        self.prefix = reverse("printing:documents", args=[tournament.slug])
        self.found: list[Form] = []
        self._form: Form | None = None
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field, or begin a form."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("action", "").startswith(self.prefix):
            assert (given["method"], given["target"]) == ("post", "_blank")
            self._form = Form(given["action"].removeprefix(self.prefix).strip("/"), {})
        if self._form is None:
            return
        if tag == "input":
            self._form.sent[given["name"]] = given.get("value", "")
        if tag == "select":
            self._select = given["name"]
        if tag == "option" and ("selected" in given or self._select not in self._form.sent):
            self._form.sent[self._select] = given["value"]

    def handle_endtag(self, tag: str) -> None:
        """End a form."""
        if tag == "form" and self._form is not None:
            assert self._form.sent.pop("csrfmiddlewaretoken")
            assert self._form.sent.pop(FIELD)
            self.found.append(self._form)
            self._form = None


def forms_of(tournament: Tournament, page: Any) -> list[Form]:
    parser = Forms(tournament)
    parser.feed(page.content.decode())
    return parser.found


@world
def day() -> Tournament:
    """Return a day with every document: Serie 1 is verified, corrected, communicated and paid.

    Serie 2 is played, but unsigned. Start number 1 won Serie 1 (290 − 4 × 20).
    """
    lines = (PrizeLine(ranking=SERIE_1, place=1, fixed_cents=500),)
    tournament = make_tournament(
        status=Tournament.Status.RUNNING,
        serien=2,
        prize_plan={"startgeld": PrizePlan(lines=lines).to_dict()},
    )
    first = list_of(make_seated_serie(tournament))
    write_games(first, status="verified")
    players = list(tournament.registrations.order_by("number"))
    second = list_of(make_seated_serie(tournament, [players], number=2))
    second.on_paper = True
    write_games(second, FOUR, status="complete")
    make_notice(first, correction=make_correction(first, status="done"))
    take_startgeld(tournament)
    prizes.pay_all(COMMAND, tournament.pk, expected_cents=500)
    return tournament


# Documents of Serie 1, of its table, and of the second player.
SERIE = {"serie": "1"}
TABLE = {"serie": "1", "table": "1"}
SECOND = {"number": "2"}
BLANK = {"size": "4", "copies": "10"}
TILL = [Form("teilnehmerliste", {}), Form("startkarten", {})]
RANKING = {"ranking": "einzel", "upto": "2"}


@dataclass(frozen=True)
class Page:
    """A page of a tournament and its print forms, for a role that may print all."""

    name: str
    forms: list[Form]
    args: tuple[object, ...] = ()
    query: str = ""
    of: str = ""  # the object whose key ends the address

    def url(self, tournament: Tournament) -> str:
        """Return its address."""
        args: list[object] = [tournament.slug, *self.args]
        if self.of == "registration":
            args.append(tournament.registrations.get(number=2).pk)
        if self.of == "notice":
            args.append(Notice.objects.get(correction__tournament=tournament).pk)
        return reverse(self.name, args=args) + self.query


PAGES = (
    Page("setup:tournament", [Form("ausschreibung", {})]),
    Page("desk:desk", TILL),
    Page("desk:list", TILL),
    Page(
        "desk:registration",
        [Form("startkarten", SECOND), Form("auskunft", SECOND)],
        of="registration",
    ),
    Page(
        "draw:cards",
        [
            Form("startkarten", {}),
            *(Form("startkarten", {"number": str(number)}) for number in range(1, 5)),
        ],
    ),
    Page("draw:cards", [Form("startkarten", SECOND)], query="?nr=2"),
    Page(
        "draw:serie",
        [
            Form(name, SERIE)
            for name in (
                "druckpaket",
                "sitzplan-namen",
                "sitzplan-tische",
                "tischkarten",
                "spiellisten",
            )
        ],
        (1,),
    ),
    Page(
        "hall:room",
        [
            *(
                Form(name, SERIE)
                for name in (
                    "druckpaket",
                    "spiellisten",
                    "tischkarten",
                    "sitzplan-tische",
                    "spiellisten-gespielt",
                )
            ),
            Form("spiellisten-leer", BLANK),
        ],
        (1,),
    ),
    Page(
        "hall:table",
        [
            Form("spiellisten-gespielt", TABLE),
            Form("spiellisten", TABLE),
            Form("spiellisten-leer", {"size": "4", "copies": "1"}),
        ],
        (1, 1),
    ),
    Page("hall:cards", [Form("tischkarten", SERIE)], (1,)),
    Page("hall:access", [Form("tischkarten", TABLE)], (1, 1)),
    Page("hall:hand_in", [], (1,), "?tisch=1"),
    Page(
        "hall:hand_in",
        [Form("spiellisten-gespielt", {"serie": "2", "table": "1"})],
        (2,),
        "?tisch=1",
    ),
    Page("checking:serie", [Form("spiellisten-gespielt", SERIE)], (1,)),
    Page("checking:list", [Form("spiellisten-gespielt", TABLE)], (1, 1)),
    Page("checking:correction", [Form("berichtigungen", SECOND)], (1,)),
    Page("notices:page", [Form("berichtigungen", {}), Form("berichtigungen", SECOND)]),
    Page("notices:slips", [Form("berichtigungen", SECOND)]),
    Page("notices:notice", [Form("berichtigungen", SECOND)], of="notice"),
    Page(
        "results:ranking",
        [
            Form("rangliste-aushang", RANKING),
            Form("rangliste", RANKING),
            Form("urkunden", {"ranking": "einzel", "places": "3"}),
        ],
    ),
    Page(
        "results:ranking",
        [
            Form("rangliste-aushang", {**RANKING, "upto": "1"}),
            Form("rangliste", {**RANKING, "upto": "1"}),
            Form("urkunden", {"ranking": "einzel", "places": "3"}),
        ],
        query="?nach=1",
    ),
    Page(
        "results:ranking",
        [
            Form("rangliste-aushang", {"ranking": "serie-1"}),
            Form("rangliste", {"ranking": "serie-1"}),
            Form("urkunden", {"ranking": "serie-1", "places": "3"}),
        ],
        query="?wertung=serie-1",
    ),
    Page(
        "prizes:prizes",
        [
            Form("preisliste", {}),
            Form("urkunden", {"ranking": "einzel", "places": "3"}),
            Form("quittung", {"receipt": "2"}),
        ],
    ),
    Page("cash:book", [Form("kassenbericht", {})]),
    Page("cash:report", [Form("kassenbericht", {})]),
    Page("cash:receipt", [Form("quittung", {"receipt": "2"})], (2,)),
    Page("journal:page", [Form("protokoll", {})]),
    Page("closing:page", [Form("protokoll", {}), Form("kassenbericht", {})]),
)
PAGE_IDS = [f"{page.name}{page.query}" for page in PAGES]


def allowed(forms: list[Form], role: Role) -> list[Form]:
    return [form for form in forms if role.value in DOCUMENTS[form.document].roles]


@pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)
def test_page_offers_what_each_role_may_print_and_nothing_else(
    client: Client, day: Tournament, page: Page
):
    seen = []
    for role in Role:
        client.force_login(make_member(day, role))
        answer = client.get(page.url(day))
        if answer.status_code != FORBIDDEN:
            assert forms_of(day, answer) == allowed(page.forms, role), role
            seen.append(role)

    assert {Role.VERANSTALTER, Role.SPIELLEITUNG} <= set(seen)


@pytest.fixture
def no_process(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is stored and not run."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs, "spawn", lambda _key: None)


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize("page", [page for page in PAGES if page.forms], ids=lambda page: page.name)
def test_each_button_starts_a_job_for_its_document(client: Client, day: Tournament, page: Page):
    client.force_login(make_member(day, Role.SPIELLEITUNG))
    for form in allowed(page.forms, Role.SPIELLEITUNG):  # which the page has
        answer = client.post(reverse("printing:start", args=[day.slug, form.document]), form.sent)

        job = Job.objects.latest("pk")
        assert answer["Location"] == reverse("printing:progress", args=[day.slug, job.pk])
        assert job.params["document"] == form.document
        asked = {name: str(value) for name, value in job.params["asked"].items()}
        assert asked == form.sent


def test_public_page_offers_no_document(client: Client, day: Tournament):
    client.force_login(make_member(day, Role.SPIELLEITUNG))

    for name in ("public:tournament", "results_public:overall", "seating:latest"):
        assert forms_of(day, client.get(reverse(name, args=[day.slug]), follow=True)) == []


def test_the_desk_prints_the_startkarte_of_a_paid_person(client: Client):
    tournament = make_tournament()
    registration = make_registration(tournament, status="registered")
    client.force_login(make_member(tournament, Role.KASSE))

    url = reverse("desk:pay", args=[tournament.slug, registration.pk])
    answer = client.post(url, follow=True, headers={"hx-request": "true"})

    assert forms_of(tournament, answer) == [Form("startkarten", {"number": "1"})]


def test_documents_need_a_draw_or_a_payment(client: Client):
    tournament = make_tournament(serien=1)
    client.force_login(make_member(tournament, Role.SPIELLEITUNG))
    registration = make_registration(tournament, status="registered")

    for url in (
        reverse("draw:serie", args=[tournament.slug, 1]),
        reverse("draw:cards", args=[tournament.slug]),
        reverse("results:ranking", args=[tournament.slug]),
        reverse("notices:page", args=[tournament.slug]),
    ):
        assert forms_of(tournament, client.get(url)) == [], url
    # A disclosure can be printed at any time.
    url = reverse("desk:registration", args=[tournament.slug, registration.pk])
    assert forms_of(tournament, client.get(url)) == [Form("auskunft", {"number": "1"})]


def render(source: str, tournament: Tournament, role: Role) -> str:
    template = Template("{% load printing_html %}" + source)
    context = {"tournament": tournament, "roles": {role.value}, "csrf_token": "a" * 32}
    return " ".join(template.render(Context(context)).split())


def test_a_button_is_labelled_by_its_document_or_its_page():
    tournament = make_tournament()

    own = render('{% print_document "quittung" receipt=7 %}', tournament, Role.KASSE)
    named = render(
        '{% print_document "quittung" receipt=7 label="Beleg" about="Kühn" %}',
        tournament,
        Role.KASSE,
    )

    assert "Quittung</button>" in own
    assert 'Beleg<span class="visually-hidden">: Kühn</span></button>' in named


def test_one_document_alone_needs_no_menu():
    tournament = make_tournament()
    source = '{% print_menu "protokoll kassenbericht" %}'

    alone = render(source, tournament, Role.KASSE)

    assert "<details" in render(source, tournament, Role.SPIELLEITUNG)
    assert "<details" not in alone
    assert "Kassenbericht</button>" in alone
    assert render(source, tournament, Role.SCHIEDSRICHTER).strip() == ""


def test_a_partial_keeps_the_menu_of_its_page():
    tournament = make_tournament()
    source = '{% print_menu "protokoll kassenbericht" is_there=True %}'

    part = render(source, tournament, Role.SPIELLEITUNG)

    assert part.strip() == '<div id="print-menu" hx-preserve></div>'
    assert "Kassenbericht</button>" in render(source, tournament, Role.KASSE)  # is no menu


def test_an_unknown_choice_is_an_error():
    source = '{% print_document "spiellisten" serie=1 tabel=3 %}'

    with pytest.raises(TypeError, match="tabel"):
        render(source, make_tournament(), Role.SPIELLEITUNG)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.name)
def test_omitted_fields_are_optional_ones(document):
    fields = PrintForm(document, Choices(make_tournament())).fields

    assert {name for name in fields if not fields[name].required} <= OPTIONAL_PARAMETERS
    assert not any(fields[name].required for name in OPTIONAL_PARAMETERS & fields.keys())


def test_buttons_need_no_queries(django_assert_num_queries: Any):
    tournament = make_tournament()
    source = (
        '{% print_menu "druckpaket spiellisten spiellisten-leer" serie=1 %}'
        '{% print_menu "rangliste urkunden" ranking="einzel" upto=2 %}'
    )

    with django_assert_num_queries(0):
        render(source, tournament, Role.SPIELLEITUNG)
