import { PageHeader } from "@/shared/ui/Page";
import { InviteButton, Invitations } from "./Invitations";
import { Members } from "./Members";
import { OwnersOnly } from "./OwnersOnly";
import { OrganizationSessions } from "./OrganizationSessions";

/** Who belongs to the organization, who is invited, and where they are signed in. */
export function MembersPage() {
  return (
    <OwnersOnly title="Members">
      <PageHeader
        title="Members"
        about="A viewer reads, a member also changes records, an owner also decides about people, money and secrets."
        actions={<InviteButton />}
      />
      <div className="flex flex-col gap-4">
        <Members />
        <Invitations />
        <OrganizationSessions />
      </div>
    </OwnersOnly>
  );
}
