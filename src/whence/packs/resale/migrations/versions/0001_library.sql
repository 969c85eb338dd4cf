CREATE TABLE resale.items (
    org_id           uuid NOT NULL,
    id               uuid NOT NULL,
    external_id      text,
    version          int NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL DEFAULT now(),
    updated_at       timestamptz NOT NULL DEFAULT now(),
    deleted_at       timestamptz,
    title            text NOT NULL,
    description      text NOT NULL,
    condition        text,
    attributes       jsonb NOT NULL,
    media            jsonb NOT NULL,
    gtin             text,
    brand            text,
    model            text,
    mpn              text,
    category         text,
    quantity         int NOT NULL,
    default_price    double precision,
    currency         text NOT NULL,
    lifecycle_status text NOT NULL,
    ai_review_state  text NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX items_external_id ON resale.items (org_id, external_id) WHERE deleted_at IS NULL;
CREATE INDEX items_newest ON resale.items (org_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
SELECT whence.protect('resale.items');

CREATE TABLE resale.listings (
    org_id      uuid NOT NULL,
    id          uuid NOT NULL,
    source_id   text NOT NULL,
    digest      text NOT NULL,
    status      text NOT NULL,
    gtin        text,
    size        real NOT NULL,
    record      jsonb NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, source_id)
);
CREATE INDEX listings_gtin ON resale.listings (org_id, gtin) WHERE gtin IS NOT NULL;
SELECT whence.protect('resale.listings');

-- An inverted index of our own.  PostgreSQL's text search operators are not leakproof, so row-level
-- security keeps the planner from using a GIN index with them; equality on text and uuid is.
CREATE TABLE resale.listing_terms (
    org_id     uuid NOT NULL,
    term       text NOT NULL,
    listing_id uuid NOT NULL,
    PRIMARY KEY (org_id, term, listing_id),
    FOREIGN KEY (org_id, listing_id) REFERENCES resale.listings ON DELETE CASCADE
);
CREATE INDEX terms_of_listing ON resale.listing_terms (org_id, listing_id);
SELECT whence.protect('resale.listing_terms');

-- In how many listings a term stands, and (under the empty term) how many listings there are.
CREATE TABLE resale.term_counts (
    org_id   uuid NOT NULL,
    term     text NOT NULL,
    listings int NOT NULL,
    PRIMARY KEY (org_id, term)
);
SELECT whence.protect('resale.term_counts');
