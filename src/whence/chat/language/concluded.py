"""Values that research concludes, by the names that a pack gives them: `price it at the target`."""

from __future__ import annotations

import re

from whence.chat.offer import Editable
from whence.chat.record_view import RecordView
from whence.evidence.wire import ClaimAnswer
from whence.kernel.errors import Invalid


def concluded_names(words: str, editable: Editable) -> list[str]:
    """The names of concluded values in the words."""
    return [each for each in editable.concluded if re.search(rf"\b{each}\b", words, re.I)]


def concluded_claim(name: str, editable: Editable, view: RecordView) -> ClaimAnswer:
    """The claim that concludes the value; raises Invalid if there is none to rely on."""
    claim = view.claim(editable.concluded[name])
    if claim is None or claim.verdict == "unsupported" or claim.value is None:
        label = editable.words[0] if editable.words else editable.field.replace("_", " ")
        raise Invalid(
            f"Research has no supported {name} for the {label}. Ask me to research this, or say "
            "the value."
        )
    return claim
