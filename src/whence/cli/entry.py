"""Where the command begins; loading the program takes a while, and may be stopped meanwhile.

Nothing but the standard library is imported before Ctrl-C is safe.
"""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Load the command line and run it; Ctrl-C meanwhile ends it at once and without a trace."""
    # Matrices are small here: with threads of its own, numpy takes ten times the processor time,
    # and on a busy machine the first answer of a conversation waits for seconds.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.default_int_handler:  # else somebody had it ignored, as `nohup` does
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from whence.cli import app

    signal.signal(signal.SIGINT, previous)
    app.main()
