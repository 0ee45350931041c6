"""The commands: one module for each family; audit/cli/app.py mounts the `app` of each."""
