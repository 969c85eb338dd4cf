-- Listings are in the search index of the core.  Every start indexes what is not in it yet, before
-- the program serves.
DROP TABLE resale.listing_terms, resale.term_counts;
ALTER TABLE resale.listings DROP COLUMN size;
