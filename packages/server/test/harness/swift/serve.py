"""Serves all of Swift's servers until one of them or this process ends: serve.py FOLDER ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT."""
import os
import signal
import sys

folder = sys.argv[1]

import swift.common.utils as utils

utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')

from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi

# The rings of one device.
for name, port in zip(('account', 'container', 'object'), sys.argv[2:]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1'})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + '.ring.gz'))


servers = []


def end(*_):
    for pid in servers:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except OSError:
            pass  # It is the one that has ended.
    os._exit(1)


signal.signal(signal.SIGTERM, end)
# Each server is forked from what is imported by now, which takes most of the time of a start.
for name in ('account', 'container', 'object', 'proxy'):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # It must be an absolute path; Swift cannot resolve a relative one.
        sys.exit(run_wsgi(os.path.join(folder, name + '.conf'), name + '-server'))
    servers.append(pid)
os.wait()
end()
