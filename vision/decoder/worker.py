"""The process that decodes: messages on one socket, pixels in shared memory, nothing else.

Started as `python -m vision.decoder.worker DOOR MEMORY`; DOOR and MEMORY are open handles.
"""

import sys
from typing import Any, NoReturn

import cv2

from vision.decoder.errors import MediaRefused, PictureRefused
from vision.decoder.pictures import decoded, too_much
from vision.decoder.process import Fence
from vision.decoder.shared_memory import Desk


def main() -> NoReturn:
    """Do what the first message asks."""
    desk = Desk(int(sys.argv[1]), int(sys.argv[2]))
    cv2.setNumThreads(1)
    desk.say(ready=True)
    request = desk.hear()
    if request["do"] == "pictures":
        _pictures(desk, Fence(**request["fence"]))
    try:
        _film(desk, request)
    except MediaRefused as error:
        desk.refuse(error)
    except MemoryError:
        desk.refuse(too_much("", request["fence"]["memory_mib"]))
    while True:  # until the other side has read all and hangs up
        desk.hear()


def _film(desk: Desk, request: dict[str, Any]) -> None:
    if request["do"] == "cut":
        from vision.decoder.cuts import cut

        cut(desk, request)
    else:
        from vision.decoder.films import give

        give(desk, request)


def _pictures(desk: Desk, fence: Fence) -> NoReturn:
    """One picture after the other, as the other side asks."""
    desk.shut(fence, 0)
    while True:
        _picture(desk, desk.hear(), fence)


def _picture(desk: Desk, asked: dict[str, Any], fence: Fence) -> None:
    desk.go_on()
    try:
        image = decoded(desk.content(asked["slot"], asked["size"]), "", fence.memory_mib)
    except PictureRefused as error:
        desk.refuse(error)
    else:
        desk.say(**desk.lay(asked["slot"], image))


if __name__ == "__main__":
    main()
