#include <zlib.h>

#include <algorithm>
#include <map>

#include "formats/TextNumbers.h"
#include "formats/Vtu.h"
#include "formats/XmlTag.h"
#include "geometry/Merge.h"

namespace verve {

namespace {

std::size_t whole(const std::string& text, const char* what) {
  std::string_view view = text;
  std::uint64_t value = 0;
  if (!take_number(view, value) || !view.empty()) throw Error(std::string("'") + text + "' is no " + what);
  return static_cast<std::size_t>(value);
}

/// The bytes of base64 text, up to `limit` of them.
std::string decode_base64(std::string_view text, std::size_t limit) {
  std::string result;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (result.size() >= limit || c == '=') break;
    int value;
    if (c >= 'A' && c <= 'Z')
      value = c - 'A';
    else if (c >= 'a' && c <= 'z')
      value = c - 'a' + 26;
    else if (c >= '0' && c <= '9')
      value = c - '0' + 52;
    else if (c == '+')
      value = 62;
    else if (c == '/')
      value = 63;
    else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      continue;
    else
      throw Error("a data array is no base64 text");
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    if (++count == 4) {
      for (int shift = 16; shift >= 0; shift -= 8) result += static_cast<char>(bits >> shift);
      bits = 0;
      count = 0;
    }
  }
  for (int k = 0; k + 1 < count; ++k) result += static_cast<char>(bits >> (6 * count - 8 * (k + 1)));
  if (result.size() > limit) result.resize(limit);
  return result;
}

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
  bool compressed_ = false, big_endian_ = false, long_header_ = false, appended_base64_ = false;
  std::string_view appended_;

  void scan(std::string_view text) {
    std::string section;
    while (const auto tag = next_tag(text)) {
      if (tag->name == "VTKFile") {
        if (tag->get("type") != "UnstructuredGrid")
          throw Error("this is no unstructured grid but '" + tag->get("type") + "'");
        const std::string compressor = tag->get("compressor");
        compressed_ = !compressor.empty();
        if (compressed_ && compressor != "vtkZLibDataCompressor")
          throw Error("the compression '" + compressor +
                      "' is not known; save the file with zlib or without");
        big_endian_ = tag->get("byte_order") == "BigEndian";
        long_header_ = tag->get("header_type") == "UInt64";
      } else if (tag->name == "Piece") {
        pieces_.push_back({whole(tag->get("NumberOfPoints", "0"), "number of points"),
                           whole(tag->get("NumberOfCells", "0"), "number of cells"),
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
        appended_base64_ = tag->get("encoding") == "base64";
        const std::size_t mark = text.find('_');
        if (mark != std::string_view::npos) appended_ = text.substr(mark + 1);
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

  /// The bytes of an array that is not text.
  std::string raw_bytes(const XmlTag& tag) const {
    const bool appended = tag.get("format") == "appended";
    std::string_view from = tag.text;
    if (appended) {
      const std::size_t offset = whole(tag.get("offset", "0"), "offset");
      if (offset > appended_.size()) throw Error("an array begins after the end of the file");
      from = appended_.substr(offset);
    }
    from.remove_prefix(
        std::min(appended && !appended_base64_ ? 0 : from.find_first_not_of(" \t\r\n"), from.size()));
    const bool base64 = !appended || appended_base64_;
    if (compressed_) return unpacked(from, base64);
    const std::uint64_t size = header(taken(from, base64, header_bytes()), 0);
    if (size > from.size()) throw Error("an array is longer than the file");
    return taken(from, base64, header_bytes() + static_cast<std::size_t>(size)).substr(header_bytes());
  }

  std::size_t header_bytes() const { return long_header_ ? 8 : 4; }

  static std::string taken(std::string_view from, bool base64, std::size_t bytes) {
    std::string result = base64 ? decode_base64(from, bytes) : std::string(from.substr(0, bytes));
    if (result.size() != bytes) throw Error("an array ends too early");
    return result;
  }

  /// A number of the header that stands before the data of an array.
  std::uint64_t header(const std::string& bytes, std::size_t entry) const {
    const std::size_t size = header_bytes();
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t at = entry * size + (big_endian_ ? size - 1 - k : k);
      value |= std::uint64_t(static_cast<unsigned char>(bytes[at])) << (8 * k);
    }
    return value;
  }

  /// Compressed arrays: the number of blocks, the size of a whole one and of the last, the packed size of
  /// each, then the blocks. As base64 the header is a text of its own.
  std::string unpacked(std::string_view from, bool base64) const {
    const std::uint64_t blocks = header(taken(from, base64, header_bytes()), 0);
    if (blocks > from.size()) throw Error("an array has more blocks than the file has bytes");
    if (blocks == 0) return {};
    const std::size_t head = (3 + static_cast<std::size_t>(blocks)) * header_bytes();
    const std::string sizes = taken(from, base64, head);
    std::uint64_t all = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      if (header(sizes, 3 + b) > from.size()) throw Error("a compressed array is longer than the file");
      all += header(sizes, 3 + b);
    }
    if (all > from.size()) throw Error("a compressed array is longer than the file");
    from.remove_prefix(std::min(base64 ? (head + 2) / 3 * 4 : head, from.size()));
    const std::string packed = taken(from, base64, static_cast<std::size_t>(all));
    std::string out;
    std::size_t at = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint64_t last = header(sizes, 2), bytes = header(sizes, 3 + b);
      const std::uint64_t size = b + 1 == blocks && last > 0 ? last : header(sizes, 1);
      // zlib packs a thousand to one at best: more is damage.
      if (size > 1100 * (bytes + 1)) throw Error("a compressed array is damaged");
      const std::size_t begin = out.size();
      out.resize(begin + static_cast<std::size_t>(size));
      uLongf done = static_cast<uLongf>(size);
      if (uncompress(reinterpret_cast<Bytef*>(&out[begin]), &done,
                     reinterpret_cast<const Bytef*>(packed.data() + at), static_cast<uLong>(bytes)) != Z_OK ||
          done != size)
        throw Error("a compressed array is damaged");
      at += static_cast<std::size_t>(bytes);
    }
    return out;
  }

  template <class T>
  std::vector<T> decode_as(const XmlTag& tag) const {
    std::vector<T> values;
    if (tag.get("format", "ascii") == "ascii") {
      std::string_view text = tag.text;
      while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (text.empty()) return values;
        // Eight-bit numbers are written as numbers, not as characters.
        std::conditional_t<sizeof(T) == 1, int, T> value{};
        if (!take_number(text, value)) throw Error("a number is damaged");
        values.push_back(static_cast<T>(value));
      }
    }
    const std::string bytes = raw_bytes(tag);
    values.resize(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
      char raw[sizeof(T)];
      for (std::size_t k = 0; k < sizeof(T); ++k)
        raw[big_endian_ ? sizeof(T) - 1 - k : k] = bytes[i * sizeof(T) + k];
      std::memcpy(&values[i], raw, sizeof(T));
    }
    return values;
  }

  /// The numbers of an array; unsigned ones become the next larger signed ones.
  Values decode(const XmlTag& tag) const {
    const std::string type = tag.get("type");
    if (type == "Int8") return decode_as<std::int8_t>(tag);
    if (type == "UInt8") return decode_as<std::uint8_t>(tag);
    if (type == "Int16") return decode_as<std::int16_t>(tag);
    if (type == "Int32") return decode_as<std::int32_t>(tag);
    if (type == "Int64") return decode_as<std::int64_t>(tag);
    if (type == "Float32") return decode_as<float>(tag);
    if (type == "Float64") return decode_as<double>(tag);
    if (type == "UInt16") return widened<std::int32_t>(decode_as<std::uint16_t>(tag));
    if (type == "UInt32") return widened<std::int64_t>(decode_as<std::uint32_t>(tag));
    if (type == "UInt64") return widened<std::int64_t>(decode_as<std::uint64_t>(tag));
    throw Error("the type '" + type + "' is not known");
  }

  template <class T, class From>
  static std::vector<T> widened(const std::vector<From>& values) {
    return std::vector<T>(values.begin(), values.end());
  }

  /// The array as an attribute with one tuple for each of `elements`.
  std::optional<Attribute> attribute(const Array& array, const std::string& name,
                                     const std::string& type_info, std::size_t elements) {
    Attribute a;
    a.name = name;
    a.type_info = type_info;
    try {
      const std::size_t components = whole(array.tag.get("NumberOfComponents", "1"), "number of components");
      if (components < 1 || components > 65536)
        throw Error("it has " + std::to_string(components) + " components");
      a.tuple_size = static_cast<int>(components);
      a.values = decode(array.tag);
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
          decode(array.tag));
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
