import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { InvitationAnswer, MadeInvitation, MemberAnswer, Role } from "./schema";

/** Everybody in the organization; for owners. */
export function useMembers() {
  return useQuery({
    queryKey: ["members"],
    queryFn: ({ signal }) => answered<MemberAnswer[]>(api.GET("/api/members", { signal })),
  });
}

export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      answered(api.PATCH("/api/members/{id}", { params: { path: { id } }, body: { role } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["members"] }),
  });
}

/** Takes somebody out of the organization, with their sessions and tokens. */
export function useRemoveMember() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(api.DELETE("/api/members/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      for (const key of ["members", "sessions", "tokens"])
        void queries.invalidateQueries({ queryKey: [key] });
    },
  });
}

export function useInvitations() {
  return useQuery({
    queryKey: ["invitations"],
    queryFn: ({ signal }) => answered<InvitationAnswer[]>(api.GET("/api/invitations", { signal })),
  });
}

/** Invites somebody; the link is in this answer only. */
export function useInvite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) =>
      answered<MadeInvitation>(api.POST("/api/invitations", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["invitations"] }),
  });
}

export function useWithdrawInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(api.DELETE("/api/invitations/{id}", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["invitations"] }),
  });
}
