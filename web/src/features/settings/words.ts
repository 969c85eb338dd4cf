import type { Role, Scope } from "@/shared/api";

/** What each role may do, for lists of choices. */
export const ROLES: { value: Role; label: string; about: string }[] = [
  { value: "viewer", label: "Viewer", about: "reads everything" },
  { value: "member", label: "Member", about: "reads and changes records" },
  { value: "owner", label: "Owner", about: "also people, money and secrets" },
];
export const ROLE_OPTIONS = ROLES.map(({ value, label }) => ({ value, label }));

export const SCOPES: { value: Scope; label: string; about: string }[] = [
  { value: "read", label: "Read", about: "records, research and files" },
  { value: "propose", label: "Propose", about: "changes that a person approves" },
  { value: "write", label: "Write", about: "change records, start research" },
];
