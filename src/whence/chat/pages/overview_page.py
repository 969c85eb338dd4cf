"""Entries and topics for every page that lists records: how many, and their research status."""

from __future__ import annotations

from datetime import timedelta

from whence.chat.citing.staleness import format_age
from whence.chat.pages.overview import Overview, RecordGroup
from whence.chat.pages.page import PageEntry, PageTopic, reads_out

_NOTHING_ELSE = (
    r"(?:\W+(?:are|do|have|is|does|there|here|i|we|you|got|in|on|the|this|page|list|all|total|now|"
    r"my|exist|shown|currently|at|moment|right|see|altogether))*\W*$"
)
"""A question about some of the records, `how many start in March`, is no question about all."""


def overview_entries(
    overview: Overview, one: str, many: str, stale_after: timedelta
) -> list[PageEntry]:
    """The groups as entries; `one` and `many` name what is listed: `item`, `items`."""

    def entry(name: str, group: RecordGroup, state: str, singular_state: str = "") -> PageEntry:
        words = _sentence(
            group, one, many, (singular_state or state) if group.total == 1 else state
        )
        return PageEntry(name, f"{many.capitalize()} {state or 'in all'}", words)

    age = format_age(stale_after)
    old = f"whose research is older than {age} or than the last change"
    return [
        entry("all", overview.all, ""),
        entry("researched", overview.researched, "with research"),
        entry("waiting", overview.waiting, "that wait for research", "that waits for research"),
        entry("under_way", overview.under_way, "under research now"),
        entry("stale", overview.stale, old),
    ]


def overview_topics(many: str) -> tuple[PageTopic, ...]:
    """The topics for `overview_entries`, the most specific first."""
    return (
        PageTopic(
            "waiting",
            "which wait for research",
            (r"\bwait", r"\bnot (yet )?(been )?research", r"\bunresearched\b",
             r"\bwithout research", r"\bstill (need|open|to do)", r"\bneeds? research"),
            reads_out("waiting", "under_way"),
            f"Which {many} wait for research?",
        ),
        PageTopic(
            "stale",
            "which research is old",
            (r"\bstale\b", r"\bold(er)?\b", r"\boutdated\b", r"\bout of date\b", r"\brefresh",
             r"\bno longer (hold|current)", r"\bchanged since\b"),
            reads_out("stale"),
            "Which research is stale?",
        ),
        PageTopic(
            "under_way",
            "what is being researched now",
            (r"\bunder ?way\b", r"\brunning\b", r"\bright now\b", r"\bbeing researched\b",
             r"\bin progress\b"),
            reads_out("under_way"),
            f"Which {many} are being researched now?",
        ),
        PageTopic(
            "researched",
            "how many were researched",
            (r"\b(were|are|been|have) research", r"\bresearched\b", r"\bwith research\b"),
            reads_out("researched", "waiting"),
            f"How many {many} were researched?",
        ),
        PageTopic(
            "all",
            f"how many {many} there are",
            (rf"\bhow many(?: {many}| of them| records)?{_NOTHING_ELSE}",
             rf"\b(?:count|number) of(?: the| all| my)? {many}{_NOTHING_ELSE}",
             r"\boverview\b", r"\bsummar",
             r"\blist\b", rf"\bwhat {many}\b", r"\bwhich .* (are )?(there|here)\b"),
            reads_out("all", "researched", "waiting", "stale"),
            f"How many {many} are there?",
        ),
    )  # fmt: skip


def _sentence(group: RecordGroup, one: str, many: str, state: str) -> str:
    total = group.total
    thing = one if total == 1 else many
    is_are = "is" if total == 1 else "are"
    head = f"There {is_are} {total or 'no'} {thing}{f' {state}' if state else ''}"
    if not group.names:
        return f"{head}."
    rest = total - len(group.names)
    more = f", and {rest} more" if rest else ""
    return f"{head}: {', '.join(f'“{name}”' for name in group.names)}{more}."
