// Random operations on packets, each mirrored on a plain vector, with a pool that runs out now and
// then. The seeds are fixed: a failure repeats.
#include <optional>
#include <random>

#include "packet_fixture.hh"

namespace headroom::test {
namespace {

// What a packet must be.
struct Model {
  Packet* packet = nullptr;
  Bytes bytes;
  uint8_t user[anno::kUserBytes] = {};
  // Where the header positions must be, from data(); nothing when they need not be known.
  std::optional<int32_t> mac, network, transport;
};

class ModelTest : public PoolTest, public testing::WithParamInterface<uint32_t> {
 protected:
  ModelTest() : PoolTest(31), random_(GetParam()) {}

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  // Mostly small, sometimes as large as can be.
  uint32_t size_up_to(uint32_t bound) {
    return below(4) == 0 ? below(bound + 1) : below(std::min(bound, 90u) + 1);
  }
  Model& any() { return live_[below(static_cast<uint32_t>(live_.size()))]; }

  void check(const Model& model) {
    const Packet& packet = *model.packet;
    ASSERT_EQ(bytes_of(packet), model.bytes);
    ASSERT_EQ(std::memcmp(packet.annotations().user, model.user, sizeof model.user), 0);
    expect_sound(packet);
    check_header("mac", packet.has_mac_header(), packet.mac_header_offset(), model.mac, model);
    check_header("network", packet.has_network_header(), packet.network_header_offset(),
                 model.network, model);
    check_header("transport", packet.has_transport_header(), packet.transport_header_offset(),
                 model.transport, model);
  }

  // A position is kept, or forgotten; never wrong. Inside the first segment it must be kept, unless
  // an operation that reached beyond it came by (`loose`).
  void check_header(const char* what, bool has, int32_t offset, std::optional<int32_t> wanted,
                    const Model& model) {
    if (!wanted) return;
    if (has) {
      ASSERT_EQ(offset, *wanted) << what;
    } else {
      ASSERT_FALSE(*wanted >= 0 && *wanted < static_cast<int32_t>(model.packet->contiguous()) &&
                   !loose_)
          << what << " forgotten at " << *wanted;
    }
  }

  // After a position was forgotten for good it need not come back.
  static void settle(Model& model) {
    if (!model.packet->has_mac_header()) model.mac.reset();
    if (!model.packet->has_network_header()) model.network.reset();
    if (!model.packet->has_transport_header()) model.transport.reset();
  }

  static void move_headers(Model& model, int32_t by) {
    for (auto* header : {&model.mac, &model.network, &model.transport})
      if (*header) **header += by;
  }

  void make() {
    Model model;
    model.bytes = pattern(size_up_to(below(8) == 0 ? 7000 : 2200), below(250));
    model.packet = Packet::make(*pool, model.bytes, below(3) == 0 ? below(200) : 64);
    if (model.packet != nullptr) live_.push_back(std::move(model));
  }
  void clone(bool share) {
    Model model = any();
    model.packet = share ? model.packet->clone() : model.packet->copy();
    if (model.packet == nullptr) return void(++exhausted_);
    // What lies further before data() than a fresh buffer has room is forgotten by copies.
    settle(model);
    live_.push_back(std::move(model));
  }
  void kill(std::size_t index) {
    live_[index].packet->kill();
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  bool make_private(Model& model) {
    model.packet = model.packet->uniqueify();
    if (model.packet != nullptr) return settle(model), true;
    ++exhausted_;
    live_.erase(live_.begin() + (&model - live_.data()));
    return false;
  }

  void push(Model& model) {
    if (!make_private(model)) return;
    const uint32_t n = size_up_to(2112);
    if (!model.packet->push(n)) return void(++exhausted_);
    const Bytes head = pattern(n, below(250));
    if (n != 0) std::memcpy(model.packet->data(), head.data(), n);
    model.bytes.insert(model.bytes.begin(), head.begin(), head.end());
    move_headers(model, static_cast<int32_t>(n));
  }
  void put(Model& model) {
    if (!make_private(model)) return;
    const uint32_t n = size_up_to(2048);
    if (!model.packet->put(n)) return void(++exhausted_);
    const Bytes tail = pattern(n, below(250));
    if (n != 0) std::memcpy(model.packet->last(n), tail.data(), n);
    model.bytes.insert(model.bytes.end(), tail.begin(), tail.end());
  }
  void pull(Model& model) {
    const uint32_t n = size_up_to(model.packet->length());
    if (n > model.packet->length()) return;
    loose_ = n >= model.packet->contiguous();
    model.packet->pull(n);
    model.bytes.erase(model.bytes.begin(), model.bytes.begin() + n);
    move_headers(model, -static_cast<int32_t>(n));
  }
  void take(Model& model) {
    const uint32_t n = size_up_to(model.packet->length());
    if (n > model.packet->length()) return;
    model.packet->take(n);
    model.bytes.resize(model.bytes.size() - n);
  }
  void pullup(Model& model) {
    const uint32_t n = size_up_to(model.packet->length() + 10);
    const bool may = !model.packet->shared() && n <= model.packet->length() && n <= 2112;
    const bool done = model.packet->pullup(n);
    if (may) {
      ASSERT_TRUE(done);
    }
    if (done) {
      ASSERT_GE(model.packet->contiguous(), n);
    }
  }
  void write(Model& model) {
    if (model.packet->shared() || model.packet->contiguous() == 0) return;
    const uint32_t at = below(model.packet->contiguous());
    model.packet->data()[at] = model.bytes[at] = static_cast<uint8_t>(random_());
  }
  void annotate(Model& model) {
    const uint32_t at = below(anno::kUserBytes);
    model.user[at] = static_cast<uint8_t>(random_());
    model.packet->set_anno_u8(at, model.user[at]);
    const uint32_t room = model.packet->contiguous();
    if (room == 0) return;
    const uint32_t network = below(room);
    const uint32_t transport = network + below(room - network);
    model.packet->set_network_header(network, transport - network);
    model.network = static_cast<int32_t>(network);
    model.transport = static_cast<int32_t>(transport);
    if (below(2) == 0) {
      model.packet->set_mac_header(0);
      model.mac = 0;
    }
  }

  void step() {
    loose_ = false;
    if (live_.empty() || below(12) == 0) return make();
    switch (below(12)) {
      case 0:
        return clone(true);
      case 1:
        return clone(false);
      case 2:
        return kill(below(static_cast<uint32_t>(live_.size())));
      case 3:
      case 4:
        return push(any());
      case 5:
        return put(any());
      case 6:
        return pull(any());
      case 7:
        return take(any());
      case 8:
        return pullup(any());
      case 9:
        return write(any());
      default:
        return annotate(any());
    }
  }

  std::mt19937 random_;
  std::vector<Model> live_;
  uint64_t exhausted_ = 0;
  bool loose_ = false;
};

TEST_P(ModelTest, PacketsDoWhatVectorsDo) {
  for (int i = 0; i < 20'000 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << GetParam() << ", step " << i);
    step();
    for (Model& model : live_) {
      check(model);
      if (HasFatalFailure()) break;
      settle(model);
    }
  }
  EXPECT_GT(exhausted_, 10u) << "the pool was meant to run out";
  while (!live_.empty()) kill(live_.size() - 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ModelTest, testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace headroom::test
