"""The process that decodes: it gets messages on one socket, and puts pixels into shared memory.

The parent starts it as `python -m vision.decoder.worker DOOR MEMORY`; both are open handles.
"""

import sys
from typing import Any, NoReturn

import cv2

from vision.decoder.errors import MediaRefused, PictureRefused
from vision.decoder.pictures import decoded, too_much
from vision.decoder.process import DecoderLimits
from vision.decoder.worker_channel import WorkerChannel


def main() -> NoReturn:
    """Serve the first request: pictures one by one, the frames of a film, or a cut."""
    channel = WorkerChannel(int(sys.argv[1]), int(sys.argv[2]))
    cv2.setNumThreads(1)
    channel.send(ready=True)
    request = channel.receive()
    if request["do"] == "pictures":
        _pictures(channel, DecoderLimits(**request["limits"]))
    try:
        _film(channel, request)
    except MediaRefused as error:
        channel.send_refusal(error)
    except MemoryError:
        channel.send_refusal(too_much("", request["limits"]["memory_mib"]))
    while True:  # until the parent has read everything and closes the socket
        channel.receive()


def _film(channel: WorkerChannel, request: dict[str, Any]) -> None:
    if request["do"] == "cut":
        from vision.decoder.cuts import cut

        cut(channel, request)
    else:
        from vision.decoder.film_worker import give

        give(channel, request)


def _pictures(channel: WorkerChannel, limits: DecoderLimits) -> NoReturn:
    """Decode picture after picture as the parent asks."""
    channel.set_limits(limits, 0)
    while True:
        _picture(channel, channel.receive(), limits)


def _picture(channel: WorkerChannel, asked: dict[str, Any], limits: DecoderLimits) -> None:
    channel.renew_cpu_time()
    try:
        image = decoded(channel.content(asked["slot"], asked["size"]), "", limits.memory_mib)
    except PictureRefused as error:
        channel.send_refusal(error)
    else:
        channel.send(**channel.put_frame(asked["slot"], image))


if __name__ == "__main__":
    main()
