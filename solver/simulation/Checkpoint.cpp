#include "simulation/Checkpoint.h"

#include <cstring>
#include <type_traits>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "base/Fingerprint.h"

namespace verve {
namespace {

constexpr char magic[9] = "VERVECP8";

/// Every field of a checkpoint, in one place for writing and reading.
template <class Archive, class Saved>
void transfer(Archive& a, Saved& c) {
  a(c.fingerprint), a(c.frame);
  auto& s = c.state;
  a(s.time), a(s.x), a(s.v), a(s.x_before), a(s.v_before), a(s.h_before), a(s.held), a(s.target_energy),
      a(s.momentum_owed), a(s.constraint_force), a(s.contact), a(s.terms), a(s.steps.level), a(s.steps.push),
      a(s.ledger);
}

/// The same for the parts of a state that are made of fields, one by one: the gaps between them hold whatever
/// the memory held before.
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const Ledger*) {
  a(value.open), a(value.start_total), a(value.largest), a(value.dissipated), a(value.work),
      a(value.projected), a(value.booked);
}
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const ContactKey*) {
  a(value.kind), a(value.collider), a(value.skin), a(value.a), a(value.b), a(value.layer);
}
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const BristleMemory*) {
  a(value.stretch), a(value.slides);
}
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const ContactMemory*) {
  a(value.key), a(value.bristle), a(value.booked.held), a(value.booked.gap), a(value.wall.strength),
      a(value.wall.shift), a(value.wall.rate), a(value.side), a(value.attached), a(value.overlap),
      a(value.share), a(value.pressed);
}
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const PairMemory*) {
  a(value.key), a(value.bristle), a(value.energy), a(value.strength), a(value.reach), a(value.thickness),
      a(value.share);
}
template <class Archive, class Saved>
void transfer_fields(Archive& a, Saved& value, const ContactState*) {
  a(value.open), a(value.begun), a(value.energy), a(value.touching), a(value.deepest), a(value.penetration),
      a(value.touched), a(value.wall_energy), a(value.given_way), a(value.reserve), a(value.memories),
      a(value.coupled), a(value.pairs), a(value.tangled), a(value.intersecting);
}

template <class T>
constexpr bool has_fields =
    std::is_same_v<T, ContactKey> || std::is_same_v<T, BristleMemory> || std::is_same_v<T, ContactMemory> ||
    std::is_same_v<T, PairMemory> || std::is_same_v<T, ContactState> || std::is_same_v<T, Ledger>;

class Writer {
 public:
  std::string bytes;
  template <class T>
  void operator()(const T& value) {
    if constexpr (has_fields<T>) {
      transfer_fields(*this, value, &value);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      raw(&value, sizeof value);
    }
  }
  void operator()(const Vec3& value) { raw(value.data(), sizeof(double) * 3); }
  void operator()(const Vector& values) {
    (*this)(std::uint64_t(values.size()));
    raw(values.data(), sizeof(double) * std::size_t(values.size()));
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(std::uint64_t(values.size()));
    for (const T& value : values) (*this)(value);
  }

 private:
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

class Reader {
 public:
  Reader(const char* data, std::size_t size) : at_(data), end_(data + size) {}
  bool finished() const { return at_ == end_; }
  template <class T>
  void operator()(T& value) {
    if constexpr (has_fields<T>) {
      transfer_fields(*this, value, &value);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      raw(&value, sizeof value);
    }
  }
  void operator()(Vec3& value) { raw(value.data(), sizeof(double) * 3); }
  void operator()(Vector& values) {
    const std::size_t n = count(sizeof(double));
    values.resize(Eigen::Index(n));
    raw(values.data(), sizeof(double) * n);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(count(std::is_trivially_copyable_v<T> && !has_fields<T>
                            ? sizeof(T)
                            : 1));  // others take fewer bytes in the file
    for (T& value : values) (*this)(value);
  }

 private:
  std::size_t count(std::size_t each) {
    std::uint64_t n = 0;
    (*this)(n);
    if (n > std::size_t(end_ - at_) / each) throw Error("is cut short");
    return std::size_t(n);
  }
  void raw(void* out, std::size_t size) {
    if (std::size_t(end_ - at_) < size) throw Error("is cut short");
    if (size > 0) std::memcpy(out, at_, size);  // an empty vector may have no place at all
    at_ += size;
  }
  const char *at_, *end_;
};

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  Writer writer;
  transfer(writer, checkpoint);
  Fingerprint sum;
  sum.add(writer.bytes.data(), writer.bytes.size());
  Writer file;
  file.bytes.assign(magic, 8);
  file(sum.value());
  return file.bytes + writer.bytes;
}

Checkpoint checkpoint_from(const std::string& bytes) {
  if (bytes.size() < 16 || bytes.compare(0, 8, magic, 8) != 0)
    throw Error("is not a checkpoint of this version");
  std::uint64_t expected;
  std::memcpy(&expected, bytes.data() + 8, sizeof expected);
  Fingerprint sum;
  sum.add(bytes.data() + 16, bytes.size() - 16);
  if (sum.value() != expected) throw Error("is damaged");
  Checkpoint checkpoint;
  Reader reader(bytes.data() + 16, bytes.size() - 16);
  transfer(reader, checkpoint);
  if (!reader.finished()) throw Error("is longer than it should be");
  return checkpoint;
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  write_bytes(path, to_bytes(checkpoint));
}

Checkpoint read_checkpoint(const std::string& path) {
  const std::string bytes = read_bytes(path);
  try {
    return checkpoint_from(bytes);
  } catch (const Error& error) {
    throw Error(path + ": the checkpoint " + error.what());
  }
}

}  // namespace verve
