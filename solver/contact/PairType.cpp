#include "contact/PairType.h"

#include <algorithm>

namespace verve {

Contact PairType::between_bodies(const ContactKey& key) const {
  const ContactSettings& s = parts_.input.settings;
  Contact c;
  c.key = key;
  c.stiffness = s.stiffness;
  c.static_friction = s.static_friction;
  c.dynamic_friction = s.dynamic_friction;
  return c;
}

Contact PairType::at_collider(const ContactKey& key) const {
  const ColliderSpec& spec = parts_.collider(key).spec();
  Contact c;
  c.key = key;
  c.stiffness = spec.stiffness;
  c.static_friction = spec.static_friction;
  c.dynamic_friction = spec.dynamic_friction;
  return c;
}

void PairType::set_point(Contact& c, int i) const {
  if (const CarriedPoint* carried = parts_.carried(i)) {
    c.points = 4;
    c.point = carried->corners;
    c.weight = carried->weights;
  } else {
    c.point[0] = i;
  }
  c.stiffness *= parts_.multiplier(parts_.input.stiffness, i);
  c.static_friction *= parts_.multiplier(parts_.input.friction, i);
  c.dynamic_friction *= parts_.multiplier(parts_.input.friction, i);
}

void PairType::multiply(Contact& c, const std::vector<int>& points) const {
  const auto mean = [&](const std::vector<double>& by_point) {
    double sum = 0.0;
    for (int p : points) sum += parts_.multiplier(by_point, p) / double(points.size());
    return sum;
  };
  c.stiffness *= mean(parts_.input.stiffness);
  c.static_friction *= mean(parts_.input.friction);
  c.dynamic_friction *= mean(parts_.input.friction);
}

bool was_pressed(const std::vector<ContactMemory>& memories, const ContactKey& key) {
  const auto place = std::lower_bound(memories.begin(), memories.end(), key,
                                      [](const ContactMemory& m, const ContactKey& k) { return m.key < k; });
  return place != memories.end() && place->key == key && place->pressed;
}

}  // namespace verve
