-- A list of records that somebody saved: its filters, order and columns, under a name.  A view is
-- its author's own, or shared in the organization.
CREATE TABLE whence.saved_views (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    user_id    uuid NOT NULL,
    kind       text NOT NULL,
    title      text NOT NULL,
    -- The parameters of the list, as they stand in its address.
    parameters jsonb NOT NULL,
    is_shared  boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX saved_views_of_kind ON whence.saved_views (org_id, kind, created_at);
SELECT whence.protect('whence.saved_views');
