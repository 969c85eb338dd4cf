"""Background work: jobs with a typed payload, in a queue of the pack's own."""

from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.jobs import Jobs
from whence.work.queue import Priority
from whence.work.submission import Submission

__all__ = [
    "Job",
    "JobContext",
    "Jobs",
    "Priority",
    "Submission",
]
