#include "SIM_VerveState.h"

#include <UT/UT_IStream.h>

#include <ostream>

void SIM_VerveState::initializeSubclass() {
  SIM_Data::initializeSubclass();
  node = verve::StepNode();
}

void SIM_VerveState::makeEqualSubclass(const SIM_Data* source) {
  SIM_Data::makeEqualSubclass(source);
  if (const auto* other = SIM_DATA_CASTCONST(source, SIM_VerveState)) node = other->node;
}

void SIM_VerveState::saveSubclass(std::ostream& os) const {
  SIM_Data::saveSubclass(os);
  const std::string bytes = node.save();
  const int64 size = int64(bytes.size());
  os.write(reinterpret_cast<const char*>(&size), sizeof size);
  os.write(bytes.data(), size);
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
  node = verve::StepNode();
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
