import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useInbox } from "@/shared/api/inbox";
import { type ListedRun, useRuns } from "@/shared/api/runs";
import { inWords, Time } from "@/shared/format";
import { RunStateChip } from "@/shared/runs/RunState";
import { Card } from "@/shared/ui/Page";

const MOST = 6;
const EVERY = {};

/** The newest research of the organization, and what waits for this person; nothing if none is. */
export function Recent() {
  const runs = useRuns(EVERY).data?.pages[0]?.items.slice(0, MOST);
  const waiting = useInbox().data?.length;
  if (!runs?.length) return null;
  return (
    <Card title="Latest research" actions={<More to="/runs">All runs</More>} className="mb-4">
      {waiting ? (
        <p className="mb-2">
          <Link to="/inbox" className="text-accent underline">
            {waiting === 1 ? "One decision waits" : `${waiting} decisions wait`}
          </Link>{" "}
          in your inbox.
        </p>
      ) : null}
      <ul className="-my-1 divide-y divide-line">
        {runs.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ul>
    </Card>
  );
}

function RunLine({ run }: { run: ListedRun }) {
  return (
    <li>
      <Link
        to="/records/$kind/$id"
        params={{ kind: run.kind, id: run.subjectId }}
        search={{ tab: "research" }}
        className="-mx-2 grid min-h-10 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-ui px-2 py-1 touch-44 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_10rem_7rem]"
      >
        <span className="truncate">{run.title ?? inWords(run.kind)}</span>
        <span>
          <RunStateChip
            status={run.status}
            note={run.partial ? "partly" : run.asks ? "asks" : undefined}
          />
        </span>
        <span className="text-right text-table text-muted max-sm:hidden">
          <Time at={run.createdAt} />
        </span>
      </Link>
    </li>
  );
}

const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="px-2 text-table text-accent hover:underline">
    {children}
  </Link>
);
