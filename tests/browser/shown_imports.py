"""Imports before and after they are written, for pictures of their pages."""

from __future__ import annotations

import httpx

ITEMS = """SKU,Name,Notes,Price,Condition,Brand,Bought for
L-1,Lumora Arc table lamp,"Brass, tested",75.00,good,Lumora,30
L-2,,No title,20.00,good,Halden,5
L-3,Norvik skillet 26 cm,Some wear,forty,good,Norvik,12
L-4,Orrin day pack 18 litres,Moss green,48.50,like new,Orrin,20
L-5,Corvane stylus,"Sealed, two years old",22.00,mint,Corvane,9
"""


async def pages_of_imports(api: httpx.AsyncClient) -> dict[str, str]:
    """Addresses by name: the list, a file to be looked at, and a report with refused rows."""
    path = "/api/imports/resale.items"
    draft = await api.post(
        f"{path}/files",
        params={"filename": "shed.csv", "start": "false"},
        content=ITEMS.replace("L-", "S-").encode(),
    )
    report = await api.post(path, params={"filename": "attic.csv"}, content=ITEMS.encode())
    return {
        "imports": "/imports",
        "import-mapping": f"/imports/{draft.json()['id']}",
        "import-report": f"/imports/{report.json()['id']}",
    }
