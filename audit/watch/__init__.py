"""The live service: rounds judged as they settle, findings published as they come."""
