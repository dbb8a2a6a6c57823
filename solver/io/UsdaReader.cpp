#include <algorithm>
#include <cmath>
#include <map>

#include "io/TextNumbers.h"
#include "io/Usda.h"

namespace verve {

namespace {

constexpr int kDeepest = 100;

/// A property of a prim. Values stay text until a frame needs them.
struct Property {
  std::string type, interpolation;
  std::string_view value;
  std::vector<std::pair<double, std::string_view>> samples;

  /// The value at a time: the last sample that is not later, or the first one; empty if there is none.
  std::string_view at(double time) const {
    if (samples.empty()) return value;
    std::string_view held = samples.front().second;
    for (const auto& [t, text] : samples)
      if (t <= time) held = text;
    return held;
  }
};

/// The properties in the order of the file, so that what is written again keeps it.
struct Prim {
  std::vector<std::pair<std::string, Property>> properties;

  const Property* find(std::string_view name) const {
    for (const auto& [key, property] : properties)
      if (key == name) return &property;
    return nullptr;
  }
  Property& get(const std::string& name) {
    if (const Property* there = find(name)) return const_cast<Property&>(*there);
    return properties.emplace_back(name, Property{}).second;
  }
};

/// Walks through the prims of a file and keeps the first mesh.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  double fps = 24;
  bool found = false;
  Prim mesh;
  int other_meshes = 0;
  bool transformed = false;

  void parse() {
    if (text_.substr(0, 5) != "#usda")
      fail("the first line does not begin with #usda (a binary .usd is not read)");
    skip_space();
    if (peek() == '(') read_rate(balanced());
    while (skip_space(), at_ < text_.size()) statement(nullptr, 0);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error("line " + std::to_string(line) + ": " + what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ';') {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// Skips a string, a path or an asset; at_ stands on its first character.
  void skip_quoted() {
    const char open = text_[at_];
    const std::string triple(3, open);
    if (open != '<' && text_.substr(at_, 3) == triple) {
      const std::size_t end = text_.find(triple, at_ + 3);
      if (end == std::string_view::npos) fail("a string is not closed");
      at_ = end + 3;
      return;
    }
    const char close = open == '<' ? '>' : open;
    for (++at_; peek() != close; ++at_) {
      if (at_ < text_.size() && text_[at_] == '\\') ++at_;
      if (at_ >= text_.size()) fail("a string is not closed");
    }
    ++at_;
  }

  /// A value: everything up to its closing bracket, or one word.
  std::string_view balanced() {
    const std::size_t begin = at_;
    int open = 0;
    do {
      const char c = peek();
      if (c == '\0' && at_ >= text_.size()) fail("a bracket is not closed");
      if (c == '"' || c == '\'' || c == '@' || c == '<') {
        skip_quoted();
        continue;
      }
      if (c == '[' || c == '(' || c == '{') {
        ++open;
      } else if (c == ']' || c == ')' || c == '}') {
        --open;
      } else if (open == 0) {
        const std::size_t end = text_.find_first_of(" \t\r\n;,)]}", at_);
        at_ = std::min(end, text_.size());
        if (at_ == begin) fail("a value is missing");
        break;
      }
      ++at_;
    } while (open > 0);
    return text_.substr(begin, at_ - begin);
  }

  std::string word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n=({})\"", at_), text_.size());
    const std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  void read_rate(std::string_view metadata) {
    const std::size_t found_at = metadata.find("timeCodesPerSecond");
    if (found_at == std::string_view::npos) return;
    metadata.remove_prefix(std::min(metadata.find('=', found_at), metadata.size()));
    while (!metadata.empty() && (metadata[0] == '=' || metadata[0] == ' ')) metadata.remove_prefix(1);
    double rate = 0;
    if (take_number(metadata, rate) && rate > 0 && rate < 1e6) fps = rate;
  }

  void statement(Prim* prim, int depth) {
    if (depth > kDeepest) fail("prims are nested too deeply");
    std::vector<std::string> words;
    while (true) {
      skip_blanks();
      const char c = peek();
      if (c == '\0' || c == '\n' || c == '\r' || c == '=' || c == '(' || c == '{' || c == '"') break;
      words.push_back(word());
      if (words.back().empty()) fail("expected a prim or a property");
    }
    if (words.empty()) fail("expected a prim or a property");
    const std::string& first = words.front();
    if (first == "def" || first == "over" || first == "class") {
      block(words.size() > 1 ? words[1] : "", depth);
    } else if (first == "variantSet") {
      if (peek() == '"') skip_quoted();
      skip_blanks();
      if (peek() == '=') ++at_;
      skip_space();
      balanced();
    } else {
      property(words, prim);
    }
  }

  void block(const std::string& type, int depth) {
    if (peek() == '"') skip_quoted();
    skip_space();
    if (peek() == '(') balanced();
    skip_space();
    if (peek() != '{') fail("expected '{'");
    ++at_;
    Prim prim;
    while (skip_space(), peek() != '}') {
      if (at_ >= text_.size()) fail("a prim is not closed");
      statement(&prim, depth + 1);
    }
    ++at_;
    if (prim.find("xformOpOrder")) transformed = true;
    if (type != "Mesh") return;
    if (found) {
      ++other_meshes;
    } else {
      mesh = std::move(prim);
      found = true;
    }
  }

  void property(const std::vector<std::string>& words, Prim* prim) {
    std::string name = words.back();
    const std::size_t dot = name.rfind('.');
    const std::string part = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (dot != std::string::npos) name.erase(dot);
    Property unused;
    Property& p = prim ? prim->get(name) : unused;
    if (words.size() > 1) p.type = words[words.size() - 2];
    if (peek() == '=') {
      ++at_;
      skip_space();
      const std::string_view value = balanced();
      if (part == "timeSamples") {
        read_samples(value, p);
      } else if (part.empty()) {
        p.value = value;
      }
    }
    skip_blanks();
    if (peek() != '(') return;
    const std::string_view metadata = balanced();
    const std::size_t key = metadata.find("interpolation");
    const std::size_t open = key == std::string_view::npos ? key : metadata.find('"', key);
    if (open == std::string_view::npos) return;
    p.interpolation = metadata.substr(open + 1, metadata.find('"', open + 1) - open - 1);
  }

  static void read_samples(std::string_view block, Property& p) {
    Parser inner(block);
    if (inner.peek() != '{') inner.fail("expected '{' after timeSamples");
    ++inner.at_;
    while (inner.skip_space(), inner.peek() != '}') {
      std::string_view rest = block.substr(inner.at_);
      double time = 0;
      if (!take_number(rest, time) || !std::isfinite(time)) inner.fail("expected a time");
      inner.at_ = block.size() - rest.size();
      inner.skip_space();
      if (inner.peek() != ':') inner.fail("expected ':' after a time");
      ++inner.at_;
      inner.skip_space();
      p.samples.emplace_back(time, inner.balanced());
      inner.skip_space();
      if (inner.peek() == ',') ++inner.at_;
      if (inner.at_ >= block.size()) inner.fail("time samples are not closed");
    }
    std::stable_sort(p.samples.begin(), p.samples.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
};

template <class T>
std::vector<T> numbers(std::string_view text) {
  std::vector<T> result;
  while (true) {
    const std::size_t begin = text.find_first_not_of("[](), \t\r\n");
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin);
    if (!take_number(text, result.emplace_back()))
      throw Error("'" + std::string(text.substr(0, 12)) + "' is no number that fits here");
  }
}

StringValues strings(std::string_view text) {
  StringValues result;
  std::map<std::string, int> known;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    std::string item;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size())
        ++at, item += text[at] == 'n' ? '\n' : text[at];
      else
        item += text[at];
    }
    const auto [found, fresh] = known.try_emplace(item, static_cast<int>(result.table.size()));
    if (fresh) result.table.push_back(item);
    result.indices.push_back(found->second);
  }
  return result;
}

/// The attribute that a property stands for; false if its type is not known.
bool decode(const std::string& type, std::string_view text, Attribute& a) {
  std::string base = type;
  if (base.size() > 2 && base.substr(base.size() - 2) == "[]") base.erase(base.size() - 2);
  if (base == "string" || base == "token") {
    a.values = strings(text);
    return true;
  }
  for (const char* role : {"point", "vector", "normal", "color"})
    for (const auto& [letter, plain] :
         {std::pair("f", "float"), std::pair("d", "double"), std::pair("h", "half")})
      if (base == std::string(role) + "3" + letter) {
        a.type_info = role;
        base = std::string(plain) + "3";
      }
  const char last = base.empty() ? '\0' : base.back();
  if (base != "int64" && last >= '2' && last <= '4') {
    a.tuple_size = last - '0';
    base.pop_back();
  }
  if (base == "float") {
    a.values = numbers<float>(text);
  } else if (base == "double") {
    a.values = numbers<double>(text);
  } else if (base == "half") {
    std::vector<Half> halves;
    for (const float value : numbers<float>(text)) halves.emplace_back(value);
    a.values = std::move(halves);
  } else if (base == "int") {
    a.values = numbers<std::int32_t>(text);
  } else if (base == "int64") {
    a.values = numbers<std::int64_t>(text);
  } else if (base == "uchar") {
    a.values = numbers<std::uint8_t>(text);
  } else {
    return false;
  }
  return true;
}

class UsdaFrames : public FrameSource {
 public:
  UsdaFrames(std::string bytes, std::vector<std::string>* warnings) : bytes_(std::move(bytes)) {
    Parser parser(bytes_);
    parser.parse();
    if (!parser.found) throw Error("there is no Mesh in the file");
    mesh_ = std::move(parser.mesh);
    fps_ = parser.fps;
    for (const auto& [time, text] : mesh_.get("points").samples) {
      if (std::abs(time) > 1e9) throw Error("a time sample is out of range");
      const int frame = static_cast<int>(std::lround(time));
      if (times_.empty() || frame > frames_.back()) {
        frames_.push_back(frame);
        times_.push_back(time);
      }
    }
    if (times_.empty()) times_ = {1}, frames_ = {1};
    if (!warnings) return;
    if (parser.other_meshes > 0)
      warnings->push_back(std::to_string(parser.other_meshes) + " more meshes in the file left out");
    if (parser.transformed) warnings->push_back("the transforms in the file are not applied");
    std::vector<std::string> found;
    build(times_[0], &found);
    warnings->insert(warnings->end(), found.begin(), found.end());
  }

  std::size_t count() const override { return frames_.size(); }
  int frame(std::size_t i) const override { return frames_[i]; }
  double fps() const override { return fps_; }
  Geometry read(std::size_t i) const override { return build(times_[i], nullptr); }

 private:
  const std::string bytes_;
  Prim mesh_;
  double fps_ = 24;
  std::vector<double> times_;
  std::vector<int> frames_;

  std::string_view text(const char* name, double time) const {
    const Property* found = mesh_.find(name);
    return found ? found->at(time) : std::string_view{};
  }

  Geometry build(double time, std::vector<std::string>* warnings) const {
    Geometry g;
    std::vector<float> p = numbers<float>(text("points", time));
    if (p.size() % 3 != 0) throw Error("the points of the mesh are not triples of numbers");
    g.point_count = static_cast<int>(p.size() / 3);
    g.add<float>(Owner::Point, "P", 3, "point") = std::move(p);
    add_primitives(g, time);
    for (const auto& [name, property] : mesh_.properties) add_attribute(g, name, property, time, warnings);
    check(g);
    if (text("orientation", time) == "\"leftHanded\"") reorder_vertices(g, reversed_vertices(g));
    return g;
  }

  static void append(Geometry& g, PrimitiveType type, const std::vector<int>& points, std::size_t& at,
                     int n) {
    if (n < 1 || static_cast<std::size_t>(n) > points.size() - at)
      throw Error("the faces of the mesh do not fit its list of points");
    g.add_primitive(type, points.data() + at, n);
    at += static_cast<std::size_t>(n);
  }

  void add_primitives(Geometry& g, double time) const {
    const std::vector<int> counts = numbers<int>(text("faceVertexCounts", time));
    const std::vector<int> indices = numbers<int>(text("faceVertexIndices", time));
    const std::vector<int> polygons = numbers<int>(text("verve:polygons", time));
    const std::size_t faces = polygons.empty() ? counts.size() : static_cast<std::size_t>(polygons[0]);
    if (faces > counts.size()) throw Error("the mesh has fewer faces than it announces");
    std::size_t at = 0;
    for (std::size_t i = 0; i < faces; ++i) append(g, PrimitiveType::Polygon, indices, at, counts[i]);
    const std::vector<int> tets = numbers<int>(text("verve:tetrahedra", time));
    for (at = 0; at < tets.size();) append(g, PrimitiveType::Tetrahedron, tets, at, 4);
    const std::vector<int> points = numbers<int>(text("verve:polylinePoints", time));
    at = 0;
    for (const int n : numbers<int>(text("verve:polylineCounts", time)))
      append(g, PrimitiveType::Polyline, points, at, n);
  }

  static void add_attribute(Geometry& g, const std::string& name, const Property& property, double time,
                            std::vector<std::string>* warnings) {
    const bool primvar = name.compare(0, 9, "primvars:") == 0;
    if (!primvar && name != "velocities" && name != "normals") return;
    Attribute a;
    a.name = name == "velocities"              ? "v"
             : name == "normals"               ? "N"
             : name == "primvars:displayColor" ? "Cd"
                                               : name.substr(9);
    const std::string& where = property.interpolation;
    const Owner owner = where == "faceVarying"                              ? Owner::Vertex
                        : where == "uniform"                                ? Owner::Primitive
                        : where == "constant" || (where.empty() && primvar) ? Owner::Detail
                                                                            : Owner::Point;
    const std::string_view value = property.at(time);
    if (value.empty() || value == "None") return;
    const bool known = a.name.find(':') == std::string::npos && decode(property.type, value, a);
    const auto needed = static_cast<std::size_t>(g.count(owner)) * static_cast<std::size_t>(a.tuple_size);
    if (known && a.size() == needed) {
      g.put(owner, std::move(a));
    } else if (warnings) {
      warnings->push_back("property '" + name + "' left out: " +
                          (known ? "it has " + std::to_string(a.size()) + " values where " +
                                       std::to_string(needed) + " are needed"
                                 : "its type '" + property.type + "' is not supported"));
    }
  }
};

}  // namespace

std::unique_ptr<FrameSource> open_usda(std::string bytes, std::vector<std::string>* warnings) {
  return std::make_unique<UsdaFrames>(std::move(bytes), warnings);
}

}  // namespace verve
