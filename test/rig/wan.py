"""A slow line to some hosts, each in a network namespace of its own, for kernels without netem. Needs root.

wan.py HOST_FOLDER...: starts an sshd with the sshd_config of each folder, at 10.77.0.1, 10.77.0.2 and so on. This process
itself is in the namespace of the client, 10.77.0.254. Each line of its input is an order: "rtt MS", "loss PERCENT",
"cut HOST" or "heal HOST", where HOST is a number from 1 on, or "all". It answers "ok". Everything ends with its input.
"""

import ctypes
import fcntl
import heapq
import os
import random
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000
SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFFLAGS = 0x8916, 0x891C, 0x8914
IFF_UP, IFF_RUNNING = 0x1, 0x40
CLIENT = 254


def configure(control, name, address, mask):
    def sockaddr(text):
        return struct.pack('16sH2x4s8x', name, socket.AF_INET, socket.inet_aton(text))

    fcntl.ioctl(control, SIOCSIFADDR, sockaddr(address))
    fcntl.ioctl(control, SIOCSIFNETMASK, sockaddr(mask))
    fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack('16sH14x', name, IFF_UP | IFF_RUNNING))


def enter_namespace(number):
    """Moves this process into a new network namespace and returns the descriptor that carries its packets."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        sys.exit(f'no network namespace: {os.strerror(ctypes.get_errno())}')
    tun = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack('16sH22x', b'wan', IFF_TUN | IFF_NO_PI))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        configure(control, b'wan', f'10.77.0.{number}', '255.255.255.0')
        configure(control, b'lo', '127.0.0.1', '255.0.0.0')
    return tun


class Line:
    def __init__(self):
        self.half, self.loss, self.cut = 0.0, 0.0, set()

    def obey(self, order, hosts):
        word, value = order.split()
        if word == 'rtt':
            self.half = float(value) / 2000
        elif word == 'loss':
            self.loss = float(value) / 100
        else:
            changed = hosts if value == 'all' else {int(value)}
            self.cut = self.cut | changed if word == 'cut' else self.cut - changed
        print('ok', flush=True)


def carry(line, tuns):
    hosts = set(tuns) - {CLIENT}
    selector = selectors.DefaultSelector()
    for number, tun in tuns.items():
        selector.register(tun, selectors.EVENT_READ, number)
    selector.register(0, selectors.EVENT_READ, None)
    under_way, count = [], 0
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for key, _ in selector.select(wait):
            if key.data is None:
                orders = os.read(0, 4096).decode()
                if orders == '':
                    return
                for order in orders.splitlines():
                    line.obey(order, hosts)
                continue
            for _ in range(64):
                try:
                    packet = os.read(key.fd, 65536)
                except BlockingIOError:
                    break
                there = packet[19] if packet[0] >> 4 == 4 else None
                if there not in tuns or line.cut & {key.data, there} or random.random() < line.loss:
                    continue
                count += 1
                heapq.heappush(under_way, (time.monotonic() + line.half, count, there, packet))
        while under_way and under_way[0][0] <= time.monotonic():
            _, _, there, packet = heapq.heappop(under_way)
            try:
                os.write(tuns[there], packet)
            except OSError:
                pass  # A full queue loses packets, as on any line.


def main(folders):
    tuns, servers = {}, []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        for number, folder in enumerate(folders, 1):
            tuns[number] = enter_namespace(number)
            command = ['/usr/sbin/sshd', '-D', '-e', '-f', f'{folder}/sshd_config']
            with open(f'{folder}/sshd.log', 'w') as log:
                servers.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log))
        tuns[CLIENT] = enter_namespace(CLIENT)
        print('ok', flush=True)
        carry(Line(), tuns)
    finally:
        for server in servers:
            server.kill()


main(sys.argv[1:])
