import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, useResetPassword, useServer } from "@/shared/api";
import { Button, buttonLook, Field, Notice } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { AccountFrame } from "./AccountFrame";
import { LinkError } from "./LinkError";

const route = getRouteApi("/reset");

/** A new password, with the secret of a link; only submitting it uses up the link. */
export function ResetPage() {
  useTitle("New password");
  const { token } = route.useSearch();
  const server = useServer();
  const reset = useResetPassword();
  const [password, setPassword] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (token) reset.mutate({ token, password });
  }
  return (
    <AccountFrame title="New password">
      {!token ? (
        <Notice tone="negative">This link is not complete. Ask for a new one.</Notice>
      ) : reset.isSuccess ? (
        <div className="flex flex-col gap-4">
          <Notice tone="positive">Your password is set.</Notice>
          <Link to="/sign-in" className={buttonLook("primary")}>
            Sign in
          </Link>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          {reset.error && <LinkError error={reset.error} />}
          <Field
            label="New password"
            name="password"
            type="password"
            autoComplete="new-password"
            help={`At least ${server.data?.minPasswordLength ?? 10} characters.`}
            value={password}
            onChange={setPassword}
            error={reset.error instanceof ApiError ? reset.error.fields["password"] : undefined}
          />
          <Button type="submit" look="primary" isPending={reset.isPending} className="h-10">
            Set password
          </Button>
        </form>
      )}
    </AccountFrame>
  );
}
