#include "io/VtuMesh.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "io/VtkCells.h"

namespace verve {
namespace {

// The value of an attribute of an XML tag; empty when it has none.
std::string_view attribute(std::string_view tag, const std::string& name) {
  for (const char quote : {'"', '\''}) {
    const std::string start = " " + name + "=" + quote;
    const std::size_t at = tag.find(start);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + start.size();
    return tag.substr(begin, std::min(tag.find(quote, begin), tag.size()) - begin);
  }
  return {};
}

class VtuReader {
 public:
  explicit VtuReader(const std::string& path) : in_(path), text_(in_.left()) {}

  MeshFile read() {
    const std::string_view head = tag("<VTKFile", 0, text_.size()).tag;
    if (head.empty() || attribute(head, "type") != "UnstructuredGrid")
      in_.fail("not a .vtu mesh; it should be a VTKFile of the type UnstructuredGrid");
    swapped_ = attribute(head, "byte_order") == "BigEndian";
    wide_header_ = attribute(head, "header_type") == "UInt64";
    const std::string_view compressor = attribute(head, "compressor");
    compressed_ = !compressor.empty();
    if (compressed_ && compressor != "vtkZLibDataCompressor")
      in_.fail("the compression " + std::string(compressor.substr(0, 40)) +
               " is not known; use zlib or none");
    find_appended();

    std::size_t at = 0;
    int pieces = 0;
    for (Tag piece; !(piece = tag("<Piece", at, xml_end_)).tag.empty(); at = piece.end, ++pieces) {
      piece.end = std::min(text_.find("</Piece", piece.end), xml_end_);
      read_piece(piece);
    }
    if (pieces == 0) in_.fail("the file has no piece; it is truncated or not a mesh");
    return std::move(file_);
  }

 private:
  struct Tag {
    std::string_view tag;   // from '<' to before '>'
    std::size_t begin = 0;  // of what follows it
    std::size_t end = 0;    // of the search for its parts
  };

  Tag tag(const std::string& name, std::size_t from, std::size_t to) const {
    const std::size_t at = text_.find(name, from);
    if (at >= to) return {};
    const std::size_t close = text_.find('>', at);
    if (close >= to) in_.fail("the tag " + name + "> does not end; the file is truncated");
    return {text_.substr(at, close - at), close + 1, close + 1};
  }

  void find_appended() {
    xml_end_ = text_.size();
    const Tag appended = tag("<AppendedData", 0, text_.size());
    if (appended.tag.empty()) return;
    xml_end_ = appended.begin;
    appended_base64_ = attribute(appended.tag, "encoding") == "base64";
    appended_ = text_.find('_', appended.begin);
    if (appended_ == std::string_view::npos) in_.fail("the appended data have no beginning");
    ++appended_;
  }

  void read_piece(const Tag& piece) {
    const std::size_t first_point = file_.points.size();
    const std::vector<double> points = array("<Points", "", piece);
    if (points.size() % 3 != 0) in_.fail("the points do not have three coordinates each");
    for (std::size_t i = 0; i < points.size(); i += 3)
      file_.points.emplace_back(points[i], points[i + 1], points[i + 2]);
    VtkCells cells;
    const auto whole = [&](const char* name, std::vector<std::int64_t>& out) {
      for (double v : array("<Cells", name, piece)) {
        if (!(std::abs(v) < 1e15)) in_.fail(std::string("the array ") + name + " is damaged");
        out.push_back(std::int64_t(v));
      }
    };
    whole("connectivity", cells.connectivity);
    whole("offsets", cells.ends);
    whole("types", cells.types);
    add_vtk_cells(cells, first_point, in_, file_);
  }

  // The array of that name in a part of the piece; the only one, when no name is given.
  std::vector<double> array(const std::string& part, std::string_view name, const Tag& piece) const {
    Tag found = tag(part, piece.begin, piece.end);
    if (found.tag.empty()) in_.fail("the piece has no " + part.substr(1) + "; the file is truncated");
    while (true) {
      found = tag("<DataArray", found.begin, piece.end);
      if (found.tag.empty())
        in_.fail("the array " + std::string(name) + " of " + part.substr(1) + " is missing");
      if (name.empty() || attribute(found.tag, "Name") == name) break;
    }
    const std::string_view format = attribute(found.tag, "format"), type = attribute(found.tag, "type");
    if (format == "appended") {
      std::int64_t offset = -1;
      if (!parse_integer(attribute(found.tag, "offset"), offset) || offset < 0 || appended_ > text_.size() ||
          std::uint64_t(offset) > text_.size() - appended_)
        in_.fail("an appended array has no place in the file");
      const std::string_view data = text_.substr(appended_ + std::size_t(offset));
      return numbers(type, appended_base64_ ? decoded(data) : unpacked(data));
    }
    const std::string_view content = text_.substr(found.begin, text_.find('<', found.begin) - found.begin);
    if (format == "binary") return numbers(type, decoded(content));
    return spelled(content);
  }

  std::vector<double> spelled(std::string_view content) const {
    std::vector<double> out;
    for (std::string_view word = cut_word(content); !word.empty(); word = cut_word(content)) {
      double value = 0;
      if (!parse_number(word, value)) in_.fail("an array has a word that is not a number");
      out.push_back(value);
    }
    return out;
  }

  std::uint64_t header(std::string_view bytes, std::size_t entry) const {
    const std::size_t size = header_bytes();
    if (bytes.size() / size <= entry) in_.fail("an array ends inside its header; the file is truncated");
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t byte = entry * size + (swapped_ ? size - 1 - k : k);
      value |= std::uint64_t(static_cast<unsigned char>(bytes[byte])) << (8 * k);
    }
    return value;
  }
  std::size_t header_bytes() const { return wide_header_ ? 8 : 4; }

  // Base64: the header is padded on its own when the data behind it are compressed.
  std::string decoded(std::string_view content) const {
    cut_leading_space(content);
    if (!compressed_) return unpacked(base64(content));
    const std::string blocks = base64(content.substr(0, 4 * ((header_bytes() + 2) / 3)));
    const std::uint64_t count = header(blocks, 0);
    if (count > content.size()) in_.fail("a compressed array has a damaged header");
    const std::size_t chars = 4 * (((3 + std::size_t(count)) * header_bytes() + 2) / 3);
    if (chars > content.size()) in_.fail("a compressed array is truncated");
    return unpacked(base64(content.substr(0, chars)) + base64(content.substr(chars)));
  }

  static void cut_leading_space(std::string_view& content) {
    const std::size_t begin = content.find_first_not_of(" \t\r\n");
    content.remove_prefix(std::min(begin, content.size()));
  }

  // Stops at the first padding or other character.
  static std::string base64(std::string_view content) {
    std::string out;
    unsigned bits = 0;
    int have = 0;
    for (char c : content) {
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
      else
        break;
      bits = bits << 6 | unsigned(value);
      have += 6;
      if (have >= 8) out += char(bits >> (have -= 8) & 0xff);
    }
    return out;
  }

  // The bytes of an array without its header: a size, or the sizes of compressed blocks.
  std::string unpacked(std::string_view bytes) const {
    if (!compressed_) {
      const std::uint64_t size = header(bytes, 0);
      if (size > bytes.size() - header_bytes()) in_.fail("an array is longer than the file; it is truncated");
      return std::string(bytes.substr(header_bytes(), std::size_t(size)));
    }
    const std::uint64_t blocks = header(bytes, 0);
    if (blocks > bytes.size()) in_.fail("a compressed array has a damaged header");
    if (blocks == 0) return {};
    const std::uint64_t full = header(bytes, 1), last = header(bytes, 2);
    std::size_t at = (3 + std::size_t(blocks)) * header_bytes();
    std::string out;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint64_t packed = header(bytes, 3 + b);
      const std::uint64_t size = b + 1 == blocks && last > 0 ? last : full;
      // zlib packs a thousand to one at best: more is damage.
      if (at > bytes.size() || packed > bytes.size() - at || size > 1100 * (packed + 1))
        in_.fail("a compressed array is damaged or truncated");
      const std::size_t begin = out.size();
      out.resize(begin + std::size_t(size));
      uLongf done = uLongf(size);
      const int result = uncompress(reinterpret_cast<Bytef*>(&out[begin]), &done,
                                    reinterpret_cast<const Bytef*>(bytes.data() + at), uLong(packed));
      if (result != Z_OK || done != size) in_.fail("a compressed array is damaged");
      at += std::size_t(packed);
    }
    return out;
  }

  std::vector<double> numbers(std::string_view type, const std::string& bytes) const {
    if (type == "Float64") return converted<double>(bytes);
    if (type == "Float32") return converted<float>(bytes);
    if (type == "Int64") return converted<std::int64_t>(bytes);
    if (type == "UInt64") return converted<std::uint64_t>(bytes);
    if (type == "Int32") return converted<std::int32_t>(bytes);
    if (type == "UInt32") return converted<std::uint32_t>(bytes);
    if (type == "UInt8") return converted<std::uint8_t>(bytes);
    if (type == "Int8") return converted<std::int8_t>(bytes);
    in_.fail("an array is of the unknown type " + std::string(type.substr(0, 32)));
  }

  template <class T>
  std::vector<double> converted(const std::string& bytes) const {
    std::vector<double> out(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < out.size(); ++i) {
      char raw[sizeof(T)];
      std::memcpy(raw, &bytes[i * sizeof(T)], sizeof(T));
      if (swapped_) std::reverse(raw, raw + sizeof(T));
      T value;
      std::memcpy(&value, raw, sizeof(T));
      out[i] = double(value);
    }
    return out;
  }

  MeshFileCursor in_;
  std::string_view text_;
  bool swapped_ = false, wide_header_ = false, compressed_ = false, appended_base64_ = false;
  std::size_t appended_ = std::string_view::npos;
  std::size_t xml_end_ = 0;  // raw appended bytes behind it may look like tags
  MeshFile file_;
};

}  // namespace

MeshFile read_vtu_mesh(const std::string& path) {
  return VtuReader(path).read();
}

}  // namespace verve
