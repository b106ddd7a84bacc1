"""Writes the rings of a Swift with one device: prepare.py FOLDER ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT."""
import os
import sys

folder = sys.argv[1]

import swift.common.utils as utils

utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')

from swift.common.ring import RingBuilder

for name, port in zip(('account', 'container', 'object'), sys.argv[2:]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1'})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + '.ring.gz'))
