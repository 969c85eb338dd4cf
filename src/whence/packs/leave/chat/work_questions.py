"""What people ask about the job during the leave and after it, and about leave in parts."""

from __future__ import annotations

from whence.sdk.chat import Topic

from .own_days import late_notice
from .provision_answers import says, spouses

IN_PARTS = (
    "increments.fmla",
    "increments.cfra",
    "salary.fmla",
    "fmla.intermittent",
    "cfra.intermittent",
    "cfra.bonding_parts",
    "pdl.intermittent",
)
RETURN = (
    "return.fmla",
    "return.layoff",
    "return.key",
    "return.cfra",
    "return.cfra_key",
    "return.pdl",
    "return.pdl_key",
)
WORK_QUESTIONS = (
    Topic(
        "contact",
        "whether the employer may ask the doctor",
        (
            (
                r"\b(?:call|contact|talk to|speak (?:to|with)|phone|e-?mail|reach|question)\w*\b"
                r".*\b(?:doctor|physician|provider|clinic|hospital)\b"
            ),
            (
                r"\b(?:boss|manager|supervisor|employer|company|hr|they)\b.*\b(?:ask|call|contact|"
                r"talk|speak|phone)\w*\b.*\b(?:doctor|physician|provider)\b"
            ),
            r"\b(?:medical (?:records?|release)|release form|hipaa|authenticat)\w*",
        ),
        says("medical", "contact.cfra", "contact.fmla"),
        "May my manager call my doctor?",
    ),
    Topic(
        "increments",
        "leave in parts, and the smallest of them",
        (
            (
                r"\b(?:hours?|days?|afternoons?|mornings?)\b.*"
                r"\b(?:a|per|each|every|at a|this|one) (?:week|day|time|month)\b"
            ),
            r"\b(?:split|spread|break)\b.*\b(?:leave|it|up)\b|\b(?:chunks?|pieces|blocks)\b",
            r"\bnow and then\b|\bfrom time to time\b|\boccasional|\bflare|\bas needed\b|\bepisod",
            r"\b(?:only )?on (?:those|these|some|certain|bad|the|such) days\b",
            r"\b(?:part|half)[- ]time\b|\bfew (?:hours|days)\b|\bon and off\b|\bspread\b",
            r"\bincrements?\b",
            (
                r"\b(?:smallest|shortest|minim\w+|least)\b"
                r".*\b(?:parts?|pieces?|blocks?|units?|amount|time|leave)\b"
            ),
            r"\b(?:by|in) the hour\b|\bhour by hour\b|\bhalf (?:an hour|a day|days?)\b",
            r"\ban hour at a time\b",
            r"\bfull days?\b|\bwhole days?\b",
        ),
        says("schedule", *IN_PARTS),
        "What is the smallest increment of leave?",
    ),
    Topic(
        "holidays",
        "holidays within the leave",
        (
            r"\bholidays?\b",
            r"\b(?:public|bank|federal|paid) holidays?\b|\bholidays?\b.*\bcount",
            r"\b(?:thanksgiving|christmas|july 4|labor day|memorial day)\b",
            r"\b(?:plant|school|office|company|factory|shop) (?:is )?(?:clos|shut)\w*|\bshutdown\b",
        ),
        says("schedule", "fmla.holidays"),
        "Do holidays count as leave?",
    ),
    Topic(
        "spouses",
        "spouses who work for the same employer",
        (
            r"\b(?:wife|husband|spouses?|partner)\b.*\b(?:same|both|share|shared|too|also|here)\b",
            r"\b(?:same|both|share|shared)\b.*\b(?:wife|husband|spouses?|partner)\b",
            r"\b(?:we|us|both)\b.*\b(?:share|split|combine)\w*|\bshare\b.*\b(?:weeks?|leave)\b",
        ),
        spouses,
        "Do spouses at the same employer have to share the leave?",
    ),
    Topic(
        "job",
        "the job on return",
        (
            r"\b(?:job|position|role|desk|shift) (?:back|waiting|open|held|safe|protected)\b",
            r"\b(?:same|old|former|equivalent|comparable) (?:job|position|role|shift|pay)\b",
            r"\b(?:reinstat|restor|replac)\w*|\bkey employee\b",
            r"\blaid off\b|\blay-?offs?\b",
            r"\b(?:job|position) (?:is |was |gets? )?(?:cut|eliminated)\b",
            r"\b(?:take|let|have|want)\b.*\b(?:me|her|him|them|us)\b.*\bback\b",
            (
                r"\b(?:hold|keep|save|give away|fill)\w*\b.*"
                r"\b(?:my|her|his|their|the) (?:job|position)\b"
            ),
        ),
        says("return", *RETURN),
        "Do I get my old job back?",
    ),
    Topic(
        "outside",
        "another job during the leave",
        (
            r"\b(?:second|other|another|side|outside|weekend) (?:job|work|gig|employer)\b",
            r"\bwork\w*\b.*\b(?:elsewhere|somewhere else|while on leave|during (?:my|the) leave)",
            r"\bmoonlight|\bfreelanc",
        ),
        says("return", "outside.fmla"),
        "Can I work another job while on leave?",
    ),
    Topic(
        "status",
        "reports during the leave, and a change of its length",
        (
            r"\bcheck(?:ing)? in\b|\bstatus\b|\breports?\b",
            r"\b(?:tell|update|call|e-?mail|text|report to)\b.*\b(?:every|each|weekly|daily)\b",
            r"\bhow (?:i'?m|i am|she'?s|he'?s|things are) (?:doing|going)\b",
            r"\bkeep\b.*\b(?:posted|updated|informed)\b",
            r"\b(?:come|go|be|return)\w*\b.*\b(?:early|earlier|sooner)\b",
            r"\b(?:extend|extension|longer)\b",
            r"\bnot (?:coming|going|planning|want\w*) (?:back|to (?:come|return))\b",
        ),
        says("return", "status.fmla"),
        "Do I have to report while I am on leave?",
    ),
    Topic(
        "year",
        "how the leave year is counted",
        (
            r"\b(?:calendar|leave|rolling|fiscal) year\b|\b12[- ]month period\b|\brolling\b",
            r"\bcount\w*\b.*\b(?:year|12 months|first day)\b|\byear\b.*\bcount",
            r"\bhow far back\b|\blook(?:ing)?[- ]?back\b|\b(?:resets?|start over|renew)\b",
        ),
        says("year"),
        "How is the leave year counted?",
    ),
    Topic(
        "joint",
        "temporary workers and joint employers",
        (
            r"\btemps?\b|\btemporary (?:worker|agency|employee)|\bjoint employer",
            r"\bstaffing\b|\bplacement agency\b|\bleased?\b|\bpeo\b",
        ),
        says("special", "joint.fmla"),
        "What about a temporary worker of a staffing agency?",
    ),
    Topic(
        "notice_content",
        "what the employee has to say",
        (
            r"\bcall(?:ing|ed)? (?:in|out|off)\b",
            r"\b(?:give|tell|say|mention|state|name)\b.*\b(?:reason|fmla|cfra|the law|why)\b",
        ),
        says("notice", "content.fmla", "notice.cfra"),
        "Does the notice have to name the law?",
    ),
    Topic(
        "designation",
        "when the employer says that the leave counts",
        (
            r"\bdesignat\w*",
            r"\b(?:count(?:s|ed)?|official|approv(?:al|ed))\b.*\b(?:as|when|fmla|leave)\b",
            r"\bwhen\b.*\b(?:count(?:s|ed)?|official|approval|confirm\w*)\b",
        ),
        says("notice", "designation.fmla", "response.cfra", "response.pdl"),
        "When must the employer say that the leave counts as FMLA leave?",
    ),
    Topic(
        "overdue",
        "what follows if the employer answers late",
        (
            (
                r"\b(?:we|hr|the (?:employer|company|boss)|they|nobody)\b.{0,30}\b(?:forgot|"
                r"miss\w*|"
                r"late|never|did ?n[o']?t|blew|too long|took)\b"
            ),
            r"\b(?:penalt\w*|consequences?|liable)\b",
        ),
        says("notice", "unanswered.fmla", "response.fmla", "response.cfra", "response.pdl"),
        "What happens if the employer answers late?",
    ),
    Topic(
        "late_notice",
        "what late notice does",
        (
            r"\b(?:forg[eo]t\w*|miss\w*|didn'?t give|without|less than)\b.*\bnotice\b",
            r"\b(?:30|thirty)[- ]days?'?\b.*\bnotice\b|\bno notice\b",
            r"\b(?:too late|late notice|short notice|last[- ]minute|in advance|enough notice)\b",
            (
                r"\b(?:told|tell|ask(?:ed)?|notif\w+|gave|give|let)\b.*"
                r"\b(?:yesterday|today|late|only|just|ago|before|ahead|soon)\b"
            ),
            (
                r"\b(?:lose|lost|forfeit)\b.*\bleave\b|\b(?:deny|denied|refuse|"
                r"reject)\w*\b.*\bnotice\b"
            ),
        ),
        late_notice,
        "I told them late; do I lose the leave?",
    ),
)
