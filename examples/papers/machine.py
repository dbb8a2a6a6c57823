"""Whether times mean anything: what else the machine did meanwhile."""
import math
import os
import resource
import time

from experiment import NOT_JUDGED, Judged

MOST = 0.3  # cores that other work may take


class Watch:
    """`with Watch() as watch:` around programs that are run and waited for; then watch.others has the cores that all
    other work, that of the host's other guests included, took on average. Infinite where that cannot be told."""

    def __enter__(self):
        self._begin = self._taken()
        return self

    def __exit__(self, *_):
        elapsed, other = (after - before for after, before in zip(self._taken(), self._begin))
        self.others = max(0.0, other / elapsed) if math.isfinite(other) else math.inf

    @staticmethod
    def _taken():
        """Seconds: by the clock, and of all processors but for our own share."""
        try:
            with open("/proc/stat") as stat:
                user, nice, system, _, _, irq, softirq, steal = map(int, stat.readline().split()[1:9])
        except OSError:
            return time.monotonic(), math.inf
        usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
        return time.monotonic(), (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK") - own


def unless_busy(judged, others):
    """The verdict on a time; none if other work (Watch.others) took part of the machine."""
    if others <= MOST:
        return judged
    return Judged(NOT_JUDGED, judged.measured, judged.wanted,
                  f"Other work took {others:.1f} of {os.cpu_count()} cores.")
