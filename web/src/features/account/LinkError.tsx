import { Link } from "@tanstack/react-router";
import { ApiError, useMe } from "@/shared/api";
import { buttonLook, describeError, Notice } from "@/shared/ui";

/** What is wrong with a one-time link, and the way on: it may have been used in this browser. */
export function LinkError({ error }: { error: Error }) {
  const isOver = error instanceof ApiError && error.problem.status === 401;
  return (
    <>
      <Notice tone="negative">{describeError(error).detail}</Notice>
      {isOver && <WayOn />}
    </>
  );
}

function WayOn() {
  const me = useMe();
  if (me.isPending) return null;
  return me.data ? (
    <div className="mt-3 flex flex-col items-start gap-3">
      <p>
        In this browser you are signed in to <b>{me.data.organization}</b> as {me.data.name}.
      </p>
      <Link to="/" className={buttonLook("primary")}>
        Go on
      </Link>
    </div>
  ) : (
    <div className="mt-3 flex flex-col items-start gap-3">
      <p>Did you use it already? Then sign in with your password.</p>
      <Link to="/sign-in" className={buttonLook("primary")}>
        Sign in
      </Link>
    </div>
  );
}
