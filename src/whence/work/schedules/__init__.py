"""Schedules: jobs that start repeatedly, by a cron expression or at an interval."""
