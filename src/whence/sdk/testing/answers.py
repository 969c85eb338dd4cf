"""One turn of a rule-based conversation, as its reader would see it."""

from __future__ import annotations

from whence.chat.citing.composing import compose
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.offer import Chat
from whence.chat.record_view import RecordView


def answer_by_rules(chat: Chat, view: RecordView, question: str) -> Grounded:
    """The answer to a question about a record, checked against its sources."""
    book = SourceBook()
    grounding = Grounding(book)
    grounding.feed(compose(chat, view, question, book))
    grounding.end()
    return grounding.result()
