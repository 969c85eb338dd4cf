import type { ReactNode } from "react";
import { useState } from "react";
import { inWords } from "@/shared/format";
import { Button, classes } from "@/shared/ui";

const FIRST_ROWS = 8;

/** A list of findings as a table; long ones open on demand. */
export function FindingsTable({
  rows,
  cell,
}: {
  rows: Record<string, unknown>[];
  cell: (index: number, name: string) => ReactNode;
}) {
  const [isWhole, showWhole] = useState(false);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => row[name] !== null && row[name] !== "" && row[name] !== undefined),
  );
  const isNumber = (name: string) =>
    rows.every((row) => row[name] === null || typeof row[name] === "number");
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <div className="overflow-x-auto rounded-ui border border-line bg-raised">
      <table className="w-full border-collapse text-table">
        <thead>
          <tr className="border-b border-line bg-sunken text-muted">
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                className={classes(
                  "px-3 py-1.5 font-medium whitespace-nowrap",
                  isNumber(name) ? "text-right" : "text-left",
                )}
              >
                {/Ids?$/.test(name) ? inWords(name.replace(/Ids?$/, "")) : inWords(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((_, index) => (
            <tr key={index} className="border-b border-line align-top last:border-0">
              {names.map((name) => (
                <td
                  key={name}
                  className={classes("max-w-[48ch] px-3 py-1.5", isNumber(name) && "text-right")}
                >
                  {cell(index, name)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > FIRST_ROWS && (
        <Button look="quiet" className="m-1" onPress={() => showWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${rows.length}`}
        </Button>
      )}
    </div>
  );
}
