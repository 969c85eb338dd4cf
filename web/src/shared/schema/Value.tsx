import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { day, fullTime, inWords, money, number } from "@/shared/format";
import { Icon } from "@/shared/ui";
import { resolve, type Schema, shapeOf, shapeOfValue } from "./schema";

/** A value as a reader writes it; `unit` is a unit or a currency. */
export function Value({
  value,
  schema,
  root = {},
  unit,
}: {
  value: unknown;
  schema?: Schema;
  root?: Schema;
  unit?: string | null;
}): ReactNode {
  if (value === null || value === undefined || value === "")
    return <span className="text-muted">—</span>;
  const plain = resolve(schema, root);
  const known = schema ? shapeOf(schema, root) : "unknown";
  const shape = known === "unknown" || known === "text" ? shapeOfValue(value) : known;
  switch (shape) {
    case "boolean":
      return value ? "Yes" : "No";
    case "number":
    case "integer":
      return typeof value === "number" ? (
        <span className="figures">{figure(value, unit)}</span>
      ) : (
        String(value)
      );
    case "date":
      return <span className="figures whitespace-nowrap">{day(String(value))}</span>;
    case "time":
      return (
        <time dateTime={String(value)} title={fullTime(String(value))} className="figures">
          {day(String(value))}
        </time>
      );
    case "choice":
      return choiceInWords(value, plain);
    case "link":
      return <OutsideLink url={String(value)} />;
    case "id":
      return <code className="font-mono text-table break-all">{String(value)}</code>;
    case "list":
      return <List values={value as unknown[]} schema={plain.items} root={root} unit={unit} />;
    case "object":
    case "map":
      return <Pairs value={value as Record<string, unknown>} schema={plain} root={root} />;
    case "longText":
      return (
        <span className="max-w-[72ch] whitespace-pre-line wrap-anywhere">{String(value)}</span>
      );
    default:
      return <span className="wrap-anywhere">{asWords(String(value))}</span>;
  }
}

/** Programs write `sell_through` where people read `Sell through`. */
const asWords = (text: string): string => (/^[a-z]+(_[a-z]+)+$/.test(text) ? inWords(text) : text);

/** A word of a list of choices, as its field calls it; `like_new` is read as `Like new`. */
export const choiceInWords = (value: unknown, schema?: Schema): string =>
  typeof value === "string" ? (schema?.["x-labels"]?.[value] ?? inWords(value)) : String(value);

/** A number with its unit; a currency decides how money is written. */
export function figure(value: number, unit?: string | null): string {
  if (!unit) return number(value);
  return /^[A-Z]{3}$/.test(unit) ? money(value, unit) : `${number(value)} ${unit}`;
}

function List({
  values,
  schema,
  root,
  unit,
}: {
  values: unknown[];
  schema?: Schema;
  root: Schema;
  unit?: string | null;
}) {
  if (!values.length) return <span className="text-muted">—</span>;
  const isPlain = values.every((each) => typeof each !== "object");
  if (isPlain && values.join("").length < 60)
    return values.map((each, index) => (
      <span key={index}>
        {index > 0 && ", "}
        <Value value={each} schema={schema} root={root} unit={unit} />
      </span>
    ));
  return (
    <ul className="flex list-disc flex-col gap-1 pl-4">
      {values.map((each, index) => (
        <li key={index}>
          <Value value={each} schema={schema} root={root} unit={unit} />
        </li>
      ))}
    </ul>
  );
}

/** An object as pairs of name and value. */
export function Pairs({
  value,
  schema,
  root,
}: {
  value: Record<string, unknown>;
  schema?: Schema;
  root: Schema;
}) {
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== "");
  if (!entries.length) return <span className="text-muted">—</span>;
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-4 gap-y-1">
      {entries.map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{inWords(name)}</dt>
          <dd className="min-w-0">
            <Value value={each} schema={schema?.properties?.[name]} root={root} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A link that leaves whence: in a new tab, without telling where it came from. */
export function OutsideLink({ url, children }: { url: string; children?: ReactNode }) {
  if (!/^https?:\/\//i.test(url)) return <span className="wrap-anywhere">{children ?? url}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className="inline-flex max-w-full items-center gap-1 text-accent hover:underline"
    >
      <span className="truncate">{children ?? url.replace(/^https?:\/\/(www\.)?/, "")}</span>
      <Icon name="out" size={12} />
      <span className="sr-only">(leaves whence, opens a new tab)</span>
    </a>
  );
}

/** Another record, by its short form. */
export function RecordLink({
  kind,
  reference,
}: {
  kind: string;
  reference: { id: string; externalId: string | null; title: string | null };
}) {
  return (
    <Link
      to="/records/$kind/$id"
      params={{ kind, id: reference.id }}
      className="text-accent hover:underline"
    >
      {reference.title ?? reference.externalId ?? reference.id}
    </Link>
  );
}
