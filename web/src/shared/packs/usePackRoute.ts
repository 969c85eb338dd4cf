import { useQuery } from "@tanstack/react-query";
import { send } from "@/shared/api";

/** What a route of a pack's own answers: `usePackRoute<FeeTable>("resale", "fees")`. */
export function usePackRoute<T>(pack: string, path: string) {
  return useQuery({
    queryKey: ["packs", pack, path],
    queryFn: async ({ signal }) => (await send<T>(`/api/${pack}/${path}`, { signal })).data,
  });
}
