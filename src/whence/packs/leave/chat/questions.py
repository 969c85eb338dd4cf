"""What people ask beside eligibility, amounts and dates: pay, health cover, medical proof, rights.

Each answer is a rule's own text with its section.  What no rule here says is refused by name.
"""

from __future__ import annotations

from whence.sdk.chat import Topic

from .provision_answers import BENEFITS, agencies, definitions, notices, protection, says

_PAPERS = r"(?:paperwork|papers?|notes?|forms?|documents?|documentation)\b"
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
            r"\b(?:quit|resign|(?:not|don'?t) (?:come|return))\w*\b.*\b(?:pay|owe|repay)",
            r"\b(?:owe|repay|pay (?:\w+ )?back|reimburse)\w*",
            r"\b(?:cancel|drop|cut off|lapse|terminat)\w*\b.*\b(?:cover|insurance|benefit)\w*",
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
            r"\b(?:let(?:ting)?|tak(?:e|ing)) (?:me|her|him|them|us) (?:come )?back\b.*\bnote\b",
            r"\bfit(?:ness)?[- ](?:for|to)[- ](?:duty|work|return)\b",
            (
                r"\b(?:doctor|provider|medical|note|release|clear(?:ed|ance)?|certif\w*)\b"
                r".*\b(?:return|come back|go back|back to work)\b"
                r"|\b(?:return|come back|go back)\b"
                r".*\b(?:doctor|note|release|clearance|certif\w*)\b"
            ),
            r"\breturn[- ]to[- ]work\b|\bfitness\b",
        ),
        says("medical", "fitness.fmla", "fitness.cfra", "fitness.pdl"),
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
            rf"\b{_PAPERS}.*\b(?:expire|again|outdated)|\bexpired?\b.*\b{_PAPERS}",
            rf"\b(?:again|another|new|more|every|how often|keep|third)\b.*\b{_PAPERS}",
            r"\bhow often\b.*\b(?:doctor|provider|proof|prove)\b",
        ),
        says("medical", "recertification.fmla", "recertification.cfra", "recertification.pdl"),
        "How often can a recertification be asked for?",
    ),
    Topic(
        "no_certification",
        "what follows without a certification",
        (
            (
                r"\b(?:don'?t|doesn'?t|not|never|fail\w*|without|refus\w*|won'?t)\b.*"
                rf"\b(?:certif\w*|{_PAPERS})"
            ),
            rf"\bif\b.*\b(?:don'?t|doesn'?t|no|never|fail\w*)\b.*\b(?:certif\w*|{_PAPERS})",
        ),
        says("certification", "certification.fmla", "certification.cfra", "certification.pdl"),
        "What happens without a certification?",
    ),
    Topic(
        "cure",
        "a certification that lacks something",
        (
            (
                rf"\b(?:certif\w*|doctor|provider|{_PAPERS})\b.*"
                r"\b(?:wrong|incomplete|missing|incorrect|mistake|fix|correct|unclear|blank)"
            ),
            (
                r"\b(?:wrong|incomplete|incorrect|mistake|unclear|insufficient)\b.*"
                rf"\b(?:certif\w*|{_PAPERS})"
            ),
            r"\b(?:fix|mend|correct|cure|redo)\b",
        ),
        says("certification", "cure.fmla", "cure.cfra", "sufficient.cfra", "cure.pdl"),
        "How long is there to mend an incomplete certification?",
    ),
    Topic(
        "opinion",
        "second and third opinions",
        (
            r"\b(?:second|third|2nd|3rd) (?:medical )?opinion",
            r"\bopinions?\b",
            r"\b(?:another|different|own|company|second|their) (?:doctor|physician|provider)\b",
            r"\b(?:send|sent|pays?|paid)\b.*\b(?:doctor|physician|provider)\b",
            r"\bdoubts?\b.*\bcertif|\bcertif\w*\b.*\bdoubt",
        ),
        says("medical", "opinion.fmla", "opinion.cfra"),
        "Can the employer ask for a second opinion?",
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
            r"\btransfer|\breassign",
            r"\b(?:move|switch|put)\b.*\b(?:job|position|role|shift|department|duties)\b",
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
            r"\bfired?\b|\bfiring\b|\bdismiss|\bterminat",
            r"\bw(?:rote|rite|riting|ritten)\b.*\bup\b|\bwrite-?up\b|\bwarn(?:ed|ing)\b",
            r"\b(?:bonus|raise|promotion|review|evaluation|held against)\b|\bpoints?\b",
            r"\b(?:pressur|discourag|threaten|harass|guilt|punish)\w*",
            r"\bfire (?:me|her|him|them|us)\b|\b(?:lose|losing) (?:my|her|his|the|their) job\b",
            r"\bpunish|\bdemot|\bdiscriminat|\bwritten up\b|\bagainst (?:me|her|him|them)\b",
            r"\bno[- ]fault\b|\battendance (?:policy|points?)\b",
        ),
        protection,
        "Can they fire me for taking leave?",
    ),
    Topic(
        "agencies",
        "whom to ask",
        (
            r"\bwh(?:o|om|ere)\b.*\b(?:ask|call|contact|complain|turn to|report)\b",
            r"\bcomplain(?:t|ts)?\b|\bagenc(?:y|ies)\b",
            r"\bappeal|\bdisput|\bdisagree|\b(?:denied|refused|rejected|turned down)\b",
            r"\b(?:i|she|he|we|they) (?:appeal|complain|challenge|contest|fight)\b",
            r"\bhow do (?:i|we) (?:appeal|complain)|\bappeal\b.*\b(?:decision|not eligible|denial)",
            r"\bwhat can (?:i|she|he|we|they) do\b",
            r"\bdepartment of labor\b|\bcivil rights department\b|\bdol\b|\bcrd\b",
        ),
        agencies,
        "Whom can I ask about this?",
    ),
)
