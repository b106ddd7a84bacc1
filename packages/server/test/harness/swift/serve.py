"""Serves one of Swift's servers: serve.py FOLDER NAME, with FOLDER as prepare.py made it."""
import os
import sys

folder, name = sys.argv[1:]

import swift.common.utils as utils

utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')

from swift.common.wsgi import run_wsgi

# It must be an absolute path; Swift cannot resolve a relative one.
sys.exit(run_wsgi(os.path.join(folder, name + '.conf'), name + '-server'))
