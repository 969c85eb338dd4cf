import { Link, useNavigate } from "@tanstack/react-router";
import { useMayWrite } from "@/shared/api";
import { useImportsOf } from "@/shared/api/imports";
import type { Feature, ListActionProps, RecordTabProps } from "@/shared/feature/feature";
import { Time } from "@/shared/format";
import { buttonLook, Icon, StateChip } from "@/shared/ui";

/** Leads from the list of a kind to the import of its records. */
function ImportLink({ pack, kind }: ListActionProps) {
  const mayWrite = useMayWrite();
  const importer = pack.imports.find((each) => each.kind === kind.kind);
  if (!importer || !mayWrite) return null;
  return (
    <Link to="/imports" search={{ of: importer.name }} className={buttonLook()}>
      <Icon name="import" />
      Import
    </Link>
  );
}

/** Says that a record is one of a pack's samples. */
function SampleMark({ record }: RecordTabProps) {
  const imports = useImportsOf(record.id).data ?? [];
  return imports.some((each) => each.isSample) && <StateChip tone="excluded">Sample</StateChip>;
}

/** The files that a record came from. */
function CameFrom({ record }: RecordTabProps) {
  const imports = useImportsOf(record.id).data ?? [];
  if (!imports.length) return null;
  return (
    <p className="mt-3 text-table text-muted">
      Imported from{" "}
      {imports.map((each, index) => (
        <span key={each.id}>
          {index > 0 && ", "}
          <Link
            to="/imports/$id"
            params={{ id: each.id }}
            className="text-accent wrap-anywhere underline"
          >
            {each.filename}
          </Link>{" "}
          <Time at={each.createdAt} />
        </span>
      ))}
    </p>
  );
}

export const feature: Feature = {
  id: "imports",
  RecordMark: SampleMark,
  recordDetails: [{ id: "came-from", appliesTo: () => true, Content: CameFrom }],
  nav: [{ to: "/imports", label: "Imports", icon: "import", place: "work", key: "m" }],
  listActions: [{ id: "import", Action: ImportLink }],
  useCommands: () => {
    const navigate = useNavigate();
    const mayWrite = useMayWrite();
    if (!mayWrite) return [];
    return [
      {
        id: "import",
        label: "Import a file",
        icon: "import",
        run: () => void navigate({ to: "/imports" }),
      },
    ];
  },
};
