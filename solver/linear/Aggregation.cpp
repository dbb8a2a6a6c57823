#include "linear/Aggregation.h"

#include <algorithm>

namespace verve {

Aggregates aggregate(const std::vector<int>& start, const std::vector<int>& neighbour) {
  const int n = int(start.size()) - 1;
  Aggregates result;
  std::vector<int>& of = result.of;
  of.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    const auto begin = neighbour.begin() + start[i], end = neighbour.begin() + start[i + 1];
    if (begin == end || of[i] != -1 || std::any_of(begin, end, [&](int j) { return of[j] != -1; })) continue;
    of[i] = result.count;
    for (auto j = begin; j != end; ++j) of[*j] = result.count;
    ++result.count;
  }
  // Joining looks only at the aggregates of the first pass, so that none grows into a chain.
  const std::vector<int> seeded = of;
  for (int i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1] && of[i] == -1; ++k) of[i] = seeded[neighbour[k]];
  for (int i = 0; i < n; ++i) {
    if (of[i] != -1 || start[i] == start[i + 1]) continue;
    of[i] = result.count;
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (of[neighbour[k]] == -1) of[neighbour[k]] = result.count;
    ++result.count;
  }
  return result;
}

}  // namespace verve
