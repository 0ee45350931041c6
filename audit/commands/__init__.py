"""One module a family of commands; each offers `app`, and audit/cli.py mounts it."""
