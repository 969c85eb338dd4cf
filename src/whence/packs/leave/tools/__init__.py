"""Tools of the leave pack, one file each."""

from .assess_leave import assess_leave
from .draft_notices import draft_notices
from .search_leave_rules import search_leave_rules

TOOLS = (assess_leave, draft_notices, search_leave_rules)
