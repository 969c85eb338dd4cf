import { Link } from "@tanstack/react-router";
import { buttonLook, EmptyState } from "@/shared/ui";

export function NotFound() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon="search"
        title="There is no such page"
        action={
          <Link to="/" className={buttonLook()}>
            Go to the first page
          </Link>
        }
      >
        The address may be mistyped, or what it showed was removed. The navigation leads to every
        page.
      </EmptyState>
    </>
  );
}
