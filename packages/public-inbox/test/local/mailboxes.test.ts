import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import {
	appendFileSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LocalList, mailboxAt } from 'public-inbox/local/localList.ts';
import type { AskIndex } from 'public-inbox/local/mailSource.ts';
import { generatedMails, mailboxOfMails } from '../../../../test/support/generatedMails.ts';
import { found, localPlace, mail, mbox, never, refreshed, textsOf } from '../../../../test/support/localMailbox.ts';

const mmdfLine = '\x01\x01\x01\x01\n';

suite('a mailbox on this machine', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let path: string;
	setup(() => {
		place = localPlace();
		path = join(place.folder, 'mails.mbox');
	});
	teardown(() => place.remove());

	test('gives every generated mail byte by byte, from a file and from a maildir', async () => {
		const mails = [...generatedMails(300)];
		writeFileSync(path, mailboxOfMails(mails));
		const list = await place.read(path);
		for (const { messageId, bytes } of mails) {
			const [text, ...others] = await textsOf(list, messageId);
			assert.equal(text, bytes.toString('latin1'));
			assert.equal(others.length, 0);
		}
		const { total, rows } = await list.search({ query: '', from: 0, rows: 10 }, never);
		assert.deepEqual(
			[total, rows.map(({ messageId }) => messageId)],
			[
				300,
				mails
					.toReversed()
					.slice(0, 10)
					.map(({ messageId }) => messageId),
			],
		);
	});

	test('undoes the quoting of mailboxes once, in both kinds of it and with any line ends', async () => {
		const body = 'From the start\n>From a quote\n>>From deeper\n> From else\n';
		writeFileSync(path, mbox(mail('rd', {}, body), mail('next')));
		const list = await place.read(path);
		assert.ok((await textsOf(list, '<rd@x>'))[0]?.endsWith(`\n\n${body}`));
		// mboxo quotes no quoted line.
		const crlf = join(place.folder, 'crlf.mbox');
		const separator = 'From alice@x Thu Jan  1 00:00:00 1970\n';
		const quoted = `${separator}${mail('o').toString()}>From one\nFrom me, at 12:30 in 2026.\n\n${separator}${mail('p').toString()}\n`;
		writeFileSync(crlf, quoted.replaceAll('\n', '\r\n'));
		const other = localPlace();
		const windows = await other.read(crlf);
		assert.deepEqual(await textsOf(windows, '<o@x>'), [
			`${/Message-ID/.test(quoted) ? quoted.slice(separator.length, quoted.indexOf('>From')) : ''}From one\nFrom me, at 12:30 in 2026.\n`.replaceAll(
				'\n',
				'\r\n',
			),
		]);
		assert.equal((await found(windows, '')).length, 2);
		await other.remove();
	});

	test('takes no line of a text for the start of a mail', async () => {
		const lines = [
			'From here on, see below:',
			'From me to you 10:20 2026',
			'Not-a: header',
			'',
			'From now on at 10:20 in 2026',
			'we meet.',
			'',
			'From : somebody 10:20:30 2026',
			'X: y',
			'',
		];
		writeFileSync(
			path,
			Buffer.concat([Buffer.from('From a@b Thu Jan  1 00:00:00 1970\n'), mail('only', {}, lines.join('\n'))]),
		);
		const list = await place.read(path);
		assert.deepEqual(await found(list, ''), ['only@x']);
		assert.ok((await textsOf(list, '<only@x>'))[0]?.includes('X: y'));
	});

	test('reads mails that were appended, and the whole of one that was half written', async () => {
		const [one, two, three] = [mail('one'), mail('two', {}, 'The end is missing here.\n'), mail('three')];
		const whole = mbox(one, two);
		writeFileSync(path, whole.subarray(0, -8));
		const list = await place.read(path);
		assert.deepEqual(await found(list, 'missing'), ['two@x']);
		assert.deepEqual(await found(list, 'here'), []);
		appendFileSync(path, Buffer.concat([whole.subarray(-8), mbox(three)]));
		assert.equal(await refreshed(list), 2);
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x', 'one@x']);
		assert.deepEqual(await found(list, 'here'), ['two@x']);
		assert.equal(await refreshed(list), 0);
	});

	test('reads a file anew after somebody removed or changed mails in it', async () => {
		const mails = ['one', 'two', 'three', 'four'].map((id) => mail(id));
		writeFileSync(path, mbox(...mails));
		const list = await place.read(path);
		writeFileSync(path, mbox(...mails.slice(1), mail('five')));
		await refreshed(list);
		assert.deepEqual(await found(list, ''), ['five@x', 'four@x', 'three@x', 'two@x']);
		assert.equal((await textsOf(list, '<three@x>')).length, 1);
	});

	test('keeps both texts under one Message-ID, and equal ones once', async () => {
		const one = mail('twin', {}, 'First text.\n');
		const other = Buffer.from(one.toString().replace('First', 'Second'));
		writeFileSync(path, mbox(one, other, one, mail('', { 'Message-ID': '', Subject: 'nameless' })));
		const list = await place.read(path);
		assert.deepEqual((await textsOf(list, '<twin@x>')).toSorted(), [one.toString(), other.toString()].toSorted());
		assert.equal((await found(list, 's:nameless')).length, 1);
		assert.match((await found(list, 's:nameless'))[0] ?? '', /^[0-9a-f]{40}@z$/);
	});

	test('reads mails of strangers: NUL bytes, one endless line, 17 MB, odd dates', async () => {
		const nul = mail('nul', { Subject: 'zero \0 byte' }, 'before\0after word\n');
		const endless = mail('endless', {}, `start ${'From '.repeat(600_000)}`);
		const large = mail('large', {}, `beginning\n${'x'.repeat(79)}\n`.repeat(200_000));
		const old = mail('old', { Date: 'Thu, 1 Jan 1970 00:00:01 +0000' });
		const future = mail('future', { Date: 'Tue, 1 Jan 2030 00:00:00 +0000' });
		const dateless = mail('dateless', { Date: 'someday' });
		const html = mail('html', { 'Content-Type': 'text/html' }, '<b>markup</b>\n');
		const all = [nul, endless, large, old, future, dateless, html, Buffer.from('no head at all')];
		writeFileSync(path, mbox(...all));
		const list = await place.read(path);
		assert.equal((await found(list, '')).length, all.length);
		for (const [query, id] of [
			['after', 'nul@x'],
			['start', 'endless@x'],
			['beginning', 'large@x'],
			['d:..19700102', 'old@x'],
			['d:20291231..', 'future@x'],
			['markup', 'html@x'],
		] as const) {
			assert.deepEqual(await found(list, query), [id], query);
		}
		assert.deepEqual(await textsOf(list, '<large@x>'), [large.toString('latin1')]);
		assert.deepEqual(await textsOf(list, '<nul@x>'), [nul.toString('latin1')]);
	});

	for (const [title, written] of [
		['an mbox of two gzip members', (mails) => Buffer.concat(mails.map((each) => gzipSync(mbox(each))))],
		['MMDF', (mails) => Buffer.concat(mails.map((each) => Buffer.from(`${mmdfLine}${each.toString()}${mmdfLine}`)))],
		[
			'an mbox of Thunderbird',
			(mails) => Buffer.concat(mails.map((each) => Buffer.from(`From \n${each.toString()}\n`))),
		],
		[
			'an mbox with CR alone',
			(mails) =>
				Buffer.from(
					mbox(...mails)
						.toString('latin1')
						.replaceAll('\n', '\r'),
					'latin1',
				),
		],
		[
			'patches of git',
			(mails) =>
				Buffer.from(
					mails.map((each) => `From ${'a1'.repeat(20)} Mon Sep 17 00:00:00 2001\n${each.toString()}\n`).join(''),
				),
		],
	] as readonly (readonly [string, (mails: readonly Buffer[]) => Buffer])[]) {
		test(`gives the mails of ${title}, also after a change`, async () => {
			const [one, two, three] = [mail('one', {}, '>From a quote\n'), mail('two'), mail('three')];
			writeFileSync(path, written([one, two]));
			const list = await place.read(path);
			const first = one.toString().replace('>From', title.endsWith('Thunderbird') ? 'From' : '>From');
			assert.deepEqual(await textsOf(list, '<one@x>'), [first]);
			assert.deepEqual(await textsOf(list, '<two@x>'), [two.toString()]);
			writeFileSync(path, written([one, two, three]));
			await refreshed(list);
			assert.deepEqual(await found(list, ''), ['three@x', 'two@x', 'one@x']);
			assert.deepEqual(await textsOf(list, '<three@x>'), [three.toString()]);
			assert.equal(await refreshed(list), 0);
		});
	}

	test('gives the mail of a single file, and those of a folder of messages', async () => {
		const folder = join(place.folder, 'messages');
		mkdirSync(folder);
		writeFileSync(join(folder, 'one.eml'), `\ufeff${mail('one').toString()}`);
		writeFileSync(join(folder, '2'), mail('two'));
		writeFileSync(
			join(folder, '0001-three.patch'),
			`From ${'a1'.repeat(20)} Mon Sep 17 00:00:00 2001\n${mail('three').toString()}`,
		);
		for (const [name, content] of [
			['0002-diff.patch', 'diff --git a/a b/a\n'],
			['notes.txt', mail('notes')],
			['.four.eml', mail('four')],
		] as const) {
			writeFileSync(join(folder, name), content);
		}
		const list = await place.read(folder);
		assert.deepEqual((await found(list, '')).toSorted(), ['one@x', 'three@x', 'two@x']);
		assert.ok((await textsOf(list, '<three@x>'))[0]?.startsWith('From: Alice'));
		assert.ok((await textsOf(list, '<one@x>'))[0]?.startsWith('From: Alice'));
		rmSync(join(folder, '2'));
		writeFileSync(join(folder, '3'), mail('other'));
		await refreshed(list);
		assert.deepEqual((await found(list, '')).toSorted(), ['one@x', 'other@x', 'three@x']);
		const single = localPlace();
		assert.deepEqual(await found(await single.read(join(folder, 'one.eml')), ''), ['one@x']);
		await single.remove();
	});

	test('goes on in an mbox with Content-Length, whose texts have separators', async () => {
		const inside = `Text.\n\nFrom a@b Thu Jan  1 00:00:00 1970\nSubject: inside\n\n>From a quote\n`;
		const all = ['one', 'two', 'three'].map((id) => mail(id, { 'Content-Length': String(inside.length) }, inside));
		const written = (mails: readonly Buffer[]): string =>
			mails.map((each) => `From a@b Thu Jan  1 00:00:00 1970\n${each.toString()}\n`).join('');
		writeFileSync(path, written(all.slice(0, 2)));
		const list = await place.read(path);
		appendFileSync(path, written(all.slice(2)));
		assert.equal(await refreshed(list), 2);
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x', 'one@x']);
		assert.deepEqual(await textsOf(list, '<three@x>'), [all[2]?.toString()]);
	});

	test('refuses a packed file that is cut, or a bomb, or no mailbox', async () => {
		const packed = gzipSync(mbox(...[...generatedMails(50)].map(({ bytes }) => bytes)));
		const bomb = Array.from({ length: 6 }, () => gzipSync(Buffer.alloc(16 * 1024 * 1024)));
		for (const [content, trouble] of [
			[packed.subarray(0, -100), 'damaged'],
			[Buffer.concat([gzipSync(mbox(mail('one'))), ...bomb]), 'damaged'],
			[gzipSync('no mails here'), 'noMailbox'],
		] as const) {
			writeFileSync(path, content);
			await assert.rejects(place.read(path), { name: 'MailboxError', trouble });
		}
	});

	test('refuses files and folders that hold no mails', async () => {
		for (const [name, content] of [
			['picture', '\x89PNG\n\nFrom a@b Thu Jan  1 00:00:00 1970\nSubject: x\n'],
			['prose', 'From the desk of somebody\n'],
		] as const) {
			writeFileSync(join(place.folder, name), content);
			await assert.rejects(place.read(join(place.folder, name)), { trouble: 'noMailbox' });
		}
		await assert.rejects(place.read(place.folder), { trouble: 'noMailbox' });
		await assert.rejects(place.read(join(place.folder, 'nothing')), { trouble: 'noMailbox' });
		execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.folder, 'pipe')]);
		await assert.rejects(place.read(join(place.folder, 'pipe')), { trouble: 'noMailbox' });
	});

	test('follows a maildir: new flags, removals, changed files, and nothing behind links', async () => {
		const maildir = place.maildir();
		const put = (name: string, bytes: Buffer): void => writeFileSync(join(maildir, name), bytes);
		put('new/1.a.host', mail('one'));
		put('cur/2.b.host:2,S', mail('two'));
		put('tmp/3.c.host', mail('unfinished'));
		const secret = join(place.folder, 'secret');
		writeFileSync(secret, mail('secret'));
		symlinkSync(secret, join(maildir, 'cur/4.d.host:2,'));
		symlinkSync(place.folder, join(maildir, 'new/5.e.host'));
		mkdirSync(join(maildir, 'cur/6.f.host'));
		const list = await place.read(maildir);
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
		renameSync(join(maildir, 'new/1.a.host'), join(maildir, 'cur/1.a.host:2,RS'));
		assert.equal((await textsOf(list, '<one@x>'))[0]?.includes('Subject of one'), true);
		assert.equal(await refreshed(list), 0);
		rmSync(join(maildir, 'cur/2.b.host:2,S'));
		put('cur/1.a.host:2,RS', mail('changed'));
		utimesSync(join(maildir, 'cur/1.a.host:2,RS'), 1, 1);
		assert.equal(await refreshed(list), 1);
		assert.deepEqual(await found(list, ''), ['changed@x']);
		assert.deepEqual(await textsOf(list, '<two@x>'), []);
	});

	test('looks at a maildir again only after a change, or without its index', async () => {
		const maildir = place.maildir();
		const put = (name: string): void => writeFileSync(join(maildir, `cur/${name}.host`), mail(name));
		/** As if nothing had changed since then. */
		const settle = (seconds: number): void =>
			['new', 'cur'].forEach((name) => utimesSync(join(maildir, name), seconds, seconds));
		const asked: string[] = [];
		const ask: AskIndex = (question, signal) => {
			asked.push(question.kind);
			return place.ask(question, signal);
		};
		const list = new LocalList(await mailboxAt(maildir, () => 10_000_000), ask, place.file, () => 10_000_000);
		const looks = async (): Promise<boolean> => {
			asked.length = 0;
			await refreshed(list);
			return asked.includes('unknown');
		};
		put('one');
		settle(1);
		assert.deepEqual([await looks(), await looks()], [true, false]);
		put('two');
		settle(2);
		assert.deepEqual([await looks(), await looks()], [true, false]);
		// The next mail may come in the same moment.
		settle(9999);
		assert.deepEqual([await looks(), await looks()], [true, true]);
		settle(3);
		await looks();
		await place.ask({ kind: 'close', file: place.file }, never);
		rmSync(place.file);
		assert.equal(await looks(), true);
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
	});

	test('reads files of a maildir whose names are no UTF-8', async function () {
		const maildir = place.maildir();
		const name = Buffer.concat([Buffer.from(`${maildir}/cur/1.\xe9`, 'latin1'), Buffer.from('\xff:2,S', 'latin1')]);
		writeFileSync(name, mail('odd'));
		if (!readdirSync(join(maildir, 'cur'), { encoding: 'buffer' }).some((each) => each.includes(0xff))) {
			// Some systems store other names.
			this.skip();
		}
		const list = await place.read(maildir);
		assert.equal((await textsOf(list, '<odd@x>'))[0]?.includes('Subject of odd'), true);
	});
});
