#include "Arrays.h"

#include "base/Error.h"
#include "scene/SceneSources.h"

namespace verve {
namespace {

namespace py = pybind11;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

template <class Array>
Array as(const py::handle& value, const std::string& place, const char* wanted) {
  Array array = Array::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw Error(place + " must be " + wanted);
  }
  return array;
}

int corner(std::int64_t i, int points, const std::string& place, std::size_t row) {
  if (i < 0 || i >= points)
    throw Error(place + "[" + std::to_string(row) + "] names point " + std::to_string(i) +
                ", but there are " + std::to_string(points));
  return int(i);
}

/// Rows of corners, all as long as the first, or a list of lists.
void add_primitives(Geometry& g, PrimitiveType type, const py::handle& value, const std::string& place,
                    int least, int most) {
  std::size_t row = 0;
  const auto add = [&](const std::int64_t* corners, py::ssize_t count) {
    if (count < least || (most && count > most))
      throw Error(place + "[" + std::to_string(row) + "] has " + std::to_string(count) +
                  (count == 1 ? " corner" : " corners") + ", but needs " + std::to_string(least) +
                  (most ? "" : " or more"));
    std::vector<int> points;
    for (py::ssize_t k = 0; k < count; ++k) points.push_back(corner(corners[k], g.point_count, place, row));
    g.add_primitive(type, points);
    ++row;
  };
  if (py::isinstance<py::array>(value)) {
    if (!py::isinstance<py::array_t<std::int64_t>>(value) && py::array::ensure(value).dtype().kind() != 'i' &&
        py::array::ensure(value).dtype().kind() != 'u')
      throw Error(place + " must be whole numbers");
    const auto rows = as<Integers>(value, place, "rows of whole numbers");
    if (rows.ndim() != 2) throw Error(place + " must have two dimensions, a row of corners each");
    for (py::ssize_t i = 0; i < rows.shape(0); ++i) add(rows.data(i, 0), rows.shape(1));
    return;
  }
  if (!py::isinstance<py::sequence>(value) || py::isinstance<py::str>(value))
    throw Error(place + " must be an array or a list, a row of corners each");
  for (const py::handle& entry : value) {
    const auto corners = as<Integers>(entry, place + "[" + std::to_string(row) + "]", "whole numbers");
    add(corners.data(), corners.size());
  }
}

void add_attribute(Geometry& g, const std::string& name, const py::handle& value, const std::string& place) {
  const py::array any = as<py::array>(value, place, "numbers or words, one a point");
  if (any.ndim() < 1 || any.ndim() > 2 || any.shape(0) != g.point_count)
    throw Error(place + " must have an entry for each of the " + std::to_string(g.point_count) + " points");
  if (any.dtype().kind() == 'U' || any.dtype().kind() == 'O') {
    StringValues& words = g.add_strings(Owner::Point, name);
    for (int i = 0; i < g.point_count; ++i)
      words.indices[std::size_t(i)] = words.index_of(py::str(any.attr("item")(i)).cast<std::string>());
    return;
  }
  const auto numbers = as<Doubles>(value, place, "numbers, one or a row a point");
  const int size = numbers.ndim() == 2 ? int(numbers.shape(1)) : 1;
  if (size < 1) throw Error(place + " has empty rows");
  auto& values = g.add<double>(Owner::Point, name, size);
  std::copy(numbers.data(), numbers.data() + numbers.size(), values.begin());
}

}  // namespace

std::shared_ptr<const FrameSource> frames_from(const py::dict& arrays, const std::string& name,
                                               int first_frame) {
  const auto points = as<Doubles>(arrays["points"], name + ".points", "an array of numbers (n, 3)");
  const auto dims = points.ndim();
  if (dims < 2 || dims > 3 || points.shape(dims - 1) != 3)
    throw Error(name + ".points must be an array of shape (n, 3), or (frames, n, 3) for what moves");
  const py::ssize_t count = dims == 3 ? points.shape(0) : 1, n = points.shape(dims - 2);
  if (n == 0 || count == 0) throw Error(name + ".points is empty");
  Geometry g;
  g.point_count = int(n);
  g.add<double>(Owner::Point, "P", 3, "point");
  if (arrays.contains("tets"))
    add_primitives(g, PrimitiveType::Tetrahedron, arrays["tets"], name + ".tets", 4, 4);
  if (arrays.contains("polygons"))
    add_primitives(g, PrimitiveType::Polygon, arrays["polygons"], name + ".polygons", 3, 0);
  if (arrays.contains("lines"))
    add_primitives(g, PrimitiveType::Polyline, arrays["lines"], name + ".lines", 2, 0);
  if (arrays.contains("attributes")) {
    if (!py::isinstance<py::dict>(arrays["attributes"]))
      throw Error(name + ".attributes must be a dict, arrays by their names");
    for (const auto& [key, value] : py::dict(arrays["attributes"])) {
      const std::string word = py::str(key);
      add_attribute(g, word, value, name + ".attributes['" + word + "']");
    }
  }
  std::vector<Geometry> frames;
  for (py::ssize_t f = 0; f < count; ++f) {
    auto& p = std::get<std::vector<double>>(g.find(Owner::Point, "P")->values);
    std::copy(points.data() + 3 * n * f, points.data() + 3 * n * (f + 1), p.begin());
    frames.push_back(g);
  }
  return std::make_shared<GivenFrames>(std::move(frames), first_frame);
}

}  // namespace verve
