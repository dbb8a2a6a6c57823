#include <algorithm>
#include <map>

#include "formats/TextNumbers.h"
#include "formats/Vtu.h"
#include "formats/VtuArrays.h"
#include "formats/XmlTag.h"
#include "geometry/Merge.h"

namespace verve {

namespace {

class Reader {
 public:
  Reader(std::string_view bytes, std::vector<std::string>& warnings) : warnings_(warnings) { scan(bytes); }

  Geometry read() {
    Geometry all;
    for (const Piece& piece : pieces_) {
      read_piece(piece);
      if (&piece == &pieces_.front())
        all = std::move(geometry_);
      else
        append(all, geometry_);
    }
    geometry_ = std::move(all);
    for (const Array& array : fields_) put(Owner::Detail, array, array.tag.get("Name"), "", 1);
    check(geometry_);
    return std::move(geometry_);
  }

 private:
  struct Array {
    std::string section;
    XmlTag tag;
  };
  struct Piece {
    std::size_t points, cells;
    std::vector<Array> arrays;
  };

  std::vector<std::string>& warnings_;
  Geometry geometry_;
  std::vector<Piece> pieces_;
  std::vector<Array> fields_;
  VtuArrays arrays_;

  void scan(std::string_view text) {
    std::string section;
    while (const auto tag = next_tag(text)) {
      if (tag->name == "VTKFile") {
        if (tag->get("type") != "UnstructuredGrid")
          throw Error("this is no unstructured grid but '" + tag->get("type") + "'");
        const std::string compressor = tag->get("compressor");
        arrays_.compressed = !compressor.empty();
        if (arrays_.compressed && compressor != "vtkZLibDataCompressor")
          throw Error("the compression '" + compressor +
                      "' is not known; save the file with zlib or without");
        arrays_.big_endian = tag->get("byte_order") == "BigEndian";
        arrays_.long_header = tag->get("header_type") == "UInt64";
      } else if (tag->name == "Piece") {
        pieces_.push_back({whole_number(tag->get("NumberOfPoints", "0"), "number of points"),
                           whole_number(tag->get("NumberOfCells", "0"), "number of cells"),
                           {}});
      } else if (tag->name == "PointData" || tag->name == "CellData" || tag->name == "Points" ||
                 tag->name == "Cells" || tag->name == "FieldData") {
        section = tag->name;
      } else if (tag->name == "DataArray") {
        if (section == "FieldData")
          fields_.push_back({section, *tag});
        else if (!pieces_.empty())
          pieces_.back().arrays.push_back({section, *tag});
      } else if (tag->name == "AppendedData") {
        arrays_.appended_base64 = tag->get("encoding") == "base64";
        const std::size_t mark = text.find('_');
        if (mark != std::string_view::npos) arrays_.appended = text.substr(mark + 1);
        break;
      }
    }
    if (pieces_.empty()) throw Error("there is no grid in the file");
  }

  void read_piece(const Piece& piece) {
    geometry_ = {};
    geometry_.point_count = static_cast<int>(std::min<std::size_t>(piece.points, 0x7fffffff));
    for (const Array& array : piece.arrays)
      if (array.section == "Points") put(Owner::Point, array, "P", "point", piece.points);
    if (piece.points > 0 && !geometry_.find(Owner::Point, "P")) throw Error("the points have no positions");
    const std::vector<int> kept = read_cells(piece);
    for (const Array& array : piece.arrays) {
      const std::string name = array.tag.get("Name");
      if (array.section == "PointData" && name != "P") put(Owner::Point, array, name, "", piece.points);
      if (array.section == "CellData") put(Owner::Primitive, array, name, "", piece.cells);
    }
    if (kept.size() != piece.cells)
      for (Attribute& a : geometry_.attributes[std::size_t(Owner::Primitive)]) select_elements(a, kept);
    check(geometry_);
  }

  /// The array as an attribute with one tuple for each of `elements`.
  std::optional<Attribute> attribute(const Array& array, const std::string& name,
                                     const std::string& type_info, std::size_t elements) {
    Attribute a;
    a.name = name;
    a.type_info = type_info;
    try {
      const std::size_t components =
          whole_number(array.tag.get("NumberOfComponents", "1"), "number of components");
      if (components < 1 || components > 65536)
        throw Error("it has " + std::to_string(components) + " components");
      a.tuple_size = static_cast<int>(components);
      a.values = arrays_.decode(array.tag);
      if (a.size() != elements * components)
        throw Error("it has " + std::to_string(a.size()) + " values where " +
                    std::to_string(elements * components) + " are needed");
    } catch (const Error& error) {
      if (array.section == "Points" || array.section == "Cells")
        throw Error("array '" + name + "': " + error.what());
      warnings_.push_back("array '" + name + "' left out: " + error.what());
      return std::nullopt;
    }
    return a;
  }

  void put(Owner owner, const Array& array, const std::string& name, const std::string& type_info,
           std::size_t elements) {
    auto a = attribute(array, name, type_info, elements);
    if (a) geometry_.put(owner, std::move(*a));
  }

  std::vector<std::int64_t> integers(const Piece& piece, const char* name) const {
    for (const Array& array : piece.arrays) {
      if (array.section != "Cells" || array.tag.get("Name") != name) continue;
      return std::visit(
          [](const auto& v) {
            std::vector<std::int64_t> result;
            if constexpr (!std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
              for (const auto value : v) {
                const double real = static_cast<double>(value);
                if (!(real >= 0 && real < 2147483648.0)) throw Error("a cell has a number out of range");
                result.push_back(static_cast<std::int64_t>(real));
              }
            }
            return result;
          },
          arrays_.decode(array.tag));
    }
    if (piece.cells > 0) throw Error(std::string("the cells have no '") + name + "'");
    return {};
  }

  /// Adds the primitives; returns the cells that they were.
  std::vector<int> read_cells(const Piece& piece) {
    const auto points = integers(piece, "connectivity"), ends = integers(piece, "offsets"),
               types = integers(piece, "types");
    if (ends.size() != piece.cells || types.size() != piece.cells)
      throw Error("the number of cells does not fit their lists");
    std::map<std::int64_t, int> skipped;
    std::int64_t begin = 0;
    std::vector<int> cell, kept;
    for (std::size_t i = 0; i < piece.cells; ++i) {
      const std::int64_t end = ends[i];
      if (end < begin || end > static_cast<std::int64_t>(points.size()))
        throw Error("cell " + std::to_string(i) + " does not fit the list of its points");
      cell.assign(points.begin() + begin, points.begin() + end);
      begin = end;
      std::optional<PrimitiveType> type;
      if (types[i] == 3 || types[i] == 4) type = PrimitiveType::Polyline;
      if (types[i] == 5 || types[i] == 7 || types[i] == 9) type = PrimitiveType::Polygon;
      if (types[i] == 10) type = PrimitiveType::Tetrahedron;
      if (!type || cell.empty()) {
        ++skipped[types[i]];
        continue;
      }
      geometry_.add_primitive(*type, cell);
      kept.push_back(static_cast<int>(i));
    }
    for (const auto& [type, count] : skipped)
      warnings_.push_back(std::to_string(count) + " cells of VTK's type " + std::to_string(type) +
                          " left out: only lines, polygons and tetrahedra are read");
    return kept;
  }
};

}  // namespace

Geometry read_vtu(std::string_view bytes, std::vector<std::string>* warnings) {
  std::vector<std::string> ignored;
  return Reader(bytes, warnings ? *warnings : ignored).read();
}

std::vector<std::pair<double, std::string>> read_pvd(std::string_view bytes) {
  std::vector<std::pair<double, std::string>> files;
  while (const auto tag = next_tag(bytes)) {
    if (tag->name != "DataSet") continue;
    const std::string text = tag->get("timestep", "0");
    std::string_view view = text;
    double time = 0;
    if (!take_number(view, time)) throw Error("'" + text + "' is no time");
    files.emplace_back(time, tag->get("file"));
  }
  return files;
}

}  // namespace verve
