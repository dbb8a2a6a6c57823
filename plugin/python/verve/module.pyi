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
        frames: Union[tuple[int, int], None] = ..., settings: Union[Mapping[str, Any], Sequence[str]] = ..., resume: bool = ..., threads: int = ...,
        progress: Union[Callable[[Report], Any], None] = ...) -> list[Report]: ...

class Simulation:
    def __init__(self, scene: Union[Scene, Mapping[str, Any], str, os.PathLike[str]], *, settings: Union[Mapping[str, Any], Sequence[str]] = ...,
                 threads: int = ...) -> None: ...
    def advance(self) -> Report:
        """@advance@"""
    def report(self) -> Report:
        """@report@"""
    def cancel(self) -> None:
        """@cancel@"""
    @property
    def frame(self) -> int:
        """@frame@"""
    @property
    def frames(self) -> tuple[int, int]:
        """@frames@"""
    @property
    def time(self) -> float:
        """@time@"""
    @property
    def fps(self) -> float:
        """@fps@"""
    @property
    def positions(self) -> NDArray[numpy.float64]:
        """@positions@"""
    @property
    def velocities(self) -> NDArray[numpy.float64]:
        """@velocities@"""
    @property
    def bodies(self) -> list[str]:
        """@bodies@"""
    @property
    def warnings(self) -> list[str]:
        """@warnings@"""
    @property
    def scene(self) -> dict[str, Any]:
        """The scene with every default filled in."""
    @property
    def scene_json(self) -> str:
        """@scene_json@"""
    def body_positions(self, body: str) -> NDArray[numpy.float64]:
        """@body_positions@"""
    def tets(self, body: str) -> NDArray[numpy.int32]:
        """@tets@"""
    def triangles(self, body: str) -> NDArray[numpy.int32]:
        """@triangles@"""
    def skin(self, body: str) -> NDArray[numpy.float64]:
        """@skin@"""
    def quantities(self) -> dict[str, NDArray[numpy.float32]]:
        """@quantities@"""
    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """@save@"""
    def restore(self, path: Union[str, os.PathLike[str]]) -> None:
        """@restore@"""
    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """@write@"""

class CacheWriter:
    def __init__(self, folder: Union[str, os.PathLike[str]], name: str = ..., *, format: str = ..., fps: float = ...,
                 first_frame: int = ..., resume_from: int = ...) -> None: ...
    def write(self, frame: int, *, points: ArrayLike, tets: ArrayLike = ..., polygons: Any = ..., lines: Any = ...,
              attributes: Mapping[str, ArrayLike] = ...) -> None: ...
    def finish(self) -> None: ...
    def __enter__(self) -> CacheWriter: ...
    def __exit__(self, *args: Any) -> None: ...
