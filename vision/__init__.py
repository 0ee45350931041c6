"""Our camera: frames become observations, which go in by the same door as any device's."""
