"""Background work: jobs with a typed payload, in a queue of the pack's own, and their schedules."""

from whence.research.research_records import RESEARCH_RECORDS, ResearchRecords
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.jobs import Jobs
from whence.work.queue import Priority
from whence.work.schedules.declaration import Schedule
from whence.work.schedules.timing import Timing, cron, every
from whence.work.submission import Submission

__all__ = [
    "RESEARCH_RECORDS",
    "Job",
    "JobContext",
    "Jobs",
    "Priority",
    "ResearchRecords",
    "Schedule",
    "Submission",
    "Timing",
    "cron",
    "every",
]
