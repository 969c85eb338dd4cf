"""Settings, read once from the environment (`WHENCE_*`) by the composition root.

Every field is documented in `docs/reference/settings.md`; a test holds the two together.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def default_home() -> Path:
    """Where whence keeps its data: the user's own folder; for root a system folder.

    PostgreSQL refuses to run as root, so its unprivileged account must be able to reach the
    data, and `/root` is closed to it on every usual system.
    """
    if os.geteuid() == 0:
        return Path("/var/lib/whence")
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "whence"


class Settings(BaseSettings):
    """What an operator can set for the engine.

    Packs have settings of their own (`WHENCE_<PACK>_*`), and model providers read their own keys.
    """

    model_config = SettingsConfigDict(env_prefix="WHENCE_", extra="ignore", frozen=True)

    home: Path = Field(default_factory=default_home)
    """Folder for the embedded database, uploads and secrets."""
    database_url: SecretStr | None = None
    """External PostgreSQL (>= 16 with pgvector); unset: the embedded one."""
    pack_dirs: Annotated[list[Path], NoDecode] = Field(default_factory=list)
    """Folders with further packs, separated by `:`."""

    host: str = "127.0.0.1"
    """Address that `whence serve` listens on."""
    port: int = Field(default=8000, ge=0, le=65535)
    """Port that `whence serve` listens on; 0 picks a free one."""
    web_dir: Path | None = None
    """Folder of the built web application; unset: the one that ships with whence."""

    accounts: bool = False
    """Whether people sign in with e-mail and password; needed to listen beyond loopback."""
    public_url: str | None = None
    """Address that people use, such as `https://whence.example.org`, where a proxy is in front."""
    trusted_proxies: Annotated[list[str], NoDecode] = Field(default_factory=list)
    """Addresses of proxies whose forwarded headers are believed, separated by `,`."""
    allowed_origins: Annotated[list[str], NoDecode] = Field(default_factory=list)
    """Other sites whose pages may call the API and open sockets by token, separated by `,`."""
    requests_per_minute: int = Field(default=1200, ge=1)
    """Requests that one signed-in user or one address may send to one API process in a minute."""
    access_minutes: float = Field(default=10.0, gt=0, le=1440)
    """Life of the access token of a signed-in browser."""
    session_days: float = Field(default=14.0, gt=0)
    """Days without use after which a signed-in browser has to sign in again; 90 at most."""

    upload_mb: int = Field(default=1024, ge=1, le=1024**2)
    """Largest file that may be uploaded, in megabytes."""

    model: str | None = None
    """Chat model, `provider:name` (openai, anthropic, ollama); unset: rules only."""
    vision_model: str | None = None
    """Model that looks at photographs, `provider:name`; unset: local perception only."""
    model_base_url: str | None = None
    """Base URL of the model provider, for a proxy or a local server."""
    model_answer_characters: int = Field(default=40_000, ge=1_000)
    """Longest answer of a model that is taken; a longer one is cut off there, or counts as none."""
    model_timeout: float = Field(default=60.0, gt=0)
    """Seconds a model call may take."""
    chat_first_token_seconds: float = Field(default=15.0, gt=0)
    """Seconds that a chat waits for the beginning of a model's answer before rules answer."""

    worker_concurrency: int = Field(default=4, ge=1, le=64)
    """Runs that one worker works on at once."""
    node_concurrency: int = Field(default=8, ge=1, le=64)
    """Nodes of one run that work at once, where its flow forks."""
    heartbeat_seconds: float = Field(default=3.0, gt=0)
    """How often a worker says that it is alive."""
    stalled_seconds: float = Field(default=9.0, gt=0, validate_default=True)
    """Silence after which a worker's runs are handed to another; at least two heartbeats."""

    budget_calls: int = Field(default=40, ge=0)
    """Model calls that one run may make."""
    budget_tokens: int = Field(default=200_000, ge=0)
    """Model tokens (in and out) that one run may use."""
    budget_usd: float = Field(default=1.0, ge=0)
    """Money that one run may spend on models, US dollars."""
    budget_seconds: float = Field(default=600.0, gt=0)
    """Working time that one run may take, seconds."""

    chat_tokens: int = Field(default=2_000_000, ge=0)
    """Model tokens (in and out) that one conversation may use."""
    chat_usd: float = Field(default=5.0, ge=0)
    """Money that one conversation may spend on models, US dollars."""
    chat_day_tokens: int = Field(default=20_000_000, ge=0)
    """Model tokens that all conversations of an organization may use in a day (UTC)."""
    chat_day_usd: float = Field(default=20.0, ge=0)
    """Money that all conversations of an organization may spend in a day (UTC), US dollars."""

    schedules: int = Field(default=100, ge=0)
    """Schedules that people of one organization may set, besides those that packs declare."""
    schedule_seconds: int = Field(default=60, ge=1)
    """Shortest time between two ticks of a schedule that a person sets."""

    rollout: str | None = None
    """Which version of a flow does new work, such as `items/research=shadow:2`; unset: primary."""
    deletion: Literal["keep", "erase"] = "keep"
    """Whether a deleted record's research and conversations stay stored, or are erased with it."""
    checkpoint_days: float = Field(default=7.0, ge=0)
    """Days that the checkpoints of a finished run are kept."""
    event_days: float = Field(default=30.0, gt=0)
    """Days that the events of a finished run are kept."""
    wizard_days: float = Field(default=30.0, ge=0)
    """Days that a wizard's answers are kept after it ended or expired."""
    call_days: float = Field(default=90.0, ge=1)
    """Days that lines in the logs of tool and model calls are kept."""
    prompt_days: float = Field(default=14.0, ge=0)
    """Days that what a run sent to a model, and its answer, are kept; 0 stores neither."""
    job_days: float = Field(default=90.0, ge=1)
    """Days that a job of a pack is kept after it ended; research stays."""
    import_days: float = Field(default=90.0, ge=1)
    """Days that an import that ended keeps its rows: refusals, warnings and previous values."""
    audit_days: float | None = Field(default=None, ge=30)
    """Days that the audit log is kept; unset: forever."""

    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    """Port on which `whence worker` shows its metrics, on loopback; unset: nowhere."""
    metrics_token: SecretStr | None = None
    """Bearer token that `/metrics` asks for; unset: it answers this machine only."""

    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """Least severe log line that is written."""

    @field_validator("stalled_seconds")
    @classmethod
    def _outlasts_a_late_heartbeat(cls, value: float, info: ValidationInfo) -> float:
        heartbeat = cast(object, info.data.get("heartbeat_seconds"))
        if isinstance(heartbeat, float) and value < 2 * heartbeat:
            raise PydanticCustomError(
                "stalled_too_soon",
                "It must be at least twice WHENCE_HEARTBEAT_SECONDS ({heartbeat}), or workers "
                "that are alive lose their runs",
                {"heartbeat": heartbeat},
            )
        return value

    @field_validator("trusted_proxies", "allowed_origins", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return [part.strip() for part in value.split(",") if part.strip()]

    @field_validator("pack_dirs", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            [Path(part) for part in value.split(":") if part] if isinstance(value, str) else value
        )
