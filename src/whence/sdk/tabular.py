"""Reading tables from files: the kit that importers of packs share."""

from whence.records.tabular.cells import Cells, RowRefused
from whence.records.tabular.columns import Columns, Field, known_keys, match
from whence.records.tabular.dates import day, days_ago, moment, slash_order
from whence.records.tabular.header import header_key
from whence.records.tabular.layout import Layout
from whence.records.tabular.money import Amount, amount
from whence.records.tabular.raw import shorten
from whence.records.tabular.reading import Build, Context, Reading, Refused, Report, Row
from whence.records.tabular.table import Table as SourceTable
from whence.records.tabular.table import open_table
from whence.records.tabular.totals import is_total
from whence.records.tabular.values import (
    BadValue,
    CellError,
    currency,
    is_blank,
    line_of_text,
    link,
    text,
    whole,
    yes_or_no,
)

__all__ = [
    "Amount", "BadValue", "Build", "CellError", "Cells", "Columns", "Context", "Field", "Layout",
    "Reading", "Refused", "Report", "Row", "RowRefused", "SourceTable", "amount", "currency", "day",
    "days_ago", "header_key", "is_blank", "is_total", "known_keys", "line_of_text", "link", "match",
    "moment", "open_table", "shorten", "slash_order", "text", "whole", "yes_or_no",
]  # fmt: skip
