-- One inverted index for all text that is searched.  PostgreSQL's text search operators are not
-- leakproof, so row-level security keeps the planner from using a GIN index with them; comparisons of
-- text and uuid are.  Terms compare by their code points, so that a prefix is a range.

CREATE TABLE whence.search_postings (
    org_id      uuid NOT NULL,
    collection  text NOT NULL COLLATE "C",
    term        text NOT NULL COLLATE "C",
    document_id uuid NOT NULL,
    frequency   smallint NOT NULL,
    length      int NOT NULL,
    PRIMARY KEY (org_id, collection, term, document_id) INCLUDE (frequency, length)
);
SELECT whence.protect('whence.search_postings');

-- What is indexed of a document, so that it can be taken out again by the primary key above.
CREATE TABLE whence.search_documents (
    org_id      uuid NOT NULL,
    collection  text NOT NULL COLLATE "C",
    document_id uuid NOT NULL,
    length      int NOT NULL,
    terms       text[] NOT NULL,
    PRIMARY KEY (org_id, collection, document_id)
);
SELECT whence.protect('whence.search_documents');

-- Which organization's records are indexed, and by which columns.
CREATE TABLE whence.search_definitions (
    org_id     uuid NOT NULL,
    collection text NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (org_id, collection)
);
SELECT whence.protect('whence.search_definitions');

-- The organizations whose records of a kind are not indexed as it is declared ({kind: definition}).
CREATE FUNCTION whence.unindexed(wanted jsonb) RETURNS TABLE (org_id uuid, collection text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT o.org_id, w.key FROM whence.organizations o, jsonb_each_text(wanted) AS w
    WHERE NOT EXISTS (SELECT FROM whence.search_definitions d
        WHERE d.org_id = o.org_id AND d.collection = w.key AND d.definition = w.value)
    ORDER BY 1, 2
$$;
REVOKE ALL ON FUNCTION whence.unindexed(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION whence.unindexed(jsonb) TO whence_app;
