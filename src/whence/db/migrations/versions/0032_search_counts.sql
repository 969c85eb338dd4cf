-- In how many documents of a collection a term occurs and, under the empty term, how many there are.
-- Only collections whose writers count them at their end have any (`search/index.py`).
CREATE TABLE whence.search_counts (
    org_id     uuid NOT NULL,
    collection text NOT NULL COLLATE "C",
    term       text NOT NULL COLLATE "C",
    documents  int NOT NULL,
    PRIMARY KEY (org_id, collection, term)
);
SELECT whence.protect('whence.search_counts');
