"""The printed report of a round: its parts as data, laid out by `report.typ` as PDF/A."""
