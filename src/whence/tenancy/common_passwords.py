"""Common passwords of ten characters or more."""

from __future__ import annotations

_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop")
_WORDS = """
    password passwort passw0rd p@ssword p@ssw0rd motdepasse contraseña welcome willkommen
    bienvenue letmein changeme iloveyou sunshine princess football baseball superman batman
    dragon monkey master shadow michael jordan trustno admin administrator root login secret
    hallo hello schatz summer winter spring autumn sommer company firma geheim default guest
    test testing temp temporary pokemon starwars whence qwerty qwertz azerty abc
"""
_ENDINGS = (
    *("", "1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789"),
    *("1234567890", "!", "1!", "123!", "1234!", "0", "01", "00", "007", "11", "111", "22", "99"),
    *(str(year) for year in range(1950, 2041)),
    *(f"{year}!" for year in range(1990, 2041)),
)
_ALONE = """
    correcthorsebatterystaple thisisapassword mypassword mypassword1 yourpassword nopassword
    letmeinplease letmeinnow iloveyouforever passwordpassword password1password qwertyqwerty
    adminadmin testtest12 testtesttest abcdefghij abcdefghijk abcdefghijkl abcd123456 abcd1234567
    abc123abc123 a123456789 q1w2e3r4t5 q1w2e3r4t5y6 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
    zaq12wsxcde3 !qaz2wsx#edc qazwsxedcrfv 1qazxsw23edc 0987654321 9876543210 0123456789
    12345678910 123456789a 1234567891 123456789q 1234512345 1231231234 123123123123 1122334455
    123321123321 1212121212 1020304050 qwerty123456 asdf123456 asdfasdfasdf zxcvbnm123
    administrator1 superuser1 rootroot12 changemenow changethis changeit123 defaultpassword
"""


def _rows() -> set[str]:
    """Rows of the keyboard, forward, backward, doubled and with common endings."""
    rows = {row for base in _ROWS for row in (base, base[::-1], base * 2)}
    return {row + ending for row in rows for ending in ("", "1", "12", "123", "!")}


COMMON: frozenset[str] = frozenset(
    {word + ending for word in _WORDS.split() for ending in _ENDINGS}
    | _rows()
    | set(_ALONE.split())
)
"""In lower case, without blanks; shorter ones are refused by their length."""
