"""Text from outside: cleaned, shortened for quoting, and identified by its content."""

from whence.kernel.text import PLAIN_LETTERS, clean, digest, quoted
from whence.kernel.words import CURRENCY_NAMES, NUMBERS, sentences

__all__ = [
    "CURRENCY_NAMES",
    "NUMBERS",
    "PLAIN_LETTERS",
    "clean",
    "digest",
    "quoted",
    "sentences",
]
