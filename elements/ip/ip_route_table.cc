#include "ip_route_table.hh"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <unordered_set>

#include "headroom/base/file.hh"
#include "headroom/base/text.hh"
#include "headroom/click/arguments.hh"
#include "headroom/graph/siblings.hh"
#include "headroom/routing/route_file.hh"

namespace headroom {
namespace {

constexpr std::string_view kRouteForm = "'ADDR/MASK [GATEWAY] OUTPUT'";

bool fail(std::string& error, std::string text) {
  error = std::move(text);
  return false;
}

std::optional<Ip4Route> parse_route(std::string_view text, const click::NameScope& names,
                                    bool ether_next_hops = false) {
  const std::vector<std::string> words = click::split_words(text);
  if (words.size() != 2 && words.size() != 3) return std::nullopt;
  Ip4Route route;
  std::string unused;
  if (!click::parse_prefix_or_address(words[0], route.prefix, names) ||
      !click::ArgType<uint32_t>::parse(words.back(), route.hop.port, unused))
    return std::nullopt;
  route.prefix = route.prefix.canonical();
  if (words.size() == 2 || words[1] == "-" ||
      click::parse_argument(words[1], route.hop.gateway, unused, names) ||
      (ether_next_hops && click::parse_argument(words[1], route.hop.ether, unused, names)))
    return route;
  return std::nullopt;
}

std::string gateway_text(const NextHop& hop) {
  if (!hop.ether.is_zero()) return hop.ether.to_string();
  return hop.gateway.is_zero() ? "-" : hop.gateway.to_string();
}
std::string route_text(const IPPrefix& prefix, const NextHop& hop) {
  return prefix.to_string() + " " + gateway_text(hop) + " " + std::to_string(hop.port);
}

bool check_output(uint32_t outputs, uint32_t port, std::string& error) {
  if (port < outputs) return true;
  return fail(error, "output " + std::to_string(port) + " out of range, bound " +
                         std::to_string(outputs - 1));
}

std::string replaced_text(std::size_t count) {
  return grouped(count) + (count == 1 ? " route" : " routes") +
         " replaced by later ones with the same prefix";
}

std::string mistakes_text(const std::string& path, const RouteFile& file) {
  const std::size_t count = file.mistake_count;
  return path + " has " + grouped(count) + (count == 1 ? " mistake" : " mistakes") +
         (count > file.mistakes.size()
              ? ", of which " + std::to_string(file.mistakes.size()) + " are shown"
              : "");
}

}  // namespace

std::string RouteArg::value_text() const {
  std::string text;
  for (const Ip4Route& route : routes_)
    text += (text.empty() ? "" : ", ") + route_text(route.prefix, route.hop);
  return text;
}

bool RouteArg::read(std::string_view text, std::string& error) {
  given_ = true;
  const auto route = parse_route(text, names());
  if (!route) return fail(error, "should be " + std::string(kRouteForm));
  if (!check_output(owner_.noutputs(), route->hop.port, error)) return false;
  routes_.push_back(*route);
  return true;
}

// --- setup

// The first replica makes the table, and the others find it.
bool IPRouteTable::configure(SetupContext& context, uint32_t outputs) {
  outputs_ = outputs;
  bool ok = true;
  const auto make = [&] {
    auto made = std::make_shared<Shared<Ip4Routes>>(
        context.siblings != nullptr ? context.siblings->readers : nullptr);
    ok = made->write([&](Ip4Routes& all) { return fill(all, context); });
    return made;
  };
  routes_ = context.siblings != nullptr
                ? context.siblings->shared.get<Shared<Ip4Routes>>(owner_.name(), make)
                : make();
  return ok;
}

bool IPRouteTable::fill(Ip4Routes& all, SetupContext& context) const {
  const bool ok = !file.given() || read_file_into(all, context);
  if (options_.routes == nullptr) return ok;
  const RouteArg& routes = *options_.routes;
  std::vector<Ip4Routes::Change> changes;
  std::unordered_set<IPPrefix> seen;
  std::size_t first_replaced = 0;
  for (std::size_t i = 0; i < (*routes).size(); ++i) {
    const Ip4Route& route = (*routes)[i];
    changes.push_back({route.prefix, route.hop});
    if (!seen.insert(route.prefix).second && first_replaced == 0) first_replaced = i;
  }
  const std::size_t replaced = all.apply(std::move(changes));
  if (replaced != 0) context.warning(routes, first_replaced, replaced_text(replaced));
  return ok;
}

bool IPRouteTable::read_file_into(Ip4Routes& all, SetupContext& context) const {
  std::string error;
  std::optional<std::string> text = read_file(file->path, error);
  if (!text) return context.error(file, "FILE: " + error);
  const RouteFile parsed = parse_route_file(*text, form());
  if (parsed.mistake_count == 0) {
    const std::size_t replaced = all.replace(parsed.routes);
    if (replaced != 0)
      context.warning(file, 0, "FILE: " + file->path + ": " + replaced_text(replaced));
    return true;
  }
  Diagnostics& diagnostics = context.diagnostics;
  const uint32_t source = diagnostics.sources().add(file->path, std::move(*text));
  {
    const Diagnostics::Context none(diagnostics, "");  // they have places of their own
    for (const RouteFile::Mistake& mistake : parsed.mistakes)
      diagnostics.error({source, mistake.line, mistake.column}, mistake.message);
  }
  return context.error(file, "FILE: " + mistakes_text(file->path, parsed));
}

// --- handlers

bool IPRouteTable::write(const std::function<bool(Ip4Routes&, std::string&)>& f,
                         std::string& error) {
  try {
    return routes_->write([&](Ip4Routes& all) { return f(all, error); });
  } catch (const std::bad_alloc&) {
    return fail(error, "memory is out; some of it may have been changed");
  } catch (const std::length_error& full) {
    return fail(error, full.what());
  }
}

bool IPRouteTable::change(Command command, std::string_view text, std::string& error) {
  return write(
      [&](Ip4Routes& all, std::string& reason) {
        Ip4RouteChanges changes(all);
        if (!change(command, text, changes, reason)) return false;
        changes.commit();
        return true;
      },
      error);
}

bool IPRouteTable::change(Command command, std::string_view text, Ip4RouteChanges& changes,
                          std::string& error) const {
  if (command == Command::remove) return remove(text, changes, error);
  const auto route = parse_route(text, owner_.names(), options_.ether_next_hops);
  if (!route) return fail(error, "should be " + std::string(kRouteForm));
  if (!check_output(outputs_, route->hop.port, error)) return false;
  if (command == Command::add)
    if (const auto present = changes.find(route->prefix))
      return fail(error, "there is already a route '" + route_text(route->prefix, *present) + "'");
  changes.set(route->prefix, route->hop);
  return true;
}

bool IPRouteTable::remove(std::string_view text, Ip4RouteChanges& changes,
                          std::string& error) const {
  IPPrefix prefix;
  std::optional<NextHop> hop;
  if (const auto route = parse_route(text, owner_.names(), options_.ether_next_hops)) {
    prefix = route->prefix;
    hop = route->hop;
  } else {
    const auto words = click::split_words(text);
    if (words.size() != 1 || !click::parse_prefix_or_address(words[0], prefix, owner_.names()))
      return fail(error, "should be 'ADDR/MASK' or " + std::string(kRouteForm));
    prefix = prefix.canonical();
  }
  const auto present = changes.find(prefix);
  if (!present || (hop && *hop != *present))
    return fail(
        error, "there is no route '" + (hop ? route_text(prefix, *hop) : prefix.to_string()) + "'");
  changes.set(prefix, std::nullopt);
  return true;
}

bool IPRouteTable::change_many(std::string_view text, std::string& error) {
  return write(
      [&](Ip4Routes& all, std::string& reason) {
        Ip4RouteChanges changes(all);
        for (std::size_t number = 1; !text.empty(); ++number) {
          const std::size_t end = std::min(text.find('\n'), text.size());
          const std::string line = click::uncomment(text.substr(0, end));
          text.remove_prefix(std::min(end + 1, text.size()));
          if (!line.empty() && !change_line(line, changes, reason))
            return fail(reason, "line " + std::to_string(number) + ": " + reason);
        }
        changes.commit();
        return true;
      },
      error);
}

bool IPRouteTable::change_line(std::string_view line, Ip4RouteChanges& changes,
                               std::string& error) const {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  const std::string_view argument = line.substr(end);
  if (word == "add") return change(Command::add, argument, changes, error);
  if (word == "set") return change(Command::set, argument, changes, error);
  if (word == "remove") return change(Command::remove, argument, changes, error);
  return fail(error, "should begin with 'add', 'set' or 'remove'");
}

bool IPRouteTable::load_file(std::string_view name, std::string& error) {
  click::Filename path;
  if (!click::ArgType<click::Filename>::parse(click::uncomment(name), path, error))
    return error.empty() ? fail(error, "should be a filename") : false;
  const std::optional<std::string> text = read_file(path.path, error);
  if (!text) return false;
  const RouteFile parsed = parse_route_file(*text, form());
  if (parsed.mistake_count == 0)
    return write(
        [&](Ip4Routes& all, std::string&) {
          all.replace(parsed.routes);
          return true;
        },
        error);
  for (const RouteFile::Mistake& mistake : parsed.mistakes)
    error += path.path + ":" + std::to_string(mistake.line) + ":" + std::to_string(mistake.column) +
             ": " + mistake.message + "\n";
  return fail(error, error + mistakes_text(path.path, parsed));
}

std::optional<std::string> IPRouteTable::lookup_as_text(std::string_view text,
                                                        std::string& error) const {
  IPAddress address;
  if (!click::parse_argument(click::uncomment(text), address, error, owner_.names())) {
    if (error.empty()) error = "should be an IP address";
    return std::nullopt;
  }
  const auto hop = routes_->write([&](const Ip4Routes& all) { return all.lookup(address); });
  if (!hop) return "-1";
  const std::string gateway = gateway_text(*hop);
  return std::to_string(hop->port) + (gateway == "-" ? "" : " " + gateway);
}

std::string IPRouteTable::table_as_text() const {
  std::string text;
  routes_->write([&](const Ip4Routes& all) {
    all.for_each([&](const IPPrefix& prefix, const NextHop& hop) {
      text += prefix.to_string() + "\t\t" + gateway_text(hop) + "\t\t" + std::to_string(hop.port) +
              "\n";
    });
  });
  return text;
}

}  // namespace headroom
