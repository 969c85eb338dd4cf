"""Matters beside these laws: what people ask here that other laws, or the employer, decide.

A question on one of them is refused by name, says what the rules cover, and whom to ask.  Whom to
ask is a pointer, not a rule: no source was read for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LABOR_COMMISSIONER = "California's Labor Commissioner (dir.ca.gov/dlse)"
CIVIL_RIGHTS = "California's Civil Rights Department (calcivilrights.ca.gov)"
BENEFITS_OFFICE = "the Employment Development Department (edd.ca.gov)"
EMPLOYER = "the employer's human resources"
OTHER_STATES = (
    "alabama|alaska|arizona|arkansas|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|"
    "indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|"
    "mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|"
    "north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|"
    "south dakota|tennessee|texas|utah|vermont|virginia|washington|wisconsin|wyoming"
)
"""States whose law is not in here."""
_PAID_OFF = r"(?:pto|vacation|holiday pay|sick (?:days?|leave|time)|time off|leave)"


@dataclass(frozen=True)
class Neighbour:
    """A matter that the rules do not cover."""

    matter: str
    """What it is, as the subject of a sentence."""
    whom: str
    """Whom to ask."""
    words: tuple[str, ...]

    def is_meant_by(self, question: str) -> bool:
        """Whether a question is about it."""
        return any(re.search(each, question, re.I) for each in self.words)


NEIGHBOURS = (
    Neighbour(
        "Paying out vacation or other paid time off",
        f"{EMPLOYER}, or {LABOR_COMMISSIONER}",
        (
            (
                rf"\b(?:cash(?:ed|ing)?|pa(?:y|id|ying)|buy|sell|convert)\b.{{0,20}}\b(?:out|"
                rf"back|in)\b"
                rf".{{0,20}}\b{_PAID_OFF}\b"
            ),
            rf"\b{_PAID_OFF}\b.{{0,25}}\b(?:cash(?:ed|ing)? (?:out|in)|pa(?:y|id) ?outs?|bought)\b",
            r"\b(?:pto|vacation) (?:payout|pay-?out|cash-?out)\b",
        ),
    ),
    Neighbour(
        "How much vacation or paid sick leave an employee has",
        f"{EMPLOYER}, or {LABOR_COMMISSIONER}",
        (
            (
                r"\bhow (?:many|much)\b.{0,20}\b(?:vacation|pto|sick)(?: (?:days?|hours?|time|"
                r"leave))?\b"
            ),
            r"\b(?:earn|accru)\w*\b.{0,20}\b(?:vacation|pto|sick|holidays?)\b",
            r"\b(?:vacation|pto|sick)\b.{0,25}\b(?:accru|earn|carr(?:y|ies) over|roll over|expire)",
        ),
    ),
    Neighbour(
        "Bereavement leave",
        CIVIL_RIGHTS,
        (r"\bbereave\w*|\bfunerals?\b|\bmourn\w*|\b(?:died|passed away|death of)\b",),
    ),
    Neighbour(
        "Time off for jury duty, for court or to vote",
        f"{EMPLOYER}, or {LABOR_COMMISSIONER}",
        (
            (
                r"\bjury\b|\bsubpoena\w*|\bcourt (?:date|hearing|appearance)|"
                r"\b(?:to|for|can|time) vot(?:e|ing)\b|\belection day\b"
            ),
        ),
    ),
    Neighbour(
        "Leave for victims of crime or domestic violence",
        CIVIL_RIGHTS,
        (
            (
                r"\bdomestic violence\b|\babus(?:ed|ive)\b|\bcrime victim|\bvictims? of\b|"
                r"\bstalk(?:ed|er|ing)"
            ),
        ),
    ),
    Neighbour(
        "Time off for a child's school",
        LABOR_COMMISSIONER,
        (
            (
                r"\b(?:school|teacher|daycare|kindergarten)\b.{0,30}\b(?:day|meeting|conference|"
                r"event|"
                r"play|trip|performance|activit\w+)\b(?!.*\b(?:deploy|military|exigenc))|"
                r"\bparent-?teacher\b|\bfield trip\b"
            ),
        ),
    ),
    Neighbour(
        "Wages, overtime, breaks and working hours",
        LABOR_COMMISSIONER,
        (
            (
                r"\bover-?time\b|\bminimum wage\b|\b(?:meal|lunch|rest) breaks?\b|\bpay ?(?:slip|"
                r"stub|"
                r"day)s?\b|\bsplit shift|\bon-?call pay"
            ),
        ),
    ),
    Neighbour(
        "A place and time to express milk",
        LABOR_COMMISSIONER,
        (
            (
                r"\bpump(?:ing)?\b|\bbreast ?-?(?:milk|feed\w*)|\blactat\w*|\bnursing room\b|"
                r"\bexpress milk\b"
            ),
        ),
    ),
    Neighbour(
        "Work from home",
        f"{EMPLOYER}; as an accommodation of a disability, {CIVIL_RIGHTS}",
        (
            (
                r"\bwork\w*\b.{0,15}\bfrom home\b|\bfrom home\b.{0,20}\bwork|\bhome ?office\b|"
                r"\bremote(?:ly)?\b|\btele-?(?:work|commut)\w*|\bwfh\b|\blog(?:ging)? (?:in|on)\b"
            ),
        ),
    ),
    Neighbour(
        "Equipment and other accommodation of a disability",
        f"{CIVIL_RIGHTS}; for the Americans with Disabilities Act, the EEOC (eeoc.gov)",
        (
            (
                r"\b(?:standing|ergonomic|special|adjustable)\b.{0,12}\b(?:desk|chair|keyboard|"
                r"equipment|"
                r"monitor)\b|\bwheel ?chair|\bservice (?:dog|animal)|\bada\b|\bdisabilities act\b"
            ),
        ),
    ),
    Neighbour(
        "The amount of disability and family leave benefits, and unemployment benefits",
        BENEFITS_OFFICE,
        (
            (
                r"\bunemployment\b|\bedd\b|\b(?:pfl|sdi)\b|"
                r"\bhow much\b.{0,30}\b(?:paid family leave|state disability|disability (?:pay|"
                r"insurance|"
                r"benefits?))|\b(?:paid family leave|state disability)\b.{0,30}\bhow (?:much|"
                r"long)\b"
            ),
        ),
    ),
    Neighbour(
        "Workers' compensation",
        "California's Division of Workers' Compensation (dir.ca.gov/dwc), or the employer's "
        "insurer",
        (
            (
                r"\bworkers?'?s? comp|\bcomp claim\b|\bon-the-job injur|"
                r"\binjured (?:at|on) (?:work|the job)"
            ),
        ),
    ),
    Neighbour(
        "An employee's own military service and the return from it",
        "the Veterans' Employment and Training Service of the U.S. Department of Labor "
        "(dol.gov/vets)",
        (
            (
                r"\buserra\b|\b(?:my|his|her) (?:own )?(?:reserve|guard|drill) (?:duty|weekend)|"
                r"\bdrill weekend"
            ),
        ),
    ),
    Neighbour(
        "Residence, visas and work permits",
        "a lawyer for immigration law",
        (r"\bvisas?\b|\bgreen card\b|\bh-?1b\b|\bimmigrat\w*|\bwork permit\b|\buscis\b",),
    ),
    Neighbour(
        "Taxes",
        "a tax adviser",
        (r"\btax(?:es|able|ed)?\b|\birs\b|\bw-?2\b|\b1099\b|\bwithholding\b",),
    ),
    Neighbour(
        "Retirement plans, and health cover after the employment",
        "the plan's administrator, or the Employee Benefits Security Administration (dol.gov/ebsa)",
        (r"\b401 ?\(?k\b|\bpension\b|\bretire\w*|\bcobra\b|\bstock options?\b|\bseverance\b",),
    ),
    Neighbour(
        "What a contract, a handbook or a union agreement gives",
        f"{EMPLOYER}, or the union",
        (
            (
                r"\bunion\b|\bcollective (?:bargaining )?agreement\b|\bcba\b|"
                r"\b(?:employee )?handbook\b|"
                r"\b(?:employment|work) contract\b|\bcompany policy\b|\bwhat does our policy\b"
            ),
        ),
    ),
    Neighbour(
        "The law of other states",
        "the labor agency of that state",
        (
            (
                rf"\b(?:our|the|a|in|from|of|about|under|to) (?:{OTHER_STATES})\b|"
                rf"\b(?:{OTHER_STATES}) (?:law|office|employee|worker|branch|plant|team|leave)\b|"
                r"\b(?:an)?other states?\b|\bout[- ]of[- ]state\b"
            ),
        ),
    ),
    Neighbour(
        "What a court would decide, and claims for damages",
        "a lawyer for employment law",
        (r"\bsue[ds]?\b|\bsuing\b|\blaw ?suits?\b|\bdamages\b|\bsettle(?:ment)?\b|\bin court\b",),
    ),
    Neighbour(
        "Another person's leave from their own employer",
        "that employer. It would be a request of its own here",
        (
            (
                r"\b(?:can|could|may|does|do|will|should|would)\b (?:the |her |his |my )?(?:dad|"
                r"father|"
                r"husband|wife|partner|mom|mother|boyfriend|girlfriend|spouse|sister|brother)\b"
                r"(?!.*\b(?:same (?:employer|company)|both|here|together|share|with us)\b).{0,25}"
                r"\b(?:take|get|have|go on)\b.{0,20}\b(?:leave|time|off|weeks?)\b"
            ),
        ),
    ),
    Neighbour(
        "The company's own affairs, such as parking, parties and opening hours",
        EMPLOYER,
        (
            (
                r"\bparking\b|\bcafeteria\b|\bparty\b|\bdress code\b|\bopen on\b|\bcompany car\b|"
                r"\b(?:office|opening) hours\b|\bwi-?fi\b|\bpassword\b"
            ),
        ),
    ),
)
DECIDES = tuple(word for each in NEIGHBOURS for word in each.words)
"""Expressions that make a question one on such a matter, whatever else it names."""


def neighbours_in(question: str) -> list[Neighbour]:
    """The matters that a question is about."""
    return [each for each in NEIGHBOURS if each.is_meant_by(question)]
