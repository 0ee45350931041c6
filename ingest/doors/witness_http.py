"""The HTTP side of a witness: POST /add-checkpoint, as c2sp.org/tlog-witness has it."""

import asyncio
from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.requests import ClientDisconnect

from ingest.seal.witness import MAX_REQUEST, Witness
from ingest.service_log import log


def app(witness: Witness, clock: Callable[[], int]) -> FastAPI:
    """The application; `clock` gives POSIX seconds."""
    made = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @made.post("/add-checkpoint")
    async def add_checkpoint(request: Request) -> Response:
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_REQUEST:
                    return PlainTextResponse(f"at most {MAX_REQUEST} bytes expected\n", 413)
        except ClientDisconnect:
            return Response(status_code=400)
        answer = await asyncio.to_thread(witness.add_checkpoint, bytes(body), clock())
        say = log.info if answer.status < 300 else log.warning
        say("checkpoint_judged", status=int(answer.status), said=answer.text.strip()[:200])
        return Response(answer.text, answer.status, media_type=answer.kind)

    @made.get("/health")
    async def health() -> Response:
        return PlainTextResponse("ok\n")

    return made
