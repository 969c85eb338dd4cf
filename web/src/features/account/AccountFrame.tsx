import type { ReactNode } from "react";

/** The frame of the pages before sign-in: one narrow column. */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-full items-start justify-center bg-sunken px-4 pt-[14vh] pb-12">
      <div className="w-full max-w-sm">
        <p className="mb-4 flex items-center gap-2 text-read font-semibold">
          <img src="/favicon.svg" alt="" className="size-7" />
          whence
        </p>
        <div className="rounded-ui border border-line bg-raised p-6">
          <h1 className="mb-4 text-title font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
