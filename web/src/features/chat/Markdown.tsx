import type { Root, RootContent } from "mdast";
import { memo, type ReactNode, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { Icon } from "@/shared/ui";
import { partsOf } from "./marks";

/** Draws references and marks; everything else of an answer is Markdown, without HTML and pictures. */
export const Markdown = memo(function Markdown({
  children,
  cite,
}: {
  children: string;
  /** Draws the reference with this number. */
  cite: (number: number) => ReactNode;
}) {
  const components = useMemo(
    () =>
      ({
        ...ELEMENTS,
        "x-cite": ({ number }: { number?: string }) => cite(Number(number)),
        "x-unsupported": Unsupported,
      }) as Components,
    [cite],
  );
  return (
    <div className="answer max-w-[72ch] wrap-anywhere">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, remarkMarks]}
        components={components}
        skipHtml={false}
      >
        {children}
      </ReactMarkdown>
    </div>
  );
});

const ELEMENTS: Components = {
  a: ({ href, children }) =>
    href?.startsWith("http") ? (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerPolicy="no-referrer"
        title={`Leaves whence: ${hostOf(href)}`}
        className="text-accent underline underline-offset-2"
      >
        {children}
        <Icon name="out" size={12} className="ml-0.5 inline align-baseline" />
        <span className="sr-only"> (leaves whence)</span>
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Pictures of other sites are not loaded: their owner would learn who reads.
  img: ({ alt }) => <span className="text-muted">[picture{alt ? `: ${alt}` : ""}]</span>,
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal pl-5">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="my-0.5">{children}</li>,
  h1: ({ children }) => <h4 className="mt-3 mb-1 font-semibold">{children}</h4>,
  h2: ({ children }) => <h4 className="mt-3 mb-1 font-semibold">{children}</h4>,
  h3: ({ children }) => <h4 className="mt-3 mb-1 font-semibold">{children}</h4>,
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-muted">
      {children}
    </blockquote>
  ),
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="my-2 overflow-x-auto rounded-ui bg-sunken p-3 font-mono text-small"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded-[4px] bg-sunken px-1 font-mono text-small">{children}</code>
  ),
  table: ({ children }) => (
    <div tabIndex={0} className="my-2 overflow-x-auto">
      <table className="figures w-full text-table">{children}</table>
    </div>
  ),
  th: ({ children, style }) => (
    <th
      style={style}
      className="border-b border-line px-2 py-1 text-left font-medium text-muted first:pl-0"
    >
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b border-line px-2 py-1 first:pl-0">
      {children}
    </td>
  ),
};

function Unsupported({ note, children }: { note?: string; children?: ReactNode }) {
  return (
    <span title={`Nothing that was read supports this: ${note}.`}>
      <span className="underline decoration-caution decoration-wavy decoration-1 underline-offset-4">
        {children}
      </span>
      <span className="ml-1 text-small whitespace-nowrap text-caution">({note})</span>
    </span>
  );
}

const hostOf = (href: string): string => (URL.canParse(href) ? new URL(href).host : href);

type Parent = { children: RootContent[] };

/** References and marks in the text of a document become elements of their own. */
function remarkMarks() {
  return (tree: Root) => walk(tree);
}

function walk(node: Parent): void {
  node.children = node.children.flatMap((child): RootContent[] => {
    if (child.type === "text") return partsOf(child.value).map(asNode);
    if ("children" in child) walk(child as unknown as Parent);
    return [child];
  });
}

function asNode(part: ReturnType<typeof partsOf>[number]): RootContent {
  switch (part.type) {
    case "text":
      return { type: "text", value: part.text };
    case "cite":
      return element("x-cite", { number: String(part.number) }, "");
    case "unsupported":
      return element("x-unsupported", { note: part.note }, part.text);
  }
}

const element = (hName: string, hProperties: Record<string, string>, text: string): RootContent =>
  ({
    type: "emphasis",
    data: { hName, hProperties },
    children: text ? [{ type: "text", value: text }] : [],
  }) as RootContent;
