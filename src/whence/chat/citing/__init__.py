"""What an answer may state: sources, markers, and facts held to what they cite."""
