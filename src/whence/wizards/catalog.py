"""Every wizard that the packs offer, in every version that a run may be pinned to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.kernel.errors import Misconfigured, NotFound
from whence.records.kind import SubjectKind
from whence.wizards.definition import Wizard


class Wizards:
    """Wizards by id and version.  The first of an id is the one that new runs begin with."""

    def __init__(self, wizards: Iterable[Wizard], kinds: Mapping[str, SubjectKind]) -> None:
        """Raises Misconfigured for a version given twice, and for a kind that no pack brings."""
        self.kinds = kinds
        self._newest: dict[str, Wizard] = {}
        self._versions: dict[tuple[str, str], Wizard] = {}
        for wizard in wizards:
            if (wizard.id, wizard.version) in self._versions:
                raise Misconfigured(f"The wizard '{wizard.id}' has version {wizard.version} twice.")
            if wizard.kind is not None and wizard.kind not in kinds:
                raise Misconfigured(f"No pack brings '{wizard.kind}', of '{wizard.id}'.")
            self._newest.setdefault(wizard.id, wizard)
            self._versions[wizard.id, wizard.version] = wizard

    @property
    def all_wizards(self) -> list[Wizard]:
        """What can be begun, by id."""
        return [self._newest[name] for name in sorted(self._newest)]

    def newest(self, wizard_id: str) -> Wizard:
        """The wizard as it is begun today; raises NotFound naming those there are."""
        if wizard_id not in self._newest:
            names = ", ".join(sorted(self._newest)) or "none"
            raise NotFound(f"There is no wizard '{wizard_id}'; there are {names}.")
        return self._newest[wizard_id]

    def pinned(self, wizard_id: str, version: str) -> Wizard | None:
        """The wizard in the version that a run began with, None where it is no longer offered."""
        return self._versions.get((wizard_id, version))
