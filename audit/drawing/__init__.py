"""The table as a picture: felts of all games, drawn from a judged round as SVG text."""
