#include "SIM_VerveState.h"

#include <SIM/SIM_Utils.h>
#include <UT/UT_IStream.h>

#include <algorithm>
#include <ostream>

void SIM_VerveState::initializeSubclass() {
  SIM_Data::initializeSubclass();
  node = verve::StepNode();
  members.clear();
  guides = verve::Geometry();
}

void SIM_VerveState::makeEqualSubclass(const SIM_Data* source) {
  SIM_Data::makeEqualSubclass(source);
  if (const auto* other = SIM_DATA_CASTCONST(source, SIM_VerveState)) {
    node = other->node;
    members = other->members;
    guides = other->guides;
  }
}

void SIM_VerveState::saveSubclass(std::ostream& os) const {
  SIM_Data::saveSubclass(os);
  const std::string bytes = node.save();
  const int64 size = int64(bytes.size());
  os.write(reinterpret_cast<const char*>(&size), sizeof size);
  os.write(bytes.data(), size);
  std::vector<int64> ids(1, int64(members.size()));
  ids.insert(ids.end(), members.begin(), members.end());
  os.write(reinterpret_cast<const char*>(ids.data()), std::streamsize(ids.size() * sizeof(int64)));
}

bool SIM_VerveState::loadSubclass(UT_IStream& is) {
  if (!SIM_Data::loadSubclass(is)) return false;
  int64 size = 0;
  if (is.bread(reinterpret_cast<char*>(&size), sizeof size) != sizeof size || size < 0) return false;
  std::string bytes;
  // Piece by piece, so that a damaged size does not ask for more memory than there are bytes.
  constexpr int64 piece = 1 << 20;
  for (int64 done = 0; done < size; done += piece) {
    const int64 count = std::min(piece, size - done);
    const auto at = bytes.size();
    bytes.resize(at + std::size_t(count));
    if (is.bread(&bytes[at], exint(count)) != exint(count)) return false;
  }
  int64 count = 0, id = 0;
  if (is.bread(reinterpret_cast<char*>(&count), sizeof count) != sizeof count || count < 0) return false;
  members.clear();
  for (; count > 0; --count) {
    if (is.bread(reinterpret_cast<char*>(&id), sizeof id) != sizeof id) return false;
    members.push_back(int(id));
  }
  node = verve::StepNode();
  guides = verve::Geometry();
  try {
    if (!bytes.empty()) node.load(bytes);
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

int64 SIM_VerveState::getMemorySizeSubclass() const {
  return int64(sizeof(*this) + node.bytes());
}
