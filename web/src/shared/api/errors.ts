import type { components } from "./schema";

export type Problem = components["schemas"]["Problem"];

/** The server refused; `problem` is its document (RFC 9457). */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
  }

  /** The last part of the problem's type, such as `not-ready`. */
  get kind(): string {
    return this.problem.type.split("/").pop() ?? "";
  }

  /** What the server says of single fields, by the field's name. */
  get fields(): Record<string, string> {
    const errors = this.problem.errors ?? [];
    return Object.fromEntries(errors.map((error) => [error.field ?? "", error.message]));
  }
}

/** The server could not be reached. */
export class OfflineError extends Error {
  constructor() {
    super("whence cannot be reached.");
    this.name = "OfflineError";
  }
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.status === 401;
