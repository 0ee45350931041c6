"""Checks that a layout and a calibration belong to one table, by their millimetres."""

import numpy as np

from vision.felt.layout import Layout
from vision.felt.transform import Felt, Points

BESIDE_FELT_SHARE = 0.5  # marks may lie this share of the felt's size beside it
BEYOND_PICTURE_SHARE = 0.02  # a zone may reach this share of the picture beyond its edge
MIN_SPAN_SHARE = 0.5  # marks that span less of the felt belong to a smaller one


def mismatch(layout: Layout, felt: Felt) -> str | None:
    """What shows that the felt is not the layout's; None if it fits."""
    size = np.array(layout.felt)
    marks = np.array([mark.felt for mark in felt.marks])
    low, high = marks.min(axis=0), marks.max(axis=0)
    if np.any(low < -BESIDE_FELT_SHARE * size) or np.any(high > (1 + BESIDE_FELT_SHARE) * size):
        return f"marks up to {high[0]:.0f},{high[1]:.0f} mm"
    if np.any(high - low < MIN_SPAN_SHARE * size):
        return f"marks on {high[0] - low[0]:.0f} by {high[1] - low[1]:.0f} mm of it"
    for zone in layout.zones:
        if not _in_picture(felt, np.array(zone.polygon)):
            return f"a picture that does not show the whole of zone {zone.name}"
    return None


def _in_picture(felt: Felt, corners: Points) -> bool:
    share = felt.to_picture(corners) / np.array(felt.size)
    return bool(np.all((share > -BEYOND_PICTURE_SHARE) & (share < 1 + BEYOND_PICTURE_SHARE)))
