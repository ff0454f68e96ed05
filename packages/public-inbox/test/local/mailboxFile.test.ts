import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { appendFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailboxFile } from '../../src/local/mailboxFile.ts';
import { IndexOfMailbox, type AskIndex } from '../../src/local/mailSource.ts';
import { found, localPlace, mail, mbox, never, refreshed, textsOf } from '../../../../test/support/localMailbox.ts';

const separator = 'From a@b Thu Jan  1 00:00:00 1970\n';
const mebibyte = 1024 * 1024;

suite('a mailbox in one file', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let path: string;
	setup(() => {
		place = localPlace();
		path = join(place.folder, 'mails.mbox');
	});
	teardown(() => place.remove());

	/** The mails that the file gives to an empty index: place, size and bytes. */
	async function given(content: string | Buffer) {
		writeFileSync(path, content);
		const mails: { place: string; size: number; text: string }[] = [];
		const reached: string[] = [];
		const ask: AskIndex = async (question) => {
			if (question.kind === 'step') {
				mails.push(
					...question.added.map((each) => ({
						place: each.place,
						size: each.size,
						text: Buffer.from(each.bytes).toString('latin1'),
					})),
				);
				reached.push(...(question.reached === undefined ? [] : [question.reached]));
			}
			return question.kind === 'reached' ? { kind: 'reached', reached: undefined, life: '' } : { kind: 'done' };
		};
		await mailboxFile(path).refresh(new IndexOfMailbox(ask, place.file, () => undefined), never);
		return { mails, reached };
	}

	const texts = async (content: string): Promise<readonly string[]> =>
		(await given(content)).mails.map(({ text }) => text);

	for (const [title, line] of [
		['an archive', 'From mboxrd@z Thu Jan  1 00:00:00 1970'],
		['a mail program', 'From - Tue May 05 10:20:30 2026'],
		['a mail server', 'From MAILER-DAEMON Fri Jul  8 12:08:34 2011'],
		['a web mailer', 'From 1234567890@xxx Tue May 05 10:20:30 +0000 2026'],
		['a list with hidden addresses', 'From alice at example.org  Thu May  7 10:20:30 2026'],
		['git', 'From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001'],
		['a time without seconds', 'From a@b Thu May  7 10:20 2026'],
	] as const) {
		test(`knows the separator of ${title}`, async () => {
			assert.deepEqual(await texts(`${line}\nA: 1\n\n${line}\nB : 2\n\n`), ['A: 1\n', 'B : 2\n']);
		});
	}

	for (const [title, lines] of [
		['without a time', 'From a@b Thu Jan  1 1970\nB: 2\n'],
		['without a year behind its time', 'From 1970 a@b Jan 1 10:20:30\nB: 2\n'],
		['with a longer number for a year', 'From a@b 10:20:30 12345\nB: 2\n'],
		['before no field', 'From a@b Thu Jan  1 00:00:00 1970\nno field\n'],
		['before a field with an odd sign', 'From a@b Thu Jan  1 00:00:00 1970\nB\x07: 2\n'],
		['behind other words', 'x From a@b Thu Jan  1 00:00:00 1970\nB: 2\n'],
	] as const) {
		test(`keeps a line ${title} in its mail`, async () => {
			assert.deepEqual(await texts(`${separator}A: 1\n\n${lines}`), [`A: 1\n\n${lines}`]);
		});
	}

	test('ends a mail without an empty line behind it', async () => {
		assert.deepEqual(await texts(`${separator}A: 1\n\ntext\n${separator}B: 2\n`), ['A: 1\n\ntext\n', 'B: 2\n']);
	});

	test('gives mails without a field, of an empty line or of nothing', async () => {
		const other = separator.replace('a@b', 'mboxrd@z');
		assert.deepEqual(await texts(`${other}no field\n\n${separator}\nbody\n\n${separator}>From x: y\n\n${separator}`), [
			'no field\n',
			'\nbody\n',
			'>From x: y\n',
			'',
		]);
	});

	for (const [end, last] of [
		['', 'B: 2\n\ntext'],
		['\n', 'B: 2\n\ntext\n'],
		['\n\n', 'B: 2\n\ntext\n'],
		['\n\n\n', 'B: 2\n\ntext\n\n'],
	] as const) {
		test(`ends the last mail before its empty line, behind ${JSON.stringify(end)}`, async () => {
			const file = `${separator}A: 1\n\n${separator}B: 2\n\ntext${end}`;
			assert.deepEqual(await texts(file), ['A: 1\n', last]);
			assert.deepEqual(
				await texts(file.replaceAll('\n', '\r\n')),
				['A: 1\n', last].map((each) => each.replaceAll('\n', '\r\n')),
			);
		});
	}

	test('gives all mails of a file of several chunks with their places', async () => {
		const sizes = [300_000, 700_000, mebibyte, 5, 2_500_000, 100, 524_288, 524_289, 40];
		const mails = sizes.map((size, at) => `A: ${at}\n\n${'line\n'.repeat(size / 5)}`);
		const { mails: all } = await given(mails.map((each) => `${separator}${each}\n`).join(''));
		let at = 0;
		for (const [index, each] of mails.entries()) {
			const { place: name, size, text } = all[index] ?? assert.fail();
			assert.deepEqual([name, size], [String(at + separator.length).padStart(15, '0'), each.length], `mail ${index}`);
			// The index reads the beginning of a long mail.
			assert.equal(text, each.slice(0, 512 * 1024), `mail ${index}`);
			at += separator.length + each.length + 1;
		}
		assert.equal(all.length, mails.length);
	});

	test('marks its way every 1024 mails, and with a time at the end of the file', async () => {
		const { reached } = await given(`${separator}A: 1\n\n`.repeat(2100));
		const marks = reached.map((each): unknown => JSON.parse(each));
		const length = separator.length + 6;
		const { size, mtimeMs } = statSync(path);
		assert.partialDeepStrictEqual(marks, [
			{ at: 1023 * length, size, mtimeMs: 0 },
			{ at: 2047 * length, size, mtimeMs: 0 },
			{ at: 2099 * length, size, mtimeMs },
		]);
		assert.equal(marks.length, 3);
	});

	test('reads anew behind a position of another version', async () => {
		writeFileSync(path, mbox(mail('one')));
		const list = await place.read(path);
		for (const reached of ['{"at": 1}', 'no JSON']) {
			const index = new IndexOfMailbox(place.ask, place.file, () => undefined);
			await index.reached(never);
			await index.store(reached, never);
			appendFileSync(path, mbox(mail(`two${reached.length}`)));
			await refreshed(list);
		}
		assert.equal((await found(list, '')).length, 3);
	});

	for (const [title, change, ids] of [
		['was cut off behind its first mail', (length: number) => truncateSync(path, length), ['one@x']],
		['was emptied', () => truncateSync(path, 0), []],
		[
			'lost its first mail and grew',
			() => writeFileSync(path, mbox(mail('tri'), mail('four'), mail('five'))),
			['five@x', 'four@x', 'tri@x'],
		],
		[
			'got another mail in its middle',
			(length: number) => {
				const first = mbox(mail('one', {}, `${'long '.repeat(1000)}\n`)).subarray(0, length);
				writeFileSync(path, Buffer.concat([first, mbox(mail('mid'), mail('two'))]));
			},
			undefined,
		],
	] as const) {
		test(`follows a file that ${title}`, async () => {
			const one = mbox(mail('one', {}, `${'long '.repeat(1000)}\n`));
			writeFileSync(path, Buffer.concat([one, mbox(mail('two'))]));
			const list = await place.read(path);
			change(one.length);
			utimesSync(path, 5, 5);
			await refreshed(list);
			assert.deepEqual(await found(list, ''), ids ?? ['two@x', 'mid@x', 'one@x']);
			for (const id of ids ?? ['one@x', 'mid@x', 'two@x']) {
				assert.equal((await textsOf(list, `<${id}>`)).length, 1, id);
			}
		});
	}

	test('answers without a mail that is gone since, and fails without its file', async () => {
		writeFileSync(path, mbox(mail('one'), mail('two')));
		const list = await place.read(path);
		writeFileSync(path, mbox(mail('three', {}, 'a line\n'.repeat(100))));
		assert.deepEqual(await textsOf(list, '<two@x>'), []);
		rmSync(path);
		await assert.rejects(textsOf(list, '<one@x>'), { name: 'MailboxError', trouble: 'noMailbox' });
		await assert.rejects(refreshed(list), { name: 'MailboxError', trouble: 'noMailbox' });
	});

	test('stops between mails', async () => {
		writeFileSync(path, mbox(mail('one'), mail('two')));
		const source = mailboxFile(path);
		const list = await place.read(path);
		const rows = (await list.rowsOfThread('<one@x>', never)).concat(await list.rowsOfThread('<two@x>', never));
		const stop = new AbortController();
		const contents = source.contents(rows, stop.signal);
		assert.equal((await contents.next()).done, false);
		stop.abort();
		await assert.rejects(contents.next(), { name: 'AbortError' });
		appendFileSync(path, mbox(mail('three')));
		const index = new IndexOfMailbox(place.ask, place.file, () => undefined);
		await assert.rejects(source.refresh(index, stop.signal), { name: 'AbortError' });
	});
});
