"""One word for a thing: what the sources call their classes."""

import re
from collections import Counter
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src/karma"


def test_no_two_classes_have_one_name():
    sources = (path.read_text() for path in SOURCES.rglob("*.py"))
    names = Counter(name for text in sources for name in re.findall(r"(?m)^class ([A-Z]\w+)", text))
    assert [name for name, times in names.items() if times > 1] == []
