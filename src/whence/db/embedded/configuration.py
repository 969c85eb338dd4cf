"""The settings of the embedded server: small, private, durable."""

from __future__ import annotations

from collections.abc import Mapping

from whence.db.embedded.layout import PORT, Layout

SERVER_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    # Memory: a small application that shares its machine.
    "shared_buffers": "128MB",
    "huge_pages": "off",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "effective_cache_size": "512MB",
    # The machine's page cache serves the reads: three I/O processes gain nothing.
    "io_method": "sync",
    # Files in the cluster: /dev/shm is only 64 MB in a container, is shared, and keeps the segments
    # of a killed server until the same cluster starts again.
    "dynamic_shared_memory_type": "mmap",
    # Two cores gain little from parallel queries, whose shared memory would be such files.
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    # WAL: an embedded server has no replicas, and a backup is a dump.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "min_wal_size": "48MB",
    "max_wal_size": "512MB",
    "checkpoint_completion_target": "0.9",
    # Log: stderr goes to one file, which the watchdog keeps short.
    "logging_collector": "off",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "log_timezone": "UTC",
    "timezone": "UTC",
    "lc_messages": "C",
    "cluster_name": "whence",
}


def server_arguments(layout: Layout, extra: Mapping[str, str]) -> list[str]:
    """The arguments of `postgres` for this home; `extra` overrides our settings."""
    place = {"unix_socket_directories": str(layout.socket_dir)}
    settings = {**SERVER_SETTINGS, **extra, **place}
    options = [f"--{name}={value}" for name, value in settings.items()]
    return ["-D", str(layout.data), *options]


def clean_environment(layout: Layout) -> dict[str, str]:
    """The environment of PostgreSQL's programs; nothing of ours is passed on."""
    return {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "TMPDIR": str(layout.tmp)}
