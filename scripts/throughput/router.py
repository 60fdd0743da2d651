"""What the router's configuration says to who measures it: its ports, its routes, and its neighbours.

It is learned from the program itself, which initializes the configuration, prints the handlers of its
elements and ends. From their connections follows by which ports the packets of a route leave, and past
which ARPQueriers. A generator's destinations are those that leave by another port than its own, and
the neighbours on their way are made known by a Script, because there is nobody to answer ARP.
"""

import ipaddress
import os
import random
import re
import subprocess

from . import Failure

LOOKUPS = re.compile(r"(IP|IP6)(route)?lookup|.*IP6?(Route)?Lookup|RadixIP6?Lookup|.*IPRouteTable", re.I)
RECEIVERS = {"FromPort", "FromDevice", "FromDPDKDevice"}
SENDERS = {"ToPort", "ToDevice", "ToDPDKDevice"}
NEIGHBOUR = "02:00:00:00:00:20"
HOSTS = 64            # addresses of a network whose neighbours are made known
MOST_PREFIXES = 65536
NBA_ROUTES = [f"10.{i}.0.0/16" for i in range(16)]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def address_of(number):
    """That of the generating port of this number in the system file."""
    return ":".join(f"{byte:02x}" for byte in (0x020000000001 + number).to_bytes(6, "big"))


class Router:
    def __init__(self, options, system, directory):
        self.options = options
        self.system = system
        self.directory = directory
        try:
            with open(options.config, encoding="utf-8") as file:
                self.text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise Failure(f"cannot read {options.config}: {error}")
        self.arguments = self.variables()
        self.nba = options.compat == "nba" or bool(re.search(r"require\s*\(\s*package\s+nba\b", self.text))
        self.routes = self.nba_routes()
        self.config = options.config
        self.destinations = None  # of each port that receives: prefixes, or nothing for all addresses
        self.addresses = {port: address_of(number) for number, port in enumerate(system.ports)}
        if options.generator != "external":
            self.inspect()

    def variables(self):
        """The router's variables: those given, and ports of the system file by their own names."""
        given = dict(self.options.names)
        defined = set()
        for body in re.findall(r"\bdefine\s*\(([^)]*)\)", without_comments(self.text)):
            defined |= set(re.findall(r"\$(\w+)", body))
        for port in self.system.ports:
            if port in defined:
                given.setdefault(port, port)
        return [f"{name}={value}" for name, value in given.items()]

    def nba_routes(self):
        """NBA's lookup has its routes from the system file; some are made where that has none."""
        text = without_comments(self.text)
        compat = (self.system.text.get("compat") or {}).get("nba") or {}
        if not self.nba or not re.search(r"\bIPlookup\s*(\(\s*\))?\s*(;|->|$)", text) or compat.get("routes"):
            return None
        path = os.path.join(self.directory, "routes")
        with open(path, "w", encoding="ascii") as file:
            for number, prefix in enumerate(NBA_ROUTES):
                file.write(f"{prefix} {NEIGHBOUR} {number % len(self.system.ports)}\n")
        self.system.note("the system file names no compat.nba.routes, so IPlookup gets 16: 10.0.0.0/16 to "
                         "10.15.0.0/16, by all ports in turn")
        return path

    def libraries(self):
        """They may lie beside the configuration, of which the program gets a copy from elsewhere."""
        beside = os.path.dirname(os.path.abspath(self.options.config))
        return ["-C", ":".join(filter(None, (os.environ.get("CLICKPATH"), beside)))]

    def command(self, system_file, config=None):
        command = [self.options.headroom, "--system", system_file]
        command += self.libraries()
        if self.options.compat:
            command += ["--compat", self.options.compat]
        if self.routes and self.options.generator != "internal":
            command += ["--set", f"compat.nba.routes={self.routes}"]
        return command + (["-e", config] if config else [*self.arguments, self.config])

    def inspect(self):
        if self.options.generator == "port":
            self.read_addresses()
        # The ports' addresses must have names already for the configuration to be right.
        self.extend(self.named_addresses())
        system_file = self.system.write(os.path.join(self.directory, "inspect.yaml"), routes=self.routes,
                                        size=self.options.pkt_sizes[0])
        self.check_ports(system_file)
        self.graph = Graph(self.read_handlers(system_file, ["*.class", "*.config", "*.ports"]))
        lookups = self.graph.lookups()
        if lookups:
            # Of a single element the bare value is printed, so something else is asked, too.
            tables = [f"{name}.table" for name in lookups]
            self.graph.take_tables(self.read_handlers(system_file, [*tables, f"{lookups[0]}.class"]))
        receivers = self.graph.ports_of(RECEIVERS)
        receiving = [port for number, port in enumerate(self.system.ports)
                     if port in receivers or str(number) in receivers]
        if not receiving:
            raise Failure(f"{self.options.config} receives from none of the ports {', '.join(self.system.ports)}")
        self.destinations = self.choose(receiving)

    def check(self, system_file, settings):
        """Mistakes in a row's settings are found before the first row."""
        program, *rest = self.command(system_file)
        command = [program, "check", "--diagnostics", "full", *rest]
        for setting in settings:
            command += ["--set", setting]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                timeout=self.options.timeout + 60, check=False)
        if result.returncode != 0:
            raise Failure(f"{self.options.config} is not right with {' '.join(settings)}:\n"
                          f"{(result.stderr or result.stdout).strip()}")

    def named_addresses(self):
        return [f"AddressInfo({port} {address})" for port, address in self.addresses.items()]

    def read_addresses(self):
        """Those of the ports of the system file as it is."""
        for port, _ in self.options.facing:
            if port not in self.system.ports:
                raise Failure(f"--facing: the ports of {self.options.system} are {', '.join(self.system.ports)}, "
                              f"not '{port}'")
        command = [self.options.headroom, "--system", self.options.system, "-q", "--report", "never", "-e",
                   " ".join(f"p{number} :: FromPort({port}) -> Discard;" for number, port in
                            enumerate(self.system.ports))]
        for number in range(len(self.system.ports)):
            command += ["-h", f"p{number}.mac", "-h", f"p{number}.class"]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                timeout=self.options.timeout + 60, check=False)
        if result.returncode != 0:
            raise Failure(f"the ports of {self.options.system} do not start:\n{result.stderr.strip()}")
        found = dict(re.findall(r"^p(\d+)\.mac:\n(\S+)$", result.stdout, re.M))
        self.addresses = {port: found[str(number)].replace("-", ":")
                          for number, port in enumerate(self.system.ports)}

    def check_ports(self, system_file):
        """Names of devices that are no ports of the system file would be taken for interfaces."""
        flatten = os.path.join(os.path.dirname(self.options.headroom), "click-flatten")
        result = subprocess.run([flatten, *self.libraries(), *self.arguments, self.config], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=60, check=False)
        if result.returncode != 0:
            raise Failure(f"{self.options.config}:\n{result.stderr.strip()}")
        named = re.findall(r"\b(?:From|To)(?:DPDKDevice|Device|Port)\(\s*([^\s,()]+)", result.stdout)
        for name in named:
            if name in self.system.ports or (name.isdigit() and int(name) < len(self.system.ports)):
                continue
            raise Failure(f"{self.options.config} uses '{name}', and the ports of {self.options.system} are "
                          f"{', '.join(self.system.ports)}: give its variables, such as "
                          f"left={self.system.ports[0]}")

    def read_handlers(self, system_file, names):
        command = self.command(system_file) + ["-q", "--report", "never", "--diagnostics", "full"]
        for name in names:
            command += ["-h", name]
        if self.options.verbose:
            print(" ".join(command))
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                timeout=self.options.timeout + 60, check=False)
        if result.returncode != 0:
            raise Failure(f"{self.options.config} does not start:\n{(result.stderr or result.stdout).strip()}")
        values, name = {}, None
        for line in result.stdout.split("\n"):
            match = re.fullmatch(r"(\S+)\.(class|config|ports|table):", line)
            if match:
                name = (match[1], match[2])
                values[name] = []
            elif name:
                values[name].append(line)
        return {key: "\n".join(lines).strip("\n") for key, lines in values.items()}

    def extend(self, statements):
        """The configuration with more at its end, in a file beside the derived system files."""
        self.config = os.path.join(self.directory, os.path.basename(self.options.config))
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(self.text + "\n\n// What measuring it adds.\n" + "".join(f"{one};\n" for one in statements))

    def choose(self, receiving):
        """Destinations for each port, and a configuration that knows the neighbours."""
        options = self.options
        statements = self.named_addresses()
        if options.destinations == "space" or options.kind == "pcap":
            return {port: None for port in receiving}
        if options.destinations != "routes":
            prefixes = [prefix.strip() for prefix in options.destinations.split(",") if prefix.strip()]
            for prefix in prefixes:
                try:
                    ipaddress.ip_network(prefix, strict=False)
                except ValueError:
                    raise Failure(f"--destinations: '{prefix}' is no prefix; there are also routes and space")
            return {port: prefixes for port in receiving}
        ways, neighbours = self.ways()
        if neighbours:
            writes = [f"write {querier}.insert {address} {NEIGHBOUR}" for querier, address in sorted(neighbours)]
            statements.append("Script(" + ",\n       ".join(writes) + ")")
            self.extend(statements)
        if not ways:
            if self.graph.lookups():
                self.system.note("no route of the router leads to a port, so destinations are all addresses")
            return {port: None for port in receiving}
        chosen = {}
        for port in receiving:
            others = [prefixes for prefixes, outs in ways if outs != {port}]
            prefixes = [prefix for one in others or [prefixes for prefixes, _ in ways] for prefix in one]
            chosen[port] = prefixes
        return chosen

    def ways(self):
        """Pairs of destinations (prefixes, as many for each route) and the ports that they leave by; and
        which addresses are to be known to which ARPQuerier."""
        rng = random.Random(self.options.seed)
        routes = [route for route in self.graph.routes(self.system.ports) if route[2]]
        families = {"ipv4": (4,), "ipv6": (6,)}.get(self.options.kind, (4, 6))
        routes = [route for route in routes if route[0].version in families]
        if len(routes) > MOST_PREFIXES:
            routes = rng.sample(routes, MOST_PREFIXES)
        copies = max(1, min(HOSTS, MOST_PREFIXES // max(1, len(routes))))
        hosts = {route[0] for route in self.graph.all_routes if route[0].num_addresses == 1}
        direct = any(gateway is None and queriers for _, gateway, _, queriers in routes)
        ways, neighbours = [], set()
        for prefix, gateway, outs, queriers in routes:
            if gateway is None and queriers:
                prefixes = []
                while len(prefixes) < min(copies, max(1, prefix.num_addresses // 2)):
                    offset = rng.randrange(1, prefix.num_addresses - 1) if prefix.num_addresses > 2 else \
                        rng.randrange(prefix.num_addresses)
                    host = ipaddress.ip_network(prefix.network_address + offset)
                    if host not in hosts or prefix.num_addresses <= 2:
                        prefixes.append(str(host))
                        neighbours |= {(querier, str(host.network_address)) for querier in queriers}
                prefixes = (prefixes * copies)[:copies]
            else:
                prefixes = [str(prefix)] * (copies if direct else 1)
                neighbours |= {(querier, gateway) for querier in queriers}
            ways.append((prefixes, outs))
        return ways, neighbours


class Graph:
    """The elements, and where their outputs lead."""

    def __init__(self, handlers):
        self.classes = {name: value for (name, what), value in handlers.items() if what == "class"}
        self.configs = {name: value for (name, what), value in handlers.items() if what == "config"}
        self.tables = {}
        self.outputs = {name: self.read_ports(value) for (name, what), value in handlers.items()
                        if what == "ports"}
        self.all_routes = []

    @staticmethod
    def read_ports(text):
        """For each output, the elements that it is connected to."""
        lines = text.split("\n")
        inputs = int(lines[0].split()[0]) if lines and lines[0] else 0
        outputs = lines[inputs + 2:]
        return [re.findall(r"\[\d+\] ([^\s,]+)", line) for line in outputs]

    def take_tables(self, handlers):
        self.tables = {name: value for (name, what), value in handlers.items() if what == "table"}

    def lookups(self):
        return [name for name, kind in self.classes.items() if LOOKUPS.fullmatch(kind)]

    def port_of(self, name):
        return self.configs.get(name, "").split(",")[0].strip().removeprefix("PORT ").strip(' "')

    def ports_of(self, classes):
        return {self.port_of(name) for name, kind in self.classes.items() if kind in classes}

    def leads_to(self, lookup, output):
        """The ports and the ARPQueriers that packets meet behind an output, until the next lookup."""
        ports, queriers, seen = set(), set(), set()
        outputs = self.outputs.get(lookup, [])
        pending = list(outputs[output]) if output < len(outputs) else []
        while pending:
            name = pending.pop()
            if name in seen or LOOKUPS.fullmatch(self.classes.get(name, "")):
                continue
            seen.add(name)
            kind = self.classes.get(name, "")
            if kind in SENDERS:
                ports.add(self.port_of(name))
            if kind == "ARPQuerier":
                queriers.add(name)
            # Errors about a packet go elsewhere than the packet.
            if kind != "ICMPError":
                pending += [to for one in self.outputs.get(name, []) for to in one]
        return ports, queriers

    def routes(self, port_names):
        """(prefix, gateway or None, ports, ARPQueriers) of all routes of all lookups."""
        result, known = [], {}
        for lookup in self.lookups():
            for line in self.tables.get(lookup, "").split("\n"):
                words = line.split()
                if len(words) < 3 or not words[-1].isdigit():
                    continue
                try:
                    prefix = ipaddress.ip_network(words[0], strict=False)
                except ValueError:
                    continue
                output = int(words[-1])
                if self.classes[lookup] == "IPlookup":  # NBA's: the number is the port's
                    outs = {port_names[output]} if output < len(port_names) else set()
                    queriers = set()
                else:
                    if (lookup, output) not in known:
                        known[lookup, output] = self.leads_to(lookup, output)
                    outs, queriers = known[lookup, output]
                gateway = None if words[1] in ("-", "0.0.0.0", "::") or ":" in words[1] else words[1]
                result.append((prefix, gateway, outs, queriers))
        self.all_routes = result
        return result
