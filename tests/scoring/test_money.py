"""Money: divisions lose no cent, and amounts have the German format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.money import euro, percent, split_by_weights, whole_euros

amounts = st.integers(0, 10_000_000)
weights = st.lists(st.integers(0, 1000), min_size=1, max_size=12).filter(any)


@pytest.mark.parametrize(
    ("amount", "by", "expected"),
    [
        pytest.param(1000, [50, 30, 20], (500, 300, 200), id="nothing left over"),
        pytest.param(100, [1, 1, 1], (34, 33, 33), id="equal remainders: the earliest"),
        pytest.param(200, [1, 1, 1], (67, 67, 66), id="two left over: the first two"),
        # 10/7 = 1 rem 3, 20/7 = 2 rem 6, 40/7 = 5 rem 5: two cents are left over.
        pytest.param(10, [1, 2, 4], (1, 3, 6), id="the largest remainders, not the first"),
        pytest.param(5, [0, 1, 0], (0, 5, 0), id="no weight, no cent"),
        pytest.param(0, [3, 1], (0, 0), id="nothing to divide"),
        pytest.param(7, [9], (7,), id="one part is the whole"),
    ],
)
def test_an_amount_is_split_by_the_largest_remainder(amount, by, expected):
    assert split_by_weights(amount, by) == expected


@pytest.mark.parametrize(
    ("amount", "by"),
    [
        pytest.param(-1, [1], id="a debt"),
        pytest.param(10, [2, -1], id="a negative weight"),
        pytest.param(10, [0, 0], id="nobody to give to"),
        pytest.param(0, [], id="no parts"),
    ],
)
def test_an_impossible_split_is_refused(amount, by):
    with pytest.raises(ValueError, match=rf"^cannot split {amount} by \["):
        split_by_weights(amount, by)


@given(amounts, weights)
def test_the_parts_add_up_and_none_is_a_cent_off(amount, by):
    parts = split_by_weights(amount, by)

    assert sum(parts) == amount
    for part, weight in zip(parts, by, strict=True):
        assert abs(part * sum(by) - amount * weight) < sum(by)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        pytest.param(1200, 1200, id="whole already"),
        pytest.param(1299, 1200, id="down, not to the nearest"),
        pytest.param(99, 0, id="less than one"),
    ],
)
def test_amounts_are_cut_to_whole_euros(amount, expected):
    assert whole_euros(amount) == expected


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        pytest.param(1250, "12,50\u00a0€", id="as on the Quittung"),
        pytest.param(0, "0,00\u00a0€", id="nothing"),
        pytest.param(5, "0,05\u00a0€", id="cents keep their zero"),
        pytest.param(-50, "−0,50\u00a0€", id="true minus"),
        pytest.param(100_000, "1.000,00\u00a0€", id="thousands are parted"),
        pytest.param(123_456_789, "1.234.567,89\u00a0€", id="millions too"),
    ],
)
def test_an_amount_reads_as_german_money(amount, expected):
    assert euro(amount) == expected


@pytest.mark.parametrize(
    ("permille", "expected"),
    [
        pytest.param(300, "30\u00a0%", id="no tenths"),
        pytest.param(125, "12,5\u00a0%", id="tenths"),
        pytest.param(4, "0,4\u00a0%", id="less than one"),
    ],
)
def test_a_share_reads_as_german_percent(permille, expected):
    assert percent(permille) == expected
