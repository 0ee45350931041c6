"""The archive: events kept in sealed segments where no broker forgets them."""
