import { api } from "./client";
import { ApiError, OfflineError, type Problem } from "./errors";

export interface UploadOptions {
  signal?: AbortSignal;
  /** How much of the file has been sent, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Sends a file as the body of a request; unlike `fetch` it tells how far it is. */
export async function upload<T>(path: string, file: Blob, options: UploadOptions = {}): Promise<T> {
  const first = await attempt<T>(path, file, options);
  if (first.status !== 401) return settled(first);
  await api.GET("/api/me"); // renews the session
  return settled(await attempt<T>(path, file, options));
}

interface Sent<T> {
  status: number;
  data: T | Problem | null;
}

function settled<T>({ status, data }: Sent<T>): T {
  if (status >= 200 && status < 300) return data as T;
  const problem = data as Problem | null;
  throw new ApiError(
    problem?.title
      ? problem
      : {
          type: "/problems/unknown",
          title: "The server did not take the file",
          status,
          detail: `Status ${status}.`,
          incident: null,
          retryAfter: null,
          current: null,
        },
  );
}

function attempt<T>(path: string, file: Blob, options: UploadOptions): Promise<Sent<T>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open("POST", path);
    request.responseType = "json";
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) =>
      options.onProgress?.(total ? loaded / total : 0);
    request.onload = () =>
      resolve({ status: request.status, data: request.response as T | Problem | null });
    request.onerror = () => reject(new OfflineError());
    request.onabort = () => reject(new DOMException("Stopped", "AbortError"));
    options.signal?.addEventListener("abort", stop);
    request.onloadend = () => options.signal?.removeEventListener("abort", stop);
    if (options.signal?.aborted) stop();
    else request.send(file);
  });
}
