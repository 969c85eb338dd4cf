import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { OrganizationProfile, ProfileText } from "./schema";

/** What the organization says of itself. */
export function useOrganization() {
  return useQuery({
    queryKey: ["organization"],
    queryFn: ({ signal }) =>
      answered<OrganizationProfile>(api.GET("/api/organization/profile", { signal })),
  });
}

/** Replaces the profile, unless somebody else changed it since `version` was read. */
export function useSaveOrganization() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ version, ...body }: ProfileText & { version: number }) =>
      answered<OrganizationProfile>(
        api.PUT("/api/organization/profile", {
          body,
          params: { header: version ? { "if-match": `"${version}"` } : {} },
        }),
      ),
    onSuccess: (profile) => {
      queries.setQueryData(["organization"], profile);
      return queries.invalidateQueries({ queryKey: ["me"] });
    },
  });
}
