-- Where the installation erases what is deleted, a member's deletion of a record is an erasure, too.
-- A person is still erased by an owner only.
ALTER TABLE whence.erasures ADD COLUMN by_deletion boolean NOT NULL DEFAULT false
    CHECK (NOT by_deletion OR kind <> 'person');

CREATE OR REPLACE FUNCTION whence.require_erasure(erasure uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM whence.erasures e JOIN whence.memberships m
            ON m.org_id = e.org_id AND m.user_id = e.erased_by
                AND (m.role = 'owner' OR e.by_deletion AND m.role = 'member')
            WHERE e.org_id = whence.current_org() AND e.id = erasure
                AND e.xmin = pg_current_xact_id_if_assigned()::xid) THEN
        RAISE EXCEPTION 'there is no erasure % under way', erasure USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;
