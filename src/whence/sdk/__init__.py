"""What a pack may import from whence: the manifest here, everything else in a module by topic.

access      who is acting             pages       pages that can be talked with
chat        conversations             records     kinds, tables, files, the audit log
citations   answers and sources       research    flows and what a node may do
errors      what a pack may raise     skills      functions that a model carries out
evidence    claims and their checks   text        text from outside
http        outside systems           tools       functions for flows, chat and the API
imports     files to records          values      wire models, ids, the time
jobs        background work           wizards     guided forms
migrations  a pack's tables           tabular     reading tables
"""

from whence.kernel.settings import Settings
from whence.sdk.pack import Check, Evaluation, Pack, Sample, Setup

__all__ = ["Check", "Evaluation", "Pack", "Sample", "Settings", "Setup"]
