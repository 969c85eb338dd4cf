export * from "./account";
export { answered, api, send } from "./client";
export { ApiError, isSignedOut, OfflineError, type Problem } from "./errors";
export * from "./records";
export type * from "./schema";
export * from "./wizards";
