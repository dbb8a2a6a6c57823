// The groups of a Houdini file, in any of the encodings of their members.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bgeo/HoudiniAttributes.h"
#include "bgeo/HoudiniJson.h"
#include "geometry/Geometry.h"

namespace verve {

/// The group of points, vertices or primitives that [definition, data] holds, over `elements` elements of
/// the file. Nothing if its encoding is not known; `warnings` then says so.
std::optional<Group> read_houdini_group(const JsonValue& item, Owner owner, std::size_t elements,
                                        UnfoldLimit& limit, std::vector<std::string>& warnings);

/// Keeps the members of the file's elements that `chosen` lists, by their places in it. An element may turn
/// up there several times, or not at all.
void select_members(Group& group, const std::vector<int>& chosen, UnfoldLimit& limit);

/// The same for named edges between the file's `points`.
std::optional<EdgeGroup> read_houdini_edges(const JsonValue& item, std::size_t points, UnfoldLimit& limit,
                                            std::vector<std::string>& warnings);

}  // namespace verve
