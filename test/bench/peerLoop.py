"""Repeats the work of a package: one run per line of input, answered with its milliseconds.

The first answer, before any input, is what the first run found. Usage: peerLoop.py PACKAGE ARGUMENT…
"""

import json
import logging
import sys
import time


def unidiff(path):
    from unidiff import PatchSet

    with open(path, encoding='utf-8', newline='') as file:
        text = file.read()

    def rows_of(found):
        def length(file):
            return sum(len(line.value) for hunk in file for line in hunk if line.line_type != '\\')

        return [[file.path, file.added, file.removed, length(file)] for file in found]

    return lambda: PatchSet(text), rows_of


def b4(*arguments):
    import b4.command

    # It prints advice for people.
    logging.disable(logging.CRITICAL)
    given = b4.command.setup_parser().parse_args(arguments)
    b4.setup_config(given)
    b4.can_network = False
    return lambda: given.func(given), lambda _: None


run, told_of = {'b4': b4, 'unidiff': unidiff}[sys.argv[1]](*sys.argv[2:])
print(json.dumps(told_of(run())), flush=True)
for _ in sys.stdin:
    began = time.perf_counter()
    made = run()
    print((time.perf_counter() - began) * 1000, flush=True)
