"""Schedules: jobs that are started again and again, by a cron expression or at an interval."""
