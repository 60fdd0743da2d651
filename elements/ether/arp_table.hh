// ARPTable: a neighbour table and the limits of what is held for it. ARPQuerier derives from it,
// because a querier that is given no table is its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "headroom/base/shared.hh"
#include "headroom/graph/element.hh"
#include "headroom/routing/neighbours.hh"

namespace headroom {

class ARPTable : public Element {
 public:
  using Table = Shared<Ip4Neighbours>;

  static constexpr ElementSpec spec{
      .name = "ARPTable",
      .ports = "0/0",
      .doc =
          "Keeps the Ethernet addresses of neighbours for several ARPQueriers, which name it in "
          "their TABLE. All workers have the same table.",
      .phase = Phase::information};

  Arg<uint32_t> capacity{
      *this,
      "CAPACITY",
      2048,
      {.doc = "Packets that are held for unknown neighbours at most, on each worker.",
       .unit = "packets"}};
  Arg<uint32_t> entry_packet_capacity{
      *this,
      "ENTRY_PACKET_CAPACITY",
      100,
      {.doc = "Packets that are held for one neighbour at most.", .unit = "packets"}};
  Arg<uint32_t> entry_capacity{
      *this,
      "ENTRY_CAPACITY",
      16384,
      {.doc = "Neighbours that are known at most: the one that was confirmed longest ago makes "
              "room. A quarter as many more can be asked for at the same time.",
       .unit = "neighbours"}};
  Arg<click::Duration> timeout{
      *this,
      "TIMEOUT",
      click::Duration{300'000'000'000},
      {.doc = "A neighbour is forgotten when it has not confirmed its address for so long; 0 is "
              "never.",
       .live = true}};

  ReadHandler table_text{*this, "table",
                         "The neighbours, by IP address: whether the Ethernet address is known (1 "
                         "or 0), that address, and seconds since it was confirmed, or asked for.",
                         [this] { return table_as_text(); }};
  ReadHandler count{*this, "count", "Neighbours that are known.",
                    [this] { return std::to_string(known_count()); }};
  ReadHandler packets{*this, "length", "Packets that are held.",
                      [this] { return std::to_string(length()); }, Merge::sum};
  ReadHandler lost_packets{*this, "drops",
                           "Packets dropped because they were too many or nobody answered.",
                           [this] { return std::to_string(lost.get()); }, Merge::sum};
  WriteHandler insert_entry{
      *this, "insert", "Makes an address known: IP ETH.",
      [this](std::string_view value, std::string& error) { return insert(value, error); }};
  WriteHandler delete_entry{
      *this, "delete", "Forgets an IP address, if it is known.",
      [this](std::string_view value, std::string& error) { return remove(value, error); }};
  WriteHandler clear_entries{*this, "clear", "Forgets all.",
                             [this](std::string_view, std::string& error) { return clear(error); }};

  bool configure(SetupContext& context) override;
  bool initialize(SetupContext& context) override;
  bool reconfigure(std::string& error) override;
  uint64_t holds_at_most() const override { return *capacity; }

  // What the queriers of this worker that use the table hold and have lost together.
  uint64_t length() const { return length_; }
  void add_length(int64_t packets) { length_ += static_cast<uint64_t>(packets); }
  Cell lost;

 protected:
  friend class ARPQuerier;

  std::shared_ptr<Table> table_;  // from initialize() on

 private:
  std::size_t known_count() const;
  std::string table_as_text() const;
  bool insert(std::string_view value, std::string& error);
  bool remove(std::string_view value, std::string& error);
  bool clear(std::string& error);
  bool runs(std::string& error) const;

  uint64_t length_ = 0;
};

}  // namespace headroom
