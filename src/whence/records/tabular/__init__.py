"""Reading tables from files: CSV, JSON and workbooks to typed records, each refused row named."""
