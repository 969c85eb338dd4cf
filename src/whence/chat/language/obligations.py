"""What is said to be done to something: `should be lowered to`, `needs correcting`, `go up by 2`.

English asks in the passive and with verbs of motion as often as in the imperative.  Only the forms
are here; what they say of a record or of its research is decided in `intents` and `clause_forms`.
"""

from __future__ import annotations

MODAL = (
    r"(?:should|shall|must|ought\s+to|(?:needs?|has|have|wants?|has\s+got|have\s+got)\s+to|"
    r"(?:was|is)\s+(?:supposed|meant)\s+to)(?:'ve|\s+have)?(?:\s+(?:please|now|also|really))?"
)
"""What comes before a verb that says what ought to be."""
CLEARED = r"(?:removed|cleared|deleted|erased|emptied|wiped|blanked|unset|scrapped|ditched)"
_LOWERED = r"(?:lowered|reduced|decreased|dropped|cut|slashed|marked\s+down|trimmed)"
_RAISED = r"(?:raised|increased|bumped(?:\s+up)?|lifted|hiked|marked\s+up)"
_MOVED = r"(?:brought|taken|moved|pushed|pulled|put|knocked|turned|rounded|adjusted|changed)"
CHANGED = (
    rf"(?:{_LOWERED}|{_RAISED}|{_MOVED}|set|updated|edited|corrected|fixed|modified|amended|"
    r"switched|swapped|replaced|renamed|retitled|marked|listed|relisted|priced|written|made|"
    r"reset|restored|reverted|entered|recorded|noted|filed|flagged|graded|downgraded|upgraded)"
)
"""What is done to a field, as a participle."""
_ALONG = r"(?:\s+(?:down|up|back|in|over|out|again|instead|please))*"
INTO = rf"{_ALONG}\s+(?:to|as|at|into|with)"
"""Between what is done and what comes of it."""
COMES = (
    rf"(?:come|go|drop|rise|fall|move|climb|increase|decrease|return|switch|change){_ALONG}\s+to"
)
"""A field that moves by itself, up to its new value."""
DOWN_BY = (
    rf"(?:be\s+(?:{_LOWERED}|{_MOVED}\s+down)|(?:come|go|move)\s+down|drop|fall|decrease)\s+by"
)
UP_BY = rf"(?:be\s+(?:{_RAISED}|{_MOVED}\s+up)|(?:come|go|move)\s+up|rise|climb|increase)\s+by"
CHANGING = (
    r"(?:changing|updating|editing|correcting|fixing|adjusting|modifying|amending|raising|"
    r"lowering|increasing|decreasing|reducing|renaming|retitling|replacing|clearing|removing|"
    r"deleting|rewriting|a\s+(?:change|fix|correction|update))"
)
NEEDS = r"(?:needs?|wants?|requires?|could\s+do\s+with)"
"""`needs correcting` says what `needs to be corrected` says."""
