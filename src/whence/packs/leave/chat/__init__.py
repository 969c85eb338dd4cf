"""Talking about a leave request: answers from its facts and the rule data, sections cited."""
