#include "bgeo/ScFile.h"

#ifdef VERVE_WITHOUT_BLOSC

#include "base/Error.h"

namespace verve {

bool is_sc(std::string_view bytes) {
  return bytes.substr(0, 4) == "scf1";
}

std::string compress_sc(std::string_view) {
  throw Error("this build writes no .sc files; write .bgeo");
}

std::string decompress_sc(std::string_view) {
  throw Error("this build reads no .sc files; give it .bgeo");
}

}  // namespace verve

#else

#include <blosc.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/Error.h"

namespace verve {

namespace {

constexpr std::size_t kBlock = std::size_t(1) << 20;
/// More than any writer uses for a block; a damaged header cannot make the reader ask for more.
constexpr std::size_t kLargestBlock = std::size_t(64) << 20;
constexpr std::size_t kHead = 12;
constexpr std::size_t kTail = 12;

void append_number(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < 8; ++k) value = (value << 8) | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

}  // namespace

bool is_sc(std::string_view bytes) {
  return bytes.substr(0, 4) == "scf1";
}

std::string compress_sc(std::string_view raw) {
  std::string out;
  out.reserve(raw.size() + raw.size() / 16 + 4096);
  out = "scf1";
  append_number(out, 0);
  std::string index, chunk(kBlock + BLOSC_MAX_OVERHEAD, '\0');
  std::size_t last = 0;
  for (std::size_t begin = 0; begin < raw.size(); begin += last) {
    last = std::min(kBlock, raw.size() - begin);
    if (begin > 0) append_number(index, out.size() - kHead);
    const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, 4, last, raw.data() + begin, chunk.data(),
                                        last + BLOSC_MAX_OVERHEAD, BLOSC_LZ4_COMPNAME, 0, 1);
    if (size <= 0) throw Error("blosc could not compress a block");
    out.append(chunk.data(), static_cast<std::size_t>(size));
  }
  append_number(index, kBlock);
  append_number(index, last);
  out += index;
  append_number(out, index.size());
  return out += "1fcs";
}

std::string decompress_sc(std::string_view bytes) {
  const auto damaged = [](const char* what) {
    return Error(std::string("the compressed file is damaged: ") + what);
  };
  if (bytes.size() < kHead + kTail || !is_sc(bytes) || bytes.substr(bytes.size() - 4) != "1fcs")
    throw damaged("its end is missing");
  const std::uint64_t metadata = number_at(bytes, 4), index = number_at(bytes, bytes.size() - kTail);
  const std::size_t body = bytes.size() - kHead - kTail;
  if (metadata > body || index > body - metadata) throw damaged("its index does not fit");
  std::string_view chunks = bytes.substr(kHead + static_cast<std::size_t>(metadata),
                                         body - static_cast<std::size_t>(metadata + index));
  std::string raw;
  raw.reserve(3 * bytes.size());
  while (!chunks.empty()) {
    std::size_t size = 0, packed = 0, block = 0;
    if (chunks.size() < BLOSC_MIN_HEADER_LENGTH) throw damaged("a block ends too early");
    blosc_cbuffer_sizes(chunks.data(), &size, &packed, &block);
    if (packed < BLOSC_MIN_HEADER_LENGTH || packed > chunks.size() || size > kLargestBlock ||
        blosc_cbuffer_validate(chunks.data(), packed, &size) != 0)
      throw damaged("a block has a wrong size");
    const std::size_t before = raw.size();
    raw.resize(before + size);
    const int got = blosc_decompress_ctx(chunks.data(), raw.data() + before, size, 1);
    if (got < 0 || static_cast<std::size_t>(got) != size) throw damaged("a block cannot be unpacked");
    chunks.remove_prefix(packed);
  }
  return raw;
}

}  // namespace verve

#endif
