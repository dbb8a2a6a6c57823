#include "bgeo/HoudiniAttributes.h"

#include <algorithm>

#include "base/Error.h"
#include "bgeo/HoudiniJsonWriter.h"

namespace verve {

namespace {

/// An empty vector of the storage; nothing if the name is unknown.
std::optional<Values> storage_of(std::string_view name) {
  if (name == "int8" || name == "bool") return std::vector<std::int8_t>{};
  if (name == "uint8") return std::vector<std::uint8_t>{};
  if (name == "int16") return std::vector<std::int16_t>{};
  if (name == "int32") return std::vector<std::int32_t>{};
  if (name == "int64") return std::vector<std::int64_t>{};
  if (name == "fpreal16") return std::vector<Half>{};
  if (name == "fpreal32") return std::vector<float>{};
  if (name == "fpreal64") return std::vector<double>{};
  return std::nullopt;
}

std::size_t tuple_size(const JsonValue& block, std::size_t otherwise) {
  const JsonValue* size = block.find("size");
  const std::int64_t n = size ? size->integer("size") : static_cast<std::int64_t>(otherwise);
  if (n < 1 || n > 65536) throw Error("an attribute has a tuple size of " + std::to_string(n));
  return static_cast<std::size_t>(n);
}

/// Fills `out` with the values of `elements` tuples from a block of values.
class Decoder {
 public:
  Decoder(const JsonValue& block, std::size_t elements, std::size_t tuple)
      : block_(block), elements_(elements), tuple_(tuple) {}

  template <class T>
  void decode(std::vector<T>& out, UnfoldLimit& limit) const {
    limit.claim(elements_ * tuple_, sizeof(T));
    out.resize(elements_ * tuple_);
    if (const JsonValue* tuples = block_.find("tuples")) {
      decode_tuples(*tuples, out);
    } else if (const JsonValue* arrays = block_.find("arrays")) {
      decode_arrays(*arrays, out);
    } else {
      decode_pages(block_.get("rawpagedata"), out);
    }
  }

 private:
  const JsonValue& block_;
  const std::size_t elements_, tuple_;

  void expect(std::size_t found, std::size_t needed) const {
    if (found != needed)
      throw Error("found " + std::to_string(found) + " values where " + std::to_string(needed) +
                  " are needed");
  }

  template <class T>
  void decode_tuples(const JsonValue& tuples, std::vector<T>& out) const {
    if (std::holds_alternative<JsonNumbers>(tuples.value)) {
      expect(tuples.size("tuples"), out.size());
      return tuples.copy(0, out.size(), out.data(), "tuples");
    }
    expect(tuples.size("tuples"), elements_);
    for (std::size_t i = 0; i < elements_; ++i) {
      const JsonValue& row = tuples.at(i, "tuples");
      expect(row.size("tuples"), tuple_);
      row.copy(0, tuple_, out.data() + i * tuple_, "tuples");
    }
  }

  template <class T>
  void decode_arrays(const JsonValue& arrays, std::vector<T>& out) const {
    expect(arrays.size("arrays"), tuple_);
    std::vector<T> component(elements_);
    for (std::size_t k = 0; k < tuple_; ++k) {
      const JsonValue& row = arrays.at(k, "arrays");
      expect(row.size("arrays"), elements_);
      row.copy(0, elements_, component.data(), "arrays");
      for (std::size_t i = 0; i < elements_; ++i) out[i * tuple_ + k] = component[i];
    }
  }

  /// The parts that a tuple is split into; each part of a page is stored on its own.
  std::vector<std::size_t> packing() const {
    std::vector<std::size_t> parts;
    std::size_t sum = 0;
    if (const JsonValue* list = block_.find("packing")) {
      for (std::size_t i = 0; i < list->size("packing"); ++i) {
        const std::int64_t part = list->integer_at(i, "packing");
        if (part < 1 || static_cast<std::size_t>(part) > tuple_ - sum)
          throw Error("a packing does not fit the tuple");
        sum += parts.emplace_back(static_cast<std::size_t>(part));
      }
    }
    if (parts.empty()) parts = {sum = tuple_};
    expect(sum, tuple_);
    return parts;
  }

  template <class T>
  void decode_pages(const JsonValue& data, std::vector<T>& out) const {
    const std::vector<std::size_t> parts = packing();
    const JsonValue* page_value = block_.find("pagesize");
    const std::int64_t page_size = page_value ? page_value->integer("pagesize") : 1024;
    if (page_size < 1 || page_size > 65536)
      throw Error("a page size of " + std::to_string(page_size) + " is not known");
    const auto page = static_cast<std::size_t>(page_size);
    const std::size_t pages = elements_ / page + (elements_ % page != 0);

    std::vector<const JsonValue*> flags(parts.size(), nullptr);
    if (const JsonValue* all = block_.find("constantpageflags"); all && all->size("constantpageflags") > 0) {
      expect(all->size("constantpageflags"), parts.size());
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const JsonValue& row = all->at(k, "constantpageflags");
        if (row.size("constantpageflags") == 0) continue;
        expect(row.size("constantpageflags"), pages);
        flags[k] = &row;
      }
    }
    const bool plain = parts.size() == 1 && !flags[0];
    if (plain) {
      expect(data.size("rawpagedata"), out.size());
      return data.copy(0, out.size(), out.data(), "rawpagedata");
    }
    std::size_t at = 0;
    std::vector<T> raw;
    for (std::size_t p = 0; p < pages; ++p) {
      const std::size_t first = p * page, count = std::min(page, elements_ - first);
      std::size_t offset = 0;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool constant = flags[k] && flags[k]->integer_at(p, "constantpageflags") != 0;
        raw.resize(parts[k] * (constant ? 1 : count));
        data.copy(at, raw.size(), raw.data(), "rawpagedata");
        at += raw.size();
        for (std::size_t i = 0; i < count; ++i)
          for (std::size_t c = 0; c < parts[k]; ++c)
            out[(first + i) * tuple_ + offset + c] = raw[(constant ? 0 : i) * parts[k] + c];
        offset += parts[k];
      }
    }
    expect(data.size("rawpagedata"), at);
  }
};

/// A row of numbers an element, each of its own length.
template <class T>
void decode_rows(const JsonValue& rows, std::size_t elements, std::vector<T>& out,
                 std::vector<std::int64_t>& starts, UnfoldLimit& limit) {
  if (rows.size("array values") != elements)
    throw Error("found " + std::to_string(rows.size("array values")) + " arrays for " +
                std::to_string(elements) + " elements");
  limit.claim(elements + 1, sizeof(std::int64_t));
  starts.assign(1, 0);
  for (std::size_t i = 0; i < elements; ++i) {
    const JsonValue& row = rows.at(i, "array values");
    const std::size_t count = row.size("array values"), before = out.size();
    limit.claim(count, sizeof(T));
    out.resize(before + count);
    row.copy(0, count, out.data() + before, "array values");
    starts.push_back(static_cast<std::int64_t>(out.size()));
  }
}

void decode_numbers(const JsonValue& data, bool arrays, std::size_t elements, Attribute& a,
                    UnfoldLimit& limit) {
  const JsonValue& values = data.get("values");
  std::visit(
      [&](auto& v) {
        if constexpr (!std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          if (arrays) {
            decode_rows(values, elements, v, a.starts, limit);
          } else {
            Decoder(values, elements, static_cast<std::size_t>(a.tuple_size)).decode(v, limit);
          }
        }
      },
      a.values);
  if (const JsonValue* defaults = data.find("defaults")) {
    const JsonValue& list = defaults->get("values");
    limit.claim(list.size("defaults"), sizeof(double));
    a.defaults.resize(list.size("defaults"));
    list.copy(0, a.defaults.size(), a.defaults.data(), "defaults");
  }
}

void decode_texts(const JsonValue& data, const std::string& type, std::size_t elements, Attribute& a,
                  UnfoldLimit& limit) {
  StringValues result;
  const JsonValue& table = data.get(type == "dict" ? "dicts" : "strings");
  for (std::size_t i = 0; i < table.size("strings"); ++i) {
    const JsonValue& item = table.at(i, "strings");
    if (type == "dict") {
      auto text = make_json_text_writer(false);
      text->value(item);
      result.table.push_back(text->take());
      limit.claim(result.table.back().size(), 1);
    } else {
      const std::string_view text = item.text("strings");
      limit.claim(text.size() + sizeof(std::string), 1);
      result.table.emplace_back(text);
    }
  }
  const JsonValue* indices = data.find("indices");
  if (!indices) {
    throw Error("there are no string indices");
  } else if (type == "stringarray") {
    decode_rows(*indices, elements, result.indices, a.starts, limit);
  } else {
    Decoder(*indices, elements, static_cast<std::size_t>(a.tuple_size)).decode(result.indices, limit);
  }
  for (const int index : result.indices)
    if (index < -1 || index >= static_cast<int>(result.table.size()))
      throw Error("string " + std::to_string(index) + " is not in the table of " +
                  std::to_string(result.table.size()));
  if (type == "dict") {
    a.values = DictValues{std::move(result)};
  } else {
    a.values = std::move(result);
  }
}

}  // namespace

void UnfoldLimit::claim(std::uint64_t count, std::uint64_t size) {
  if (count > left_ / size) throw Error("the file claims far more values than it can hold; it is damaged");
  left_ -= count * size;
}

std::optional<Attribute> read_houdini_attribute(const JsonValue& item, std::size_t elements,
                                                UnfoldLimit& limit, std::vector<std::string>& warnings) {
  const JsonValue& definition = item.at(0, "attribute");
  const JsonValue& data = item.at(1, "attribute");
  Attribute a;
  a.name = definition.get("name").text("name");
  const std::string type(definition.get("type").text("type"));
  const auto left_out = [&](const std::string& why) {
    warnings.push_back("attribute '" + a.name + "' was left out: " + why);
    return std::nullopt;
  };
  if (const JsonValue* scope = definition.find("scope"); scope && scope->text("scope") != "public")
    return left_out("its scope is " + std::string(scope->text("scope")));
  if (const JsonValue* options = definition.find("options"); options && options->is_object()) {
    for (const auto& [name, option] : std::get<JsonObject>(options->value)) {
      const JsonValue* value = option.find("value");
      if (name.view == "type" && value && value->is_text()) {
        a.type_info = value->text("type");
      } else {
        warnings.push_back("option '" + std::string(name.view) + "' of attribute '" + a.name +
                           "' was left out");
      }
    }
  }
  try {
    const bool numeric = type == "numeric" || type == "arraydata";
    const bool text = type == "string" || type == "stringarray" || type == "dict";
    if (!numeric && !text) return left_out("attributes of type '" + type + "' are not supported");
    a.tuple_size = static_cast<int>(tuple_size(data, 1));
    if (text) {
      decode_texts(data, type, elements, a, limit);
      return a;
    }
    const JsonValue* values = type == "numeric" ? data.find("values") : nullptr;
    const JsonValue* inner = values ? values->find("storage") : nullptr;
    const std::string storage(inner ? inner->text("storage") : data.get("storage").text("storage"));
    std::optional<Values> empty = storage_of(storage);
    if (!empty) return left_out("its storage '" + storage + "' is not known");
    a.values = std::move(*empty);
    decode_numbers(data, type == "arraydata", elements, a, limit);
    return a;
  } catch (const Error& error) {
    throw Error("attribute '" + a.name + "': " + error.what());
  }
}

}  // namespace verve
