"""Every wizard that the packs offer, in every version that a run may be pinned to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.kernel.errors import Invalid, Misconfigured, NotFound
from whence.records.kind import SubjectKind
from whence.wizards.definition import Wizard


class WizardNotNamed(Invalid):
    """Several wizards could be meant, or none; name one with `wizardId`."""


class Wizards:
    """Wizards by id and version.  New runs use the first version listed for an id."""

    def __init__(self, wizards: Iterable[Wizard], kinds: Mapping[str, SubjectKind]) -> None:
        """Raises Misconfigured for a duplicate version, and for a kind that no pack offers."""
        self.kinds = kinds
        self._newest: dict[str, Wizard] = {}
        self._versions: dict[tuple[str, str], Wizard] = {}
        for wizard in wizards:
            if (wizard.id, wizard.version) in self._versions:
                raise Misconfigured(f"The wizard '{wizard.id}' has version {wizard.version} twice.")
            if wizard.kind is not None and wizard.kind not in kinds:
                raise Misconfigured(
                    f"The wizard '{wizard.id}' needs the kind '{wizard.kind}', which no pack has."
                )
            self._newest.setdefault(wizard.id, wizard)
            self._versions[wizard.id, wizard.version] = wizard

    @property
    def all_wizards(self) -> list[Wizard]:
        """The wizards that can be started, by id."""
        return [self._newest[name] for name in sorted(self._newest)]

    def newest(self, wizard_id: str) -> Wizard:
        """The version of the wizard that new runs use; raises NotFound and names the wizards."""
        if wizard_id not in self._newest:
            names = ", ".join(sorted(self._newest)) or "none"
            raise NotFound(f"There is no wizard '{wizard_id}'. Available wizards: {names}.")
        return self._newest[wizard_id]

    def only_one(self, kind: str | None) -> Wizard:
        """The wizard to start without naming one: the only one about this kind, or the only one.

        Raises WizardNotNamed where there is none to choose, or more than one.
        """
        candidates = [one for one in self.all_wizards if kind in (None, one.kind)]
        if len(candidates) != 1:
            names = ", ".join(one.id for one in candidates or self.all_wizards) or "none"
            raise WizardNotNamed(
                f"'wizardId' is required here. Available wizards: {names}.",
                errors=[{"field": "wizardId", "message": f"one of {names}"}],
            )
        return candidates[0]

    def pinned(self, wizard_id: str, version: str) -> Wizard | None:
        """The wizard in the version a run began with; None if no pack offers it any more."""
        return self._versions.get((wizard_id, version))
