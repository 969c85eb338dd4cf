import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type {
  PageOfSchedule,
  Schedule,
  ScheduleChange,
  ScheduleRequest,
  TimesPreview,
} from "./schema";

export type { Schedule };

/** When a schedule starts its job: by a cron expression in a time zone, or by an interval. */
export type ScheduleTiming = { cron: string; timeZone: string } | { everySeconds: number };

const AGAIN_MS = 10_000;
const path = (id: string) => ({ params: { path: { id } } });

/** The organization's schedules, newest first; asked again while the page is looked at. */
export function useSchedules() {
  return useInfiniteQuery({
    queryKey: ["schedules"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answered<PageOfSchedule>(
        api.GET("/api/schedules", { params: { query: { cursor: pageParam } }, signal }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: AGAIN_MS,
  });
}

/** The next times of a schedule that is not made yet, and the two in words. */
export function useTimes(timing: ScheduleTiming | undefined) {
  return useQuery({
    queryKey: ["schedule-times", timing],
    enabled: timing !== undefined,
    queryFn: ({ signal }) =>
      answered<TimesPreview>(
        api.GET("/api/schedules/times", { params: { query: { ...timing } }, signal }),
      ),
    retry: false,
  });
}

function useScheduleMutation<T, A>(act: (value: T) => Promise<A>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["schedules"] }),
  });
}

export const useCreateSchedule = () =>
  useScheduleMutation((body: ScheduleRequest) => answered(api.POST("/api/schedules", { body })));

export const useChangeSchedule = () =>
  useScheduleMutation(({ id, ...body }: ScheduleChange & { id: string }) =>
    answered(api.PATCH("/api/schedules/{id}", { ...path(id), body })),
  );

export const useStartSchedule = () =>
  useScheduleMutation((id: string) =>
    answered<Schedule>(api.POST("/api/schedules/{id}/start", path(id))),
  );

export const useDeleteSchedule = () =>
  useScheduleMutation((id: string) => answered(api.DELETE("/api/schedules/{id}", path(id))));
