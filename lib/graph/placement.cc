#include "headroom/graph/placement.hh"

#include <numeric>
#include <string>

#include "headroom/graph/router.hh"

namespace headroom {
namespace {

// Sets of elements that pull from each other.
class PullGroups {
 public:
  explicit PullGroups(const Router& router) : parents_(router.elements().size()) {
    std::iota(parents_.begin(), parents_.end(), 0U);
    for (const click::FlatConnection& connection : router.connections())
      if (router.elements()[connection.from]->output_kind(connection.from_port) == PortKind::pull)
        parents_[find(connection.from)] = find(connection.to);
  }

  uint32_t find(uint32_t element) {
    while (parents_[element] != element) {
      parents_[element] = parents_[parents_[element]];
      element = parents_[element];
    }
    return element;
  }

 private:
  std::vector<uint32_t> parents_;
};

}  // namespace

Placement place(const Router& router, WorkerRoles roles, Diagnostics& diagnostics) {
  const auto& elements = router.elements();
  const auto count = static_cast<uint32_t>(elements.size());
  Placement placement{.roles = roles,
                      .homes = std::vector<uint32_t>(count, Placement::kEverywhere),
                      .distributed = std::vector<bool>(count)};
  if (roles.workers == 1) return placement;

  PullGroups groups(router);
  // By group: its home, and the element that gave it.
  std::vector<uint32_t> homes(count, Placement::kEverywhere);
  std::vector<const Element*> givers(count, nullptr);
  const auto settle = [&](const Element& element, uint32_t home) {
    const uint32_t group = groups.find(element.index());
    if (givers[group] == nullptr) {
      homes[group] = home;
      givers[group] = &element;
    } else if (homes[group] != home) {
      diagnostics.error(element.where(),
                        "'" + element.label() + "' belongs to worker " + std::to_string(home) +
                            ", but '" + givers[group]->label() + "', which it pulls from or is " +
                            "pulled by, to worker " + std::to_string(homes[group]),
                        "put a Queue and an Unqueue between them");
    }
  };
  const auto settled = [&](const Element& element) {
    return givers[groups.find(element.index())] != nullptr;
  };
  using Kind = Residence::Kind;
  // What was asked for goes before what there is a choice about.
  for (const auto& element : elements) {
    const auto pin = router.pin(element->index());
    if (!pin) continue;
    const uint32_t worker = *pin % roles.workers;
    if (worker != *pin)
      diagnostics.warning(element->where(),
                          "'" + element->label() + "' runs on worker " + std::to_string(worker) +
                              ": there is no worker " + std::to_string(*pin),
                          "workers.count is " + std::to_string(roles.workers));
    settle(*element, worker);
  }
  const uint32_t io = roles.io != 0 ? roles.io : roles.workers;
  for (const auto& element : elements) {
    const Residence residence = element->residence();
    if (residence.kind != Kind::port) continue;
    const bool receives = element->ninputs() == 0;
    placement.distributed[element->index()] = receives && !router.pin(element->index());
    // Any worker can receive, but a queue to transmit belongs to one.
    if (!receives || !settled(*element)) settle(*element, residence.port % io);
  }
  for (const auto& element : elements)
    if (element->residence().kind == Kind::once && !settled(*element))
      settle(*element, roles.first());
  for (uint32_t element = 0; element < count; ++element)
    placement.homes[element] = homes[groups.find(element)];
  return placement;
}

}  // namespace headroom
