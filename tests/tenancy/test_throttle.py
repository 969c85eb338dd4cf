"""The laws of slowing guesses down: nobody is locked out by others, and nobody guesses fast."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from whence.tenancy.sign_in_throttle import Attempt, counted, forgiven
from whence.tenancy.throttle import ACCOUNT, ADDRESS, DEVICE, KNOWN_FOR, PAIR, Bucket

START = datetime(2026, 1, 1, tzinfo=UTC)
HOME, VICTIM = 0, 0
"""The address and the account of the one who knows the password."""


def attempt(address: int, account: int = VICTIM, device: bool = False) -> Attempt:
    return Attempt(
        pair=f"pair {account} {address}".encode(),
        address=f"address {address}".encode(),
        account=f"account {account}".encode(),
        device=b"device" if device else None,
    )


class World:
    """Counters and a clock; every try is wrong unless it says otherwise."""

    def __init__(self) -> None:
        self.rows: dict[bytes, Bucket] = {}
        self.at = START

    def tries(self, attempt: Attempt, *, is_right: bool = False) -> float:
        """Seconds to wait; 0 when the try was made."""
        seconds, buckets = counted(self.rows, attempt, self.at)
        self.rows |= buckets
        if seconds == 0 and is_right:
            self.rows |= forgiven(self.rows, attempt, self.at)
        return seconds


delays = st.floats(0, 2000)
attacks = st.lists(
    st.tuples(delays, st.integers(0, 6), st.integers(0, 2), st.integers(1, 40)), max_size=25
)
"""After a delay, at an address, on an account, so many tries at once."""


def attack(world: World, moves: list[tuple[float, int, int, int]], *, away: bool) -> None:
    for delay, address, account, times in moves:
        world.at += timedelta(seconds=delay)
        for _ in range(times):
            world.tries(attempt(address + (1 if away else 0), account))


@given(attacks)
@example([(0.0, 0, 0, 40), (0.1, 1, 0, 40)])
def test_a_known_device_is_not_slowed_by_anybody_else(
    moves: list[tuple[float, int, int, int]],
) -> None:
    world = World()
    attack(world, moves, away=False)  # from the same address, too
    assert world.tries(attempt(HOME, device=True), is_right=True) == 0


@given(attacks, st.lists(delays, max_size=40))
def test_a_known_device_never_waits_longer_than_a_minute(
    moves: list[tuple[float, int, int, int]], own: list[float]
) -> None:
    world = World()
    attack(world, moves, away=False)
    for delay in own:
        world.at += timedelta(seconds=delay)
        assert world.tries(attempt(HOME, device=True)) <= DEVICE.longest
    seconds = world.tries(attempt(HOME, device=True), is_right=True)
    world.at += timedelta(seconds=seconds)
    if seconds:
        assert world.tries(attempt(HOME, device=True), is_right=True) == 0


@given(attacks)
@example([(0.0, n, 0, 40) for n in range(7)])
def test_a_known_address_is_not_slowed_by_tries_from_elsewhere(
    moves: list[tuple[float, int, int, int]],
) -> None:
    world = World()
    assert world.tries(attempt(HOME), is_right=True) == 0
    elapsed = sum(delay for delay, *_ in moves)
    attack(world, moves, away=True)
    if elapsed < KNOWN_FOR.total_seconds():
        assert world.tries(attempt(HOME), is_right=True) == 0


@given(attacks, attacks)
@example([(0.0, n, 0, 40) for n in range(7)], [(1.0, 1, 0, 40)] * 10)
def test_whoever_waits_as_told_at_an_unknown_address_is_answered_within_five_minutes(
    before: list[tuple[float, int, int, int]], meanwhile: list[tuple[float, int, int, int]]
) -> None:
    world = World()
    attack(world, before, away=True)
    came = world.at
    while seconds := world.tries(attempt(HOME), is_right=True):
        assert seconds <= ACCOUNT.longest
        due = world.at + timedelta(seconds=seconds)
        for delay, address, account, times in meanwhile:
            world.at = min(due, world.at + timedelta(seconds=delay))
            for _ in range(times):
                world.tries(attempt(address + 1, account))
        world.at = due
        # What others do may move the end of the wait, but never past the longest one.
        assert world.at - came <= timedelta(seconds=ACCOUNT.longest)


@given(st.lists(st.floats(0, 90), min_size=200, max_size=400), st.booleans())
@example([0.5] * 400, False)
@example([0.5] * 400, True)
def test_one_guesser_gets_few_guesses_in_an_hour(steps: list[float], device: bool) -> None:
    world, made, begin = World(), 0, START
    for step in steps:
        world.at += timedelta(seconds=step)
        if world.at - begin > timedelta(hours=1):
            break
        made += world.tries(attempt(HOME, device=device)) == 0
    # five for nothing, six while the pause grows to a minute, one a minute, six forgotten an hour
    assert made <= 5 + 6 + 60 + 6


def test_one_address_is_slowed_over_many_accounts() -> None:
    world, made = World(), 0
    for account in range(2000):
        world.at += timedelta(seconds=0.5)
        made += world.tries(attempt(HOME, account)) == 0
    # a thousand seconds: thirty for nothing, then one in ten seconds, one forgotten a minute
    assert made <= 30 + 100 + 17 + 4


def test_many_addresses_are_slowed_at_one_account() -> None:
    world, made = World(), 0
    for _ in range(600):
        world.at += timedelta(seconds=1)
        made += sum(world.tries(attempt(address)) == 0 for address in range(1, 21))
    # ten minutes, twenty addresses: ten for nothing, then one for each address in five minutes
    assert made <= 10 + 20 * (2 + 9)


@given(attacks)
def test_what_was_tried_is_forgotten_in_hours(moves: list[tuple[float, int, int, int]]) -> None:
    world = World()
    attack(world, moves, away=False)
    world.at += timedelta(hours=4)
    for throttle, key in ((PAIR, attempt(1).pair), (ADDRESS, attempt(1).address)):
        assert throttle.level(world.rows.get(key), world.at) == 0
    assert world.tries(attempt(HOME)) == 0


def test_a_right_password_does_not_clear_what_others_share() -> None:
    world = World()
    for account in range(1, 60):
        world.tries(attempt(HOME, account))
    before = world.rows[attempt(HOME).address].level
    world.tries(attempt(HOME, 99), is_right=True)
    assert world.rows[attempt(HOME).address].level >= before - 1


def test_tries_that_are_counted_in_another_order_than_they_came_are_all_let_through() -> None:
    world = World()
    for number in range(PAIR.free):
        world.at = START - timedelta(milliseconds=number)
        assert world.tries(attempt(HOME)) == 0
