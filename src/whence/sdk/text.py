"""Text from outside: cleaned, shortened for quoting, and identified by its content."""

from whence.kernel.text import clean, digest, quoted

__all__ = [
    "clean",
    "digest",
    "quoted",
]
