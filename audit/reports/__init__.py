"""Reports as data: each is one SQL file with a header, laid out by one shared template."""
