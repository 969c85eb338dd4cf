"""What people ask beside eligibility, amounts and dates: pay, health cover, medical proof, rights.

Each answer is a rule's own text with its section.  What no rule here says is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from whence.packs.leave.eligibility.book import Provision
from whence.packs.leave.eligibility.book import Topic as RuleTopic
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law
from whence.sdk.chat import ByRule, RecordView, Statement, Topic

from .carrying import laws_in, overview_in, request_in, rule_of, sentences

Answer = Callable[[RecordView, str], Sequence[Statement]]
BENEFITS = (
    "How much state disability insurance or paid family leave pays is not in these rules; the "
    "Employment Development Department of California decides on both."
)

DRAFTS = (
    "I keep drafts of these notices with the research of the request, filled from its facts and "
    "with blanks where facts lack; research it, or fetch its letters, to see them."
)


def says(topic: RuleTopic, *ids: str, adds: str = "") -> Answer:
    """An answer from the provisions on a topic, or from those of these ids only.

    Only the laws that the question names answer, or else those that may give the leave.
    """

    def answer(view: RecordView, question: str) -> Sequence[Statement]:
        provisions = [
            one for one in book_for(request_in(view)).on(topic) if not ids or one.id in ids
        ]
        laws = _laws(view, question)
        fitting = [one for one in provisions if one.law in laws] or provisions
        statements = [part for one in fitting for part in rule_statements(one)]
        return [*statements, Statement(adds)] if adds else statements

    return answer


def definitions(view: RecordView, question: str) -> Sequence[Statement]:
    """What the laws that a question names are."""
    laws = laws_in(question)
    book = book_for(request_in(view))
    return [
        part for one in book.on("definition") if one.law in laws for part in rule_statements(one)
    ]


def agencies(view: RecordView, question: str) -> Sequence[Statement]:
    """Whom to ask."""
    names = overview_in(view).agencies
    return [*(Statement(one, (ByRule("Whom to ask", one),)) for one in names), Statement(ADVICE)]


def notices(view: RecordView, question: str) -> Sequence[Statement]:
    """Which notices can be drafted, and where the drafts are."""
    request = request_in(view)
    book = book_for(request)
    statements = [
        part
        for name in ("response.fmla", "rights.fmla", "designation.fmla")
        for part in rule_statements(book.provisions[name])
    ]
    return [*statements, Statement(DRAFTS)]


def rule_statements(one: Provision) -> Iterator[Statement]:
    """A rule's sentences, each with its section."""
    text = f"{LAWS[one.law]} ({one.cited}): {one.text}"
    return (Statement(part, (rule_of(one),)) for part in sentences(text))


def _laws(view: RecordView, question: str) -> Sequence[Law]:
    named = laws_in(question)
    return named if len(named) < len(Law) else overview_in(view).laws or named


_LAW = (
    r"(?:fmla|cfra|pdl|family and medical leave act|california family rights act|"
    r"pregnancy disability leave)"
)
DEFINITION_WORDS = (
    (
        rf"\bwhat(?:'s|s| is| are| does| do)?\s+(?:the |a )?{_LAW}"
        r"(?: leave)?(?: mean| stand for)?\s*\W*$"
    ),
    (
        rf"\b(?:mean|meaning|stand for|define|definition|explain)\b.*\b{_LAW}\b"
        rf"|\b{_LAW}\b.*\b(?:mean|meaning|stands? for|definition)\b"
    ),
)
QUESTIONS = (
    Topic(
        "definition",
        "what the laws are",
        DEFINITION_WORDS,
        definitions,
        "What does CFRA mean?",
    ),
    Topic(
        "pay",
        "pay, and paid leave instead of unpaid",
        (
            r"\bpaid\b|\bpay\b|\bsalary\b|\bwages?\b|\bmoney\b|\bincome\b",
            r"\b(?:vacation|pto|time off|sick (?:leave|days?|time|pay))\b",
            r"\bsubstitut|\baccrued\b",
            r"\bpaid (?:leave|time off|family leave)\b|\bdisability (?:insurance|pay)\b|\bunpaid\b",
        ),
        says("pay", adds=BENEFITS),
        "Can I use my vacation instead of unpaid leave?",
    ),
    Topic(
        "health",
        "health cover and premiums",
        (
            r"\binsurance\b|\binsured\b",
            r"\bhealth (?:cover|coverage|plan|care|insurance|benefits?)\b",
            r"\bpremiums?\b",
            r"\bbenefits?\b|\b(?:medical|dental|vision) (?:cover|coverage|plan)\b",
            r"\b(?:late|miss(?:ed|es)?|pay(?:s|ing)?|recover|repay|dropp?\w*)\b.*\bpremium",
        ),
        says("health"),
        "What happens to the health insurance if a premium is late?",
    ),
    Topic(
        "rights",
        "the notice of rights and responsibilities",
        (
            r"\brights (?:and|&) responsibilit",
            r"\brights\b.*\bnotice\b|\bnotice\b.*\brights\b",
            (
                r"\bwhat (?:must|does|should|has)\b.*\bemployer\b"
                r".*\b(?:tell|send|write|notice|include)"
            ),
        ),
        says("rights"),
        "What has to be in the rights and responsibilities notice?",
    ),
    Topic(
        "letters",
        "drafts of the employer's notices",
        (
            r"\bletters?\b",
            r"\bdrafts?\b",
            r"\b(?:write|draft|prepare)\b.*\b(?:notice|letter|designation)\b",
            r"\b(?:eligibility|designation|rights) (?:notice|letter)s?\b",
        ),
        notices,
        "Can you draft the designation letter?",
    ),
    Topic(
        "fitness",
        "fitness for duty on return",
        (
            r"\bfit(?:ness)?[- ](?:for|to)[- ](?:duty|work|return)\b",
            (
                r"\b(?:doctor|provider|medical|note|release|clear(?:ed|ance)?|certif\w*)\b"
                r".*\b(?:return|come back|go back|back to work)\b"
                r"|\b(?:return|come back|go back)\b"
                r".*\b(?:doctor|note|release|clearance|certif\w*)\b"
            ),
            r"\breturn[- ]to[- ]work\b|\bfitness\b",
        ),
        says("medical", "fitness.fmla"),
        "Can the employer ask for a fitness-for-duty certification?",
    ),
    Topic(
        "recertification",
        "recertification",
        (
            r"\bre-?certif",
            r"\bre-?certif\w*",
            r"\b(?:again|another|new|every|how often)\b.*\bcertif",
            r"\bcertif\w*\b.*\b(?:again|every|how often|renew)",
        ),
        says("medical", "recertification.fmla"),
        "How often can a recertification be asked for?",
    ),
    Topic(
        "opinion",
        "second and third opinions",
        (
            r"\b(?:second|third|2nd|3rd) (?:medical )?opinion",
            r"\bopinions?\b",
            r"\b(?:another|different|own|company|second) (?:doctor|physician|provider)\b",
            r"\bdoubts?\b.*\bcertif|\bcertif\w*\b.*\bdoubt",
        ),
        says("medical", "opinion.fmla", "opinion.cfra"),
        "Can the employer ask for a second opinion?",
    ),
    Topic(
        "increments",
        "the smallest parts of leave",
        (
            r"\bincrements?\b",
            (
                r"\b(?:smallest|shortest|minim\w+|least)\b"
                r".*\b(?:parts?|pieces?|blocks?|units?|amount|time|leave)\b"
            ),
            r"\b(?:by|in) the hour\b|\bhour by hour\b|\bhalf (?:an hour|a day|days?)\b",
            r"\ban hour at a time\b",
            r"\bfull days?\b|\bwhole days?\b",
        ),
        says("schedule", "increments.fmla", "increments.cfra", "pdl.intermittent"),
        "What is the smallest increment of leave?",
    ),
    Topic(
        "exigency",
        "qualifying exigencies",
        (
            r"\bexigenc",
            r"\b(?:types?|kinds?|what|which|counts?)\b.*\bexigenc",
            r"\brest (?:and|&) recuperation\b|\br ?& ?r\b",
            r"\bdeploy(?:ment|ed)?\b",
        ),
        says("exigency"),
        "Which types of qualifying exigency are there?",
    ),
    Topic(
        "accommodation",
        "transfer and accommodation",
        (
            r"\baccommodat",
            r"\btransfer",
            (
                r"\b(?:light(?:er)?|less strenuous|other|different|modified) "
                r"(?:duty|duties|work|job|position)\b"
            ),
        ),
        says("accommodation"),
        "Can she be transferred to lighter work?",
    ),
    Topic(
        "retaliation",
        "retaliation and interference",
        (
            r"\bretaliat|\binterfer",
            r"\bfired?\b|\bfiring\b|\bdismiss|\bterminat|\blaid off\b",
            r"\bfire (?:me|her|him|them|us)\b|\b(?:lose|losing) (?:my|her|his|the|their) job\b",
            r"\bpunish|\bdemot|\bdiscriminat|\bwritten up\b|\bagainst (?:me|her|him|them)\b",
            r"\bno[- ]fault\b|\battendance (?:policy|points?)\b",
        ),
        says("retaliation"),
        "Can they fire me for taking leave?",
    ),
    Topic(
        "agencies",
        "whom to ask",
        (
            r"\bwh(?:o|om|ere)\b.*\b(?:ask|call|contact|complain|turn to|report)\b",
            r"\bcomplain(?:t|ts)?\b|\bagenc(?:y|ies)\b",
            r"\bdepartment of labor\b|\bcivil rights department\b|\bdol\b|\bcrd\b",
        ),
        agencies,
        "Whom can I ask about this?",
    ),
)
