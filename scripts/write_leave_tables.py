"""Writes the tables of docs/leave.md from the rule data of the leave pack.

python scripts/write_leave_tables.py docs/leave.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from whence.packs.leave.eligibility.documenting import documented
from whence.packs.leave.eligibility.editions import editions

page = Path(sys.argv[1])
page.write_text(documented(page.read_text(encoding="utf-8"), editions()), encoding="utf-8")
