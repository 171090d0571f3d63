"""Charts: their content and position, and their text alternatives."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tournaments.results.queries.charts import CourseGame, CourseSerie, course
from tournaments.results.queries.rank_chart import BumpLine, bump, of_player

SVG = "{http://www.w3.org/2000/svg}"


def parsed(chart: str) -> ET.Element:
    """Parse a chart as a browser would; raises if it is no well-formed SVG."""
    return ET.fromstring(chart.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))  # noqa: S314


def texts(root: ET.Element, name: str) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}{name}")]


def games(*running: int) -> tuple[CourseGame, ...]:
    return tuple(
        CourseGame(number=number, running=points) for number, points in enumerate(running, start=1)
    )


SERIEN = (
    CourseSerie(label="Serie 1", games=games(0, 36, 80), total=-20),
    CourseSerie(label="Serie 2", games=games(10, 40), total=None),
)


def test_a_course_has_a_point_for_each_game_and_each_result():
    root = parsed(course(SERIEN, title="Verlauf von Anna"))

    line = root.find(f".//{SVG}polyline")
    assert line is not None
    assert len(line.attrib["points"].split()) == 1 + 3 + 1 + 2  # the start, games, the result
    assert len(list(root.iter(f"{SVG}circle"))) == 6


def test_more_points_are_drawn_higher_with_a_zero_line():
    root = parsed(course(SERIEN, title="Verlauf"))

    line = root.find(f".//{SVG}polyline")
    assert line is not None
    heights = [float(spot.split(",")[1]) for spot in line.attrib["points"].split()]
    assert heights[0] == heights[1]  # 0 and 0
    assert heights[4] > heights[0] > heights[3]  # −20 is below 0, 80 above
    assert "chart-grid-zero" in course(SERIEN, title="Verlauf")


def test_games_finished_and_handrommes_are_marked():
    serie = CourseSerie(
        label="Serie 1",
        games=(
            CourseGame(number=1, running=0, finished=True),
            CourseGame(number=2, running=0, finished=True, handromme=True),
            CourseGame(number=3, running=9),
        ),
        total=-81,
    )

    chart = course([serie], title="Verlauf")

    assert chart.count("chart-ring") == 2
    assert re.findall(r'class="chart-mark"[^>]*>(\w)', chart) == ["H"]
    assert chart.count("chart-dot") == 1


def test_a_course_has_a_text_alternative():
    root = parsed(course(SERIEN, title="Verlauf von Anna"))

    assert root.attrib["role"] == "img"
    assert texts(root, "title")[0] == "Verlauf von Anna"
    assert texts(root, "desc") == ["Punkte nach jedem Spiel; 0 Spiele beendet. nach Serie 1 −20."]
    assert "Serie 2, Spiel 2: 40" in texts(root, "title")


@pytest.mark.parametrize("serien", [(), (CourseSerie(label="Serie 1", games=(), total=None),)])
def test_no_chart_is_drawn_without_a_game(serien):
    assert course(serien, title="Verlauf") == ""


def test_names_in_a_chart_are_escaped():
    evil = '<script>alert("x")</script>'
    lines = [BumpLine(name=evil, ranks=(1, 2)), BumpLine(name="Kühn & Söhne", ranks=(2, 1))]

    for chart in (course(SERIEN, title=evil), bump(lines, ["Serie 1", evil], title=evil)):
        assert "<script" not in chart
        parsed(chart)


def rows(chart: str) -> dict[str, list[float]]:
    """Return the vertical positions of the circles of each name."""
    heights = {}
    for group in parsed(chart).iter(f"{SVG}g"):
        name = next(
            text.text for text in group.iter(f"{SVG}text") if "bump-name" in text.attrib["class"]
        )
        heights[name or ""] = [float(circle.attrib["cy"]) for circle in group.iter(f"{SVG}circle")]
    return heights


def test_ranks_are_rows_and_equals_use_the_next_row():
    lines = [
        BumpLine(name="Anna", ranks=(2, 1)),
        BumpLine(name="Bernd", ranks=(1, 2)),
        BumpLine(name="Clara", ranks=(2, 2)),
    ]

    heights = rows(bump(lines, ["Serie 1", "Serie 2"], title="Plätze"))

    row = heights["Bernd"][0] - 48 / 2  # the top of the first row
    places = {
        name: [round((each - row) / 48 + 0.5) for each in heights]
        for name, heights in heights.items()
    }
    assert places == {"Anna": [2, 1], "Bernd": [1, 2], "Clara": [3, 3]}


def test_low_ranks_are_drawn_below_with_their_number():
    lines = [BumpLine(name="Anna", ranks=(61, 1)), BumpLine(name="Bernd", ranks=(None, 2))]

    chart = bump(lines, ["Serie 1", "Serie 2"], title="Plätze")

    assert ">61</text>" in chart
    assert rows(chart)["Anna"][0] > rows(chart)["Bernd"][0]
    assert len(rows(chart)["Bernd"]) == 1
    assert texts(parsed(chart), "desc") == ["Anna: Rang 61, 1; Bernd: Rang –, 2"]


def test_a_phone_shows_every_serie_and_every_name():
    columns = [f"Serie {number}" for number in range(1, 6)]
    lines = [
        BumpLine(name="Sommer-Wettengel, Anna-Sophie", ranks=(2, 1, 2, 1, 1)),
        BumpLine(name="Ziegenbalg, Maria", ranks=(1, 2, 1, 2, 2)),
        BumpLine(name="Li, Anna", ranks=(3, 3, 3, 3, 3)),
    ]

    chart = parsed(bump(lines, columns, title="Ränge"))

    on_phones = [
        text.text for text in chart.iter(f"{SVG}text") if "when-narrow" in text.attrib["class"]
    ]
    assert on_phones[:5] == ["1", "2", "3", "4", "5"]  # „Serie 1“ has no room
    assert on_phones[5:] == ["Li, Anna", "Ziegenbalg, M.", "Sommer-", "Wettengel, A."]
    assert "Anna-Sophie" in texts(chart, "desc")[0]


def test_a_player_sees_own_ranks_in_proportion():
    ranks = [{1: 1, 2: 2, 7: 3}, {7: 1, 1: 2, 2: 3}, {2: 1, 7: 2, 1: 3}]

    chart = parsed(of_player(7, ranks))

    heights = [float(circle.attrib["cy"]) for circle in chart.iter(f"{SVG}circle")]
    assert heights[0] > heights[2] > heights[1]
    assert texts(chart, "desc") == ["Nr. 7: Rang 3, 1, 2"]


@pytest.mark.parametrize("ranks", [[], [{7: 1}], [{1: 1}, {1: 1}]])
def test_a_course_of_ranks_needs_two_serien_and_a_rank(ranks):
    assert of_player(7, ranks) == ""
