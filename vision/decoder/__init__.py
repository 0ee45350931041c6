"""The decoder: a process with limits that turns untrusted pictures and films into pixels."""
