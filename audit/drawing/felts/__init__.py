"""One module for each kind of cloth: a list of zones, each drawn by one of the parts."""
