"""One module a family of commands; each offers `app`, and audit/root.py mounts it."""
