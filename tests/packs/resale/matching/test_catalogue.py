from __future__ import annotations

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import Candidates


def test_rarity_falls_from_one_to_nothing_as_a_word_gets_common() -> None:
    catalogue = Catalogue(5000, {"everywhere": 5001, "often": 100, "once": 1})
    assert catalogue.rarity("everywhere") == 0
    assert 0 < catalogue.rarity("often") < catalogue.rarity("once") == 1
    assert catalogue.rarity("never") == 1


def test_thirty_comps_of_one_product_do_not_make_its_name_a_common_word() -> None:
    assert Catalogue.of(["canon bg-e11 grip"] * 30).rarity("bge11") > 0.5


def test_a_database_may_hand_over_counts_instead_of_texts() -> None:
    counted = Catalogue.of(["red lamp", "blue lamp"])
    expected = Catalogue(2, {"red": 1, "blue": 1, "lamp": 2})
    assert all(counted.rarity(w) == expected.rarity(w) for w in ("red", "lamp", "other"))


def test_the_nearest_texts_share_rare_words_and_come_first() -> None:
    texts = ["canon bg-e11 grip", "canon bg-e9 grip", "nikon lens", "canon camera"]
    catalogue = Catalogue.of(texts)
    assert Candidates(texts, catalogue).nearest("grip bg-e9", 2)[0] == 1
