// State that several workers share and that outlives a router, such as a neighbour table.
//
// Shared<T> adds to a T what sharing takes: writers take turns, and who waits for a change is told.
// Readers take no lock: what of T may be read beside one writer, T says. A SharedStore finds the
// state again by its name, so that the replicas of an element, and the element that replaces it in
// the next router, have the same one. The state ends with the last that has it.
//
//   std::shared_ptr<Shared<Ip4Neighbours>> table =
//       store.get<Shared<Ip4Neighbours>>("arp", [] { return std::make_shared<...>(1000); });
//   const uint32_t id = table->subscribe([&](const IPAddress& address) { scheduler.post(...); });
//   table->read().lookup(address, now);                                      // any thread
//   auto heard = table->write([&](auto& t) { return t.hear(address, ether, now); });
//   table->notify(heard.waiting, address, id);
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace headroom {

// A set of listeners. Listeners whose numbers are equal modulo 64 share a bit, so a listener may be
// told of what it did not ask for.
using ListenerSet = uint64_t;
constexpr ListenerSet listener_bit(uint32_t listener) { return ListenerSet{1} << listener % 64; }

// T::Event is what a listener is told.
template <class T>
class Shared {
 public:
  using Event = typename T::Event;
  // Called on the thread of the writer. It must not call back into this object: it posts.
  using Listener = std::function<void(const Event&)>;

  template <class... Arguments>
  explicit Shared(Arguments&&... arguments) : state_(std::forward<Arguments>(arguments)...) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  // What T says may be read while another thread writes.
  const T& read() const { return state_; }
  // Calls f(T&) while no other writer runs; returns what it returns.
  template <class F>
  auto write(F&& f) {
    std::lock_guard lock(writers_);
    return std::forward<F>(f)(state_);
  }

  // The number of the listener, until unsubscribe(); after that it is not called any more.
  uint32_t subscribe(Listener listener) {
    std::lock_guard lock(listeners_mutex_);
    uint32_t id = 0;
    while (id < listeners_.size() && listeners_[id]) ++id;
    if (id == listeners_.size()) listeners_.emplace_back();
    listeners_[id] = std::move(listener);
    return id;
  }
  void unsubscribe(uint32_t listener) {
    std::lock_guard lock(listeners_mutex_);
    listeners_[listener] = nullptr;
  }
  static constexpr uint32_t kNobody = UINT32_MAX;
  // Tells all listeners of the set, but not `except`, who knows already.
  void notify(ListenerSet set, const Event& event, uint32_t except = kNobody) {
    if (set == 0) return;
    std::lock_guard lock(listeners_mutex_);
    for (uint32_t id = 0; id < listeners_.size(); ++id)
      if ((set & listener_bit(id)) && id != except && listeners_[id]) listeners_[id](event);
  }

 private:
  T state_;
  std::mutex writers_;
  std::mutex listeners_mutex_;
  std::vector<Listener> listeners_;
};

// Finds shared state by type and name.
class SharedStore {
 public:
  // The state of that name, or else what `make` makes, which is a std::shared_ptr<S>.
  template <class S, class Make>
  std::shared_ptr<S> get(const std::string& name, Make&& make) {
    std::lock_guard lock(mutex_);
    std::erase_if(states_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<void>& known = states_[{typeid(S), name}];
    if (std::shared_ptr<void> state = known.lock()) return std::static_pointer_cast<S>(state);
    std::shared_ptr<S> made = std::forward<Make>(make)();
    known = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::type_index, std::string>, std::weak_ptr<void>> states_;
};

}  // namespace headroom
