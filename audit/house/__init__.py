"""The home folder as a whole: its health, its log open for writing, its rounds by description."""
