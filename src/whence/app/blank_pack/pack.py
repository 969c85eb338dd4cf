"""The manifest of the pack: all that the engine needs to know about it."""

from __future__ import annotations

from pathlib import Path

from whence.sdk import Evaluation, Pack, Sample

from .evals import words
from .flow import RESEARCH
from .imports import IMPORTER
from .kind import BLANK_RECORDS
from .tools import count_blank_pack_words

SAMPLE = Path(__file__).parent / "sample"

PACK = Pack(
    id="blank_pack",
    title="Blank pack",
    folder=Path(__file__).parent,
    subjects=[BLANK_RECORDS],
    flows=[RESEARCH],
    tools=[count_blank_pack_words],
    importers=[IMPORTER],
    evals=[Evaluation("words", "Words counted right", words, SAMPLE)],
    sample=Sample(SAMPLE, (("blank_records", "blank_records.jsonl"),), ("blank-records", "first")),
)
