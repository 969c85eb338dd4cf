import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { Spending } from "./schema";

/** What was spent on the last days, and what is left of each limit; for owners. */
export function useSpending(days: number) {
  return useQuery({
    queryKey: ["spending", days],
    queryFn: ({ signal }) =>
      answered<Spending>(api.GET("/api/spending", { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
  });
}
