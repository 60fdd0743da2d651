#include "headroom/graph/fusion.hh"

#include <utility>

#include "headroom/graph/router.hh"

namespace headroom {

std::vector<FusionClass>& fusion_classes() {
  static std::vector<FusionClass> classes;
  return classes;
}

void FusionBase::count(uint32_t packets) {
  if (packets == 0) return;
  for (std::size_t i = 0; i + 1 < chain_.size(); ++i) {
    OutputPort& output = chain_[i]->output(0);
    output.packets_.add(packets);
    output.batches_.add(1);
  }
}

// The elements that packets go through from `first` on if their classes are those of `wanted`, or
// none.
std::vector<Element*> Router::chain_of(Element& first, const FusionClass& wanted) const {
  std::vector<Element*> chain{&first};
  if (first.spec().name != wanted.classes.front()) return {};
  while (chain.size() < wanted.classes.size()) {
    const Element& last = *chain.back();
    if (last.noutputs_ == 0 || last.output_kinds_[0] != PortKind::push) return {};
    Element* const next = last.outputs_[0].target_;
    // Not one that only stands for an element, such as a way to another worker.
    const bool real = next->index_ < elements_.size() && elements_[next->index_].get() == next;
    if (!real || last.outputs_[0].target_port_ != 0 ||
        next->spec().name != wanted.classes[chain.size()])
      return {};
    chain.push_back(next);
  }
  return chain;
}

void Router::fuse() {
  // All are found before any takes an element's place.
  std::vector<std::pair<Element*, FusionBase*>> places;
  for (const auto& element : elements_) {
    std::vector<Element*> longest;
    const FusionClass* best = nullptr;
    for (const FusionClass& candidate : fusion_classes()) {
      std::vector<Element*> chain = chain_of(*element, candidate);
      if (chain.size() <= longest.size()) continue;
      longest = std::move(chain);
      best = &candidate;
    }
    if (best == nullptr) continue;
    std::unique_ptr<FusionBase> fusion = best->make(longest);
    places.emplace_back(element.get(), fusion.get());
    fusions_.push_back(std::move(fusion));
  }
  for (const auto& [element, fusion] : places)
    for (const auto& other : elements_)
      for (uint32_t port = 0; port < other->noutputs_; ++port) {
        OutputPort& output = other->outputs_[port];
        if (output.target_ == element && output.target_port_ == 0) output.target_ = fusion;
      }
}

}  // namespace headroom
