"""The checks: one SQL file each, the views they share, and the findings they make."""
