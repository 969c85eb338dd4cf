"""What the photographs of an item show: barcodes and printed text, read locally, with no model."""
