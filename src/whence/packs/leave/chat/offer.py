"""The one offer of chat for leave requests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from whence.sdk.chat import Chat, RecordView, Statement, Topic

from . import history, rules, supposed_facts, supposing, topics
from .editing import EDITABLE
from .family_question import FAMILY_QUESTION
from .neighbours import DECIDES
from .questions import QUESTIONS
from .word_families import WORD_FAMILIES
from .work_questions import WORK_QUESTIONS


def _supposed_or_stated(view: RecordView, question: str) -> Sequence[Statement]:
    """What would follow from other facts; `What if my position is cut?` supposes none of those, and
    is answered from the rules on what it names."""
    if supposing.supposes_a_fact(view, question):
        return supposing.what_if(view, question)
    scored = [(_words_in(one, question), one) for one in (*QUESTIONS, *WORK_QUESTIONS)]
    best = max(scored, key=lambda each: each[0])
    return (best[1].answer if best[0] else supposing.what_if)(view, question)


def _words_in(topic: Topic, question: str) -> int:
    return sum(re.search(word, question, re.I) is not None for word in topic.words)


STALE_AFTER = timedelta(days=30)
"""Hours of the last 12 months and head counts move; a month later they are looked at again."""

TOPICS = (
    Topic(
        "what_if",
        "what would follow from other facts",
        (
            r"\bwhat if\b",
            supposed_facts.SUPPOSES,
            r"\b(?:if|suppose) (?:she|he|they|i|we|it|the)\b.*\d",
            r"^(?:what if|suppose|supposing|assuming)\b",
            r"\bif\b.*\bwould\b|\bwould\b.*\bif\b",
        ),
        _supposed_or_stated,
        "What if she had worked 1,300 hours?",
    ),
    Topic(
        "change",
        "what would change the answer",
        (
            r"what would change",
            r"\bwould (it|that) (help|change)",
            r"\bhow could\b",
            r"\bwhy not\b",
        ),
        topics.change,
        "What would change the answer under CFRA?",
    ),
    Topic(
        "history",
        "when it was researched, and what changed since",
        (
            r"\bresearch(ed)?\b",
            (
                r"\b(when|how often|last|before|earlier)\b"
                r".*\b(researched|assessed|look(ed)? (at|into))\b"
            ),
            r"\blast time\b|\bhow (old|recent)\b|\bhistory\b",
            r"\bversions?\b",
            r"\bchanged since\b|\bsince then\b|\bwhat (has |was )?changed\b",
        ),
        history.history,
        "When was it researched, and by which rules?",
    ),
    Topic(
        "missing",
        "what is missing",
        (
            r"\bmissing\b",
            r"not known",
            r"\bunknown\b",
            r"\b(?:you|we|what|anything)\b.*\bneed(?:ed)? to (?:know|tell)\b",
            r"\bstill open\b",
        ),
        topics.missing,
        "What is missing to tell?",
    ),
    Topic(
        "limits",
        "what these rules do not cover, and whom to ask",
        (*DECIDES, r"\blawyer\b|\battorney\b"),
        rules.limits,
        "What about the taxes?",
        decides=DECIDES,
    ),
    *QUESTIONS,
    *WORK_QUESTIONS,
    FAMILY_QUESTION,
    Topic(
        "certification",
        "certification",
        (
            r"\bcertif",
            r"\bcertif.*(due|when)|(due|when).*\bcertif",
            r"\bdoctor",
            r"\bmedical note\b",
            r"\bdiagnos|\billness\b",
            r"\bwhat(?:'?s| is) wrong (?:with|about)\b",
            r"\b(?:tell|say|explain)\b.*\b(?:surgery|illness|sick|condition|treatment|medical)\b",
            r"\b(?:know|see|told|find out|reveal|disclose|private)\b.*\b(?:condition|sick|medical)",
            r"\bproof\b|\bprove\b",
            r"\bprovider",
            r"\bpapers?\b|\bpaperwork\b|\bforms?\b|\bdocument",
        ),
        topics.certification,
        "When is the certification due?",
    ),
    Topic(
        "together",
        "which laws run at the same time",
        (
            r"\bwhich laws?\b",
            r"same time",
            r"\bconcurrent",
            r"run (together|with)",
            r"\buse[sd]? up\b",
            r"\bafter the pregnancy",
        ),
        topics.laws,
        "Which laws run at the same time?",
    ),
    Topic(
        "entitlement",
        "how much leave there is",
        (
            r"\bhow (much|long)\b",
            r"\bweeks?\b",
            r"\bhours? (are |is )?(left|remain)",
            r"\bleft\b",
            r"\bremain",
            r"\bentitle",
            r"\b(?:share|together|both)\b.*\b(?:weeks?|leave)\b|\bspouses?\b.*\bsame employer\b",
            r"\bused\b|\bearlier leave\b",
        ),
        topics.entitlement,
        "How much leave is left?",
    ),
    Topic(
        "dates",
        "dates and notice",
        (
            r"\bnotice\b",
            r"\bdeadline",
            r"\bwhen\b",
            r"\bby what (day|date)\b",
            r"\breturn",
            r"\bdates?\b",
            r"\bdue\b",
            r"\blate\b",
            (
                r"\bhow (?:long|many days|soon|fast|quickly|much time)\b.*"
                r"\b(?:they|employer|hr|company)\b"
            ),
            r"\b(?:approv|decid|decision|respon|repl(?:y|ies)|hear back|get back to|answer me)\w*",
            r"\b(?:have|has|take|takes) to (?:tell|answer|respond|decide|approve|let)\b",
        ),
        topics.dates,
        "By when is notice due, and when is the return?",
    ),
    Topic(
        "eligibility",
        "eligibility",
        (
            r"\beligib",
            r"\bqualif",
            r"\bavailable\b|\bwhy\b.*\b(not|isn't|doesn't|aren't)\b",
            r"\bis (that|it|this) enough\b|\blong enough\b|\benough (hours|months|time)\b",
            r"\bcan (i|she|he|they|we)\b",
            r"\bentitled to\b",
            r"\bcovered\b",
        ),
        topics.eligibility,
        "Does the employee appear eligible under the FMLA?",
    ),
    Topic(
        "sources",
        "what the rules were checked against",
        (
            r"\bsources?\b",
            r"\bchecked\b|\bcompared with\b",
            r"\bwhen\b.*\b(checked|compared)\b",
            r"\bhow (sure|certain|reliable|current)\b",
            r"\bup to date\b",
            r"\bin force\b",
            r"\b(made|make) (this|that|it) up\b",
        ),
        rules.sources,
        "Were the rules checked against the text?",
    ),
    Topic(
        "facts",
        "what was stated",
        (r"\bfacts?\b", r"\bstated\b", r"\benter(ed)?\b", r"\bsummar"),
        topics.facts,
        "What was stated in the request?",
    ),
    Topic(
        "rules",
        "what the rules say, with the section",
        (
            r"\brules?\b",
            r"\bsections?\b",
            r"what (does|do|is|are)\b.*\b(say|need|require|mean|count)",
            r"\brequire",
            r"\bhow many (hours|months|employees)\b.*\bneed",
            r"\bfamily member",
            r"in-law\b|\bsibling|\bgrand(parent|child)|\bdomestic partner|\bdesignated person",
            r"\b12-month period\b|\brolling\b|\bcalendar year\b",
            r"\bintermittent\b|\breduced schedule\b",
            r"\b(fmla|cfra|pdl)\b",
        ),
        rules.rules,
        "What does CFRA say about a designated person?",
        decides=(r"\b(fmla|cfra|pdl)('s)? rules? (on|about|for)\b",),
    ),
)

CHAT = Chat(
    kind="leave-requests",
    prompt=Path(__file__).parent.parent / "prompts" / "chat.md",
    topics=TOPICS,
    editable=EDITABLE,
    span=("starts_on", "ends_on"),
    examples=(Path(__file__).parent / "examples.jsonl",),
    topic_examples=(Path(__file__).parent / "topic_examples.jsonl",),
    word_families=WORD_FAMILIES,
    covers=f"The rules here are those on leave. {rules.COVERED} {rules.ASK}.",
    stale_after=STALE_AFTER,
    needs_research=False,
    tools=("search_leave_rules", "assess_leave", "draft_notices"),
    wizards=("leave.request",),
)
