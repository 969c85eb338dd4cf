"""What people write, read by rules: what a message wants, and the changes it asks for."""
