#include <algorithm>
#include <map>
#include <optional>

#include "io/TextNumbers.h"
#include "io/Vtu.h"

namespace verve {

namespace {

/// A tag of XML, as far as VTK's files need it.
struct Tag {
  std::string name;
  std::map<std::string, std::string> attributes;
  /// What follows the tag up to the next one.
  std::string_view text;

  std::string get(const std::string& key, const std::string& otherwise = "") const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? otherwise : found->second;
  }
};

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool found = false;
    for (const auto& [code, c] : {std::pair("&amp;", '&'), std::pair("&lt;", '<'), std::pair("&gt;", '>'),
                                  std::pair("&quot;", '"'), std::pair("&apos;", '\'')}) {
      if (text.compare(i, std::string_view(code).size(), code) != 0) continue;
      result += c;
      i += std::string_view(code).size() - 1;
      found = true;
      break;
    }
    if (!found) result += text[i];
  }
  return result;
}

/// Takes the next tag from the front of `text`; nothing at the end.
std::optional<Tag> next_tag(std::string_view& text) {
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('>', open);
  if (close == std::string_view::npos) throw Error("a tag is not closed; the file is damaged");
  std::string_view inside = text.substr(open + 1, close - open - 1);
  text.remove_prefix(close + 1);
  Tag tag;
  const std::size_t end = std::min(inside.find_first_of(" \t\r\n/", 1), inside.size());
  tag.name = inside.substr(0, end);
  inside.remove_prefix(end);
  while (true) {
    const std::size_t equals = inside.find('=');
    const std::size_t quote = equals == std::string_view::npos ? equals : inside.find_first_of("\"'", equals);
    if (quote == std::string_view::npos) break;
    const std::size_t last = inside.find(inside[quote], quote + 1);
    if (last == std::string_view::npos) throw Error("a tag is damaged");
    std::string_view key = inside.substr(0, equals);
    const std::size_t begin = key.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) throw Error("a tag is damaged");
    key = key.substr(begin, key.find_last_not_of(" \t\r\n") - begin + 1);
    tag.attributes[std::string(key)] = unescaped(inside.substr(quote + 1, last - quote - 1));
    inside.remove_prefix(last + 1);
  }
  tag.text = text.substr(0, text.find('<'));
  return tag;
}

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
    if (compressed_) throw Error("the data is compressed; save the file without compression");
    geometry_.point_count = static_cast<int>(std::min<std::size_t>(points_, 0x7fffffff));
    for (const Array& array : arrays_)
      if (array.section == "Points") put(Owner::Point, array, "P", "point");
    if (points_ > 0 && !geometry_.find(Owner::Point, "P")) throw Error("the points have no positions");
    read_cells();
    for (const Array& array : arrays_) {
      if (array.section == "PointData") put(Owner::Point, array, array.tag.get("Name"), "");
      if (array.section == "CellData") put_on_cells(array);
      if (array.section == "FieldData") put(Owner::Detail, array, array.tag.get("Name"), "");
    }
    check(geometry_);
    return std::move(geometry_);
  }

 private:
  struct Array {
    std::string section;
    Tag tag;
  };

  std::vector<std::string>& warnings_;
  Geometry geometry_;
  std::vector<Array> arrays_;
  std::vector<int> kept_;
  std::size_t points_ = 0, cells_ = 0;
  bool compressed_ = false, big_endian_ = false, long_header_ = false, appended_base64_ = false;
  std::string_view appended_;

  void scan(std::string_view text) {
    std::string section;
    int pieces = 0;
    while (const auto tag = next_tag(text)) {
      if (tag->name == "VTKFile") {
        if (tag->get("type") != "UnstructuredGrid")
          throw Error("this is no unstructured grid but '" + tag->get("type") + "'");
        compressed_ = tag->attributes.count("compressor") > 0;
        big_endian_ = tag->get("byte_order") == "BigEndian";
        long_header_ = tag->get("header_type") == "UInt64";
      } else if (tag->name == "Piece" && ++pieces == 1) {
        points_ = whole(tag->get("NumberOfPoints", "0"), "number of points");
        cells_ = whole(tag->get("NumberOfCells", "0"), "number of cells");
      } else if (tag->name == "PointData" || tag->name == "CellData" || tag->name == "Points" ||
                 tag->name == "Cells" || tag->name == "FieldData") {
        section = tag->name;
      } else if (tag->name == "DataArray" && pieces <= 1) {
        arrays_.push_back({section, *tag});
      } else if (tag->name == "AppendedData") {
        appended_base64_ = tag->get("encoding") == "base64";
        const std::size_t mark = text.find('_');
        if (mark != std::string_view::npos) appended_ = text.substr(mark + 1);
        break;
      }
    }
    if (pieces == 0) throw Error("there is no grid in the file");
    if (pieces > 1) warnings_.push_back(std::to_string(pieces - 1) + " more pieces of the grid left out");
  }

  /// The bytes of an array that is not text, as they are in the file.
  std::string raw_bytes(const Tag& tag) const {
    const std::size_t head = long_header_ ? 8 : 4;
    const bool appended = tag.get("format") == "appended";
    std::string_view from = tag.text;
    if (appended) {
      const std::size_t offset = whole(tag.get("offset", "0"), "offset");
      if (offset > appended_.size()) throw Error("an array begins after the end of the file");
      from = appended_.substr(offset);
    }
    const bool base64 = !appended || appended_base64_;
    const std::string first = base64 ? decode_base64(from, head) : std::string(from.substr(0, head));
    if (first.size() < head) throw Error("an array ends too early");
    std::uint64_t size = 0;
    for (std::size_t k = 0; k < head; ++k)
      size |= std::uint64_t(static_cast<unsigned char>(first[big_endian_ ? head - 1 - k : k])) << (8 * k);
    if (size > from.size()) throw Error("an array is longer than the file");
    const std::string all = base64 ? decode_base64(from, head + static_cast<std::size_t>(size))
                                   : std::string(from.substr(0, head + static_cast<std::size_t>(size)));
    if (all.size() != head + size) throw Error("an array ends too early");
    return all.substr(head);
  }

  template <class T>
  std::vector<T> decode_as(const Tag& tag) const {
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
  Values decode(const Tag& tag) const {
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

  void put(Owner owner, const Array& array, const std::string& name, const std::string& type_info) {
    if (array.section != "Points" && owner == Owner::Point && name == "P") return;
    auto a = attribute(array, name, type_info, owner == Owner::Point ? points_ : 1);
    if (a) geometry_.put(owner, std::move(*a));
  }

  void put_on_cells(const Array& array) {
    auto a = attribute(array, array.tag.get("Name"), "", cells_);
    if (!a) return;
    if (kept_.size() != cells_) select_elements(*a, kept_);
    geometry_.put(Owner::Primitive, std::move(*a));
  }

  std::vector<std::int64_t> integers(const char* name) const {
    for (const Array& array : arrays_) {
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
    if (cells_ > 0) throw Error(std::string("the cells have no '") + name + "'");
    return {};
  }

  void read_cells() {
    const auto points = integers("connectivity"), ends = integers("offsets"), types = integers("types");
    if (ends.size() != cells_ || types.size() != cells_)
      throw Error("the number of cells does not fit their lists");
    std::map<std::int64_t, int> skipped;
    std::int64_t begin = 0;
    std::vector<int> cell;
    for (std::size_t i = 0; i < cells_; ++i) {
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
      kept_.push_back(static_cast<int>(i));
    }
    for (const auto& [type, count] : skipped)
      warnings_.push_back(std::to_string(count) + " cells of VTK's type " + std::to_string(type) +
                          " left out: only lines, polygons and tetrahedra are read");
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
