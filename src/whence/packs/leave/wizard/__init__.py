"""The wizard `leave.request`: from a few questions to a leave request and what the rules say."""
