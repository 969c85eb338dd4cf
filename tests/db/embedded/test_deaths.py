"""Any of the processes may be killed at any time; no server lives for ever and no data go."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from whence.db.embedded.keeper import running_server
from whence.db.embedded.locks import is_held
from whence.db.embedded.processes import leftovers, postmaster

pytestmark = pytest.mark.usefixtures("made_before")


def all_gone(layout) -> bool:
    return not is_held(layout.server_lock) and not is_held(layout.watch_lock)


def watchdog(layout) -> psutil.Process:
    return psutil.Process(postmaster(layout)).parent()


def test_when_its_only_user_is_killed_the_server_ends_and_the_data_stay(
    user, layout, postgres, query, eventually
):
    owner = user()
    query(owner.start(), "CREATE TABLE kept AS SELECT 7 AS n")
    owner.kill()
    assert eventually(lambda: all_gone(layout), 10)
    assert "database system is shut down" in layout.log.read_text()
    assert query(postgres.start().admin_url, "SELECT n FROM kept") == 7


def test_the_server_stays_while_one_user_of_many_lives(user, layout, query):
    first, second = user(), user()
    url = first.start()
    second.start()
    first.kill()
    time.sleep(1.5)  # three times what the watchdog waits for
    assert query(url, "SELECT 1") == 1


def test_a_restart_within_the_grace_joins_the_running_server(user, layout, home):
    first, second = user(), user()
    first.start()
    pid = postmaster(layout)
    first.kill()
    second.start()
    assert postmaster(layout) == pid


def test_after_the_postmaster_was_killed_the_next_start_recovers(postgres, layout, query):
    url = postgres.start().admin_url
    query(url, "CREATE TABLE kept AS SELECT 7 AS n")
    idle = psycopg.connect(url)
    killed = postmaster(layout)
    os.kill(killed, signal.SIGKILL)
    assert layout.pid_file.exists()
    assert query(postgres.start().admin_url, "SELECT n FROM kept") == 7
    assert postmaster(layout) not in {None, killed}
    with pytest.raises(psycopg.OperationalError):
        idle.execute("SELECT 1")
    idle.close()


def test_a_killed_server_leaves_nothing_in_the_systems_shared_memory(postgres, layout):
    if not Path("/proc/self/maps").exists():
        pytest.skip("only Linux tells what a process maps")
    postgres.start()
    maps = Path(f"/proc/{postmaster(layout)}/maps").read_text()
    assert "/dev/shm/PostgreSQL" not in maps
    assert "/pg_dynshmem/" in maps


def test_a_joined_process_that_starts_again_gets_a_live_server(user, postgres, layout, query):
    first = user()
    first.start()
    url = postgres.start().admin_url
    os.kill(postmaster(layout), signal.SIGKILL)
    assert first.start() == url
    pid = postmaster(layout)
    assert postgres.start().admin_url == url
    assert postmaster(layout) == pid
    first.release()
    assert query(url, "SELECT 1") == 1


def test_a_living_program_gets_its_killed_server_back(postgres, layout, query, eventually):
    async def scenario() -> bool:
        async with running_server(postgres) as server:
            query(server.admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
            os.kill(postmaster(layout), signal.SIGKILL)
            return await asyncio.to_thread(eventually, lambda: answers(server.admin_url), 20)

    def answers(url: str) -> bool:
        try:
            return query(url, "SELECT n FROM kept") == 7
        except psycopg.OperationalError:
            return False

    assert asyncio.run(scenario())
    assert all_gone(layout)


def test_orphans_that_do_not_leave_by_themselves_are_ended(postgres, layout, query):
    url = postgres.start().admin_url
    session = psycopg.connect(url)
    orphan = session.info.backend_pid
    os.kill(orphan, signal.SIGSTOP)
    os.kill(postmaster(layout), signal.SIGKILL)
    assert query(postgres.start().admin_url, "SELECT 1") == 1
    assert orphan not in leftovers(layout)
    session.close()


def test_when_all_of_them_are_killed_the_next_start_works(user, postgres, layout, query):
    owner = user()
    query(owner.start(), "CREATE TABLE kept AS SELECT 7 AS n")
    watch, server = watchdog(layout), postmaster(layout)
    watch.kill()
    os.kill(server, signal.SIGKILL)
    owner.kill()
    assert query(postgres.start().admin_url, "SELECT n FROM kept") == 7


def test_a_server_whose_watchdog_was_killed_gets_a_new_one(user, postgres, layout, eventually):
    owner = user()
    owner.start()
    pid = postmaster(layout)
    watchdog(layout).kill()
    assert eventually(lambda: not is_held(layout.watch_lock), 5)
    second = user()
    second.start()
    assert postmaster(layout) == pid
    assert is_held(layout.watch_lock)
    owner.kill()
    second.kill()
    assert eventually(lambda: all_gone(layout), 10)


def test_a_system_that_shuts_down_ends_the_server_in_order(postgres, layout, eventually):
    postgres.start()
    watchdog(layout).terminate()
    assert eventually(lambda: all_gone(layout), 10)
    assert "database system is shut down" in layout.log.read_text()


def test_a_start_killed_while_it_made_the_cluster_leaves_no_half_one(
    user, postgres, layout, query, eventually
):
    shutil.rmtree(layout.home)
    owner = user()
    owner.ask("start")
    assert eventually(lambda: bool(list(layout.folder.glob("data.new-*/base"))), 20)
    owner.kill()
    assert not layout.data.exists()
    assert query(postgres.start().admin_url, "SELECT 1") == 1
    assert not list(layout.folder.glob("data.new-*"))


def test_a_pause_of_a_user_is_not_its_death(user, layout, query):
    owner = user()
    url = owner.start()
    owner.process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    assert query(url, "SELECT 1") == 1
    owner.process.send_signal(signal.SIGCONT)
    owner.release()
    assert not leftovers(layout)


def test_a_home_that_was_moved_away_does_not_keep_a_server(
    user, postgres, layout, home, eventually
):
    user().start()
    postgres.start()
    pids = leftovers(layout)
    assert pids
    home.rename(home.with_name("elsewhere"))
    postgres.release()
    assert eventually(lambda: not any(psutil.pid_exists(pid) for pid in pids), 15)
