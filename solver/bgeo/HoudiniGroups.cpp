#include "bgeo/HoudiniGroups.h"

#include <algorithm>

#include "base/Error.h"

namespace verve {

namespace {

/// False if the members are in an encoding that is not known.
bool read_selection(const JsonValue& selection, std::size_t elements, UnfoldLimit& limit, Group& group) {
  limit.claim(elements, 1);
  group.members.assign(elements, 0);
  if (const JsonValue* ordered = selection.find("ordered")) {
    limit.claim(ordered->size("ordered"), sizeof(int));
    group.order.resize(ordered->size("ordered"));
    ordered->copy(0, group.order.size(), group.order.data(), "ordered");
    for (const int element : group.order) {
      if (element < 0 || static_cast<std::size_t>(element) >= elements)
        throw Error("element " + std::to_string(element) + " does not exist");
      group.members[static_cast<std::size_t>(element)] = 1;
    }
    return true;
  }
  const JsonValue* unordered = selection.find("unordered");
  if (const JsonValue* runs = unordered ? unordered->find("boolRLE") : nullptr) {
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < runs->size("boolRLE"); i += 2) {
      const std::int64_t n = runs->integer_at(i, "boolRLE");
      if (n < 0 || static_cast<std::uint64_t>(n) > elements - at)
        throw Error("it has more elements than there are");
      const auto begin = group.members.begin() + static_cast<std::ptrdiff_t>(at);
      std::fill(begin, begin + n, static_cast<std::uint8_t>(runs->integer_at(i + 1, "boolRLE") != 0));
      at += static_cast<std::size_t>(n);
    }
    if (at != elements) throw Error("it has fewer elements than there are");
    return true;
  }
  if (const JsonValue* flags = unordered ? unordered->find("i8") : nullptr) {
    if (flags->size("i8") != elements) throw Error("it has another number of elements than there are");
    for (std::size_t i = 0; i < elements; ++i) group.members[i] = flags->integer_at(i, "i8") != 0;
    return true;
  }
  return false;
}

}  // namespace

std::optional<Group> read_houdini_group(const JsonValue& item, Owner owner, std::size_t elements,
                                        UnfoldLimit& limit, std::vector<std::string>& warnings) {
  Group group;
  group.owner = owner;
  group.name = item.at(0, "group").get("name").text("name");
  try {
    if (read_selection(item.at(1, "group").get("selection"), elements, limit, group)) return group;
  } catch (const Error& error) {
    throw Error(std::string(name_of(owner)) + " group '" + group.name + "': " + error.what());
  }
  warnings.push_back("group '" + group.name + "' was left out: its encoding is not known");
  return std::nullopt;
}

void select_members(Group& group, const std::vector<int>& chosen, UnfoldLimit& limit) {
  if (!group.order.empty()) {
    const std::size_t elements = group.members.size();
    limit.claim(elements + chosen.size(), sizeof(int));
    // The places of element i are places[starts[i]] to places[starts[i + 1]].
    std::vector<int> starts(elements + 1, 0), places(chosen.size());
    for (const int element : chosen) ++starts[static_cast<std::size_t>(element) + 1];
    for (std::size_t i = 0; i < elements; ++i) starts[i + 1] += starts[i];
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      places[static_cast<std::size_t>(next[static_cast<std::size_t>(chosen[i])]++)] = static_cast<int>(i);
    std::vector<int> order;
    std::vector<std::uint8_t> listed(elements, 0);
    for (const int element : group.order) {
      const auto e = static_cast<std::size_t>(element);
      if (listed[e]) continue;  // a list that repeats itself may not multiply
      listed[e] = 1;
      order.insert(order.end(), places.begin() + starts[e], places.begin() + starts[e + 1]);
    }
    group.order = std::move(order);
  }
  limit.claim(chosen.size(), 1);
  select_tuples(group.members, chosen, 1);
}

std::optional<EdgeGroup> read_houdini_edges(const JsonValue& item, std::size_t points, UnfoldLimit& limit,
                                            std::vector<std::string>& warnings) {
  EdgeGroup group;
  group.name = item.at(0, "edgegroups").get("name").text("name");
  const JsonValue& body = item.at(1, "edgegroups");
  const JsonValue* ends = body.find("points");
  if (!ends) {
    warnings.push_back("edge group '" + group.name + "' was left out: its encoding is not known");
    return std::nullopt;
  }
  if (body.find("primitives"))
    warnings.push_back("edge group '" + group.name + "': the primitives of its edges were left out");
  limit.claim(ends->size("points"), sizeof(int));
  for (std::size_t k = 0; k + 1 < ends->size("points"); k += 2) {
    std::array<int, 2> edge;
    ends->copy(k, 2, edge.data(), "points");
    for (const int p : edge)
      if (p < 0 || static_cast<std::size_t>(p) >= points)
        throw Error("edge group '" + group.name + "' refers to point " + std::to_string(p));
    group.edges.push_back(edge);
  }
  return group;
}

}  // namespace verve
