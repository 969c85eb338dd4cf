import { Link } from "@tanstack/react-router";
import { useKind, useRecord } from "@/shared/api";
import { photographOf, pictureOf, titleOf } from "@/shared/format/record";
import { buttonLook, ErrorState, SkeletonLines, Thumbnail } from "@/shared/ui";
import { Fields } from "./Details";

/** A record in the side sheet. */
export function RecordPreview({ args }: { args: string[] }) {
  const [name = "", id = ""] = args;
  const about = useKind(name);
  const record = useRecord(name, id);
  if (record.error) return <ErrorState error={record.error} retry={() => void record.refetch()} />;
  if (!about || !record.data) return <SkeletonLines lines={8} />;
  const title = titleOf(about.kind, record.data);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start gap-3">
        <Thumbnail
          size={64}
          src={photographOf(about.kind, record.data) ?? pictureOf(about.kind, record.data)}
          title={title}
        />
        <h3 className="text-read font-semibold wrap-anywhere">{title}</h3>
      </div>
      <Link
        to="/records/$kind/$id"
        params={{ kind: name, id }}
        className={buttonLook("primary", "self-start")}
      >
        Open
      </Link>
      <Fields kind={about.kind} record={record.data} />
    </div>
  );
}
