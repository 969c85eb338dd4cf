"""Read barcodes and printed text on an item's photographs, locally and without a language model."""
