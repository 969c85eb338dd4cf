import { Link } from "@tanstack/react-router";
import { buttonLook, EmptyState } from "@/shared/ui";

export function NotFound() {
  return (
    <EmptyState
      icon="search"
      title="There is no such page"
      action={
        <Link to="/" className={buttonLook()}>
          Go to the first page
        </Link>
      }
    >
      The address may be mistyped, or the page belongs to a pack that is not installed.
    </EmptyState>
  );
}
