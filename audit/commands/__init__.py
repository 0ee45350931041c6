"""One module a family of commands; each offers `app`, and audit/cli/app.py mounts it."""
