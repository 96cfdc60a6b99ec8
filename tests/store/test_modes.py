"""What is kept is for its owner alone: a file that others can read shows every hand."""

import stat
from pathlib import Path

import pytest

from karma.clock import WallClock
from karma.server.operator import TOKEN_FILE, operator_token
from karma.store import StoreError
from karma.store.sqlite import FILE, SqliteArchive, SqliteStore


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder, copy = tmp_path / "data", tmp_path / "copy"
    store = SqliteStore(folder, WallClock())
    await store.log.append("a", 0, [b"1"])
    archive = SqliteArchive(folder)
    archive.backup(copy)
    archive.close()
    for each in (folder, copy):
        assert mode(each) == 0o700
        assert {mode(file) for file in each.iterdir()} == {0o600}
    store.close()


def test_files_that_others_can_read_are_closed_at_the_start(tmp_path: Path) -> None:
    SqliteStore(tmp_path, WallClock()).close()
    (tmp_path / FILE).chmod(0o644)
    store = SqliteStore(tmp_path, WallClock())
    assert mode(tmp_path / FILE) == 0o600
    store.close()


def test_an_empty_token_opens_nothing(tmp_path: Path) -> None:
    assert len(operator_token(tmp_path)) > 40
    assert mode(tmp_path / TOKEN_FILE) == 0o600
    assert operator_token(tmp_path) == operator_token(tmp_path)
    (tmp_path / TOKEN_FILE).write_text("\n")
    with pytest.raises(StoreError, match=r"operator\.token is empty; delete it"):
        operator_token(tmp_path)


def test_a_folder_that_others_can_enter_is_closed_if_it_is_ours_alone(tmp_path: Path) -> None:
    ours, shared = tmp_path / "ours", tmp_path / "shared"
    for folder in (ours, shared):
        SqliteStore(folder, WallClock()).close()
        folder.chmod(0o755)
    (shared / "letters").write_text("of somebody")
    for folder in (ours, shared):
        SqliteStore(folder, WallClock()).close()
    assert mode(ours) == 0o700
    assert mode(shared) == 0o755  # whose it is, is not for us to say; the files are closed
    assert mode(shared / FILE) == 0o600
