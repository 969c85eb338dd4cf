import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type AuditFilters, auditExport, useAuditLog, useAuditNames } from "@/shared/api/audit";
import { useMembers } from "@/shared/api/people";
import { actionInWords, inWords } from "@/shared/format";
import {
  Button,
  buttonLook,
  EmptyState,
  ErrorState,
  Field,
  Icon,
  Select,
  SkeletonLines,
} from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { AuditLines } from "./AuditLines";
import { OwnersOnly } from "./OwnersOnly";
import type { AuditSearch } from "./routes";

const route = getRouteApi("/shell/settings-frame/settings/audit");

/** Who changed what, when, from which value to which. */
export function AuditPage() {
  return (
    <OwnersOnly title="Audit log">
      <Log />
    </OwnersOnly>
  );
}

/** The filters as the API takes them; days are those of this browser, the last one included. */
function asked(search: AuditSearch): AuditFilters {
  const start = (day: string, later = 0) => {
    const at = new Date(`${day}T00:00:00`);
    at.setDate(at.getDate() + later);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  };
  return {
    userId: search.user,
    kind: search.kind,
    action: search.action,
    subjectId: search.subject,
    from: search.from && start(search.from),
    to: search.to && start(search.to, 1),
  };
}

function Log() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const filters = asked(search);
  const log = useAuditLog(filters);
  const lines = log.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.values(search).some(Boolean);
  const clear = () => void navigate({ to: "/settings/audit", search: {} });
  return (
    <>
      <PageHeader
        title="Audit log"
        about="Every change of records, people and settings, newest first."
        actions={
          <a href={auditExport(filters)} download="audit-log.csv" className={buttonLook()}>
            <Icon name="import" /> Export CSV
          </a>
        }
      />
      <Filters search={search} />
      {log.error && !log.data ? (
        <ErrorState error={log.error} retry={() => void log.refetch()} />
      ) : !log.data ? (
        <SkeletonLines lines={12} />
      ) : lines.length === 0 ? (
        <EmptyState
          icon="history"
          title={isFiltered ? "Nothing fits these filters" : "Nothing has been changed yet"}
          action={isFiltered && <Button onPress={clear}>Remove the filters</Button>}
        >
          {isFiltered
            ? "Widen the days, or choose everybody."
            : "Changes appear here as they happen."}
        </EmptyState>
      ) : (
        <>
          <AuditLines lines={lines} />
          {log.hasNextPage && (
            <div className="mt-3 flex justify-center">
              <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                Show older
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

const ALL = "";

function Filters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const members = useMembers().data ?? [];
  const names = useAuditNames().data ?? [];
  const kinds = [...new Set(names.map((each) => each.kind))];
  const actions = [
    ...new Set(
      names.filter((each) => !search.kind || each.kind === search.kind).map((each) => each.action),
    ),
  ].sort();
  const set = (name: keyof AuditSearch) => (value: string) =>
    void navigate({
      to: "/settings/audit",
      search: { ...search, [name]: value || undefined },
      replace: true,
    });
  return (
    <div role="group" aria-label="Filters" className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Select
        label="Who"
        value={search.user ?? ALL}
        onChange={set("user")}
        options={[
          { value: ALL, label: "Everybody" },
          ...members.map((each) => ({ value: each.userId, label: each.name || each.email })),
        ]}
      />
      <Select
        label="What"
        value={search.kind ?? ALL}
        onChange={set("kind")}
        options={[
          { value: ALL, label: "Everything" },
          ...kinds.map((kind) => ({ value: kind, label: inWords(kind) })),
        ]}
      />
      <Select
        label="Action"
        value={search.action ?? ALL}
        onChange={set("action")}
        options={[
          { value: ALL, label: "Any" },
          ...actions.map((action) => ({ value: action, label: actionInWords(action) })),
        ]}
      />
      <Field label="From" type="date" value={search.from ?? ""} onChange={set("from")} />
      <Field label="To" type="date" value={search.to ?? ""} onChange={set("to")} />
    </div>
  );
}
