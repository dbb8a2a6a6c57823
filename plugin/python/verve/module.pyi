# Made from the parameter table by `verve params --python`; do not change by hand.
import os
from typing import Any, Callable, Literal, Mapping, Sequence, TypedDict, Union

import numpy
from numpy.typing import ArrayLike, NDArray

__version__: str

@SCENE@

class Error(ValueError):
    """The input is wrong: a file, a key, an array."""

class SimulationError(RuntimeError):
    """The simulation could not go on; it stays at the last whole frame."""

class Cancelled(SimulationError): ...

Report = dict[str, float]

def parameters() -> list[dict[str, Any]]: ...
def run(scene: Union[Scene, Mapping[str, Any], str, os.PathLike[str]], out: Union[str, os.PathLike[str]], *,
        frames: Union[tuple[int, int], None] = ..., settings: Sequence[str] = ..., resume: bool = ..., threads: int = ...,
        progress: Union[Callable[[Report], Any], None] = ...) -> list[Report]: ...

class Simulation:
    def __init__(self, scene: Union[Scene, Mapping[str, Any], str, os.PathLike[str]], *, settings: Sequence[str] = ...,
                 threads: int = ...) -> None: ...
    def advance(self) -> Report:
        """Steps to the next frame, with the interpreter's lock released; Ctrl-C and cancel() stop it."""
    def report(self) -> Report:
        """The present frame's energies, momenta and counts: a row of report.csv."""
    def cancel(self) -> None:
        """May be called from any thread: advance() throws Cancelled and the state stays as it was."""
    @property
    def frame(self) -> int: ...
    @property
    def frames(self) -> tuple[int, int]: ...
    @property
    def time(self) -> float: ...
    @property
    def fps(self) -> float: ...
    @property
    def positions(self) -> NDArray[numpy.float64]:
        """(points, 3), m. A view that cannot be written to; it changes with every frame."""
    @property
    def velocities(self) -> NDArray[numpy.float64]:
        """(points, 3), m/s; as positions."""
    @property
    def bodies(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def scene(self) -> dict[str, Any]: ...
    @property
    def scene_json(self) -> str: ...
    def body_positions(self, body: str) -> NDArray[numpy.float64]: ...
    def tets(self, body: str) -> NDArray[numpy.int32]: ...
    def triangles(self, body: str) -> NDArray[numpy.int32]: ...
    def skin(self, body: str) -> NDArray[numpy.float64]:
        """The points that show a body: those of the surface that it was filled from, or its own."""
    def quantities(self) -> dict[str, NDArray[numpy.float32]]:
        """stress, energydensity and contact of every point."""
    def save(self, path: str) -> None:
        """Writes a checkpoint."""
    def restore(self, path: str) -> None: ...
    def write(self, path: str) -> None:
        """Writes the frame as geometry; the ending says the format."""

class CacheWriter:
    def __init__(self, folder: Union[str, os.PathLike[str]], name: str = ..., *, format: str = ..., fps: float = ...,
                 first_frame: int = ..., resume_from: int = ...) -> None: ...
    def write(self, frame: int, *, points: ArrayLike, tets: ArrayLike = ..., polygons: Any = ..., lines: Any = ...,
              attributes: Mapping[str, ArrayLike] = ...) -> None: ...
    def finish(self) -> None: ...
    def __enter__(self) -> CacheWriter: ...
    def __exit__(self, *args: Any) -> None: ...
