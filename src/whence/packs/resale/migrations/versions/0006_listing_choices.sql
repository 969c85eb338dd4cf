-- The owner's decisions on comparables, by `source:id` of the listing: `exclude` or `include`.
ALTER TABLE resale.items ADD COLUMN listing_choices jsonb NOT NULL DEFAULT '{}';
