-- The terminal goes on with forms that were started in it, and with no others.  Null: started before
-- this was kept; such a form may be continued in the terminal.
ALTER TABLE whence.wizard_runs
    ADD COLUMN origin text CHECK (origin IN ('terminal', 'chat', 'api'));
