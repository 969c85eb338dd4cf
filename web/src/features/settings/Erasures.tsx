import { useErasures } from "@/shared/api/retention";
import { useMembers } from "@/shared/api/people";
import { inWords, number, Time } from "@/shared/format";
import { Button, ErrorState, SkeletonLines } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

/** What was erased: of each, the reason and how many rows. */
export function Erasures() {
  const erasures = useErasures();
  const members = useMembers().data ?? [];
  const all = erasures.data?.pages.flatMap((page) => page.items) ?? [];
  const nameOf = (id: string) =>
    members.find((each) => each.userId === id)?.name ?? "somebody who left";
  return (
    <Card title="Erased for good">
      {erasures.error && !erasures.data ? (
        <ErrorState error={erasures.error} retry={() => void erasures.refetch()} />
      ) : !erasures.data ? (
        <SkeletonLines lines={2} />
      ) : all.length === 0 ? (
        <p className="text-muted">
          Nothing has been erased. Of what is, only the reason and the number of rows stay here.
        </p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {all.map((each) => (
            <li key={each.id} className="py-2">
              <p className="wrap-anywhere">{each.reason}</p>
              <p className="text-table text-muted">
                {inWords(each.kind)} · {number(rowsOf(each.removed))} rows · by{" "}
                {nameOf(each.erasedBy)} <Time at={each.erasedAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {erasures.hasNextPage && (
        <Button className="mt-3" onPress={() => void erasures.fetchNextPage()}>
          Show older
        </Button>
      )}
    </Card>
  );
}

export const rowsOf = (tables: Record<string, number>): number =>
  Object.values(tables).reduce((sum, each) => sum + each, 0);
