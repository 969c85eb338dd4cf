"""Makes the text of an answer safe to show while it streams: no pictures, HTML or foreign links.

A picture or a link can leak data: a model that obeys a malicious listing may write
`![](https://…/?the secret)`, and a browser would fetch it.  So the character sequences that make
pictures, HTML, links and link definitions in Markdown are broken up everywhere, even in code, and
an address stays only if a cited source has exactly that address.  This follows Markdown's own rules
(CommonMark 0.31, GitHub's autolinks), not what typical text looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import Source, SourceBook

REMOVED = "(link removed)"
MAX_NESTED = 32
"""Nested brackets in a link's address; Markdown readers see no link beyond that either."""
MAX_LINK_CHARACTERS = 4_000
"""Characters of a link's address with its title; twice the longest address all browsers accept."""
_LINK = re.compile(r"""\]\(\s*<?(https?://[^\s<>]+?)>?(?:\s+"[^"\n]*"|\s+'[^'\n]*')?\s*\)""", re.I)
_ADDRESS = r"(?:[a-z][a-z0-9+.\-\\]*:\\?/\\?/|www\\?\.)[^\s<>‹]*"
"""Including the backslashes that Markdown removes before it turns addresses into links."""
_PLAIN_ADDRESS = re.compile(r"https?://[^\s<>\[\]\\`\"\x00-\x1f]+", re.I)
"""An address that cannot be mistaken for other Markdown."""
_AFTER_ADDRESS = ".,;:!?'\"”’*_~`)]"
"""Punctuation that may follow an address without being part of it, by GitHub's rules."""
_SIGN = re.compile(
    rf"""(?P<picture>(?<!!)!+(?=\[))|(?P<tag><(?=[a-z/!?]))|(?P<link>\]\()|(?P<definition>\]:)
        |(?P<entity>&(?!(?:amp|lt|gt|quot|nbsp);)(?=\#|[a-z0-9]+;))
        |(?P<address>(?<![a-z]){_ADDRESS})""",
    re.I | re.X,
)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal or change the direction of text."""
_LAST_WORD = re.compile(r"(?<!\S)\S*\Z")
"""Never starts inside a word, so that a long word is scanned only once."""


def addresses(sources: Iterable[Source]) -> frozenset[str]:
    """The addresses that an answer with these sources may link to."""
    urls = (source.url for source in sources)
    return frozenset(url for url in urls if url and is_address(url))


def without_control_characters(text: str) -> str:
    """Text without characters that control a terminal or change the direction of text."""
    return _CONTROL_CHARACTERS.sub("", text)


def is_address(url: str) -> bool:
    """Whether this is an http(s) address that cannot be mistaken for other Markdown."""
    return _PLAIN_ADDRESS.fullmatch(url) is not None


def safe(text: str, allowed: Callable[[str], bool]) -> str:
    """A complete text made safe; `allowed` says which http(s) addresses may stay."""
    markup = MarkupFilter(allowed)
    return markup.feed(text) + markup.end()


class AnswerFilter:
    """An answer on its way to a reader: `Grounding` numbers its references, the rest is made safe.

    While the answer streams, an address may stay if any source in the book has it (the marker comes
    after the address); in the finished answer, only if a cited source has it.
    """

    def __init__(self, book: SourceBook) -> None:
        self._book = book
        self._grounding = Grounding(book)
        self._markup = MarkupFilter(
            lambda url: url in addresses(source for _, source in self._book)
        )

    def feed(self, text: str) -> str:
        """Take more text; return what can be shown now."""
        return self._markup.feed(self._grounding.feed(text))

    def end(self) -> str:
        """Return what remains to be shown; no more text comes."""
        return self._markup.feed(self._grounding.end()) + self._markup.end()

    def result(self) -> Grounded:
        """The finished answer, as it is stored and shown from now on."""
        grounded = self._grounding.result()
        cited = addresses(reference.source for reference in grounded.references)
        allowed = cited.__contains__
        uncited = tuple(safe(sentence, allowed) for sentence in grounded.uncited)
        return replace(grounded, text=safe(grounded.text, allowed), uncited=uncited)


class MarkupFilter:
    """Text in, safe text out; text that may become a link is buffered until that is decided.

    The result does not depend on how the text is cut into pieces.
    """

    def __init__(self, allowed: Callable[[str], bool]) -> None:
        self._allowed = allowed
        self._buffer = ""

    def feed(self, text: str) -> str:
        """Take more text; return all but the last word and any link that is still open."""
        self._buffer += without_control_characters(text)
        match = _LAST_WORD.search(self._buffer)
        decided = self._before_open_link(match.start() if match else 0)
        # Hold back the whole word that contains the open link.
        while 0 < decided < len(self._buffer) and not self._buffer[decided - 1].isspace():
            decided -= 1
        ready, self._buffer = self._buffer[:decided], self._buffer[decided:]
        return self._safe(ready)

    def end(self) -> str:
        """Return what is still buffered; no more text comes."""
        ready, self._buffer = self._buffer, ""
        return self._safe(ready)

    def _before_open_link(self, decided: int) -> int:
        opening = self._buffer.find("](", 0, decided)
        while opening >= 0:
            closing = _closing(self._buffer, opening + 1)
            if closing is None or closing >= decided:
                return opening
            opening = self._buffer.find("](", opening + 2, decided)
        return decided

    def _safe(self, text: str) -> str:
        out: list[str] = []
        at = 0
        while sign := _SIGN.search(text, at):
            out.append(text[at : sign.start()])
            at = sign.end()
            if sign["picture"]:
                out.append(f"{sign['picture']} ")
            elif sign["tag"]:
                out.append("‹")
            elif sign["entity"]:
                out.append("&amp;")
            elif sign["definition"]:
                out.append("] :")
            elif sign["address"]:
                address, rest = _trimmed(sign["address"])
                joins = text.endswith("]", 0, sign.start())
                removed = f" {REMOVED}" if joins else REMOVED
                out.append(address if self._allowed(address) else removed)
                at -= len(rest)
            else:
                shown, at = self._link(text, sign.start())
                out.append(shown)
        out.append(text[at:])
        return "".join(out)

    def _link(self, text: str, start: int) -> tuple[str, int]:
        """The replacement for the link end that begins here, and where the text continues."""
        closing = _closing(text, start + 1)
        if closing is None or closing < 0:
            return "] (", start + 2
        link = _LINK.fullmatch(text, start, closing + 1)
        if link and self._allowed(link[1]):
            return f"]({link[1]})", closing + 1
        return f"] {REMOVED}", closing + 1


def _closing(text: str, opening: int) -> int | None:
    """Where the bracket at `opening` is closed; -1 if it is not closed on its line or in reach,
    None if more text could still close it.
    """
    depth = 0
    for at in range(opening, min(len(text), opening + MAX_LINK_CHARACTERS)):
        if text[at] == "(":
            depth += 1
            if depth > MAX_NESTED:
                return -1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at
        elif text[at] == "\n":
            return -1
    return -1 if len(text) - opening >= MAX_LINK_CHARACTERS else None


def _trimmed(address: str) -> tuple[str, str]:
    """An address, and the punctuation after it that is not part of it."""
    words = address.rstrip(_AFTER_ADDRESS)
    if words.count("(") > words.count(")") and address[len(words) :].startswith(")"):
        words += ")"
    return words, address[len(words) :]
