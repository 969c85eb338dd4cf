"""The ways in over the network: decode, call, encode; no logic lives here."""
