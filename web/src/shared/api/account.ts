import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { forgetDrafts } from "@/shared/drafts/drafts";
import { setOrganizationLocale } from "@/shared/format/preferences";
import { answered, api } from "./client";
import type { Me, PackView, Server } from "./schema";

/** The signed-in person and organization. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: async ({ signal }) => {
      const me = await answered<Me>(api.GET("/api/me", { signal }));
      setOrganizationLocale(me.locale);
      return me;
    },
    staleTime: 60_000,
  });
}

/** Whether this person owns the organization: people, money and secrets are for owners. */
export function useIsOwner(): boolean {
  return useMe().data?.role === "owner";
}

/** Whether this person may change records. */
export function useMayWrite(): boolean {
  return useMe().data?.scopes.includes("write") ?? false;
}

/** How this server signs people in; known before anybody is signed in. */
export function useServer() {
  return useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => answered<Server>(api.GET("/api/server", { signal })),
    staleTime: Infinity,
  });
}

/** Every pack with all that is needed to draw it. */
export function usePacks() {
  return useQuery({
    queryKey: ["packs"],
    queryFn: ({ signal }) => answered<PackView[]>(api.GET("/api/packs", { signal })),
    staleTime: Infinity,
  });
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string }) =>
      answered(api.POST("/api/auth/sign-in", { body })),
    onSuccess: () => queries.clear(),
  });
}

/** What an invitation offers; looking at it accepts nothing. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ["invitation", token],
    queryFn: () => answered(api.POST("/api/auth/invitation", { body: { token } })),
    retry: false,
    staleTime: Infinity,
  });
}

export function useAcceptInvitation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string; name: string; password: string }) =>
      answered(api.POST("/api/auth/accept", { body })),
    onSuccess: () => queries.clear(),
  });
}

/** Sets a new password with the secret of a link; every session of the account ends. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      answered(api.POST("/api/auth/reset", { body })),
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { old: string; new: string }) =>
      answered(api.POST("/api/auth/password", { body })),
  });
}

/** Where this person is signed in; an owner sees the organization's. */
export function useSessions() {
  return useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => answered(api.GET("/api/sessions", { signal })),
  });
}

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(api.DELETE("/api/sessions/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
  });
}

export function useSignOutEverywhere() {
  return useMutation({
    mutationFn: () => answered(api.POST("/api/auth/sign-out-everywhere")),
    onSuccess: leave,
  });
}

function leave(): void {
  forgetDrafts();
  location.assign("/sign-in");
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => answered(api.POST("/api/auth/sign-out")),
    // Everything of this organization goes with the page.
    onSuccess: leave,
  });
}

export function useSwitchOrganization() {
  return useMutation({
    mutationFn: (organizationId: string) =>
      answered(api.POST("/api/auth/switch", { body: { organizationId } })),
    onSuccess: () => location.assign("/"),
  });
}
