import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, useServer, useSignIn } from "@/shared/api";
import { Button, describeError, Field, Notice, SkeletonLines } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { AccountFrame } from "./AccountFrame";

const route = getRouteApi("/sign-in");

/** E-mail and password; without accounts, where the link is. */
export function SignInPage() {
  useTitle("Sign in");
  const server = useServer();
  const { link } = route.useSearch();
  return (
    <AccountFrame title="Sign in">
      {link === "used" && (
        <div className="mb-4">
          <Notice tone="negative">
            This link was used already, or it is too old. <code>whence serve</code> prints a new one
            each time it starts.
          </Notice>
        </div>
      )}
      {server.isPending ? (
        <SkeletonLines />
      ) : server.data?.accounts === false ? (
        <LinkOnly />
      ) : (
        <PasswordForm />
      )}
    </AccountFrame>
  );
}

function LinkOnly() {
  return (
    <div className="flex flex-col gap-3">
      <p>
        You are not signed in. Open the link that <code className="font-mono">whence serve</code>{" "}
        printed in the terminal; it works once.
      </p>
      <p className="text-muted">
        Used it already? Start <code className="font-mono">whence serve</code> again: it prints a
        new one each time.
      </p>
    </div>
  );
}

function PasswordForm() {
  const { next } = route.useSearch();
  const router = useRouter();
  const signIn = useSignIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate({ email, password }, { onSuccess: () => router.history.push(next ?? "/") });
  }

  const error = signIn.error;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {error && (
        <Notice tone="negative">
          {error instanceof ApiError && error.problem.status === 401
            ? error.problem.detail
            : describeError(error).detail}
        </Notice>
      )}
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        autoFocus
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" look="primary" isPending={signIn.isPending} className="h-10">
        Sign in
      </Button>
      <p className="text-table text-muted">
        No password yet, or forgotten? Ask whoever runs this server for a link.
      </p>
    </form>
  );
}
