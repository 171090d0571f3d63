"""The results that the rehearsal of a championship expects, computed by hand."""

from benchmarks.expected import Sheet, prizes, ranked, strafpunkte, to_play_off, with_ranks


def sheet(*rows: tuple[int, ...], handromme: bool = False, numbers=(1, 2, 3)) -> Sheet:
    """A list of rows of hands, in which 0 has finished; all by Handrommé, or none."""
    lines = [
        {"finisher": row.index(0) + 1, "handromme": handromme, "minus": [*row]} for row in rows
    ]
    return Sheet(numbers, lines)


def test_a_list_that_ended_early_is_extrapolated():
    # Seat 1: 0 + 20 + 31 = 51, less 15 for the finished game, is 36 in three games of twelve.
    ended = sheet((0, 10, 11), (20, 0, 21), (31, 30, 0))
    ended.penalties[3] = 100

    assert list(ended.results()) == [(1, 144, 1, 0), (2, 100, 1, 0), (3, 168, 1, 0)]
    assert ended.bussgeld == 300  # two of three pay 50 cents in each of three games


def test_handromme_counts_fifty_more_at_a_table_of_four():
    won = sheet(*[(0, 50, 60, 70)] * 12, handromme=True, numbers=(5, 6, 7, 8))

    assert next(won.results()) == (5, -12 * 70, 12, 12)


def test_equals_share_a_rank_until_an_entscheidungsspiel():
    rows = [(0, 30, 40), (30, 0, 40), (40, 40, 0)] * 4
    lines = ranked([sheet(*rows)])

    assert [(line.number, sum(line.points)) for line in lines] == [(1, 220), (2, 220), (3, 260)]
    assert list(to_play_off(lines)) == [(1, [1, 2])]
    assert [rank for rank, _line in with_ranks(lines)] == [1, 1, 3]
    assert [rank for rank, _line in with_ranks(lines, {1, 2})] == [1, 2, 3]


def test_strafpunkte_make_the_first_equal_to_the_second():
    rows = [(0, 30, 40), (35, 0, 40), (40, 40, 0)] * 4

    assert strafpunkte(ranked([sheet(*rows)])) == (2, 20)


def test_prizes_are_whole_euros_of_the_pot_less_the_kept_part():
    # 28 × 15 € = 420 €, of which 336 € are paid: 30 % are 100.80 €, 5 % are 16.80 €.
    assert (prizes(28)[1], prizes(28)[8]) == (10_000, 1_600)
