import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { AuditEntry, AuditNameAnswer } from "./schema";
import type { Page } from "./records";

/** Which lines of the audit log; an empty part does not limit. */
export interface AuditFilters {
  userId?: string;
  kind?: string;
  action?: string;
  subjectId?: string;
  /** Moments with a time zone; `to` itself is not included. */
  from?: string;
  to?: string;
}

/** The organization's audit log, newest first; for owners. */
export function useAuditLog(filters: AuditFilters) {
  return useInfiniteQuery({
    queryKey: ["audit", filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answered<Page<AuditEntry>>(
        api.GET("/api/audit", { params: { query: { ...filters, cursor: pageParam } }, signal }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** The kinds and actions that the log has. */
export function useAuditNames() {
  return useQuery({
    queryKey: ["audit", "names"],
    queryFn: ({ signal }) => answered<AuditNameAnswer[]>(api.GET("/api/audit/names", { signal })),
  });
}

/** The address of the filtered log as CSV. */
export function auditExport(filters: AuditFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, String(value));
  return `/api/audit/export?${query.toString()}`;
}
