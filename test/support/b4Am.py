"""Runs `b4 am` once for each line of standard input: a folder, a name for its files, and arguments, as JSON.

Each one runs in a process of its own, which has b4 loaded already: that takes most of the time.
"""

import json
import os
import sys

import b4.command
import b4.mbox


def run(folder, name, args):
    with open(os.path.join(folder, f'{name}.log'), 'wb') as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.argv = ['b4', '--no-stdin', '--no-interactive', 'am', '--no-cache', '-o', folder, '-n', f'{name}.mbx', *args]
    b4.command.cmd()


for line in sys.stdin:
    parts = json.loads(line)
    child = os.fork()
    if child == 0:
        try:
            run(*parts)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
    os.waitpid(child, 0)
