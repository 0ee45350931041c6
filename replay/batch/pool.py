"""Runs tasks on worker processes; a result may lead to another task."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
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
    killed: Callable[[Task], Result] | None = None,
) -> Iterator[Result]:
    """Run every task and those that follow from results; results come in any order.

    Where a worker process dies, the tasks that are left run again, one at a time. A task that
    kills its process again gets the result of `killed`; without `killed` it is an error.
    """
    if workers == 1 or not tasks:
        yield from _here(work, tasks, after)
        return
    left = list(tasks)
    try:
        yield from _together(work, left, workers, after)
    except BrokenProcessPool:
        if killed is None:
            raise
        while left:
            task, lone = left.pop(), list[Task]()
            lone.append(task)
            try:
                yield from _together(work, lone, 1, after)
            except BrokenProcessPool:
                yield killed(lone[0])


def _together(
    work: Callable[[Task], Result],
    left: list[Task],
    workers: int,
    after: Callable[[Result], Task | None],
) -> Iterator[Result]:
    """Work on tasks in processes; `left` holds those that are not done."""
    with ProcessPoolExecutor(workers, get_context("spawn"), _as_worker) as pool:
        with _uninterrupted():
            waiting: dict[Future[Result], Task] = {pool.submit(work, task): task for task in left}
        try:
            while waiting:
                ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    result = future.result()
                    left.remove(waiting.pop(future))
                    follower = after(result)
                    if follower is not None:
                        left.append(follower)
                        with _uninterrupted():
                            waiting[pool.submit(work, follower)] = follower
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
    """Delay interrupts while workers start; they inherit the mask until they are ready.

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
    """Let the worker exit silently when it is interrupted, and when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
