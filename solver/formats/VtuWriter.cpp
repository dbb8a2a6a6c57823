#include "formats/TextNumbers.h"
#include "formats/Vtu.h"

namespace verve {

namespace {

// VTK's numbers for the cells.
constexpr std::uint8_t kLine = 3, kPolyLine = 4, kTriangle = 5, kPolygon = 7, kQuad = 9, kTetra = 10;

const char* type_name(const Values& values) {
  constexpr const char* names[] = {"Int8",  "UInt8",   "Int16",   "Int32",
                                   "Int64", "Float32", "Float32", "Float64"};
  return names[values.index()];
}

/// Tags that refer to data, which is appended at the end of the file: eight bytes of length, then the
/// numbers.
class Writer {
 public:
  explicit Writer(const Geometry& geometry) : g_(geometry) {}

  std::string document() {
    xml_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n";
    attributes("FieldData", Owner::Detail);
    xml_ += "<Piece NumberOfPoints=\"" + std::to_string(g_.point_count) + "\" NumberOfCells=\"" +
            std::to_string(g_.primitive_count()) + "\">\n";
    attributes("PointData", Owner::Point);
    attributes("CellData", Owner::Primitive);
    xml_ += "<Points>\n";
    const Vector x = g_.positions();
    const Attribute* p = g_.find(Owner::Point, "P");
    if (p && p->as<double>()) {
      array("Points", "Float64", 3, std::vector<double>(x.data(), x.data() + x.size()));
    } else {
      array("Points", "Float32", 3, std::vector<float>(x.data(), x.data() + x.size()));
    }
    xml_ += "</Points>\n<Cells>\n";
    cells();
    xml_ += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    xml_ += data_;
    return xml_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  const Geometry& g_;
  std::string xml_, data_;

  template <class T>
  void array(const std::string& name, const char* type, int components, const std::vector<T>& values,
             const std::string& more = "") {
    xml_ += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + escaped(name) +
            "\" NumberOfComponents=\"" + std::to_string(components) + "\" " + more +
            "format=\"appended\" offset=\"" + std::to_string(data_.size()) + "\"/>\n";
    const std::uint64_t size = values.size() * sizeof(T);
    data_.append(reinterpret_cast<const char*>(&size), 8);
    data_.append(reinterpret_cast<const char*>(values.data()), static_cast<std::size_t>(size));
  }

  static std::string escaped(const std::string& name) {
    std::string result;
    for (const char c : name) {
      if (c == '&')
        result += "&amp;";
      else if (c == '<')
        result += "&lt;";
      else if (c == '"')
        result += "&quot;";
      else
        result += c;
    }
    return result;
  }

  void attributes(const std::string& section, Owner owner) {
    xml_ += "<" + section + ">\n";
    for (const Attribute& a : g_.attributes[static_cast<std::size_t>(owner)]) {
      if (a.is_array() || a.is_text() || (owner == Owner::Point && a.name == "P")) continue;
      std::visit(
          [&](const auto& v) {
            using Vector = std::decay_t<decltype(v)>;
            const std::string more = owner == Owner::Detail ? "NumberOfTuples=\"1\" " : "";
            if constexpr (std::is_same_v<Vector, std::vector<Half>>) {
              std::vector<float> floats;
              for (const Half value : v) floats.push_back(static_cast<float>(value));
              array(a.name, type_name(a.values), a.tuple_size, floats, more);
            } else if constexpr (!std::is_base_of_v<StringValues, Vector>) {
              array(a.name, type_name(a.values), a.tuple_size, v, more);
            }
          },
          a.values);
    }
    xml_ += "</" + section + ">\n";
  }

  void cells() {
    std::vector<std::uint8_t> types;
    for (std::size_t i = 0; i < g_.primitive_types.size(); ++i) {
      const int n = g_.primitive_starts[i + 1] - g_.primitive_starts[i];
      switch (g_.primitive_types[i]) {
        case PrimitiveType::Tetrahedron:
          types.push_back(kTetra);
          break;
        case PrimitiveType::Polyline:
          types.push_back(n == 2 ? kLine : kPolyLine);
          break;
        case PrimitiveType::Polygon:
          types.push_back(n == 3 ? kTriangle : n == 4 ? kQuad : kPolygon);
          break;
      }
    }
    array("connectivity", "Int32", 1, g_.vertex_points);
    array("offsets", "Int32", 1,
          std::vector<int>(g_.primitive_starts.begin() + 1, g_.primitive_starts.end()));
    array("types", "UInt8", 1, types);
  }
};

}  // namespace

std::string write_vtu(const Geometry& geometry) {
  check(geometry);
  return Writer(geometry).document();
}

std::string write_pvd(const std::vector<std::pair<double, std::string>>& files) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const auto& [time, file] : files) {
    out += "<DataSet timestep=\"";
    append_number(out, time);
    out += "\" part=\"0\" file=\"" + file + "\"/>\n";
  }
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace verve
