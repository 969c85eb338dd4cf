"""The only whence names that a pack may import."""

from whence.chat.citing.composing import compose, topic_of, topics_of
from whence.chat.citing.grounding import Grounded, Grounding, Reference
from whence.chat.citing.researched import earlier_research, latest_research, one_sentence
from whence.chat.citing.sources import Mark, Source, SourceBook
from whence.chat.language.fields import Change, changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.reading import DOLLARS
from whence.chat.look import Look, PastRun
from whence.chat.offer import (
    ByClaim,
    ByEvidence,
    ByPage,
    ByRecord,
    ByRule,
    ByRun,
    Carrier,
    Chat,
    Editable,
    Said,
    Topic,
)
from whence.chat.pages.overview import Overview, overview, plainly
from whence.chat.pages.overview_page import overview_entries, overview_topics
from whence.chat.pages.page import (
    Page,
    PageEntry,
    PageIds,
    PageTopic,
    PageValues,
    PageView,
    reads_out,
)
from whence.db.tables import SubjectRow, Table, TenantRow
from whence.evidence.checks import check as check_claim
from whence.evidence.records import (
    BundledEvidence,
    Cite,
    ClaimDraft,
    DossierDraft,
    Figure,
    Finding,
    Judgement,
)
from whence.evidence.records import Evidence as EvidenceRecord
from whence.evidence.wire import ClaimAnswer, DossierAnswer
from whence.kernel.clock import now
from whence.kernel.errors import (
    BudgetExceeded,
    Conflict,
    Invalid,
    Misconfigured,
    NotFound,
    NotReady,
    Unavailable,
    WhenceError,
)
from whence.kernel.fetch import (
    Absent,
    AccessDenied,
    AddressRefused,
    CredentialsRefused,
    Fetched,
    Fetcher,
    FetchError,
    MalformedBody,
    Reach,
    RequestRefused,
    Throttled,
)
from whence.kernel.ids import new_id
from whence.kernel.services import Services
from whence.kernel.settings import Settings
from whence.kernel.text import camel, clean, digest, quoted
from whence.kernel.wire import Wire
from whence.llm import ImagePart, Outcome, skill
from whence.records.attachments import Attachment
from whence.records.audit import audit
from whence.records.files.store import StoredFile
from whence.records.files.store import keep as keep_file
from whence.records.files.store import read as read_file
from whence.records.kind import SubjectKind
from whence.research.context import RunContext
from whence.research.flow import Branch, Flow
from whence.research.questions import Question
from whence.sdk.pack import (
    Check,
    Evaluation,
    ImportContext,
    Importer,
    ImportReport,
    Pack,
    Refusal,
    Sample,
    Setup,
)
from whence.tenancy.principal import Principal, Scope
from whence.tools.tool import Tool, ToolContext, tool
from whence.wizards.answers import Answers
from whence.wizards.definition import (
    Background,
    Hint,
    KnownValue,
    Notice,
    RuleRow,
    Step,
    StepKind,
    Wizard,
    WizardOutcome,
)

__all__ = [
    "DOLLARS",
    "Absent",
    "AccessDenied",
    "AddressRefused",
    "Answers",
    "Attachment",
    "Background",
    "Branch",
    "BudgetExceeded",
    "BundledEvidence",
    "ByClaim",
    "ByEvidence",
    "ByPage",
    "ByRecord",
    "ByRule",
    "ByRun",
    "Carrier",
    "Change",
    "Chat",
    "Check",
    "Cite",
    "ClaimAnswer",
    "ClaimDraft",
    "Conflict",
    "CredentialsRefused",
    "DossierAnswer",
    "DossierDraft",
    "Editable",
    "Evaluation",
    "EvidenceRecord",
    "FetchError",
    "Fetched",
    "Fetcher",
    "Figure",
    "Finding",
    "Flow",
    "Grounded",
    "Grounding",
    "Hint",
    "ImagePart",
    "ImportContext",
    "ImportReport",
    "Importer",
    "Intent",
    "Invalid",
    "Judgement",
    "KnownValue",
    "Look",
    "MalformedBody",
    "Mark",
    "Misconfigured",
    "NotFound",
    "NotReady",
    "Notice",
    "Outcome",
    "Overview",
    "Pack",
    "Page",
    "PageEntry",
    "PageIds",
    "PageTopic",
    "PageValues",
    "PageView",
    "PastRun",
    "Principal",
    "Question",
    "Reach",
    "Reference",
    "Refusal",
    "RequestRefused",
    "RuleRow",
    "RunContext",
    "Said",
    "Sample",
    "Scope",
    "Services",
    "Settings",
    "Setup",
    "Source",
    "SourceBook",
    "Step",
    "StepKind",
    "StoredFile",
    "SubjectKind",
    "SubjectRow",
    "Table",
    "TenantRow",
    "Throttled",
    "Tool",
    "ToolContext",
    "Topic",
    "Unavailable",
    "WhenceError",
    "Wire",
    "Wizard",
    "WizardOutcome",
    "audit",
    "camel",
    "changes_in",
    "check_claim",
    "clean",
    "compose",
    "digest",
    "earlier_research",
    "intent_of",
    "keep_file",
    "latest_research",
    "new_id",
    "now",
    "one_sentence",
    "overview",
    "overview_entries",
    "overview_topics",
    "plainly",
    "quoted",
    "read_file",
    "reads_out",
    "skill",
    "tool",
    "topic_of",
    "topics_of",
]
