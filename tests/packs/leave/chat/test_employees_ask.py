"""Questions of employees, written from the text before they were asked: each is answered from the
section that settles it, and none is taken for a change.

Each set was asked once before the words of the topics were mended for it: 6, 11 and 8 of 20 were
answered from the right section then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest

from whence.chat.citing.composing import topics_of
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest
from whence.sdk.chat import ByRule, Intent, intent_of

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]
BONDING: dict[str, object] = {"reason": "bonding_birth", "child_arrives_on": date(2026, 2, 10)}
EXIGENCY: dict[str, object] = {
    "reason": "military_exigency",
    "relation": "spouse",
    "active_duty": True,
}

ASKED: list[tuple[str, dict[str, object], str, str]] = [
    ("Do I have to use up my vacation before FMLA starts?", {},
     "the employer may require", "825.207"),
    ("My boss wants to call my doctor himself, is that allowed?", {},
     "supervisor", "825.307"),
    ("If I quit after my leave do I owe them the insurance money?", {},
     "may recover its share", "825.213"),
    ("They cancelled my health insurance because I paid two weeks late. Can they?", {},
     "more than 30 days late", "825.212"),
    ("Can I take off just two hours a week for therapy?", {},
     "one hour at most", "825.205"),
    ("Can they make me get a note before letting me come back?", {},
     "can work again", "825.312"),
    ("How often can HR make me bring new paperwork from the doctor?", {},
     "every 30 days", "825.308"),
    ("Who pays if they send me to another doctor?", {},
     "at its own cost", "825.307"),
    ("Will I get paid while I'm out?", {},
     "FMLA leave is unpaid", "825.207"),
    ("Do I get my old job back?", {},
     "the same position", "825.214"),
    ("My husband is home on R&R for two weeks, how many days can I get?", EXIGENCY,
     "15 calendar days", "825.126"),
    ("I work at the same company as my wife, do we have to share the 12 weeks?", BONDING,
     "limit|limited", "825.120"),
    ("Do holidays count against my 12 weeks?", {},
     "In a part of a week", "825.200"),
    ("My manager wrote me up for the days I was out on FMLA", {},
     "may not count against", "825.220"),
    ("How long do they have to tell me if I'm approved?", {},
     "five business days|5 business days", "825.300"),
    ("I only told them yesterday, will I lose the leave?", {},
     "does not take", "825.304"),
    ("Can they move me to a different job while I'm on part-time leave?", {},
     "equivalent pay and benefits", "825.204"),
    ("What papers do they need for bonding with the baby?", BONDING,
     "no medical certification", "825.122"),
    ("Can I work a second job while on leave?", {},
     "outside|supplemental|other employment|second job", "825.216"),
    ("If I get laid off while on leave do they have to take me back?", {},
     "no greater right", "825.216"),
]  # fmt: skip
SECOND: list[tuple[str, dict[str, object], str, str]] = [
    ("Is my employer allowed to count FMLA days as absences in the point system?", {},
     "may not count against", "825.220"),
    ("They want me to use my sick days first, do I have to?", {},
     "the employer may require", "825.207"),
    ("Who covers my premium while I'm gone?", {},
     "keeps up group health cover", "825.209"),
    ("My doctor filled in the form wrong, how long do I have to fix it?", {},
     "seven calendar days", "825.305"),
    ("Can HR say no because I forgot the 30 days notice?", {},
     "does not take", "825.304"),
    ("What if my position is eliminated while I'm away?", {},
     "no greater right", "825.216"),
    ("Do both my wife and I get 12 weeks for the baby if we work at different companies?", BONDING,
     "same employer", "825.120"),
    ("Do I need to tell my boss every week how I'm doing?", {},
     "may require reports", "825.311"),
    ("Can I come back earlier than planned?", {},
     "more leave than is needed", "825.311"),
    ("My boss keeps pressuring me not to take it", {},
     "may not interfere", "825.220"),
    ("Does the week of Thanksgiving count as a full week?", {},
     "full week of leave counts", "825.200"),
    ("How soon must HR send me the designation notice?", {},
     "five business days|5 business days", "825.300"),
    ("Could they put me on the night shift while I take Fridays off for chemo?", {},
     "may transfer", "825.204"),
    ("Can the company ask for a second opinion about my mother's illness?", {},
     "names no second opinion", "12945.2"),
    ("I'm pregnant and lifting is too heavy, can I get lighter duty?",
     {"reason": "pregnancy_disability", "child_arrives_on": date(2026, 5, 1)},
     "reasonable accommodation", "12945"),
    ("Where do I file a complaint?", {},
     "Wage and Hour Division", "Whom to ask"),
    ("Do I get CFRA to care for my grandmother?", {},
     "grandparent", "12945.2"),
    ("I have bad asthma attacks now and then, can I take leave only on those days?", {},
     "medically needed", "825.202"),
    ("Does FMLA cover my brother getting back from Afghanistan?", EXIGENCY,
     "spouse|military member", "825.126"),
    ("Does my boss get to know what's wrong with me?", {},
     "diagnosis", "11091|11087"),
]  # fmt: skip

THIRD: list[tuple[str, dict[str, object], str, str]] = [
    ("Do they have to keep contributing to my dental plan?", {},
     "keeps up group health", "825.209"),
    ("HR says my paperwork expired, do I have to get a new one?", {},
     "every 30 days", "825.308"),
    ("Can I split my leave into two chunks?", {},
     "blocks", "825.202"),
    ("My employer denied my request, what can I do?", {},
     "Wage and Hour", "Whom to ask|825.220"),
    ("Are stepparents covered?", {},
     "parent", "825.122"),
    ("Is it counted by calendar year or from my first day off?", {},
     "calendar year", "825.200"),
    ("My doctor won't fill out the form in time", {},
     "15 calendar days", "825.305"),
    ("Can I use PTO at the same time as pregnancy leave?", {"reason": "pregnancy_disability"},
     "if the employee chooses", "11044"),
    ("Do I have to tell them what surgery I'm having?", {},
     "diagnosis", "11091|11087"),
    ("How many hours do I need to have worked?", {},
     "1,250", "825.110"),
    ("Does my time as a temp count?", {},
     "employed jointly|placement|agency", "825.106"),
    ("Can my supervisor email my clinic?", {},
     "direct supervisor", "825.307"),
    ("They hired a replacement, do I still have a job?", {},
     "the same position", "825.214"),
    ("I want to quit at the end of leave, do I have to pay anything back?", {},
     "recover", "825.213"),
    ("Does a week in July when the plant shuts down count?", {},
     "business stops", "825.200"),
    ("How far back do they look to count my leave?", {},
     "rolling", "825.200"),
    ("Do I need to give a reason when I call in?", {},
     "reason", "11091|825.30"),
    ("Can I appeal if they say I'm not eligible?", {},
     "Wage and Hour", "Whom to ask"),
    ("What happens if I don't send in the medical form?", {},
     "deny", "825.313"),
    ("Can they cut my bonus because I was on leave?", {},
     "may not count against", "825.220"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "facts", "says", "section"), [*ASKED, *SECOND, *THIRD])
def test_an_employee_is_answered_from_the_section(
    a_request: NewRequest,
    look_at: LookAt,
    question: str,
    facts: dict[str, object],
    says: str,
    section: str,
) -> None:
    assert intent_of(question, CHAT) is Intent.QUESTION
    view = look_at(a_request(**facts))
    statements = [
        one for topic in topics_of(CHAT, question) for one in topic.answer(view, question)
    ]
    text = " ".join(one.text for one in statements)
    assert re.search(says, text), text
    cited = " ".join(str(by) for one in statements for by in one.by if isinstance(by, ByRule))
    assert re.search(section, cited), cited
