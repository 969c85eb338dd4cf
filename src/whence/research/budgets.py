"""What one run of a flow may use: the installation's defaults, the flow's own, the operator's."""

from __future__ import annotations

from decimal import Decimal

from whence.kernel.settings import Settings
from whence.research.flow import Flow
from whence.work.budget import Budget


def budget_of(settings: Settings, flow: Flow) -> Budget:
    """The flow's own limits, and the defaults where it has none.

    A limit that the operator has set caps the flow's.
    """
    own, most = flow.budget, Budget.of(settings)

    def limit(name: str, wanted: float | None, default: float) -> float:
        if wanted is None:
            return default
        is_set = f"budget_{name}" in settings.model_fields_set
        return min(wanted, default) if is_set else wanted

    return Budget(
        calls=int(limit("calls", own.calls, most.calls)),
        tokens=int(limit("tokens", own.tokens, most.tokens)),
        usd=Decimal(str(limit("usd", own.usd, float(most.usd)))),
        seconds=limit("seconds", own.seconds, most.seconds),
    )
