import createClient from "openapi-fetch";
import { connection } from "@/shared/events/connection";
import { ApiError, OfflineError, type Problem } from "./errors";
import type { paths } from "./schema";

const RENEWED = "whence.renewed";
const RENEWED_MS = 5_000;

/** Where 401 means a wrong secret in the request, not a session that has expired. */
const SECRETS = /^\/api\/auth\/(sign-in|invitation|accept|reset|refresh)$/;

/** Fetches with the session's cookies; renews the session once where its token has expired. */
export async function fetchWithSession(input: Request): Promise<Response> {
  const again = input.clone();
  const answer = await reach(input);
  if (answer.status !== 401 || SECRETS.test(new URL(input.url).pathname)) return answer;
  return (await renewed()) ? reach(again) : answer;
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    connection.check();
    throw new OfflineError();
  }
}

let renewing: Promise<boolean> | undefined;

/** Renews the session; tabs take turns, because a secret that is used twice ends the session. */
function renewed(): Promise<boolean> {
  renewing ??= inTurn().finally(() => (renewing = undefined));
  return renewing;
}

async function inTurn(): Promise<boolean> {
  // Locks need a secure context; a plain-http address in a local network is none.
  return "locks" in navigator ? await navigator.locks.request("whence-renew", renew) : renew();
}

async function renew(): Promise<boolean> {
  if (Date.now() - Number(localStorage.getItem(RENEWED) ?? 0) < RENEWED_MS) return true;
  const answer = await reach(new Request("/api/auth/refresh", { method: "POST" }));
  if (answer.ok) localStorage.setItem(RENEWED, String(Date.now()));
  return answer.ok;
}

/** The typed client: `api.GET("/api/me")`.  Wrap its answers in `answered`. */
export const api = createClient<paths>({
  baseUrl: typeof location === "undefined" ? "http://localhost" : location.origin,
  fetch: fetchWithSession,
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer; raises ApiError with the server's problem document. */
export async function answered<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(asProblem(error, response));
  return data as T;
}

/** Calls an address that the OpenAPI document does not name, such as that of any kind. */
export async function send<T>(
  path: string,
  { method = "GET", body, headers = {}, signal }: SendOptions = {},
): Promise<{ data: T; headers: Headers; status: number }> {
  const isFile = body instanceof Blob;
  const response = await fetchWithSession(
    new Request(new URL(path, location.origin), {
      method,
      signal,
      headers:
        body === undefined || isFile ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
    }),
  );
  const isJson = response.headers.get("Content-Type")?.includes("json");
  const text = isJson ? await response.text() : ""; // an answer without content may name a type
  const data: unknown = text ? JSON.parse(text) : undefined;
  if (!response.ok) throw new ApiError(asProblem(data, response));
  return { data: data as T, headers: response.headers, status: response.status };
}

interface SendOptions {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function asProblem(value: unknown, response: Response): Problem {
  if (typeof value === "object" && value !== null && "type" in value && "title" in value)
    return value as Problem;
  return {
    type: "/problems/unknown",
    title: "The server did not answer as expected",
    status: response.status,
    detail: `Status ${response.status}.`,
    incident: null,
    retryAfter: null,
    current: null,
  };
}
