import type { ReactNode } from "react";
import { ApiError, OfflineError } from "@/shared/api/errors";
import { Button } from "./Button";
import { classes } from "./classes";
import { Icon, type IconName } from "./icons";

/** A grey block of the final content's size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={classes("animate-skeleton rounded-ui bg-hover", className)}
    />
  );
}

/** Lines of text that are on their way; announced once. */
export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={classes("h-4", line % 3 === 2 ? "w-2/3" : "w-full")} />
      ))}
    </div>
  );
}

/** An empty page teaches: one sentence, one action. */
export function EmptyState({
  icon = "info",
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-4 py-12 text-center">
      <span className="mb-1 flex size-10 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon name={icon} size={20} />
      </span>
      <h2 className="text-read font-semibold">{title}</h2>
      {children && <div className="text-muted">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** What went wrong in the server's own words, and the way to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, incident, isForbidden, isMissing } = describeError(error);
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-md flex-col items-center gap-2 px-4 py-12 text-center"
    >
      <span className="mb-1 flex size-10 items-center justify-center rounded-full bg-negative-soft text-negative">
        <Icon name="warning" size={20} />
      </span>
      <h2 className="text-read font-semibold">{title}</h2>
      <p className="text-muted">{detail}</p>
      {incident && (
        <p className="text-small text-muted">
          Incident <code className="font-mono">{incident}</code>
        </p>
      )}
      {isMissing && (
        <Button className="mt-3" onPress={() => window.history.back()}>
          Go back
        </Button>
      )}
      {retry && !isForbidden && !isMissing && (
        <Button className="mt-3" icon="refresh" onPress={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The words for any error that a page may meet. */
export function describeError(error: unknown): {
  title: string;
  detail: string;
  incident?: string;
  isForbidden?: boolean;
  isMissing?: boolean;
} {
  if (error instanceof OfflineError)
    return { title: "No connection", detail: "whence cannot be reached. Is the server running?" };
  if (error instanceof ApiError && error.problem.status === 404)
    return {
      title: "Not found",
      // Where the API lists what there is helps programs only.
      detail: error.problem.detail.replace(/; `GET [^`]*` lists them/, ""),
      isMissing: true,
    };
  if (error instanceof ApiError)
    return {
      title: error.problem.title,
      detail: error.problem.detail,
      incident: error.problem.incident ?? undefined,
      isForbidden: error.problem.status === 403,
    };
  return {
    title: "This part of the page failed",
    detail: error instanceof Error ? error.message : "An unexpected error.",
  };
}

/** A message above or within a page. */
export function Notice({
  tone = "info",
  children,
  action,
}: {
  tone?: "info" | "caution" | "negative" | "positive";
  children: ReactNode;
  action?: ReactNode;
}) {
  const look = {
    info: "bg-sunken text-text",
    caution: "bg-caution-soft text-caution",
    negative: "bg-negative-soft text-negative",
    positive: "bg-positive-soft text-positive",
  }[tone];
  return (
    <div
      role={tone === "negative" ? "alert" : "status"}
      className={classes("flex flex-wrap items-start gap-2 rounded-ui px-3 py-2", look)}
    >
      <Icon
        name={tone === "info" ? "info" : tone === "positive" ? "check" : "warning"}
        className="mt-0.5"
      />
      <div className="min-w-0 grow basis-48">{children}</div>
      {action}
    </div>
  );
}
