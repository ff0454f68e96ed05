"""Signs made-up mails with patatt and dkimpy, tampers with half of them, and prints them with both programs' verdicts.

signMails.py COUNT SEED
"""

import base64
import json
import os
import quopri
import random
import subprocess
import sys
import tempfile

import dkim
import patatt
from nacl.signing import SigningKey

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(SEED)


def run(*command, given=None):
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


signing = SigningKey.generate()
private = base64.b64encode(bytes(signing))
public = base64.b64encode(signing.verify_key.encode())
other = base64.b64encode(SigningKey.generate().verify_key.encode())
rsa = run('openssl', 'genrsa', '-traditional', '2048')
rsa_public = base64.b64encode(run('openssl', 'rsa', '-pubout', '-outform', 'DER', given=rsa))
keyring = {
    'ed25519/forge.test/zoe/default': public.decode(),
    'ed25519/forge.test/zoe/second': other.decode(),
}
records = {
    'r._domainkey.forge.test': 'v=DKIM1; k=rsa; p=' + rsa_public.decode(),
    'e._domainkey.forge.test': 'v=DKIM1; k=ed25519; p=' + public.decode(),
}

PEOPLE = ['Zoe Lee <zoe@forge.test>', '=?utf-8?q?Zo=C3=AB?= <zoe@forge.test>', '"Lee, Zoe" <zoe@forge.test>', 'zoe@forge.test']
SUBJECTS = [
    '[PATCH] one: two',
    '[PATCH v2 3/9] one:   two',
    'Re: [PATCH] one: x',
    '[PATCH] one: a long subject that goes on and on until\n it has to be folded',
    '=?UTF-8?B?w6AgbGEgY2FydGUgw6A=?=',
]
LINES = ['', 'Say it.', 'Two  blanks  ', '\tTab', 'Grüße à', ' . ', '> quoted', 'To: me']
HEADS_IN_TEXT = ['', '', '', 'From: Ann Other <ann@forge.test>\n\n', 'Subject: other\n\n']
PATCH = '---\n a | 2 +-\n\ndiff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b %d  \n-- \n2.39\n'
FORMS = [b'simple', b'relaxed']


def make_mail(number):
    heads = [
        'From: ' + chance.choice(PEOPLE),
        'Subject: ' + chance.choice(SUBJECTS),
        'Date: Fri, 20 Nov 2026 07:13:43 +0000',
        'To: list@forge.test',
        'MIME-Version: 1.0',
    ]
    if chance.random() < 0.8:
        heads.append('Message-ID: <m%d@forge.test>' % number)
    text = chance.choice(HEADS_IN_TEXT) + '\n'.join(chance.choice(LINES) for _ in range(chance.randrange(6))) + '\n'
    if chance.random() < 0.85:
        text += PATCH % chance.randrange(99)
    body = (text + '\n' * chance.randrange(3)).encode()
    encoding = chance.choice(['8bit', 'base64', 'quoted-printable'])
    heads += ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: ' + encoding]
    if encoding == 'base64':
        body = base64.encodebytes(body)
    elif encoding == 'quoted-printable':
        body = quopri.encodestring(body)
    chance.shuffle(heads)
    return ('\n'.join(heads) + '\n\n').encode() + body


def tampered(mail):
    head, body = mail.split(b'\n\n', 1)
    kind = chance.randrange(8)
    if kind == 0:
        body = body.replace(b'+b', b'+c').replace(b'K2Ig', b'K2Mg')
    elif kind == 1:
        head = head.replace(b'From: ', b'From: Eve ')
    elif kind == 2:
        head = head.replace(b'one:', b'won:')
    elif kind == 3:
        body += b'___\nlist footer\n'
    elif kind == 4:
        head = head.replace(b'To: list', b'To:  LIST')
    elif kind == 5:
        head = b'From: Eve <eve@forge.test>\n' + head
    elif kind == 6:
        body = body.replace(b'\n', b' \n', 1)
    else:
        at = head.rindex(b'b=') + chance.randrange(4, 60)
        head = head[:at] + (b'B' if head[at : at + 1] == b'A' else b'A') + head[at + 1 :]
    return head + b'\n\n' + body


def by_patatt(mail):
    identity = chance.choice([None, None, None, 'stranger@forge.test', 'zoe@forge.test'])
    selector = chance.choice([None, None, 'default', 'second', 'third'])
    return patatt.sign_message(mail, 'ed25519', private, identity, selector)


def by_dkim(mail):
    mail = mail.replace(b'\n', b'\r\n')
    selector, algorithm, key = chance.choice([(b'r', b'rsa-sha256', rsa), (b'e', b'ed25519-sha256', private)])
    if chance.random() < 0.1:
        selector = b'x'
    forms = (chance.choice(FORMS), chance.choice(FORMS))
    header = dkim.DKIM(mail).sign(selector, b'forge.test', key, signature_algorithm=algorithm, canonicalize=forms)
    return (header + mail).replace(b'\r\n', b'\n')


def key_record(name, timeout=5):
    return records.get(name.decode().rstrip('.'), '').encode() or None


def verdict_of(kind, mail, folder):
    try:
        if kind == 'dkim':
            return dkim.DKIM(mail.replace(b'\n', b'\r\n')).verify(dnsfunc=key_record)
        return patatt.validate_message(mail, [folder])[0][0] == patatt.RES_VALID
    except Exception:
        return False


with tempfile.TemporaryDirectory() as folder:
    for path, key in keyring.items():
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), 'w') as file:
            file.write(key)
    mails = []
    while len(mails) < COUNT:
        kind = 'dkim' if len(mails) % 2 else 'patatt'
        mail = make_mail(len(mails))
        try:
            mail = by_dkim(mail) if kind == 'dkim' else by_patatt(mail)
        except patatt.SigningError:
            continue
        if len(mails) // 2 % 2:
            mail = tampered(mail)
        mails.append({'kind': kind, 'isValid': verdict_of(kind, mail, folder), 'mail': mail.decode()})
    print(json.dumps({'keyring': keyring, 'records': records, 'mails': mails}, ensure_ascii=False, indent='\t'))
