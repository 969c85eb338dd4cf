import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, useAcceptInvitation, useInvitation, useServer } from "@/shared/api";
import { Button, Field, SkeletonLines } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { AccountFrame } from "./AccountFrame";
import { LinkError } from "./LinkError";

const route = getRouteApi("/accept");

/** An invitation: what it offers, and the form that accepts it. */
export function AcceptPage() {
  useTitle("Invitation");
  const { token = "" } = route.useSearch();
  const offer = useInvitation(token);
  return (
    <AccountFrame title="Invitation">
      {offer.error ? (
        <LinkError error={offer.error} />
      ) : offer.data ? (
        <div className="flex flex-col gap-4">
          <p>
            You are invited to <b>{offer.data.organization}</b> as {offer.data.role}, with the
            e-mail <b>{offer.data.email}</b>.
          </p>
          <AcceptForm token={token} email={offer.data.email} />
        </div>
      ) : (
        <SkeletonLines />
      )}
    </AccountFrame>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const router = useRouter();
  const server = useServer();
  const accept = useAcceptInvitation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    accept.mutate({ token, name, password }, { onSuccess: () => router.history.replace("/") });
  }
  const fields = accept.error instanceof ApiError ? accept.error.fields : {};
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {accept.error && <LinkError error={accept.error} />}
      {/* Password managers ask whose password it is. */}
      <input hidden autoComplete="username" value={email} readOnly />
      <Field
        label="Your name"
        name="name"
        autoComplete="name"
        isRequired={false}
        value={name}
        onChange={setName}
        error={fields["name"]}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        help={`At least ${server.data?.minPasswordLength ?? 10} characters. If you have an account here, its password.`}
        value={password}
        onChange={setPassword}
        error={fields["password"]}
      />
      <Button type="submit" look="primary" isPending={accept.isPending} className="h-10">
        Join
      </Button>
    </form>
  );
}
