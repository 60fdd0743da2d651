// Packets that wait for something: for each key those that came, in order, and when to look after
// them.
//
// An element that holds packets until an address is known keeps them here. What is held counts in
// its held(); packets that are held when it ends go back to their pool.
//
//   HeldPackets<IPAddress> held;
//   auto* group = held.find(address);
//   if (group == nullptr) group = &held.start(address, now + second);
//   held.hold(*group, packet);
//   while (Packet* packet = held.take_oldest(*group)) send(*packet);
//   held.end(*group);
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <utility>

#include "headroom/packet/packet.hh"

namespace headroom {

template <class Key>
class HeldPackets {
  struct Held;

 public:
  class Group {
   public:
    const Key& key() const { return key_; }
    int64_t deadline() const { return deadline_; }
    std::size_t size() const { return packets_.size(); }

    uint32_t tries = 0;  // for the owner's use

   private:
    friend class HeldPackets;
    Key key_{};
    int64_t deadline_ = 0;
    std::deque<typename std::list<Held>::iterator> packets_;
    typename std::list<Group>::iterator self_;
  };

  HeldPackets() = default;
  HeldPackets(const HeldPackets&) = delete;
  HeldPackets& operator=(const HeldPackets&) = delete;
  ~HeldPackets() {
    for (Held& held : order_) held.packet->kill();
  }

  // All packets.
  std::size_t size() const { return order_.size(); }
  bool empty() const { return groups_.empty(); }

  Group* find(const Key& key) {
    const auto known = index_.find(key);
    return known == index_.end() ? nullptr : &*known->second;
  }
  // A group for a key that has none. Deadlines must not go back: every one that is set, here or by
  // postpone(), is at least those set before.
  Group& start(const Key& key, int64_t deadline) {
    Group& group = groups_.emplace_back();
    group.key_ = key;
    group.deadline_ = deadline;
    group.self_ = std::prev(groups_.end());
    index_.emplace(key, group.self_);
    return group;
  }
  // Packets that it still has are freed.
  void end(Group& group) {
    while (Packet* packet = take_oldest(group)) packet->kill();
    index_.erase(group.key_);
    groups_.erase(group.self_);
  }
  // The group with the earliest deadline, or null.
  Group* first() { return groups_.empty() ? nullptr : &groups_.front(); }
  void postpone(Group& group, int64_t deadline) {
    group.deadline_ = deadline;
    groups_.splice(groups_.end(), groups_, group.self_);
  }

  void hold(Group& group, Packet& packet) {
    group.packets_.push_back(order_.insert(order_.end(), {&packet, &group}));
  }
  // The packet of the group that has been held longest, or null.
  Packet* take_oldest(Group& group) {
    if (group.packets_.empty()) return nullptr;
    const auto oldest = group.packets_.front();
    Packet* const packet = oldest->packet;
    group.packets_.pop_front();
    order_.erase(oldest);
    return packet;
  }
  // The group of the packet that has been held longest of all, or null.
  Group* oldest_group() { return order_.empty() ? nullptr : order_.front().group; }

 private:
  struct Held {
    Packet* packet;
    Group* group;
  };

  std::list<Held> order_;    // oldest first
  std::list<Group> groups_;  // by deadline
  std::map<Key, typename std::list<Group>::iterator> index_;
};

}  // namespace headroom
