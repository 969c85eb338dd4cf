"""The kinds of all packs, checked together at start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.kernel.errors import Misconfigured
from whence.kernel.text import camel
from whence.records.deletion import referring
from whence.records.filters import filters_of
from whence.records.kind import Relation, SubjectKind, SubjectMeta
from whence.records.listing import RESERVED


def by_name(kinds: Iterable[SubjectKind]) -> Mapping[str, SubjectKind]:
    """The kinds by plural name.  Raises Misconfigured, which says what the pack must fix."""
    kinds_by_name: dict[str, SubjectKind] = {}
    for kind in kinds:
        if kind.kind in kinds_by_name:
            raise Misconfigured(f"Two packs bring the subject kind '{kind.kind}'.")
        kinds_by_name[kind.kind] = kind
    for kind in kinds_by_name.values():
        _check_columns(kind)
        for relation in kind.relations:
            _check_relation(kinds_by_name, kind, relation)
        _check_parameters(kind)
    for kind in kinds_by_name.values():
        _check_nested(kinds_by_name, kind)
    return kinds_by_name


def nested_name(child: SubjectKind, relation: Relation) -> str:
    """The name of the list of referring records below a record's address."""
    return relation.nested or child.kind


def _check_columns(kind: SubjectKind) -> None:
    columns = kind.row.__table__.columns
    for what, names in (
        ("search", kind.search),
        ("filters", kind.filters),
        ("sorts", kind.sorts),
    ):
        for name in names:
            if name not in columns:
                raise Misconfigured(
                    f"'{kind.kind}' names '{name}' in {what}; it has no such column."
                )
    for name in kind.filters:
        if name not in kind.record.model_fields:
            raise Misconfigured(f"'{kind.kind}' names '{name}' in filters; it has no such field.")


def _check_relation(
    kinds: Mapping[str, SubjectKind], kind: SubjectKind, relation: Relation
) -> None:
    target = relation.target()
    if kinds.get(target.kind) is not target:
        raise Misconfigured(f"'{kind.kind}' refers to '{target.kind}', which no pack brings.")
    if relation.field not in kind.record.model_fields or relation.field not in (
        kind.row.__table__.columns
    ):
        raise Misconfigured(
            f"'{kind.kind}' has the relation '{relation.name}'; its record needs a field and its"
            f" table a column '{relation.field}'."
        )
    if relation.name in {*kind.record.model_fields, *SubjectMeta.model_fields}:
        raise Misconfigured(
            f"'{kind.kind}' has the relation '{relation.name}' and a field of the same name."
        )


def _check_parameters(kind: SubjectKind) -> None:
    names = [each.parameter for each in filters_of(kind)]
    for name in names:
        if name in RESERVED or names.count(name) > 1:
            raise Misconfigured(
                f"The list of '{kind.kind}' has another parameter '{name}'; rename that filter."
            )


def _check_nested(kinds: Mapping[str, SubjectKind], kind: SubjectKind) -> None:
    names = [nested_name(child, relation) for child, relation in referring(kinds, kind)]
    for name in names:
        if names.count(name) > 1:
            raise Misconfigured(
                f"Two relations make the list '{camel(name)}' below '{kind.kind}'; give one of them"
                " another name in `nested`."
            )
