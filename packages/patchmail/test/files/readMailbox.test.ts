import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { postedSeries, readMailbox, trailersOfThread } from 'patchmail/index.ts';

const never = new AbortController().signal;
const separator = 'From a@example.org Tue May  5 10:20:30 2026\n';

function mail(id: string, subject: string, body: string, more = ''): string {
	return `From: A <a@example.org>\nSubject: ${subject}\nMessage-ID: <${id}@x>\n${more}Date: Tue, 5 May 2026 10:20:30 +0000\n\n${body}`;
}

const diff = 'Why.\n---\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two\n';

suite('the face of patchmail', () => {
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'patchmail-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const subjects = async (place: string | Uint8Array): Promise<readonly string[]> =>
		(await readMailbox(place, never)).map(({ subject }) => subject);

	test('reads both mails of one Message-ID', async () => {
		const box = Buffer.from(
			`${separator}${mail('same', 'one', 'One.\n')}\n${separator}${mail('same', 'two', 'Two.\n')}\n${separator}${mail('r', 'Re: one', 'Yes.\n', 'In-Reply-To: <same@x>\n')}\n`,
		);
		const mails = await readMailbox(box, never);
		assert.deepEqual(
			mails.map(({ id, subject, parentId }) => [id, subject, parentId]),
			[
				[1, 'one', undefined],
				[2, 'two', undefined],
				[3, 'Re: one', 1],
			],
		);
	});

	test('counts a mail to two lists once, and two patches of one Message-ID twice', async () => {
		const patch = mail('p', '[PATCH] f: two', diff);
		const answer = mail(
			'r',
			'Re: [PATCH] f: two',
			'> +two\n\nReviewed-by: R <r@example.org>\n',
			'In-Reply-To: <p@x>\n',
		);
		const footer = '\n_____\nlist mailing list\n';
		const box = [patch, patch + footer, answer + footer, answer].map((each) => `${separator}${each}\n`).join('');
		const mails = await readMailbox(Buffer.from(box), never);
		assert.equal(mails.length, 4);
		const [series, ...others] = postedSeries(mails);
		assert.ok(series);
		assert.equal(others.length, 0);
		assert.equal(series.series.patches.length, 1);
		assert.equal(trailersOfThread(series.thread, series.series).length, 1);
		const two = [
			mail('p', '[PATCH 1/2] f: two', diff),
			mail('p', '[PATCH 2/2] f: three', diff.replace('+two', '+three')),
		];
		const both = postedSeries(
			await readMailbox(Buffer.from(two.map((each) => `${separator}${each}\n`).join('')), never),
		);
		assert.equal(both.flatMap((each) => each.series.patches).length, 2);
	});

	test('opens files and folders of every kind, also packed bytes', async () => {
		const box = `${separator}${mail('a', 'one', 'One.\n')}\n${separator}${mail('b', 'two', 'Two.\n')}\n`;
		const put = (name: string, content: string | Uint8Array): string => {
			writeFileSync(join(folder, name), content);
			return join(folder, name);
		};
		const expected = ['one', 'two'];
		assert.deepEqual(await subjects(put('box.mbox', box)), expected);
		assert.deepEqual(await subjects(put('box.txt.gz', gzipSync(box))), expected);
		assert.deepEqual(await subjects(gzipSync(box)), expected);
		assert.deepEqual(await subjects(put('one.eml', mail('a', 'one', 'One.\n'))), ['one']);
		assert.deepEqual(await subjects(put('empty.mbox', '')), []);
		const messages = join(folder, 'messages');
		mkdirSync(messages);
		expected.forEach((subject) => writeFileSync(join(messages, `${subject}.eml`), mail(subject, subject, 'Text.\n')));
		symlinkSync(join(folder, 'one.eml'), join(messages, 'link.eml'));
		assert.deepEqual((await subjects(messages)).toSorted(), expected);
		mkdirSync(join(folder, 'none'));
		await assert.rejects(readMailbox(put('picture', '\x89PNG\n'), never), { name: 'NoMailbox' });
		await assert.rejects(readMailbox(Buffer.from('no mails'), never), { name: 'NoMailbox' });
		await assert.rejects(readMailbox(join(folder, 'none'), never), { name: 'NoMailbox' });
		await assert.rejects(readMailbox(put('cut.gz', gzipSync(box).subarray(0, -20)), never), { name: 'DamagedBody' });
		execFileSync('mkfifo', [join(folder, 'pipe')]);
		await assert.rejects(readMailbox(join(folder, 'pipe'), never));
		await assert.rejects(readMailbox(join(folder, 'missing'), never));
	});
});
