"""Tools of the leave pack, one file each."""

from .assess_leave import assess_leave
from .search_leave_rules import search_leave_rules

TOOLS = (assess_leave, search_leave_rules)
