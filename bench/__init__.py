"""Benchmarks: `make bench`.  Every figure stands beside a baseline of the same minute."""
