-- What conversations have spent on models, each of them and all of them in a day: what was used, and
-- what is reserved for requests under way.

CREATE TABLE whence.chat_spending (
    org_id uuid NOT NULL,
    -- `session <id>`, or `day <date>` in UTC.
    scope  text NOT NULL,
    tokens bigint NOT NULL DEFAULT 0,
    usd    double precision NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, scope)
);
SELECT whence.protect('whence.chat_spending');

-- Hold an amount in both scopes, or in none: answers the first scope whose limit it would break.
-- Whoever asks at the same time waits, so that together they hold no more than fits.
CREATE FUNCTION whence.reserve_chat(
    org uuid, scopes text[], more_tokens bigint, more_usd double precision,
    most_tokens bigint[], most_usd double precision[]
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE held record;
BEGIN
    PERFORM set_config('whence.org_id', org::text, true);
    -- The last half second of it may be lost in a power cut: nobody waits for the disk.
    PERFORM set_config('synchronous_commit', 'off', true);
    FOR n IN 1 .. array_length(scopes, 1) LOOP
        INSERT INTO whence.chat_spending AS s (org_id, scope, tokens, usd)
            VALUES (org, scopes[n], more_tokens, more_usd)
            ON CONFLICT (org_id, scope) DO UPDATE
                SET tokens = s.tokens + EXCLUDED.tokens, usd = s.usd + EXCLUDED.usd
            RETURNING s.tokens, s.usd INTO held;
        IF held.tokens > most_tokens[n] OR held.usd > most_usd[n] THEN
            FOR before IN 1 .. n LOOP
                UPDATE whence.chat_spending SET tokens = tokens - more_tokens, usd = usd - more_usd
                    WHERE org_id = org AND scope = scopes[before];
            END LOOP;
            RETURN n;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

GRANT EXECUTE ON FUNCTION whence.reserve_chat(uuid, text[], bigint, double precision, bigint[],
    double precision[]) TO whence_app;
