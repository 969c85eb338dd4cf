"""Headers of items and listings in German, French and Spanish, for files of everyday programs.

Keys as `header_key` makes them: no accents, spaces or capitals (`Stück` is `stuck`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whence.sdk.tabular import Field

_PRICE = (
    "verkaufspreis preis artikelpreis angebotspreis listenpreis festpreis sofortkaufpreis "
    "startpreis vkpreis vk preisin betrag prixdevente prix prixaffiche montant "
    "preciodeventa precio pvp importe"
)
WORDS: Mapping[str, str] = {
    "title": (
        "titel artikelbezeichnung bezeichnung artikelname artikeltitel produktname produkttitel "
        "uberschrift produkt artikel gegenstand titre intitule designation libelle nom "
        "nomduproduit nomdelarticle produit titulo denominacion nombre nombredelproducto "
        "nombredelarticulo producto articulo"
    ),
    "description": (
        "beschreibung artikelbeschreibung produktbeschreibung bemerkung bemerkungen notizen "
        "remarques descripcion notas observaciones"
    ),
    "condition": "zustand artikelzustand etat etatdelarticle estado condicion",
    "gtin": "strichcode codebarres codeabarres codigodebarras gtinean eancode",
    "brand": "marke hersteller markeherstellername marque fabricant marca fabricante",
    "model": "modell modellname modellnummer modele modelo",
    "mpn": "herstellernummer herstellerartikelnummer teilenummer referencefabricant",
    "category": "kategorie artikelkategorie warengruppe rubrik categorie rubrique categoria",
    "quantity": (
        "menge anzahl stuckzahl stueckzahl stuck stueck bestand lagerbestand quantite "
        "cantidad unidades existencias"
    ),
    "currency": "wahrung waehrung devise monnaie moneda divisa",
    "id": (
        "artikelnummer artikelnr artnr artikelid bestellnummer inventarnummer lagernummer "
        "produktnummer numerodarticle numeroarticle codearticle numerodearticulo referencia "
        "codigodearticulo"
    ),
    "default_price": _PRICE,
    "price": f"verkauftfur verkauftfuer {_PRICE}",
    "cost": (
        "einkaufspreis ekpreis ek kaufpreis anschaffungskosten anschaffungspreis einstandspreis "
        "prixdachat cout coutdachat preciodecompra coste costo"
    ),
    "shipping": "versandkosten versand porto fraisdeport fraisdenvoi livraison gastosdeenvio envio",
    "shipping_cost": "versandkosten portokosten fraisdeport fraisdenvoi gastosdeenvio costedeenvio",
    "sold_at": "verkauftam verkaufsdatum vendule datedevente fechadeventa vendidoel",
    "photos": ("foto fotos bild bilder bildurl bildlink fotourl lienimage imagen imagenes"),
}
"""Field to its words; an earlier one is more exact."""


def in_other_languages(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields, each with its words in the other languages after those in English."""
    return tuple(
        replace(each, headers=(*each.headers, *WORDS.get(each.name, "").split())) for each in fields
    )
