"""The one place that knows Numba: how the rules are compiled, cached and run without a compiler.

`@kernel` marks a function that other kernels use: it is inlined into them, which is the largest
single gain in speed. It makes no arrays and returns none, so nobody need count who holds them,
which took a quarter of a search's time. `@entry` marks one that Python calls: it takes structured
arrays (of length one for a single game) and keeps its machine code on disk; `direct` is for those
that are called all the time. With ``NUMBA_DISABLE_JIT=1`` the same source runs as plain Python,
slowly and with every index and overflow checked.

Three operations on words of bits are instructions of the processor and have no name in NumPy:
`count`, `lowest_place` and `nth`. `index` says of a number that it is not negative: an index that
might be costs three instructions more, for counting from the end.
"""

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding  # type: ignore[import-untyped]
import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Word = Any  # an np.int64: sixty-three bits, never the sign
PLAIN = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _cache_folder() -> Path:  # pragma: no cover - for compiled code
    """A folder named by a digest of all compiled sources.

    Numba looks for changes in a function's own file only; a change in a kernel that it imports
    would go unnoticed. With the digest in the name, any change starts a new cache.
    """
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for text in _compiled_sources().values():
        digest.update(text)
    return _cache_base() / "karma" / digest.hexdigest()[:16]


def _compiled_sources() -> dict[Path, bytes]:  # pragma: no cover - for compiled code
    """The sources that have kernels, with their texts."""
    package = Path(__file__).parent.parent
    texts = {source: source.read_bytes() for source in sorted(package.rglob("*.py"))}
    return {
        source: text
        for source, text in texts.items()
        if source.parent.name == "core" or b"core.kernel import" in text
    }


def _cache_base() -> Path:  # pragma: no cover - for compiled code
    """The user's folder for caches, or, where nothing can be written there, a passing one.

    Numba would fall back to the source tree, by file and not by digest: stale code. Processes that
    this one starts share the passing folder, which goes with this one.
    """
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        (base / "karma").mkdir(parents=True, exist_ok=True)
        if os.access(base / "karma", os.W_OK):
            return base
    except (OSError, RuntimeError):
        pass
    passing = tempfile.mkdtemp(prefix="karma-")
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    os.environ["XDG_CACHE_HOME"] = passing
    return Path(passing)


def compiled_mark(name: str) -> Path:  # pragma: no cover - for compiled code
    """A file beside the machine code that stands for it: while it is there, it need not be made.

    Other sources, be they other by their time alone, and other processors have other files: Numba
    would compile anew for them.
    """
    digest = hashlib.sha256(llvmlite.binding.get_host_cpu_name().encode())
    for source in _compiled_sources():
        stat = source.stat()
        digest.update(f"{source} {stat.st_mtime_ns} {stat.st_size} ".encode())
    folder = Path(numba.config.CACHE_DIR)  # type: ignore[attr-defined]
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}-{digest.hexdigest()[:16]}"


if PLAIN:

    def kernel(function: F) -> F:
        """A function of the core, as plain Python."""
        return function

    def routine(function: F) -> F:
        """A long function that kernels call, as plain Python."""
        return function

    def entry(function: F) -> F:
        """An entry point in plain Python: records get attributes, results are Python's numbers."""

        def as_records(value: object) -> object:
            if isinstance(value, np.ndarray) and value.dtype.names:
                return value.view(np.recarray)
            return value

        def as_numbers(value: object) -> object:
            if isinstance(value, tuple):
                return tuple(map(as_numbers, value))
            return value.item() if isinstance(value, np.generic) else value

        @functools.wraps(function)
        def run(*arguments: object) -> object:
            return as_numbers(function(*map(as_records, arguments)))

        return cast(F, run)

    def direct(function: F, *arguments: object) -> F:
        """An entry for arguments of these types: in plain Python, the entry itself."""
        return function

    def count(word: Word) -> int:
        """How many bits are set."""
        return int(word).bit_count()

    def lowest_place(word: Word) -> int:
        """The place of the lowest bit that is set."""
        return (int(word) & -int(word)).bit_length() - 1

    def nth(word: Word, n: int) -> int:
        """The place of the n-th bit that is set, counted from 0."""
        for _ in range(n):
            word &= word - 1
        return lowest_place(word)

    def index(number: int) -> int:
        """A number that is never negative: here that is checked."""
        assert number >= 0
        return number

else:  # pragma: no cover - coverage looks at the plain half
    from llvmlite import ir
    from numba.core import caching as _caching
    from numba.extending import intrinsic as _intrinsic

    caching: Any = _caching
    intrinsic: Any = _intrinsic

    class OwnFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
        """Machine code on disk, in files that no other process writes to.

        Numba numbers them, and two processes that compile a function at once, for states of two
        layouts, would both write its first file: later ones would run the code of the other layout.
        """

        def _data_name(self, number: int) -> str:
            name: str = super()._data_name(number)
            return f"{name.removesuffix('.nbc')}-{os.getpid()}-{_STARTED}.nbc"

    _STARTED = time.time_ns()  # numbers of processes come again
    caching.IndexDataCacheFile = OwnFiles

    def _name_by_fields(record: Any) -> tuple[str, tuple[str]]:
        """What machine code calls a record: by its fields, the same in every process.

        Numba numbers records as a process comes across them. Code that another process has left on
        disk for one layout would be linked to that of the other, if it met them the other way.
        """
        return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)

    _records: Any = numba.types.Record
    _records.mangling_args = property(_name_by_fields)

    numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]
    _OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
    #: No way in from Python, and no counting of who holds an array.
    _INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}

    def kernel(function: F) -> F:
        """A function of the core, compiled into every kernel that calls it."""
        return cast(F, numba.njit(**_OPTIONS, **_INNER)(function))

    def routine(function: F) -> F:
        """A long function that kernels call: compiled once, since copies of it would cost more."""
        return cast(F, numba.njit(**_OPTIONS | {"forceinline": False}, **_INNER)(function))

    def entry(function: F) -> F:
        """A compiled function for Python to call; its machine code is kept on disk."""
        return cast(F, numba.njit(cache=True, **_OPTIONS)(function))

    def direct(function: F, *arguments: object) -> F:
        """An entry for arguments of these types, which it does not look at any more.

        Looking takes longer than most entries do. It is for the caller to give the right ones.
        """
        compiler: Any = function
        signature = tuple(map(numba.typeof, arguments))
        compiler.compile(signature)
        return cast(F, compiler.overloads[signature].entry_point)

    @intrinsic
    def count(typing_context, word):  # type: ignore[no-untyped-def]
        """How many bits are set."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return numba.types.int64(numba.types.int64), emit

    @intrinsic
    def lowest_place(typing_context, word):  # type: ignore[no-untyped-def]
        """The place of the lowest bit that is set; the word may not be zero."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return numba.types.int64(numba.types.int64), emit

    @intrinsic
    def index(typing_context, number):  # type: ignore[no-untyped-def]
        """A number that is never negative, of which the compiler makes use."""

        def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            truth = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
            assume = builder.module.declare_intrinsic("llvm.assume", fnty=truth)
            none = ir.Constant(arguments[0].type, 0)
            builder.call(assume, [builder.icmp_signed(">=", arguments[0], none)])
            return arguments[0]

        return numba.types.int64(numba.types.int64), emit

    if llvmlite.binding.get_host_cpu_features().get("bmi2"):

        @intrinsic
        def _deposit(typing_context, bits, word):  # type: ignore[no-untyped-def]
            def emit(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                word = ir.IntType(64)
                deposit = builder.module.declare_intrinsic(
                    "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
                )
                return builder.call(deposit, arguments)

            return numba.types.int64(numba.types.int64, numba.types.int64), emit

        @kernel
        def nth(word: Word, n: int) -> int:
            """The place of the n-th bit that is set, counted from 0."""
            return lowest_place(_deposit(np.int64(1) << n, word))

    else:

        @kernel
        def nth(word: Word, n: int) -> int:
            """The place of the n-th bit that is set, counted from 0."""
            for _ in range(n):
                word &= word - 1
            return lowest_place(word)


# ---- chance inside kernels ----------------------------------------------------------------------


def random_words(generator: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The state of a small generator for kernels (xorshift), drawn from a good one."""
    return generator.integers(1, 2**63 - 1, size=1, dtype=np.int64)


@kernel
def below(rng: Any, n: int) -> int:
    """A random number from 0 to n - 1."""
    word = rng[0]
    word ^= word << 13
    word ^= word >> 7 & 0x1FFFFFFFFFFFFFF
    word ^= word << 17
    rng[0] = word
    return (word >> 32 & 0xFFFFFFFF) * n >> 32  # type: ignore[no-any-return]
