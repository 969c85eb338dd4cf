import type { ReactNode } from "react";
import type { Claim } from "@/shared/api/research";
import { ClaimDoor, Confidence, useDossierContext } from "@/shared/claims/ClaimDoor";
import { claimAt, pathsOfEntry } from "@/shared/claims/claims";
import { inWords } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { resolve, type Schema } from "@/shared/schema/schema";
import { figure, Value } from "@/shared/schema/Value";
import { Button, StateChip } from "@/shared/ui";
import {
  type At,
  child,
  type FigureValue,
  isEvidence,
  isFigure,
  isObject,
  isRefusal,
  split,
  unitOf,
} from "./at";
import { FindingsTable } from "./FindingsTable";

/**
 * The body of a dossier, block by block, as its schema says: first what claims carry, then the other
 * findings, at the end the plain values about how it was made.
 */
export function DossierBody({ body, schema }: { body: Record<string, unknown>; schema: Schema }) {
  const { claims } = useDossierContext();
  const at: At = { value: body, schema, root: schema, paths: [""] };
  const { simple, nested } = split(body);
  const carries = (name: string) =>
    [...claims.keys()].some((path) => path === name || path.startsWith(`${name}.`));
  const isConclusion = (name: string) => carries(name) || isRefusal(body[name]);
  const sections = [
    ...nested.filter(isConclusion),
    ...nested.filter((name) => !isConclusion(name)),
  ];
  const about = simple.filter((name) => !carries(name));
  return (
    <div className="flex flex-col gap-6">
      <Figures at={at} names={simple.filter(carries)} />
      {sections.map((name) => (
        <section key={name}>
          <h3 className="mb-2 text-read font-semibold">{inWords(name)}</h3>
          <Block at={child(at, name)} />
        </section>
      ))}
      {about.length > 0 && (
        <section>
          <h3 className="mb-2 text-read font-semibold">About this research</h3>
          <PairsBlock at={at} names={about} />
        </section>
      )}
    </div>
  );
}

/** The block that fits a value. */
export function Block({ at }: { at: At }): ReactNode {
  const claim = useClaim(at);
  const { value } = at;
  if (value === null || value === undefined) return <p className="text-muted">Not known.</p>;
  if (Array.isArray(value)) return <Entries at={at} values={value} />;
  if (isObject(value)) {
    if (isRefusal(value)) return <NotKnown value={value} />;
    if (isFigure(value)) return <FigureCard at={at} value={value} />;
    return <ObjectBlock at={at} value={value} />;
  }
  if (typeof value === "string" && value.length > 120)
    return (
      <p className="max-w-[72ch] text-read whitespace-pre-line">
        <ClaimDoor claim={claim}>{value}</ClaimDoor>
      </p>
    );
  return <Door at={at} />;
}

function ObjectBlock({ at, value }: { at: At; value: Record<string, unknown> }) {
  const here = { ...at, unit: unitOf(value) ?? at.unit };
  const { simple, nested } = split(value);
  const figures = nested.filter((name) => isFigure(value[name]));
  const rest = nested.filter((name) => !isFigure(value[name]));
  return (
    <div className="flex flex-col gap-4">
      {figures.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13rem,20rem))]">
          {figures.map((name) => (
            <FigureCard
              key={name}
              title={inWords(name)}
              at={child(here, name)}
              value={value[name] as FigureValue}
            />
          ))}
        </div>
      )}
      {simple.length > 0 && <PairsBlock at={here} names={simple} />}
      {rest.map((name) => (
        <div key={name}>
          <h4 className="mb-1 font-medium">{inWords(name)}</h4>
          <Block at={child(here, name)} />
        </div>
      ))}
    </div>
  );
}

/** The plain values of the dossier itself: a few are shown large. */
function Figures({ at, names }: { at: At; names: string[] }) {
  const body = at.value as Record<string, unknown>;
  const numbers = names.filter((name) => typeof body[name] === "number");
  const others = names.filter((name) => typeof body[name] !== "number");
  return (
    <>
      {numbers.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13rem,20rem))]">
          {numbers.map((name) => (
            <NumberCard key={name} title={inWords(name)} at={child(at, name)} />
          ))}
        </div>
      )}
      {others.length > 0 && <PairsBlock at={at} names={others} />}
    </>
  );
}

function NumberCard({ title, at }: { title: string; at: At }) {
  const claim = useClaim(at);
  const { dossier } = useDossierContext();
  return (
    <div className="rounded-ui border border-line bg-raised p-4">
      <p className="text-muted">{title}</p>
      <p className="figures text-figure font-semibold tracking-tight">
        <ClaimDoor claim={claim}>{figure(at.value as number, at.unit)}</ClaimDoor>
      </p>
      {claim && <Confidence value={claim.confidence} />}
      {claim && claim.statement !== dossier.summary && (
        <p className="mt-1 text-table text-muted">{claim.statement}</p>
      )}
    </div>
  );
}

/** A figure with its confidence and how it came about. */
function FigureCard({ at, value, title }: { at: At; value: FigureValue; title?: string }) {
  const { claims } = useDossierContext();
  const name = typeof value.amount === "number" ? "amount" : "value";
  const own = at.paths.flatMap((path) => [`${path}.${name}`, path]);
  const claim = claimAt(claims, own);
  const words = value.reasoning ?? value.reason;
  return (
    <div className="rounded-ui border border-line bg-raised p-4">
      {title && <p className="text-muted">{title}</p>}
      <p className="figures text-figure font-semibold tracking-tight">
        <ClaimDoor claim={claim}>
          {figure(value[name] as number, unitOf(value) ?? at.unit)}
        </ClaimDoor>
      </p>
      <Confidence value={value.confidence} />
      {words && <p className="mt-1 text-table text-muted">{words}</p>}
    </div>
  );
}

function PairsBlock({ at, names }: { at: At; names: string[] }) {
  return (
    <dl className="grid max-w-3xl grid-cols-[minmax(7rem,max-content)_1fr] gap-x-6 gap-y-1.5 max-sm:grid-cols-1">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="text-muted">{inWords(name)}</dt>
          <dd className="min-w-0 max-sm:mb-1">
            <Door at={child(at, name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Entries({ at, values }: { at: At; values: unknown[] }) {
  const items = resolve(at.schema, at.root).items;
  if (!values.length) return <p className="text-muted">None.</p>;
  const entry = (index: number): At => ({
    value: values[index],
    schema: items,
    root: at.root,
    unit: at.unit,
    paths: at.paths.flatMap((path) => pathsOfEntry(path, index, values[index])),
  });
  if (!values.every(isObject))
    return (
      <ul className="flex max-w-[72ch] list-disc flex-col gap-1 pl-4">
        {values.map((_, index) => (
          <li key={index}>
            <Door at={entry(index)} />
          </li>
        ))}
      </ul>
    );
  const isFlat = values.every((each) =>
    Object.values(each).every((cell) => typeof cell !== "object" || cell === null),
  );
  if (isFlat)
    return (
      <FindingsTable
        rows={values}
        cell={(index, name) => <Door at={child(entry(index), name, entry(index).paths)} />}
      />
    );
  return (
    <ul className="flex flex-col gap-3">
      {values.map((each, index) => (
        <li key={index} className="rounded-ui border border-line bg-raised p-4">
          <Block at={{ ...entry(index), value: each }} />
        </li>
      ))}
    </ul>
  );
}

/** A plain value; a door where a claim carries it, or where it names evidence. */
function Door({ at }: { at: At }) {
  const claim = useClaim(at);
  const { kind, id } = useDossierContext();
  const { open } = useSheet();
  const last = at.paths[0]?.split(".").pop() ?? "";
  if (isEvidence(last) && typeof at.value === "string")
    return (
      <Button
        look="quiet"
        icon="quote"
        onPress={() => open("evidence", kind, id, String(at.value))}
      >
        Evidence
      </Button>
    );
  const value = <Value value={at.value} schema={at.schema} root={at.root} unit={at.unit} />;
  return claim ? <ClaimDoor claim={claim}>{value}</ClaimDoor> : value;
}

/** A refusal is a result: why nothing is concluded, and what would settle it. */
function NotKnown({ value }: { value: Record<string, unknown> }) {
  const settles = Array.isArray(value["wouldSettle"]) ? value["wouldSettle"] : [];
  return (
    <div className="rounded-ui border border-line bg-sunken p-4">
      <StateChip tone="caution">Not enough evidence</StateChip>
      <p className="mt-2 max-w-[72ch] text-read">{String(value["reason"])}</p>
      {settles.length > 0 && (
        <>
          <p className="mt-3 font-medium">This would settle it</p>
          <ul className="list-disc pl-4">
            {settles.map((each, index) => (
              <li key={index}>{typeof each === "string" ? each : <Value value={each} />}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function useClaim(at: At): Claim | undefined {
  return claimAt(useDossierContext().claims, at.paths);
}
