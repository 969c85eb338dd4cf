ALTER TABLE resale.items
    ADD COLUMN cost double precision,
    ADD COLUMN shipping_cost double precision;
