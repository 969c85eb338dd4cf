"""Text search over a pack's own texts; records of a kind are indexed by its `search` alone.

`index.put`, `index.remove` and `index.count_terms` write, in the transaction that writes the texts;
`words` and `frequencies` make terms of a text; `nearest` and `counts` search by likeness.
"""

from whence.search import index
from whence.search.collection import Collection
from whence.search.likeness import counts, nearest
from whence.search.words import frequencies, words

__all__ = ["Collection", "counts", "frequencies", "index", "nearest", "words"]
