"""Words that mean much the same in a question about leave, for the classifier of its topics."""

from __future__ import annotations

from collections.abc import Mapping

WORD_FAMILIES: Mapping[str, str] = {
    "doctor": (
        r"doctors?|doc|dr|physicians?|providers?|clinics?|hospitals?|therapists?|surgeons?|"
        r"medical office"
    ),
    "paper": (
        r"notes?|forms?|papers?|paperwork|certificat\w*|certif\w*|certs?|documents?|"
        r"documentation|proof|statement|release|clearance"
    ),
    "employer": (r"employers?|company|hr|boss|manager|supervisor|they|firm|management"),
    "health cover": (
        r"insur\w+|coverage|premiums?|plan|dental|vision|benefits?|copay|cover(?:ed)?"
    ),
    "job": (r"jobs?|positions?|roles?|post|desk|titles?|reinstat\w*|replac\w*|department"),
    "dismissal": (
        r"fired?|firing|sacked|let go|terminat\w*|dismiss\w*|demot\w*|disciplin\w*|"
        r"punish\w*|retaliat\w*|discriminat\w*|harass\w*|threat\w*|pressur\w*|discourag\w*|"
        r"write up|wrote up|written up|points?|evaluation|review|promot\w*"
    ),
    "paid time": (r"pto|vacations?|sick (?:time|days?|leave|hours)|accrued|paid time off|balance"),
    "pay": (
        r"paid|unpaid|pay|pays|wages?|salary|payroll|paycheck|income|money|earn\w*|"
        r"compensat\w*"
    ),
    "notice": (
        r"notice|notif\w*|tell|told|inform\w*|announce\w*|heads up|warn\w*|report\w*|"
        r"let (?:us|them|me) know|mention\w*|request(?:ed|ing)?|ask(?:ed|ing)?"
    ),
    "late": (
        r"late|yesterday|sudden\w*|emergency|accident|last minute|unexpected\w*|"
        r"short notice|only|unforesee\w*|too late"
    ),
    "answer": (
        r"repl(?:y|ies)|respon\w+|answer\w*|approv\w*|confirm\w*|decid\w*|decision|hear back"
    ),
    "return": (r"back|return\w*|come back|coming back|afterwards?|when i'?m back"),
    "pregnancy": (r"pregnan\w*|maternity|expecting|childbirth|birth"),
    "baby": (r"bab(?:y|ies)|newborns?|bond\w*|child"),
    "couple": (r"wife|husband|spouses?|partner|both|couples?|parents"),
    "military": (
        r"homecoming\w*|parades?|reserves?|guard|overseas|air force|marines?|troops?|"
        r"deploy\w*|militar\w*|army|navy|exigenc\w*|ships? out|duty|ceremony|r ?& ?r|"
        r"recuperation|soldier|veteran"
    ),
    "holiday": (
        r"holidays?|christmas|thanksgiving|july|memorial|labor day|new year\w*|easter|"
        r"bank holiday|clos\w+|shut\w*"
    ),
    "in parts": (
        r"hours?|half|halves|increments?|intermittent\w*|split|chunks?|parts?|reduced|"
        r"single days?|mornings?|mondays?|fridays?|tuesdays?|weekly|twice|minutes?|min"
    ),
    "amount": (r"how (?:long|much|many)|max\w*|weeks?|months?|length|limit|total|left|remaining"),
    "deadline": (r"when|deadline|by when|how (?:fast|quick\w*|soon|early|far)|due|days|long"),
    "again": (
        r"again|another|new|fresh|renew\w*|updat\w*|every|how often|expired?|ran out|"
        r"monthly|how many times|once more"
    ),
    "doubt": (
        r"doubt\w*|believe|fake|second|third|2nd|3rd|opinions?|disagree\w*|examin\w*|"
        r"own doctor|independent|company doctor"
    ),
    "incomplete": (
        r"incomplete|missing|blank|vague|empty|unclear|half|insufficient|wrong|left out|"
        r"unsigned|forgot to sign"
    ),
    "contact": (
        r"rings?|ringing|reach(?:es|ed)? out|get in touch|"
        r"call\w*|phon\w*|contact\w*|talk\w*|speak\w*|verify|authenticat\w*|e-?mail\w*"
    ),
    "laws": (r"laws?|fmla|cfra|pdl|federal|state"),
    "overlap": (
        r"same time|overlap\w*|together|concurrent\w*|stack\w*|combin\w*|separate\w*|both|"
        r"on top|after|follow\w*|use[sd]? up"
    ),
    "year": (r"year|calendar|rolling|12[- ]month|january|reset\w*|renew\w*|start over"),
    "fit": (r"fit|fitness|clear(?:ed|ance)?|ready to work|release"),
    "other job": (
        r"uber|lyft|doordash|taxi|deliver(?:s|ing)|rideshare|moonlight\w*|"
        r"side|second job|another job|gig|freelanc\w*|elsewhere|somewhere else|other job|"
        r"weekend job|business"
    ),
    "safer work": (
        r"light\w*|lift\w*|sit|transfer\w*|reassign\w*|accommodat\w*|duties|move|"
        r"other (?:job|position)|spot|breaks?"
    ),
    "qualify": (r"eligib\w*|qualif\w*|entitled|right to|allowed|covered"),
    "recover": (
        r"recover|recoup|repay|reimburse|owe\w*|get .* back|quit\w*|resign\w*|"
        r"never came back|not return\w*"
    ),
    "benefit agency": (
        r"sdi|edd|unemployment|disability (?:claim|insurance|money|benefit\w*)|"
        r"paid family leave|pfl|tax\w*|cobra|401\w*|pension|lawyer|attorney|sue|court"
    ),
}
