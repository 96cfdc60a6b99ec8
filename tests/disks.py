"""Small disks of the tests' own, to be filled, to fail, or to be written no more. Needs root."""

import contextlib
import fcntl
import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

MEBIBYTE = 1 << 20
BALLAST = "ballast"
SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN of the kernel


def run(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")


class Disk:
    """A file system of a few mebibytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Takes all the room that is left."""
        with (self.folder / BALLAST).open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                left = shutil.disk_usage(self.folder).free
                file.write(bytes(min(MEBIBYTE, max(left, 4096))))

    def free(self) -> None:
        """Gives it back."""
        (self.folder / BALLAST).unlink()


@contextlib.contextmanager
def small_disk(mebibytes: int) -> Iterator[Disk]:
    """A disk in memory, which other users may read too."""
    folder = Path(tempfile.mkdtemp(prefix="karma-disk-"))
    run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=755", "karma-disk", folder)
    try:
        yield Disk(folder)
    finally:
        run("umount", "--lazy", folder)
        folder.rmdir()


class FailingDisk:
    """A disk whose blocks are in a file on a small disk: when that is full, writing fails."""

    def __init__(self, below: Disk, folder: Path, mebibytes: int) -> None:
        self._below = below
        self._folder = folder
        self._image = below.folder / "image"
        with self._image.open("wb") as file:
            file.truncate(mebibytes * MEBIBYTE)
        run("mkfs.ext4", "-q", self._image)
        folder.mkdir()
        run("mount", "-o", "loop,errors=continue", self._image, folder)

    def fail(self) -> None:
        """From now on blocks that were never written cannot be."""
        self._below.fill()

    def mend(self) -> None:
        self._below.free()

    def die(self) -> None:
        """Nothing can be read from it or written to it any more, until it is mounted anew."""
        folder = os.open(self._folder, os.O_RDONLY)
        fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", 0))
        os.close(folder)

    def mount_again(self, how: str = "rw") -> None:
        """As after the machine was mended; or read-only, as after it was not."""
        run("umount", self._folder)
        run("mount", "-o", f"loop,errors=continue,{how}", self._image, self._folder)

    def end(self) -> None:
        run("umount", "--lazy", self._folder)


def are_to_be_had() -> bool:
    """Whether this machine lets us have disks of our own."""
    return os.getuid() == 0
