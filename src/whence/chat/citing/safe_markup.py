"""Text of an answer made safe to show, while it streams: no pictures, no HTML, no foreign links.

A picture or a link is a way out for what was read: a model that obeys a listing can be made to
write `![](https://…/?the secret)`, and a browser would fetch it.  So the few signs by which
Markdown makes pictures, HTML, links and definitions of links are broken apart wherever they stand,
also in code, and an address stays only where a cited source has exactly this one.  Written by
Markdown's own rules (CommonMark 0.31, GitHub's autolinks), not by what usual text looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import Source, SourceBook

REMOVED = "(link removed)"
MOST_NESTED = 32
"""Brackets inside each other in a link's address; what has more is no link to readers either."""
MOST_LINK = 4_000
"""Characters of a link's address with its title; twice the longest address that browsers share."""
_LINK = re.compile(r"""\]\(\s*<?(https?://[^\s<>]+?)>?(?:\s+"[^"\n]*"|\s+'[^'\n]*')?\s*\)""", re.I)
_ADDRESS = r"(?:[a-z][a-z0-9+.\-\\]*:\\?/\\?/|www\\?\.)[^\s<>‹]*"
"""Also with the backslashes that Markdown takes away before addresses are made links of."""
_PLAIN_ADDRESS = re.compile(r"https?://[^\s<>\[\]\\`\"\x00-\x1f]+", re.I)
"""An address that cannot be read as anything else."""
_AFTER_ADDRESS = ".,;:!?'\"”’*_~`)]"
"""Signs that end a sentence or close something around an address, as GitHub reads them."""
_SIGN = re.compile(
    rf"""(?P<picture>(?<!!)!+(?=\[))|(?P<tag><(?=[a-z/!?]))|(?P<link>\]\()|(?P<definition>\]:)
        |(?P<entity>&(?!(?:amp|lt|gt|quot|nbsp);)(?=\#|[a-z0-9]+;))
        |(?P<address>(?<![a-z]){_ADDRESS})""",
    re.I | re.X,
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Signs that steer a terminal or turn the direction of text."""
_LAST_WORD = re.compile(r"(?<!\S)\S*\Z")
"""Begun nowhere within a word, so that a long one is read once."""


def addresses(sources: Iterable[Source]) -> frozenset[str]:
    """The addresses that an answer with these sources may link to."""
    urls = (source.url for source in sources)
    return frozenset(url for url in urls if url and is_address(url))


def unsteered(text: str) -> str:
    """Text without the signs that steer a terminal or turn its direction."""
    return _UNSEEN.sub("", text)


def is_address(url: str) -> bool:
    """Whether this is an http(s) address that cannot be read as anything else."""
    return _PLAIN_ADDRESS.fullmatch(url) is not None


def safe(text: str, allowed: Callable[[str], bool]) -> str:
    """The whole of a text, made safe; `allowed` says which http(s) addresses may stand."""
    markup = MarkupFilter(allowed)
    return markup.feed(text) + markup.end()


class AnswerFilter:
    """An answer on its way to a reader: references by `Grounding`, then nothing but safe text.

    While it streams, an address may stand that any source of the book has (its marker comes after
    it); in the finished answer, only one that a cited source has.
    """

    def __init__(self, book: SourceBook) -> None:
        self._book = book
        self._grounding = Grounding(book)
        self._markup = MarkupFilter(
            lambda url: url in addresses(source for _, source in self._book)
        )

    def feed(self, text: str) -> str:
        """What may be shown now that this text came."""
        return self._markup.feed(self._grounding.feed(text))

    def end(self) -> str:
        """What remains to be shown when no more text comes."""
        return self._markup.feed(self._grounding.end()) + self._markup.end()

    def result(self) -> Grounded:
        """The answer as it is kept and shown from now on."""
        grounded = self._grounding.result()
        cited = addresses(reference.source for reference in grounded.references)
        allowed = cited.__contains__
        uncited = tuple(safe(sentence, allowed) for sentence in grounded.uncited)
        return replace(grounded, text=safe(grounded.text, allowed), uncited=uncited)


class MarkupFilter:
    """Text in, safe text out; what may yet become a link is held back until it is decided.

    However a text is cut into pieces, what comes out is the same, as long as `allowed` is.
    """

    def __init__(self, allowed: Callable[[str], bool]) -> None:
        self._allowed = allowed
        self._held = ""

    def feed(self, text: str) -> str:
        """What may be shown now: all but the last word, and a link that is not closed."""
        self._held += unsteered(text)
        match = _LAST_WORD.search(self._held)
        decided = self._before_open_link(match.start() if match else 0)
        # The word in which a link is held begins before it.
        while 0 < decided < len(self._held) and not self._held[decided - 1].isspace():
            decided -= 1
        ready, self._held = self._held[:decided], self._held[decided:]
        return self._safe(ready)

    def end(self) -> str:
        """What was held back when no more text comes."""
        ready, self._held = self._held, ""
        return self._safe(ready)

    def _before_open_link(self, decided: int) -> int:
        opening = self._held.find("](", 0, decided)
        while opening >= 0:
            closing = _closing(self._held, opening + 1)
            if closing is None or closing >= decided:
                return opening
            opening = self._held.find("](", opening + 2, decided)
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
                words, rest = _trimmed(sign["address"])
                joins = text.endswith("]", 0, sign.start())
                removed = f" {REMOVED}" if joins else REMOVED
                out.append(words if self._allowed(words) else removed)
                at -= len(rest)
            else:
                shown, at = self._link(text, sign.start())
                out.append(shown)
        out.append(text[at:])
        return "".join(out)

    def _link(self, text: str, start: int) -> tuple[str, int]:
        """What becomes of a link's end that begins here, and where the text goes on."""
        closing = _closing(text, start + 1)
        if closing is None or closing < 0:
            return "] (", start + 2
        link = _LINK.fullmatch(text, start, closing + 1)
        if link and self._allowed(link[1]):
            return f"]({link[1]})", closing + 1
        return f"] {REMOVED}", closing + 1


def _closing(text: str, opening: int) -> int | None:
    """Where the bracket at `opening` is closed; -1 where it is not on its line or in reach, None
    where more text could close it.
    """
    depth = 0
    for at in range(opening, min(len(text), opening + MOST_LINK)):
        if text[at] == "(":
            depth += 1
            if depth > MOST_NESTED:
                return -1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at
        elif text[at] == "\n":
            return -1
    return -1 if len(text) - opening >= MOST_LINK else None


def _trimmed(address: str) -> tuple[str, str]:
    """An address, and what follows it without being of it."""
    words = address.rstrip(_AFTER_ADDRESS)
    if words.count("(") > words.count(")") and address[len(words) :].startswith(")"):
        words += ")"
    return words, address[len(words) :]
