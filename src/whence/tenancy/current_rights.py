"""A principal's current rights, long after it was authenticated: for streams that stay open."""

from __future__ import annotations

from dataclasses import replace

from whence.db.database import Database
from whence.kernel.clock import now
from whence.tenancy.access import SessionEnded
from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.tokens import BadToken

_LOOK_UP = """
    SELECT m.role, t.id IS NOT NULL, t.scopes,
        t.user_id = m.user_id AND t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > %(at)s),
        s.user_id = m.user_id AND s.ended_at IS NULL AND s.expires_at > %(at)s
    FROM whence.memberships m
    LEFT JOIN whence.api_tokens t ON t.org_id = m.org_id AND t.id = %(credential)s
    LEFT JOIN whence.sessions s ON s.org_id = m.org_id AND s.id = %(credential)s
    WHERE m.org_id = %(org)s AND m.user_id = %(user)s
"""


async def current_rights(db: Database, who: Principal) -> Principal:
    """The same user in the same organization, with their current role and scopes.

    A browser's session counts, not its access token, which is renewed without the stream.  Raises
    BadToken if the API token, the session (SessionEnded) or the membership has ended.
    """
    values = {
        "org": who.org_id,
        "user": who.user_id,
        "credential": who.credential,
        "at": now(),
    }
    [rows] = await db.together(who.org_id, (_LOOK_UP, values))
    if not rows:
        raise BadToken
    role, by_token, token_scopes, token_holds, session_holds = rows[0]
    scopes = SCOPES[Role(role)]
    if by_token:
        if not token_holds:
            raise BadToken
        scopes &= {Scope(scope) for scope in token_scopes}
    elif who.credential is not None and not session_holds:
        raise SessionEnded
    return replace(who, role=Role(role), scopes=scopes)
