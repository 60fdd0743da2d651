// Chains of elements that one loop does the work of.
//
// Where elements of certain classes follow each other, most packets go straight through all of
// them. A fusion handles such a packet in one go: what one element found out (where the header is,
// how long the packet) the next need not find again. Packets that any of the elements would do
// something else with go through the elements one after the other, as if there were no fusion, in
// their place among the others. Elements, their counters and handlers are the same with and
// without.
//
// An element takes part by two functions, which are inlined into the loop:
//
//   bool passes(FastPacket& p)   whether the packet goes to output 0, and nothing happens but what
//                                apply() does; changes nothing but `p`
//   void apply(FastPacket& p)    does it
//
// The last one of a chain may have uint32_t exit(FastPacket& p) besides: the output that the packet
// goes to, of those that it has. What these functions need of the element is best read once a
// batch: they may belong to a struct of its own, which the element's fast() returns. It lives in
// registers then, while every write to a packet could, for all the compiler knows, have changed the
// element.
//
// No passes() may depend on what apply() of an element before it does, because all are asked first.
// A chain is registered by its classes, in elements/fused:
//
//   HEADROOM_FUSION(Output, DropBroadcasts, PaintTee, DecIPTTL);
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "headroom/graph/element.hh"
#include "headroom/net/ip.hh"

namespace headroom {

// A packet in one piece that nobody else sees. It lives in registers as long as all functions that
// take it are inlined.
struct FastPacket {
  Packet& packet;
  uint8_t* data;
  uint32_t length;         // as it will be
  IpHeader* ip = nullptr;  // where an element has found it; its 20 bytes are there
  uint32_t ip_offset = 0;
  const void* found = nullptr;  // what passes() of a lookup leaves for its apply()
  // As apply() of the lookup will set it: see Egress.
  uint32_t egress = kNoEgress;
  bool addressed = false;

  static constexpr uint32_t kNoEgress = UINT32_MAX;

  // False when the packet has no network header.
  bool find_ip() {
    if (ip != nullptr) return true;
    const int32_t offset = packet.network_header_offset();
    if (offset < 0 || static_cast<uint32_t>(offset) + sizeof(IpHeader) > length) return false;
    ip_offset = static_cast<uint32_t>(offset);
    ip = reinterpret_cast<IpHeader*>(data + offset);
    return true;
  }
};

// What stands in for the first element of a chain.
class FusionBase : public Element {
 public:
  explicit FusionBase(std::span<Element* const> chain) : chain_(chain.begin(), chain.end()) {}

 protected:
  // Of a packet that is to go through the elements one by one.
  static constexpr uint32_t kSlow = UINT32_MAX;

  // The packets have been through the chain, and leave it by the likely output.
  void leave(PacketBatch& batch) {
    count(batch.size());
    chain_.back()->output(likely_).push(batch);
  }
  // The same where not all do.
  void leave(PacketBatch& batch, Split& others) {
    count(batch.size() + others.size());
    chain_.back()->dispatch(batch, others, likely_);
  }

  // The packets go through the chain element by element.
  void go_slowly(PacketBatch& batch) { chain_.front()->push(0, batch); }

  uint32_t likely_ = 0;

 private:
  // As passing every element but the last, whose output counts for itself.
  void count(uint32_t packets);

  std::vector<Element*> chain_;
};

// An element that reads what it needs itself.
template <class T>
struct Direct {
  T* element;
  [[gnu::always_inline]] bool passes(FastPacket& p) const { return element->passes(p); }
  [[gnu::always_inline]] void apply(FastPacket& p) const { element->apply(p); }
};

template <class T>
[[gnu::always_inline]] inline auto stage_of(T& element) {
  if constexpr (requires { element.fast(); })
    return element.fast();
  else
    return Direct<T>{&element};
}

template <class... Elements>
class Fusion final : public FusionBase {
 public:
  explicit Fusion(std::span<Element* const> chain)
      : FusionBase(chain), elements_(bind(chain, std::index_sequence_for<Elements...>())) {}

  void push(uint32_t, PacketBatch& batch) override {
    const uint32_t size = batch.size();
    rte_mbuf** const slots = batch.mbufs();
    const uint32_t likely = likely_;
    const auto stages = make_stages();
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t exit = run(stages, *Packet::from_mbuf(slots[i]));
      if (exit != likely) [[unlikely]]
        return leave_mixed(batch, i, exit);
    }
    leave(batch);
  }

 private:
  template <std::size_t... I>
  static std::tuple<Elements*...> bind(std::span<Element* const> chain, std::index_sequence<I...>) {
    return {static_cast<Elements*>(chain[I])...};
  }

  [[gnu::always_inline]] auto make_stages() const {
    return std::apply([](auto*... element) { return std::make_tuple(stage_of(*element)...); },
                      elements_);
  }

  // In one piece that is its own.
  [[gnu::always_inline]] static bool is_plain(const rte_mbuf& mbuf) {
    return mbuf.refcnt == 1 && mbuf.nb_segs == 1 &&
           (mbuf.ol_flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) == 0;
  }

  // Takes the packet through the chain; returns the output that it leaves by, or kSlow.
  template <class Stages>
  [[gnu::always_inline]] static uint32_t run(const Stages& stages, Packet& packet) {
    if (!is_plain(*packet.mbuf())) [[unlikely]]
      return kSlow;
    FastPacket fast{packet, packet.data(), packet.contiguous()};
    return run(stages, fast, std::index_sequence_for<Elements...>());
  }
  // Not by std::apply(), whose functions the compiler may choose not to inline.
  template <class Stages, std::size_t... I>
  [[gnu::always_inline]] static uint32_t run(const Stages& stages, FastPacket& fast,
                                             std::index_sequence<I...>) {
    if (!(std::get<I>(stages).passes(fast) && ...)) [[unlikely]]
      return kSlow;
    (std::get<I>(stages).apply(fast), ...);
    const auto& last = std::get<sizeof...(I) - 1>(stages);
    if constexpr (requires { last.exit(fast); })
      return last.exit(fast);
    else
      return 0;
  }

  // Packets in their order, the first `ready` of which have been through the chain; the next one
  // has, too, if its exit is not kSlow.
  [[gnu::noinline]] void leave_mixed(PacketBatch& batch, uint32_t ready, uint32_t exit) {
    const uint32_t size = batch.size();
    std::array<rte_mbuf*, PacketBatch::kCapacity> all;
    std::copy_n(batch.mbufs(), size, all.begin());
    batch.set_size(ready);
    const auto stages = make_stages();
    const auto next = [&](uint32_t i) {
      return i < size ? run(stages, *Packet::from_mbuf(all[i])) : kSlow;
    };
    for (uint32_t i = ready; i < size;) {
      Split others;
      for (; i < size && exit != kSlow; exit = next(++i)) {
        Packet& packet = *Packet::from_mbuf(all[i]);
        if (exit == likely_)
          batch.push_back(packet);
        else
          others.add(packet, Verdict::to(exit));
      }
      leave(batch, others);
      if (i == size) return;
      batch.push_back(*Packet::from_mbuf(all[i]));
      go_slowly(batch);
      exit = next(++i);
    }
  }

  std::tuple<Elements*...> elements_;
};

// A chain of classes, and how its fusion is made.
struct FusionClass {
  std::vector<std::string_view> classes;
  std::unique_ptr<FusionBase> (*make)(std::span<Element* const>);
};
// Those of the program.
std::vector<FusionClass>& fusion_classes();

template <class... Elements>
struct FusionRegistration {
  FusionRegistration() {
    fusion_classes().push_back({{Elements::spec.name...}, [](std::span<Element* const> chain) {
                                  return std::unique_ptr<FusionBase>(
                                      std::make_unique<Fusion<Elements...>>(chain));
                                }});
  }
};

#define HEADROOM_FUSION(name, ...) \
  [[maybe_unused]] static const ::headroom::FusionRegistration<__VA_ARGS__> headroom_fusion_##name

}  // namespace headroom
