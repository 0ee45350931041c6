"""The evidence of a round or a case: the printed report, and the pack that proves itself."""
