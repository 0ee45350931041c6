"""Workers: tasks on processes, each of which may lead to another, results as they come."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def run(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    workers: int,
    after: Callable[[Result], Task | None],
) -> Iterator[Result]:
    """Work on every task and on those that follow from results; the order is not kept."""
    if workers == 1 or not tasks:
        yield from _here(work, tasks, after)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _as_worker) as pool:
        with _uninterrupted():
            waiting: set[Future[Result]] = {pool.submit(work, task) for task in tasks}
        try:
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    result = future.result()
                    follower = after(result)
                    if follower is not None:
                        with _uninterrupted():
                            waiting.add(pool.submit(work, follower))
                    yield result
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _here(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    after: Callable[[Result], Task | None],
) -> Iterator[Result]:
    for first in tasks:
        task: Task | None = first
        while task is not None:
            result = work(task)
            yield result
            task = after(result)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold interrupts back while workers start; they inherit this until they are ready.

    The mask is for the workers. It does not keep the other threads of this process from taking
    a signal, so it is also noted here, and raised when the workers have all they need.
    """
    noted: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if noted and handler is not signal.SIG_IGN:
        raise KeyboardInterrupt


def _as_worker() -> None:
    """A worker leaves without a word when interrupted, and when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
