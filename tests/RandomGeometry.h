// Geometries for the tests, made from a seed: every primitive, storage and kind of group.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "geometry/Geometry.h"

namespace verve {

class RandomGeometry {
 public:
  explicit RandomGeometry(unsigned seed) : random_(seed) {}

  /// Up to `size` points; `values` may be any bits, also NaN, unless `plain`.
  Geometry make(int size, bool plain) {
    plain_ = plain;
    Geometry g;
    g.point_count = below(size + 1);
    fill(g.add<float>(Owner::Point, "P", 3, "point"), 3);
    for (int i = g.point_count == 0 ? 0 : below(size); i > 0; --i) add_primitive(g);
    for (int o = 0; o < kOwners; ++o)
      for (int i = below(5); i > 0; --i) add_attribute(g, static_cast<Owner>(o), i);
    for (const Owner owner : {Owner::Point, Owner::Vertex, Owner::Primitive})
      for (int i = below(3); i > 0; --i) add_group(g, owner, i);
    if (g.point_count > 0 && below(2) == 0) {
      EdgeGroup& edges = g.edge_groups.emplace_back(EdgeGroup{"edges", {}});
      for (int i = below(5); i > 0; --i) edges.edges.push_back({below(g.point_count), below(g.point_count)});
    }
    return g;
  }

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

 private:
  std::mt19937 random_;
  bool plain_ = true;

  template <class T>
  T value() {
    if constexpr (std::is_floating_point_v<T>) {
      if (plain_ || below(4) != 0)
        return static_cast<T>(std::uniform_real_distribution<double>(-9, 9)(random_));
      constexpr double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-310, 1e-42, 1e38, 0.1};
      return static_cast<T>(special[below(9)]);
    } else if constexpr (std::is_same_v<T, Half>) {
      return Half(value<float>());
    } else {
      return static_cast<T>((std::uint64_t(random_()) << 32) | random_());
    }
  }

  /// Long stretches of equal tuples now and then, so that constant pages turn up.
  template <class T>
  void fill(std::vector<T>& values, std::size_t tuple) {
    const bool steady = below(2) == 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = steady && i >= tuple && below(1500) != 0 ? values[i - tuple] : value<T>();
  }

  std::string word() {
    constexpr const char* words[] = {
        "", "a", "skin", "quote\" and \\", "tab\tline\n", "snow\xe2\x98\x83", "\x01", "cloth"};
    return words[below(8)] + std::to_string(below(3));
  }

  void add_primitive(Geometry& g) {
    const auto type = static_cast<PrimitiveType>(below(3));
    std::vector<int> points(type == PrimitiveType::Tetrahedron ? 4 : static_cast<std::size_t>(1 + below(6)));
    for (int& p : points) p = below(g.point_count);
    for (int repeat = 1 + below(4); repeat > 0; --repeat) g.add_primitive(type, points);
  }

  void add_attribute(Geometry& g, Owner owner, int number) {
    Attribute a;
    a.name = "a" + std::to_string(number);
    a.tuple_size = 1 + below(4);
    if (below(2) == 0) a.type_info = "vector";
    if (below(3) == 0) a.defaults = {1, 2.5};
    const auto elements = static_cast<std::size_t>(g.count(owner));
    const int kind = below(10);
    if (kind != 9 && below(4) == 0) {
      a.starts = {0};
      for (std::size_t i = 0; i < elements; ++i)
        a.starts.push_back(a.starts.back() + below(3) * a.tuple_size);
    }
    const auto tuple = static_cast<std::size_t>(a.tuple_size);
    const std::size_t size = a.is_array() ? static_cast<std::size_t>(a.starts.back()) : elements * tuple;
    constexpr int texts = 8;
    if (kind >= texts) {
      StringValues strings;
      a.defaults = {0};
      for (std::size_t i = 0; i < size; ++i)
        strings.indices.push_back(below(3) == 0
                                      ? -1
                                      : strings.index_of(kind == 9 ? "{\"k\":" + std::to_string(below(4)) +
                                                                         ",\"l\":[1,2.5,true,null,\"x\"]}"
                                                                   : word()));
      if (kind == 9) {
        a.values = DictValues{std::move(strings)};
      } else {
        a.values = std::move(strings);
      }
    } else {
      fill_kind(a, kind, size);
    }
    if (a.is_array()) a.defaults = {0};
    g.put(owner, std::move(a));
  }

  void fill_kind(Attribute& a, int kind, std::size_t size) {
    const auto set = [&](auto zero) {
      std::vector<decltype(zero)> values(size);
      fill(values, static_cast<std::size_t>(a.tuple_size));
      a.values = std::move(values);
    };
    switch (kind) {
      case 0:
        return set(std::int8_t{});
      case 1:
        return set(std::uint8_t{});
      case 2:
        return set(std::int16_t{});
      case 3:
        return set(std::int32_t{});
      case 4:
        return set(std::int64_t{});
      case 5:
        return set(Half{});
      case 6:
        return set(float{});
      default:
        return set(double{});
    }
  }

  void add_group(Geometry& g, Owner owner, int number) {
    Group& group = g.add_group(owner, "g" + std::to_string(number));
    if (group.members.empty()) return;
    if (below(3) == 0) {
      for (int i = 0; i < g.count(owner); i += 1 + below(9)) group.order.push_back(i);
      std::shuffle(group.order.begin(), group.order.end(), random_);
      for (const int i : group.order) group.members[static_cast<std::size_t>(i)] = 1;
    } else {
      std::uint8_t in = 0;
      for (auto& member : group.members) member = in = below(5) == 0 ? !in : in;
    }
  }
};

}  // namespace verve
