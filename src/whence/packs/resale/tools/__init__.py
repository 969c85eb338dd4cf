"""Tools of the resale pack, one file each."""

from .compare_price import compare_price
from .lookup_gtin import lookup_gtin
from .net_proceeds import net_proceeds
from .search_listings import search_listings

TOOLS = (compare_price, lookup_gtin, net_proceeds, search_listings)
