"""Prints the series that b4's library finds in the mails on standard input, and each mail's facts, as JSON.

The input is a JSON list of sizes on one line, then the mails. Nothing is fetched, and no signature is checked.
"""

import email
import email.policy
import json
import logging
import re
import resource
import sys

import b4

b4.can_network = False
b4.MAIN_CONFIG = {'attestation-policy': 'off'}
logging.disable(logging.CRITICAL)


def read_mails():
    sizes = json.loads(sys.stdin.buffer.readline())
    return [email.message_from_bytes(sys.stdin.buffer.read(size), policy=b4.emlpolicy) for size in sizes]


def holds_diff(msg, lmsg):
    """Also in a later part, where b4 does not look."""
    if lmsg.has_diff:
        return True
    texts = [part.get_payload(decode=True) or b'' for part in msg.walk() if not part.is_multipart()]
    return any(re.search(rb'^(?:diff --git |\+\+\+ )', text, re.M) for text in texts)


def facts_of(msg, lmsg):
    return {
        'from': lmsg.fromemail.lower(),
        'name': lmsg.fromname,
        'subject': lmsg.full_subject,
        'revision': None if lmsg.revision_inferred else lmsg.revision,
        'index': lmsg.counter,
        'count': lmsg.expected,
        'isNumbered': not lmsg.counters_inferred,
        'isReply': lmsg.lsubject.reply,
        'hasDiff': holds_diff(msg, lmsg),
        'parent': lmsg.in_reply_to,
        'dateMs': int(lmsg.date.timestamp() * 1000),
    }


def threads_of(lmsgs):
    """Groups by In-Reply-To and References, in order of arrival."""
    above = {msgid: msgid for msgid in lmsgs}

    def root(msgid):
        while above[msgid] != msgid:
            above[msgid] = above[above[msgid]]
            msgid = above[msgid]
        return msgid

    places = {msgid: at for at, msgid in enumerate(lmsgs)}
    for msgid, (_, lmsg) in lmsgs.items():
        for named in lmsg.references:
            if named in lmsgs:
                one, other = root(msgid), root(named)
                older, newer = sorted((one, other), key=places.get)
                above[newer] = older
    threads = {}
    for msgid, (msg, _) in lmsgs.items():
        threads.setdefault(root(msgid), []).append(msg)
    return threads


def series_of(thread, msgs):
    box = b4.LoreMailbox()
    for msg in msgs:
        box.add_message(msg)
    for revision in sorted(box.series):
        found = box.get_series(revision)
        if found is None:
            continue
        cover = found.patches[0]
        yield {
            'thread': thread,
            'revision': revision,
            'isComplete': bool(found.complete),
            'isPartial': bool(found.partial_reroll),
            'cover': cover.msgid if cover is not None else None,
            'patches': [patch.msgid if patch is not None else None for patch in found.patches[1:]],
        }


def main():
    lmsgs = {}
    unread = []
    for msg in read_mails():
        try:
            lmsg = b4.LoreMessage(msg)
            lmsgs.setdefault(lmsg.msgid, (msg, lmsg))
        except Exception as error:
            unread.append(f'{msg.get("Message-Id")}: {error!r}')
    series = []
    for thread, msgs in threads_of(lmsgs).items():
        try:
            series.extend(series_of(thread, msgs))
        except Exception as error:
            unread.append(f'{thread}: {error!r}')
    json.dump(
        {
            'series': series,
            'mails': {msgid: facts_of(msg, lmsg) for msgid, (msg, lmsg) in lmsgs.items()},
            'unread': unread,
            'cpuMs': int(resource.getrusage(resource.RUSAGE_SELF).ru_utime * 1000),
        },
        sys.stdout,
    )


main()
