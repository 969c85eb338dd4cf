import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { MadeToken, NewToken, TokenAnswer } from "./schema";

/** This person's API tokens; an owner sees the organization's. */
export function useTokens() {
  return useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => answered<TokenAnswer[]>(api.GET("/api/tokens", { signal })),
  });
}

/** Creates a token; its text is in this answer only. */
export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => answered<MadeToken>(api.POST("/api/tokens", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(api.DELETE("/api/tokens/{id}", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
}
