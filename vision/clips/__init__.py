"""Evidence from a camera: stills and films with their record, and its verification."""
