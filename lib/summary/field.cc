#include "headroom/summary/field.hh"

#include <algorithm>

#include "headroom/base/suggest.hh"
#include "headroom/base/text.hh"
#include "headroom/net/byte_order.hh"
#include "headroom/net/icmp.hh"
#include "headroom/net/tcp.hh"
#include "headroom/net/udp.hh"
#include "headroom/summary/words.hh"

namespace headroom::summary {
namespace {

uint64_t load(const uint8_t* bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value = value << 8 | bytes[i];
  return value;
}
void store(uint8_t* bytes, unsigned size, uint64_t value) {
  for (unsigned i = size; i > 0; --i, value >>= 8) bytes[i - 1] = static_cast<uint8_t>(value);
}

const uint8_t* find(const PacketView& packet, const Place& place) {
  switch (place.header) {
    case Header::ip:
      return packet.ip(place.offset, place.size);
    case Header::tcp:
      return packet.transport(kIpProtocolTcp, place.offset, place.size);
    case Header::udp:
      return packet.transport(kIpProtocolUdp, place.offset, place.size);
    case Header::icmp:
      return packet.transport(kIpProtocolIcmp, place.offset, place.size);
    case Header::ports: {
      const uint8_t* tcp = packet.transport(kIpProtocolTcp, place.offset, place.size);
      return tcp != nullptr ? tcp : packet.transport(kIpProtocolUdp, place.offset, place.size);
    }
    case Header::none:
      break;
  }
  return nullptr;
}

void put(Draft& draft, const Place& place, uint64_t value) {
  switch (place.header) {
    case Header::ip:
      return store(&draft.ip[place.offset], place.size, value);
    case Header::tcp:
      return store(&draft.tcp[place.offset], place.size, value);
    case Header::udp:
      return store(&draft.udp[place.offset], place.size, value);
    case Header::icmp:
      draft.icmp_given |= static_cast<uint8_t>(((1U << place.size) - 1) << place.offset);
      return store(&draft.icmp[place.offset], place.size, value);
    case Header::ports:
      store(&draft.tcp[place.offset], place.size, value);
      return store(&draft.udp[place.offset], place.size, value);
    case Header::none:
      break;
  }
}

uint8_t protocol_of(Header header) {
  switch (header) {
    case Header::tcp:
      return kIpProtocolTcp;
    case Header::udp:
      return kIpProtocolUdp;
    case Header::icmp:
      return kIpProtocolIcmp;
    default:
      return 0;
  }
}

bool has_name(const Field& field, std::string_view name) {
  if (field.name == name) return true;
  for (const Word& word : split_words(field.aliases))
    if (word.text == name) return true;
  return false;
}

}  // namespace

bool Field::write(const PacketView& packet, std::string& text) const {
  if (writer != nullptr) return writer(packet, text);
  const uint8_t* bytes = find(packet, place);
  if (bytes == nullptr) return false;
  text += std::to_string(load(bytes, place.size));
  return true;
}

bool Field::read(std::string_view text, Draft& draft, std::string& error) const {
  if (!readable) return true;
  if (text.empty()) {
    error = "expected a value";
    return false;
  }
  // The first field of a line that only one protocol has says which the packet's is.
  if (draft.implied_protocol == 0) draft.implied_protocol = protocol_of(place.header);
  if (reader != nullptr) return reader(text, draft, error);
  const auto number = parse_number(text, (uint64_t{1} << place.size * 8) - 1, error);
  if (!number) return false;
  put(draft, place, *number);
  return true;
}

const Field* find_field(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), ' ', '_');
  for (const Field& field : fields())
    if (has_name(field, wanted)) return &field;
  return nullptr;
}

std::string nearest_field(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Field& field : fields()) names.push_back(field.name);
  return did_you_mean(name, names);
}

FieldList parse_field_list(std::string_view text) {
  FieldList list;
  for (const Word& word : split_words(text)) {
    std::string name(word.text);
    if (word.quoted && !unquote(word.text, name)) name = word.text;
    list.fields.push_back(find_field(name));
    if (list.fields.back() == nullptr)
      list.mistakes.push_back(
          {word.column, "there is no field " + quoted(name), nearest_field(name)});
  }
  return list;
}

}  // namespace headroom::summary
