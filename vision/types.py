"""Types that every room of `vision` shares: pictures and places in them."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # rows, columns; blue, green, red where there are three channels
Reals = NDArray[np.float32]
Point = tuple[float, float]  # across and down: pixels of a picture or millimetres of a felt
Quad = tuple[Point, Point, Point, Point]  # corners of an outline, one after the other
