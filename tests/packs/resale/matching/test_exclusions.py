"""Titles written for these tests: what must not set a price, and its near misses."""

from __future__ import annotations

import pytest

from whence.packs.resale.matching.exclusions import ExclusionKind, exclusion

LOT, BUNDLE = ExclusionKind.LOT, ExclusionKind.BUNDLE
PARTS, BOX = ExclusionKind.PARTS_ONLY, ExclusionKind.BOX_ONLY
FILE, REPLICA = ExclusionKind.PHOTO_OR_DIGITAL_ONLY, ExclusionKind.REPLICA
VARIANT, OTHER_MAKER = ExclusionKind.WRONG_VARIANT, ExclusionKind.THIRD_PARTY
ACCESSORY = ExclusionKind.ACCESSORY

CASES = [
    # several at once
    ("Nintendo DS Lite Console", "Lot of 5 Nintendo DS Lite Consoles", LOT),
    ("Casio F-91W Watch", "3 lot Casio F-91W digital watches", LOT),
    ("Canon EF 50mm f/1.8 Lens", "Wholesale Canon EF 50mm f/1.8 lenses, new", LOT),
    ("Lego Minifigure Batman", "Huge lot Lego minifigures Batman and others", LOT),
    ("Sony Walkman WM-F10", "Sony Walkman WM-F10 job lot", LOT),
    ("Apple iPhone 8", "Apple iPhone 8 Qty: 4", LOT),
    ("Axis M1065 Parking Lot Camera", "Axis M1065 network camera", None),
    ("Axis M1065 Network Camera", "Axis M1065 parking lot camera", None),
    ("Fossil Charlotte Watch", "Fossil Charlotte ladies watch", None),
    ("Lego 10220 Camper Van", "LEGO 10220 VW camper van, lots of fun", None),
    ("Lot of 5 Nintendo DS Lite Consoles", "Lot of 5 DS Lite consoles Nintendo", None),
    ("Salem's Lot, Stephen King, hardcover", "Salem's Lot by Stephen King hardcover", None),
    ("Nikon D5300 Camera", "Nikon D5300 camera | Camera Wholesale Store", None),
    ("Nikon D5300 Camera", "Wholesale Nikon D5300 camera with 18-55mm lens", None),
    # with other things
    ("Sony PlayStation 4 Slim", "Sony PlayStation 4 Slim bundle, extra pad", BUNDLE),
    ("Nintendo Switch OLED", "Nintendo Switch OLED with 6 games", BUNDLE),
    ("Xbox One S", "Xbox One S plus 2 controllers", BUNDLE),
    ("Canon EOS 250D", "Canon EOS 250D bundled with bag and tripod", BUNDLE),
    ("Canon EOS 250D bundle", "Canon EOS 250D bundle", None),
    ("Canon EOS 80D with 18-135mm Lens", "Canon EOS 80D with 18-135mm lens kit", None),
    ("Breaking Bad Complete Series", "Breaking Bad complete series box set", None),
    ("Bose QC35 Headphones", "Bose QC35 headphones with case", None),
    # parts, or broken
    ("Dell XPS 13 9360", "Dell XPS 13 9360 for parts or not working", PARTS),
    ("Canon PowerShot G7 X", "Canon PowerShot G7 X - broken, spares", PARTS),
    ("iPhone 11 64GB", "iPhone 11 64GB iCloud locked", PARTS),
    ("Dyson V8 Vacuum", "Dyson V8 faulty, spares or repairs", PARTS),
    ("Apple Watch Series 3", "Apple Watch Series 3 band only", PARTS),
    ("Thinkpad T480", "Thinkpad T480 motherboard only", PARTS),
    ("GoPro Hero 7", "GoPro Hero 7 won't turn on", PARTS),
    ("iPad Air 2", "iPad Air 2 cracked screen", PARTS),
    ("Nike Air Max 90", "Nike Air Max 90 left shoe only", PARTS),
    ("Technics SL-1200 for parts", "Technics SL-1200 for parts", None),
    ("Canon EOS 70D Body", "Canon EOS 70D body only", None),
    ("Nikon D750", "Nikon D750 DSLR (Body Only)", None),
    ("Dyson V8 Vacuum", "Dyson V8, fully working, spare filter", None),
    ("Gears for Partsmaster Catalog", "Gears for Partsmaster catalog", None),
    ("Broken Sword PS1 Game", "Broken Sword PS1 game complete", None),
    # packaging
    ("Rolex Submariner", "Rolex Submariner empty box", BOX),
    ("Apple iPhone 12", "Apple iPhone 12 box only", BOX),
    ("GameBoy Tetris", "GameBoy Tetris case and manual only", BOX),
    ("Air Jordan 1", "Air Jordan 1 empty shoe box", BOX),
    ("Samsung Galaxy S9", "Samsung Galaxy S9 packaging - no phone included", BOX),
    ("Apple iPhone 12", "Apple iPhone 12 in original box", None),
    ("Friends DVD Box Set", "Friends complete DVD box set", None),
    ("Xbox 360 Console", "Xbox 360 console boxed with box", None),
    ("JBL Boombox 2", "JBL Boombox 2 speaker", None),
    # pictures and files
    ("Charizard Base Set Holo", "Charizard base set holo photo only", FILE),
    ("Minecraft", "Minecraft digital code", FILE),
    ("Singer 401A Sewing Machine", "Singer 401A manual PDF", FILE),
    ("Lego 75192 Millennium Falcon", "Lego 75192 Millennium Falcon instructions only", FILE),
    ("Adobe Photoshop Elements 2020", "Photoshop Elements 2020 instant download", FILE),
    ("Pokemon Emerald GBA", "Pokemon Emerald GBA box, no game", FILE),
    ("Aluratek Digital Photo Frame", "Aluratek 8 inch digital photo frame", None),
    ("Nuance PDF Converter 7", "Nuance PDF converter professional 7", None),
    ("Abbyy Software", "Abbyy PDF editor for one computer", None),
    ("Canon Selphy Photo Printer", "Canon Selphy CP1300 photo printer", None),
    ("Dell U2415 Monitor", "Dell U2415 digital monitor with manual", None),
    # imitations
    ("Star Wars Blaster E-11", "Star Wars blaster E-11 replica", REPLICA),
    ("Gucci Marmont Bag", "Gucci Marmont bag knock-off", REPLICA),
    ("iPhone 13 Pro", "iPhone 13 Pro dummy phone for display", REPLICA),
    ("Hattori Katana Replica", "Hattori katana replica", None),
    ("Zara Coat", "Zara coat with faux fur collar", None),
    ("Attack of the Clones DVD", "Star Wars Attack of the Clones DVD", None),
    # of another maker
    ("HP 56 Ink C6656AN", "Remanufactured HP 56 ink C6656AN", OTHER_MAKER),
    ("HP 11X Toner Q6511X", "Premium compatible HP 11X toner Q6511X", OTHER_MAKER),
    ("HP 11X Toner Q6511X", "Black toner cartridge compatible with HP 11X", OTHER_MAKER),
    ("Epson ELPLP12 Lamp", "Replacement for Epson ELPLP12 lamp", OTHER_MAKER),
    ("Brother TN110BK Toner", "Brother TN110BK toner, compatible with HL-4040CN", None),
    ("Remanufactured HP 56 Ink", "HP 56 ink remanufactured", None),
    ("Logitech Harmony 650", "Logitech Harmony 650, compatible with Alexa", None),
    # an accessory of the thing
    ("Canon EOS 80D DSLR camera body", "Canon 80D battery grip", ACCESSORY),
    ("Canon EOS 80D DSLR camera body", "BG-E14 battery grip for Canon 80D", ACCESSORY),
    ("Canon EOS 80D", "Camera neck strap for Canon EOS 80D", ACCESSORY),
    ("Nintendo Switch OLED Console", "Nintendo Switch OLED dock", ACCESSORY),
    ("Sony WH-1000XM4 Headphones", "Sony WH-1000XM4 ear pads", ACCESSORY),
    ("Apple iPhone 12 64GB", "Apple iPhone 12 silicone case", ACCESSORY),
    ("Dyson V11 Vacuum", "Dyson V11 charger", ACCESSORY),
    ("LEGO 75192 Millennium Falcon", "LEGO 75192 Millennium Falcon display case", ACCESSORY),
    ("Dell XPS 13 Laptop", "AC power adapter for Dell XPS 13", ACCESSORY),
    ("Singer 401A Sewing Machine", "Singer 401A instruction manual", ACCESSORY),
    ("Canon EOS 80D", "Canon EOS 80D with battery grip", None),
    ("Canon EOS 80D", "Canon EOS 80D + 2 batteries, charger, strap", None),
    ("Apple iPhone 11 64GB", "Apple iPhone 11 64GB new battery", None),
    ("Bose QC35 Headphones", "Bose QC35 headphones in original case", None),
    ("Canon BG-E14 Battery Grip", "Canon BG-E14 grip for EOS 80D", None),
    ("Apple Watch Band 44mm", "Apple Watch strap 44mm", None),
    ("KitchenAid Artisan Mixer", "KitchenAid Artisan stand mixer", None),
    ("Makita DHP481 Drill", "Makita DHP481 drill & charger", None),
    # a camera with a lens, or the body alone
    ("Canon EOS 80D DSLR camera body", "80D with 18-135 lens kit", VARIANT),
    ("Nikon D750 Body", "Nikon D750 body + 24-120mm VR lens", VARIANT),
    ("Fujifilm X-T3 body only", "Fujifilm X-T3 18-55mm kit", VARIANT),
    ("Canon EOS 80D with 18-135mm Lens", "Canon EOS 80D body only", VARIANT),
    ("Canon EOS 80D DSLR camera body", "Canon EOS 80D DSLR (body only), no lens", None),
    ("Canon EOS 80D DSLR camera body", "Canon EOS 80D DSLR camera", None),
    ("Canon EOS 80D", "Canon EOS 80D with 18-135mm lens", None),
    ("Nikon D5300 with 18-55mm Lens", "Nikon D5300 & 18-55mm VR lens", None),
    ("Avene Body Lotion 18-24 ml", "Avene body lotion", None),
    # another variant
    ("iPhone 11 64GB", "iPhone 11 128GB", VARIANT),
    ("SanDisk Extreme 32 GB", "SanDisk Extreme 64GB", VARIANT),
    ("Samsung Monitor 24 inch", "Samsung Monitor 27-inch", VARIANT),
    ("Case Logic Sleeve Black", "Case Logic Sleeve Pink", VARIANT),
    ("Apple iPod Touch 4th generation", "Apple iPod Touch 5th generation", VARIANT),
    ("Canon 5D Mark III", "Canon 5D Mark II", VARIANT),
    ("FIFA 19 PS4", "FIFA 19 Xbox One", VARIANT),
    ("Sage 50 Pro", "Sage 50 Premium", VARIANT),
    ("Nike Pegasus Size 9", "Nike Pegasus size 11", VARIANT),
    ("HP 62XL Ink, 2 pack", "HP 62XL ink 4-pack", VARIANT),
    ("HP 62XL Ink", "HP 62XL ink 4-pack", VARIANT),
    ("Canon MP41DHII Calculator", "Canon MP41DHII printing calculator pack of2", VARIANT),
    ("Corel Office X3 Professional", "Corel Office X3 Pro DVD", None),
    ("EVGA GT 430 1024MB", "EVGA GeForce GT 430 1 GB", None),
    ("Sharp EL-334MB Calculator", "Sharp EL-334TB calculator", None),
    ("Sabrent 6-in-1 Card Reader", "Sabrent 68 in 1 card reader", None),
    ("Asus Case 10.1-inch", "Asus case for 10.1 inch tablets", None),
    ("Nikon D5300 with 18-55mm Lens", "Nikon D5300 with lens - 18 mm 55", None),
    ("Seiko Diver Watch 42mm", "Seiko diver watch 38 mm", VARIANT),
    ("Vortex CPU Cooler", "Vortex CPU cooler RR-VTPS-28PK-R1", None),
    ("iPhone 11 64GB", "iPhone 11 64 GB unlocked", None),
    ("iPhone 11", "iPhone 11 128GB", None),
    ("Case Logic Sleeve Black", "Case Logic sleeve black and pink", None),
    ("Samsung Monitor 24 inch", "Samsung monitor 24in HDMI", None),
    ("Toshiba 2TB Drive USB 3.0", "Toshiba 2 TB drive, USB 3", None),
    ("Nintendo Switch Console", "Nintendo Switch console", None),
    ("MacBook Pro 13 inch", "MacBook Pro 13 inch for Windows and Mac", None),
]


@pytest.mark.parametrize(("item", "listing", "expected"), CASES)
def test_a_title_is_excluded_for_what_it_is_and_for_nothing_else(
    item: str, listing: str, expected: ExclusionKind | None
) -> None:
    result = exclusion(item, listing)
    assert (result.kind if result else None) == expected, result


def test_the_reason_quotes_the_words_that_triggered_it() -> None:
    result = exclusion("Dell XPS 13", "Dell XPS 13 for parts, no charger")
    assert result is not None
    assert '"for parts"' in result.reason


def test_a_wrong_variant_says_what_was_wanted_and_what_is_offered() -> None:
    result = exclusion("iPhone 11 64GB", "iPhone 11 256 GB")
    assert result is not None
    assert result.reason == "another capacity: 64 gb wanted, 256 gb offered"
