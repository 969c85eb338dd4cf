import type { ReactNode } from "react";
import { type Kind, type RecordData, useMayWrite } from "@/shared/api";
import { useStartResearch } from "@/shared/api/research";
import { AddFile } from "@/shared/form/AddFile";
import { canEdit } from "@/shared/form/draft";
import { EditField, EditMember } from "@/shared/form/EditField";
import { money } from "@/shared/format";
import { ImportLink } from "@/shared/routing/ImportLink";
import { Button, toast, toastError } from "@/shared/ui";
import type { MissingInformation } from "./dossier";

const REFRESH = "pricing_refresh";
const LISTINGS = "resale.listings";
/** Attributes are members of one field: `attributes.color`. */
const MEMBER = /^attributes\.(.+)$/;

interface About {
  kind: Kind;
  record: RecordData;
}

/** What is missing, by how far it could move the price, each with the way to supply it. */
export function Sharpen({
  missing,
  ...about
}: About & { missing: readonly MissingInformation[] }) {
  const mayWrite = useMayWrite();
  if (!missing.length) return null;
  return (
    <section aria-label="What would sharpen this">
      <h3 className="mb-2 text-read font-semibold">What would sharpen this</h3>
      <ol className="divide-y divide-line rounded-ui border border-line bg-raised">
        {missing.map((each) => (
          <li
            key={`${each.field}/${each.why}`}
            className="flex flex-col gap-2 px-4 py-3"
          >
            <div className="flex items-start justify-between gap-4">
              <span className="min-w-0">
                <span className="block font-medium">
                  {each.question ?? each.why}
                </span>
                {each.question && (
                  <span className="block text-table text-muted">
                    {each.why}
                  </span>
                )}
              </span>
              <Effect missing={each} />
            </div>
            {mayWrite && <Supply missing={each} {...about} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Effect({ missing }: { missing: MissingInformation }) {
  if (missing.amount === null || missing.amount < 0.005) return null;
  return (
    <span
      className="figures shrink-0 whitespace-nowrap"
      title="How far it could move the price"
    >
      ± {money(missing.amount, missing.currency)}
    </span>
  );
}

/** The control that supplies what is missing. */
function Supply({
  missing,
  kind,
  record,
}: About & { missing: MissingInformation }): ReactNode {
  const member = MEMBER.exec(missing.field)?.[1];
  if (isSupplied(record, missing.field, member))
    return (
      <StartAgain kind={kind} record={record} label="Research again">
        It has been entered since this research.
      </StartAgain>
    );
  if (member)
    return (
      <EditMember
        kind={kind}
        record={record}
        field="attributes"
        member={member}
      />
    );
  if (missing.field === "media" && kind.takesFiles)
    return (
      <AddFile
        kind={kind}
        record={record}
        label="Add a photograph"
        accept="image/*"
      />
    );
  const field = kind.fields.find((each) => each.name === missing.field);
  if (field && canEdit(kind, field))
    return <EditField kind={kind} record={record} field={field} />;
  return (
    <StartAgain kind={kind} record={record} label="Search again">
      <ImportLink importer={LISTINGS}>Import sold listings</ImportLink>
    </StartAgain>
  );
}

/** Whether the record says by now what research missed. */
function isSupplied(record: RecordData, field: string, member?: string) {
  const value = member
    ? (record.attributes as Record<string, unknown> | undefined)?.[member]
    : field !== "media" && record[field];
  return Boolean(value);
}

function StartAgain({
  kind,
  record,
  label,
  children,
}: About & { label: string; children: ReactNode }) {
  const start = useStartResearch(kind.kind);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      <Button
        icon="research"
        isPending={start.isPending}
        onPress={() =>
          start.mutate(
            { id: record.id, type: "research", runType: REFRESH },
            {
              onSuccess: () => toast("Research has started"),
              onError: toastError,
            },
          )
        }
      >
        {label}
      </Button>
    </div>
  );
}
