"""Compiled code is kept under a digest of the sources, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import karma

PROGRAM = """
import numba, karma
from pathlib import Path
karma.Game(karma.MINI, 2, seed=1)
folder = Path(numba.config.CACHE_DIR)
print(folder)
print(folder.parent.is_dir())
"""


def test_without_a_home_code_is_kept_in_a_passing_folder(tmp_path):
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file" / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)  # plain code is kept nowhere
    before = {*Path(karma.__file__).parent.rglob("*.nbi")}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=280,
        check=True,
    )
    folder, was_there = answer.stdout.split()
    assert was_there == "True"
    assert not Path(folder).exists()
    assert {*Path(karma.__file__).parent.rglob("*.nbi")} == before


AT_ONCE = """
import os, sys
from karma.core import kernel
from numba.core.caching import IndexDataCacheFile

def cache():
    return IndexDataCacheFile(sys.argv[1], "function", source_stamp=1)

small, large = cache(), cache()
large._load_index = dict  # it looked when nothing was there yet
own, save = os.getpid(), small._save_data

def save_late(name, data):
    os.getpid = lambda: own + 1  # another process saves its code meanwhile
    large.save("large layout", "code for the large one")
    os.getpid = lambda: own
    save(name, data)

small._save_data = save_late
small.save("small layout", "code for the small one")
print(cache().load("large layout"))
"""


def test_two_processes_that_compile_at_once_do_not_mix_up_their_code(tmp_path):
    """A function is compiled for states of two layouts; each has to find its own."""
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    program = [sys.executable, "-c", AT_ONCE, str(tmp_path)]
    answer = subprocess.run(program, capture_output=True, text=True, env=environment, check=True)
    assert answer.stdout == "code for the large one\n"


NAMES = """
import sys
from karma.core import kernel, layout
import numba
layouts = {"small": layout.SMALL_STATE, "large": layout.LARGE_STATE}
print(sorted((name, *numba.from_dtype(layouts[name]).mangling_args) for name in sys.argv[1:]))
"""


def test_machine_code_has_the_same_names_whichever_layout_a_process_meets_first():
    """Code from disk is linked by its names with what the process has compiled itself."""
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    told = [
        subprocess.run(
            [sys.executable, "-c", NAMES, *order],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        ).stdout
        for order in (("small", "large"), ("large", "small"))
    ]
    assert told[0] == told[1] != ""
