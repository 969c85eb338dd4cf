"""Everyday words of titles in other languages, with the English word that sellers use.

A title in another language shares its brand, model and codes with an English one, and hardly any
other word.  The words below make the rest comparable; words that only join others are left out of
every comparison.
"""

from __future__ import annotations

_TRANSLATED = """
camera: kamera fotocamera fotoapparat aparat camara cameras kameran appareil fototoestel
lens: objektiv objectif objetivo obiettivo lente objektiivi obiektyw lentille
headphone: kopfhorer casque auricular cuffie cuffia koptelefoon hoofdtelefoon sluchawki auriculare
watch: uhr armbanduhr montre reloj orologio horloge zegarek relogio
shoe: schuh schuhe chaussure zapato zapatilla scarpa scarpe schoen schoenen buty zapatos sapato
sneaker: turnschuh basket zapatilla sapatilha
running: laufschuh laufschuhe laufen hardloopschoenen corsa corrida
phone: telefon telefono telephone telefoon handy movil
laptop: portatil portable portatile ordinateur notebook
computer: rechner ordenador computador
memory: speicher arbeitsspeicher memoire memoria geheugen pamiec
card: karte carte tarjeta scheda kaart karta cartao speicherkarte
hard: festplatte disque disco dysk schijf
drive: laufwerk lecteur unidad unita
processor: prozessor processeur procesador processore procesor processador cpu
motherboard: mainboard hauptplatine placa scheda plyta moederbord
graphics: grafikkarte graphique grafica videokaart graficzna
monitor: bildschirm ecran pantalla schermo beeldscherm display
keyboard: tastatur clavier teclado tastiera toetsenbord klawiatura
mouse: maus souris raton muis mysz
printer: drucker imprimante impresora stampante drukarka
cartridge: patrone cartouche cartucho cartuccia druckerpatrone tintenpatrone
ink: tinte encre tinta inchiostro inkt
battery: akku batterie bateria batteria accu
charger: ladegerat chargeur cargador caricabatterie caricatore oplader ladowarka
cable: kabel cavo cabo
case: tasche hulle etui funda custodia housse hoes estuche tas
bag: bolsa borsa sac
cover: abdeckung
strap: armband bracelet correa cinturino riemen pasek
leather: leder cuir cuero pelle couro skora
steel: edelstahl acier acero acciaio staal
black: schwarz noir noire negro negra nero nera zwart preto czarny svart
white: weiss blanc blanche blanco blanca bianco bianca wit branco bialy
red: rot rouge rojo roja rosso rood vermelho czerwony
blue: blau bleu azul blu blauw niebieski
green: grun vert verde groen zielony
silver: silber argent plata argento zilver prata srebrny
gold: dore oro ouro goud zloty
grey: grau gris grigio grijs cinza szary
brown: braun marron brun marrone bruin
yellow: gelb jaune amarillo giallo geel
pink: rosa roze
women: damen femme femmes mujer donna dames dam kvinna damski feminino vrouwen
men: herren homme hommes hombre uomo heren meski masculino mannen
kid: kinder enfant nino bambino kinderen
wireless: kabellos fil inalambrico drahtlos draadloos bezprzewodowy
new: neu nouveau nuevo nuovo nieuw novo neuf nowy
used: gebraucht occasion usado usato gebruikt uzywany
set: satz juego ensemble
inch: zoll pouce pulgada pollici
waterproof: wasserdicht etanche impermeable waterdicht
digital: numerique digitale
automatic: automatik automatique automatico
original: originale
"""
ENGLISH = {
    word: english
    for line in _TRANSLATED.strip().splitlines()
    for english, _, words in [line.partition(":")]
    for word in words.split()
}
"""Words without accents, as `tokens.words` writes them or with their plural, to English."""

_JOINING = """
a an and at by for from in into of on or per the to up with without w
der die das den dem des und mit fur von aus bei auf im ein eine einer zum zur ohne
le la les de du et avec pour sur au aux un une en sans par
el los las y con para por del al una unos sin
il lo gli di da per un uno senza su con ed i della dei delle
van het een voor en met op te bij zonder
do dla na od ze oraz
com os um uma no na dos das sem
och med till av for fran pa
"""
JOINING = frozenset(_JOINING.split())
"""Words that join others."""


def english(word: str) -> str:
    """The English word for a known one of another language, or the word itself."""
    return ENGLISH.get(word, word)
