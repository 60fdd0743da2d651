"""A picture of a machine: the files of /proc, /sys and /dev that say what it has, in a directory."""

import os


class FakeMachine:
    """Healthy unless told otherwise: root, an IOMMU, 1,024 free hugepages, vfio-pci loaded, and two cards
    of Intel. 0000:03:00.0 is eth0 with the default route; 0000:04:00.0 is eth1, unused."""

    FLAGS = "fpu avx avx2 bmi1 bmi2 f16c fma movbe avx512f"

    def __init__(self, root, hugepages=1024, available_kb=16 << 20, user=0, capabilities=(1 << 41) - 1,
                 locked="unlimited", iommu=True):
        self.root = root
        self.write("proc/cpuinfo", f"processor\t: 0\nflags\t\t: {self.FLAGS}\n\n")
        self.write("proc/meminfo", f"MemTotal:       33554432 kB\nMemAvailable:   {available_kb} kB\n")
        self.write("proc/mounts", "none /dev/hugepages hugetlbfs rw 0 0\n")
        self.write("proc/self/status", f"Name:\theadroom\nUid:\t{user}\t{user}\t{user}\t{user}\n"
                                       f"CapEff:\t{capabilities:016x}\nCpus_allowed_list:\t0-3\n")
        self.write("proc/self/limits",
                   f"Limit                     Soft Limit           Hard Limit           Units\n"
                   f"Max locked memory         {locked}            {locked}            bytes\n")
        self.write("proc/net/route", "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
                                     "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
                                     "eth0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n")
        self.write("proc/net/ipv6_route", "")
        self.write("proc/net/if_inet6", "")
        self.write("sys/devices/system/cpu/isolated", "1-3\n")
        self.write("sys/devices/system/cpu/nohz_full", "1-3\n")
        for node in range(2):
            pool = f"sys/devices/system/node/node{node}/hugepages/hugepages-2048kB"
            self.write(f"{pool}/nr_hugepages", f"{hugepages // 2}\n")
            self.write(f"{pool}/free_hugepages", f"{hugepages // 2}\n")
        if iommu:
            os.makedirs(self.path("sys/class/iommu/dmar0"))
        self.iommu = iommu
        for driver in ("ixgbe", "vfio-pci"):
            os.makedirs(self.path(f"sys/bus/pci/drivers/{driver}"))
            for name in ("bind", "unbind"):
                self.write(f"sys/bus/pci/drivers/{driver}/{name}", "")
        self.write("sys/bus/pci/drivers_probe", "")
        self.write("sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "N\n")
        self.add_card("0000:03:00.0", "12", "ixgbe", "eth0")
        self.add_card("0000:04:00.0", "13", "ixgbe", "eth1")

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="ascii") as file:
            return file.read().strip()

    def link(self, name, target):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        if os.path.lexists(self.path(name)):
            os.unlink(self.path(name))
        os.symlink(target, self.path(name))

    def add_card(self, address, group, driver, interface):
        card = f"sys/bus/pci/devices/{address}"
        self.write(f"{card}/class", "0x020000\n")
        self.write(f"{card}/vendor", "0x8086\n")
        self.write(f"{card}/device", "0x10fb\n")  # 82599
        self.write(f"{card}/numa_node", "0\n")
        self.write(f"{card}/driver_override", "(null)\n")
        self.link(f"{card}/driver", f"../../drivers/{driver}")
        if self.iommu:
            os.makedirs(self.path(f"sys/kernel/iommu_groups/{group}/devices"), exist_ok=True)
            self.link(f"{card}/iommu_group", f"../../../../kernel/iommu_groups/{group}")
        if interface:
            os.makedirs(self.path(f"{card}/net/{interface}"))
            self.write(f"sys/class/net/{interface}/mtu", "1500\n")
            self.write(f"sys/class/net/{interface}/operstate", "up\n")
            self.write(f"sys/class/net/{interface}/carrier", "1\n")
            self.write(f"sys/class/net/{interface}/speed", "10000\n")

    def bind_to_vfio(self, address):
        """As the kernel leaves it behind: another driver, no interface, a device node."""
        card = f"sys/bus/pci/devices/{address}"
        group = os.path.basename(os.readlink(self.path(f"{card}/iommu_group")))
        self.link(f"{card}/driver", "../../drivers/vfio-pci")
        for interface in os.listdir(self.path(f"{card}/net")):
            os.rmdir(self.path(f"{card}/net/{interface}"))
        self.write(f"dev/vfio/{group}", "")
        os.chmod(self.path(f"dev/vfio/{group}"), 0o600)

    def add_process(self, number, name, opened):
        self.write(f"proc/{number}/comm", f"{name}\n")
        self.link(f"proc/{number}/fd/7", opened)
