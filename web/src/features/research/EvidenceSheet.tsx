import { useEvidenceItem } from "@/shared/api/research";
import { ChoiceButton } from "@/shared/claims/ChoiceButton";
import { inWords, Time } from "@/shared/format";
import { choiceInWords, OutsideLink, Pairs, Value } from "@/shared/schema/Value";
import { ErrorState, SkeletonLines, StateChip } from "@/shared/ui";
import { EvidencePicture } from "./EvidencePicture";

/** One piece of evidence with the quote marked, and the way to its source. */
export function EvidenceSheet({ args }: { args: string[] }) {
  const [kind = "", id = "", evidenceId = "", quote = ""] = args;
  const evidence = useEvidenceItem(kind, id, evidenceId);
  if (evidence.error)
    return <ErrorState error={evidence.error} retry={() => void evidence.refetch()} />;
  if (!evidence.data) return <SkeletonLines lines={8} />;
  const { title, source, type, url, content, included, reason, relevance, ...rest } = evidence.data;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h3 className="text-read font-medium wrap-anywhere">{title || "Without a title"}</h3>
        <p className="text-muted">
          {inWords(type)} from {inWords(source).toLowerCase()}
        </p>
        {url && <OutsideLink url={url} />}
      </div>
      <EvidencePicture kind={kind} id={id} evidence={evidence.data} isLarge />
      <div className="flex flex-col gap-1">
        <span className="flex items-center gap-2">
          <StateChip tone={included ? "positive" : "excluded"}>
            {included ? "Included" : "Left out"}
          </StateChip>
          {relevance !== null && (
            <span className="figures text-table text-muted">relevance {relevance.toFixed(2)}</span>
          )}
          <ChoiceButton kind={kind} id={id} evidence={evidence.data} />
        </span>
        {reason && <p className="text-table text-muted">{reason}</p>}
      </div>
      {rest.price !== null && (
        <div>
          <p className="figures text-title font-semibold">
            <Value value={rest.price} unit={rest.currency} />
          </p>
          <p className="text-muted">
            {rest.soldAt && (
              <>
                Sold <Time at={rest.soldAt} />
              </>
            )}
            {rest.soldAt && rest.condition && " · "}
            {rest.condition && choiceInWords(rest.condition)}
          </p>
        </div>
      )}
      {content && (
        <section>
          <h3 className="mb-1 text-small font-medium text-muted">What it says</h3>
          <div className="max-w-[72ch] rounded-ui border border-line bg-surface p-3 whitespace-pre-line wrap-anywhere">
            <Marked text={content} quote={quote} />
          </div>
        </section>
      )}
      <section>
        <h3 className="mb-1 text-small font-medium text-muted">Times</h3>
        <p>
          Fetched <Time at={rest.fetchedAt} />
          {rest.observedAt && (
            <>
              , observed <Time at={rest.observedAt} />
            </>
          )}
        </p>
      </section>
      {Object.keys(rest.data).length > 0 && (
        <details>
          <summary className="cursor-default text-small font-medium text-muted">
            Fields of the source
          </summary>
          <div className="mt-2 text-table">
            <Pairs value={rest.data} root={{}} />
          </div>
        </details>
      )}
    </div>
  );
}

/** The text with every place of the quote marked; the first one is scrolled to. */
export function Marked({ text, quote }: { text: string; quote: string }) {
  if (!quote || !text.includes(quote)) return text;
  return text.split(quote).map((part, index) => (
    <span key={index}>
      {index > 0 && (
        <mark ref={index === 1 ? (mark) => mark?.scrollIntoView({ block: "nearest" }) : undefined}>
          {quote}
        </mark>
      )}
      {part}
    </span>
  ));
}
