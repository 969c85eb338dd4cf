"""Where the command begins; loading the program takes a while, and may be stopped meanwhile.

Nothing but the standard library is imported before Ctrl-C is safe.
"""

from __future__ import annotations

import signal


def main() -> None:
    """Load the command line and run it; Ctrl-C meanwhile ends it at once and without a trace."""
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.default_int_handler:  # else somebody had it ignored, as `nohup` does
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from whence.cli import app

    signal.signal(signal.SIGINT, previous)
    app.main()
