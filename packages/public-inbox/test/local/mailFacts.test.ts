import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { mailFacts } from '../../src/local/mailFacts.ts';
import { mail } from '../../../../test/support/localMailbox.ts';

const date = 'Fri, 01 May 2026 10:00:00 +0000';
const dateMs = Date.UTC(2026, 4, 1, 10);
const long = (length: number): string => `<${'i'.repeat(length - 4)}@x>`;
const base64 = (text: string): string => `${Buffer.from(text).toString('base64')}\n`;

const multipart = (...parts: readonly string[]): string => `${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`;
const mixed = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' };

function diff(name: string, before: string, after: string): string {
	return `diff --git a/${name} b/${name}\nindex ${before}..${after} 100644\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;
}

suite('facts of a mail for the index', () => {
	for (const [field, id] of [
		['<a@x>', '<a@x>'],
		['a@x', '<a@x>'],
		['  a@x ', '<a@x>'],
		['<a b@x>', '<a b@x>'],
		['<a@x> <b@x>', '<a@x>'],
		['(a comment) <a@x>', '<a@x>'],
		['<a/b%"\'+=@x>', '<a/b%"\'+=@x>'],
		[long(244), long(244)],
		[long(245), undefined],
		['', undefined],
		[' ', undefined],
	] as const) {
		test(`reads the Message-ID ${field.slice(0, 20)} of ${field.length} letters`, async () => {
			const { messageId, digest } = await mailFacts(mail('other', { 'Message-ID': field }));
			assert.equal(messageId, id ?? `<${digest}@z>`);
			assert.match(digest, /^[0-9a-f]{40}$/);
		});
	}

	for (const [title, head, parent, references] of [
		['none', {}, undefined, []],
		['its references', { References: '<a@x> <b@x>' }, '<b@x>', ['<a@x>', '<b@x>']],
		['In-Reply-To first', { References: '<a@x>', 'In-Reply-To': '<c@x>' }, '<c@x>', ['<a@x>', '<c@x>']],
		['one of both once', { References: '<a@x> <a@x>', 'In-Reply-To': '<a@x>' }, '<a@x>', ['<a@x>']],
		['others than itself', { References: '<a@x> <self@x>' }, '<a@x>', ['<a@x>']],
		['ids of 244 letters at most', { References: `${long(244)} ${long(245)}` }, long(244), [long(244)]],
	] as const) {
		test(`reads ancestors: ${title}`, async () => {
			const facts = await mailFacts(mail('self', head));
			assert.deepEqual([facts.parentId, facts.references], [parent, references]);
		});
	}

	test('keeps the newest 200 ancestors', async () => {
		const all = Array.from({ length: 205 }, (_, at) => `<${at}@x>`);
		const { references } = await mailFacts(mail('self', { References: all.join('\n ') }));
		assert.deepEqual(references, all.slice(5));
	});

	for (const [title, head, sentMs, receivedMs] of [
		['both', { Date: date, Received: `from a; by b;  ${date.replace('10:00', '11:30')} ` }, dateMs, dateMs + 5_400_000],
		['no receipt', { Date: date }, dateMs, dateMs],
		['a receipt without a time', { Date: date, Received: 'from a by b' }, dateMs, dateMs],
		['a receipt at no time', { Date: date, Received: 'from a by b; someday' }, dateMs, dateMs],
		['no date', { Date: '', Received: `by b; ${date}` }, undefined, dateMs],
		['nothing', { Date: 'someday' }, undefined, 0],
		['the first day of all', { Date: 'Thu, 1 Jan 1970 00:00:01 +0000' }, 1000, 1000],
		['a time before it', { Date: 'Thu, 1 Jan 1970 00:00:01 +0200' }, 1000 - 7_200_000, 1000 - 7_200_000],
		['the year 2030', { Date: 'Tue, 1 Jan 2030 00:00:00 +0000' }, Date.UTC(2030, 0), Date.UTC(2030, 0)],
	] as const) {
		test(`reads times: ${title}`, async () => {
			const facts = await mailFacts(mail('a', head));
			assert.deepEqual([facts.sentMs, facts.receivedMs], [sentMs, receivedMs]);
		});
	}

	for (const [from, author, address] of [
		['Bob B <bob@x>', 'Bob B', 'bob@x'],
		['bob@x', 'bob@x', 'bob@x'],
		['', '', ''],
	] as const) {
		test(`reads the author ${from === '' ? 'nobody' : from}`, async () => {
			const facts = await mailFacts(mail('a', { From: from }));
			assert.deepEqual([facts.author, facts.address], [author, address]);
		});
	}

	test('reads everybody with name and address', async () => {
		const { texts } = await mailFacts(mail('a', { To: 'Bob <bob@x>, carol@x', Cc: 'Dan <dan@x>' }));
		assert.deepEqual([texts.from, texts.to, texts.cc], ['Alice alice@example.org', 'Bob bob@x\n carol@x', 'Dan dan@x']);
	});

	for (const [body, unquoted, quoted] of [
		['own\n', 'own\n', ''],
		['> theirs\nown\n', 'own\n', '> theirs\n'],
		['own\n> theirs\n\nown > too\n>> end', 'own\n\nown > too\n', '> theirs\n>> end'],
	] as const) {
		test(`separates quoted lines of ${JSON.stringify(body)}`, async () => {
			const { texts } = await mailFacts(mail('a', {}, body));
			assert.deepEqual([texts.unquoted.trimEnd(), texts.quoted.trimEnd()], [unquoted.trimEnd(), quoted.trimEnd()]);
		});
	}

	test('reads paths, blobs and the id of a patch once', async () => {
		const patch = diff('one.ts', '1111111', '2222222') + diff('two.ts', '1111111', '3333333');
		const { texts } = await mailFacts(mail('a', {}, `Words.\n---\n${patch}`));
		assert.deepEqual([texts.paths, texts.oldBlobs, texts.newBlobs], ['one.ts\ntwo.ts', '1111111', '2222222\n3333333']);
		assert.match(texts.patchIds, /^[0-9a-f]{40}$/);
		for (const body of [
			'Words.\n',
			'See a diff --git a/one b/one\n',
			'Words.\n--- \nno diff\n',
			`> ${patch.replaceAll('\n', '\n> ')}`,
		]) {
			const { texts: none } = await mailFacts(mail('a', {}, body));
			assert.deepEqual([none.paths, none.oldBlobs, none.newBlobs, none.patchIds], ['', '', '', ''], body);
		}
	});

	for (const [body, ids] of [
		['change-id: a-1\n', 'a-1'],
		['Change-Id:\t b \t\ntext\nchange-id:c\nchange-id: b\n', 'b\nc'],
		['its change-id: a-1\n', ''],
		['change-id: a b\n', ''],
		[`change-id: ${'x'.repeat(201)}\n`, ''],
	] as const) {
		test(`finds change-ids in ${JSON.stringify(body).slice(0, 60)}`, async () => {
			assert.equal((await mailFacts(mail('a', {}, body))).texts.changeIds, ids);
		});
	}

	test('searches texts and names of attachments', async () => {
		const attached =
			'Content-Type: text/x-log; name=boot.log\nContent-Disposition: attachment; filename=boot.log\n\nkernel panic\n';
		const patch = `Content-Type: text/x-patch\nContent-Disposition: attachment; filename=fix.patch\n\n${diff('one.ts', '1111111', '2222222')}`;
		const { texts } = await mailFacts(
			mail('a', mixed, multipart('Content-Type: text/plain\n\nSee below.\n', attached, patch)),
		);
		for (const words of ['See below.', '\nboot.log\nkernel panic', '\nfix.patch\ndiff --git']) {
			assert.ok(texts.unquoted.includes(words), JSON.stringify([words, texts.unquoted]));
		}
		assert.equal(texts.paths, 'one.ts');
	});

	test('reads other charsets and encodings', async () => {
		const head = {
			'MIME-Version': '1.0',
			'Content-Type': 'text/plain; charset=iso-8859-15',
			Subject: '=?utf-8?b?w4l0w6k=?=',
		};
		const latin = await mailFacts(mail('a', head, 'd\xe9j\xe0 vu \xa4\n'));
		assert.deepEqual([latin.subject, latin.texts.unquoted.trimEnd()], ['Été', 'déjà vu €']);
		const utf8 = {
			'MIME-Version': '1.0',
			'Content-Type': 'text/plain; charset=utf-8',
			'Content-Transfer-Encoding': 'base64',
		};
		const encoded = await mailFacts(mail('a', utf8, base64('déjà > vu\n> là\n')));
		assert.deepEqual([encoded.texts.unquoted, encoded.texts.quoted.trimEnd()], ['déjà > vu\n', '> là']);
	});

	test('keeps the head of a mail that no parser reads, and its body as plain text', async () => {
		const deep = Array.from({ length: 40 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`);
		const head = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed;\n boundary=b', Cc: 'Bob <bob@x>' };
		const facts = await mailFacts(mail('deep', head, `--b\n${deep.join('')}\nwords inside\n`));
		assert.deepEqual(
			[facts.messageId, facts.subject, facts.author, facts.texts.cc],
			['<deep@x>', 'Subject of deep', 'Alice', 'Bob bob@x'],
		);
		assert.ok(facts.texts.unquoted.startsWith('--b\n'));
		assert.ok(facts.texts.unquoted.includes('words inside'));
	});

	test('reads a text without a head as words of nobody', async () => {
		const bytes = Buffer.from('no head at all\n');
		const { digest, ...facts } = await mailFacts(bytes);
		const none = {
			subject: '',
			from: '',
			to: '',
			cc: '',
			quoted: '',
			removed: '',
			added: '',
			context: '',
			hunkHeads: '',
			attachments: '',
			lists: '',
			paths: '',
			oldBlobs: '',
			newBlobs: '',
			patchIds: '',
			changeIds: '',
		};
		assert.deepEqual(facts, {
			messageId: `<${digest}@z>`,
			subject: '',
			author: '',
			address: '',
			sentMs: undefined,
			receivedMs: 0,
			parentId: undefined,
			references: [],
			texts: { ...none, unquoted: 'no head at all\n' },
		});
	});

	test('indexes the beginning of a longer mail', async () => {
		const bytes = mail('long', {}, `${'first word\n'.repeat(48_000)}last\n`);
		const { texts } = await mailFacts(bytes);
		assert.ok(texts.unquoted.startsWith('first word\n'));
		assert.ok(!texts.unquoted.includes('last'));
	});
});
