-- A record shows that research of it is on, and what came of it, however the run ends: by itself, by
-- an error, cancelled by somebody, or ended by another process.  `review` of a run names the column
-- and its values: `active`, `done`, and the one from `before` the run.
ALTER TABLE whence.runs ADD COLUMN review jsonb;

CREATE FUNCTION whence.review_record() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    run record;
    is_active boolean := NEW.status IN ('pending', 'running', 'paused');
    was_active boolean := OLD.status IN ('pending', 'running', 'paused');
    before text;
BEGIN
    IF is_active = was_active THEN RETURN NULL; END IF;
    SELECT r.subject_id, r.review INTO run FROM whence.runs r
        WHERE r.org_id = NEW.org_id AND r.id = NEW.id;
    IF run.review IS NULL THEN RETURN NULL; END IF;
    IF is_active THEN
        EXECUTE format('SELECT %I FROM %s WHERE org_id = $1 AND id = $2',
            run.review ->> 'column', (run.review ->> 'table')::regclass)
            INTO before USING NEW.org_id, run.subject_id;
        UPDATE whence.runs r SET review = jsonb_set(r.review, '{before}', to_jsonb(before))
            WHERE r.org_id = NEW.org_id AND r.id = NEW.id AND before <> r.review ->> 'active';
        EXECUTE format('UPDATE %s SET %I = $3 WHERE org_id = $1 AND id = $2',
            (run.review ->> 'table')::regclass, run.review ->> 'column')
            USING NEW.org_id, run.subject_id, run.review ->> 'active';
    ELSIF NOT EXISTS (
        SELECT FROM whence.runs o JOIN whence.work w ON w.org_id = o.org_id AND w.id = o.id
        WHERE o.org_id = NEW.org_id AND o.subject_id = run.subject_id AND o.id <> NEW.id
            AND o.review IS NOT NULL AND w.status IN ('pending', 'running', 'paused')
    ) THEN
        -- A value that the run's own nodes or a person have set meanwhile stays.
        EXECUTE format('UPDATE %s SET %I = $3 WHERE org_id = $1 AND id = $2 AND %2$I = $4',
            (run.review ->> 'table')::regclass, run.review ->> 'column')
            USING NEW.org_id, run.subject_id,
                run.review ->> CASE NEW.status WHEN 'success' THEN 'done' ELSE 'before' END,
                run.review ->> 'active';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER review_record AFTER UPDATE OF status ON whence.work FOR EACH ROW
    WHEN (NEW.type = 'research' AND OLD.status IS DISTINCT FROM NEW.status)
    EXECUTE FUNCTION whence.review_record();
