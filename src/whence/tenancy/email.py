"""E-mail addresses in the form that identifies accounts."""

from __future__ import annotations

import re

from whence.kernel.errors import Invalid

MAX_EMAIL = 254
"""Characters; the longest path of RFC 5321 (section 4.5.3.1.3) without its brackets."""
_EMAIL = re.compile(r"[^@\s\x00-\x1f<>,;]+@[^@\s\x00-\x1f<>,;]+")


def normal_email(text: str) -> str:
    """The address in lower case and trimmed; raises Invalid if it is not an address."""
    email = text.strip().lower()
    if len(email) > MAX_EMAIL or not _EMAIL.fullmatch(email) or not email.isprintable():
        raise Invalid("This is not an e-mail address; write it as name@example.org.")
    return email
