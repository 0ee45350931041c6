"""Our camera: frames become cards, dice and tokens on the felt, and a device like any other."""
