"""What a load counts: processes may end while they are counted."""

import os
import subprocess
import sys

from processes import cpu


def test_a_process_that_has_ended_counts_no_more() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    assert cpu([ended.pid]) == 0 < cpu([os.getpid(), ended.pid])
