import assert from 'node:assert/strict';
import { readMail } from '../../src/mail/readMail.ts';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { patchMailOf } from '../../src/series/patchMail.ts';
import { readSeries } from '../../src/series/series.ts';
import type { PatchMail } from '../../src/series/seriesReading.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeSeriesMail } from '../../../../test/support/makeSeries.ts';

const diff = ['---', ' a | 1 +', '', 'diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -1 +1,2 @@', ' one', '+two', ''];

interface Read {
	readonly mail: ReadableMail;
	readonly patch: PatchMail;
}

async function read(head: readonly string[], ...body: readonly string[]): Promise<Read> {
	const text = [...head, '', ...body].join('\r\n');
	const reading = await readMail(text, { evenIfLarge: true });
	assert.ok(reading.kind === 'read');
	const patch = patchMailOf(reading, reading.mail.subject);
	assert.ok(patch);
	return { mail: reading.mail, patch };
}

const from = 'From: Bob <bob@forge.test>';
const subject = 'Subject: [PATCH] Fill the lamp';
const kinds = ({ doubts }: ReadableMail): readonly string[] => doubts.map(({ kind }) => kind);

suite('mail content that only git reads', () => {
	const picture = [from, subject, 'Content-Type: multipart/mixed; boundary=b'] as const;
	const pictureBody = [
		'--b',
		'Content-Type: text/plain',
		'',
		'Text of the sender.',
		'--b',
		'Content-Type: image/png; name=lamp.png',
		'Content-Disposition: attachment; filename=lamp.png',
		'Content-Transfer-Encoding: base64',
		'',
		Buffer.from('Reviewed-by: Mal Ice <mal@forge.test>\n').toString('base64'),
		'--b',
		'Content-Type: text/plain',
		'',
		...diff,
		'--b--',
		'',
	] as const;

	test('includes a trailer in a picture before the diff', async () => {
		const { mail, patch } = await read(picture, ...pictureBody);
		assert.deepEqual([patch.message, kinds(mail)], ['Text of the sender.', ['otherMessage']]);
		assert.equal(patch.gitMessage, 'Text of the sender.\nReviewed-by: Mal Ice <mal@forge.test>');
		const series = readSeries([
			makeSeriesMail({ id: 2, subject: '[PATCH] Fill the lamp', reading: { kind: 'read', mail } }),
		]);
		assert.deepEqual(series.problems, [{ kind: 'inDoubt', mailId: 2, isOtherPatch: false }]);
		assert.deepEqual(
			trailersOfThread([], series).map(({ key, isOnlyToGit, isForOther }) => [key, isOnlyToGit, isForOther]),
			[['Reviewed-by', true, true]],
		);
	});

	test('includes hidden text beyond ASCII', async () => {
		const hidden = Buffer.from('Просмотрено\n').toString('base64');
		const body = pictureBody.map((line, at) => (at === 9 ? hidden : line));
		const { patch } = await read(picture, ...body);
		assert.equal(patch.gitMessage, 'Text of the sender.\nПросмотрено');
	});

	test('includes HTML beside the text of an attached patch', async () => {
		const { mail, patch } = await read(
			[from, subject, 'Content-Type: multipart/mixed; boundary=b'],
			'--b',
			'Content-Type: multipart/alternative; boundary=alt',
			'',
			'--alt',
			'Content-Type: text/plain',
			'',
			'Hello.',
			'--alt',
			'Content-Type: text/html',
			'',
			'<p>Hello.</p>',
			'--alt--',
			'--b',
			'Content-Type: text/x-patch',
			'Content-Disposition: attachment; filename=a.patch',
			'',
			...diff,
			'--b--',
			'',
		);
		assert.deepEqual(kinds(mail), ['otherMessage']);
		assert.match(patch.gitMessage ?? '', /<p>Hello\.<\/p>/);
	});

	test('excludes a footer after the diff', async () => {
		const { mail, patch } = await read(
			[from, subject, 'Content-Type: multipart/mixed; boundary=b'],
			'--b',
			'Content-Type: text/plain',
			'',
			'Hello.',
			...diff,
			'--b',
			'Content-Type: text/plain',
			'',
			'To leave the list, write.',
			'--b--',
			'',
		);
		assert.deepEqual([kinds(mail), patch.gitMessage, patch.message], [[], undefined, 'Hello.']);
	});
});

suite('mail that git may refuse', () => {
	for (const [title, head, refusal] of [
		['an unknown charset', ['Content-Type: text/plain; charset="lamp-8"'], { kind: 'charset', charset: 'lamp-8' }],
		['UTF-7', ['Content-Type: text/plain; charset=utf-7'], { kind: 'charset', charset: 'utf-7' }],
		[
			'a charset only for browsers',
			['Content-Type: text/plain; charset=x-sjis'],
			{ kind: 'charset', charset: 'x-sjis' },
		],
		[
			'a language in an encoded word',
			['Cc: a@b.test', 'Date: =?utf-8*de?q?x?='],
			{ kind: 'charset', charset: 'utf-8*de' },
		],
		['half an encoded word', ['Message-ID: <a=?b@c>'], { kind: 'damagedWord', header: '<a=?b@c>' }],
	] as const) {
		test(`is in doubt: ${title}`, async () => {
			const { mail } = await read([from, subject, ...head], 'Hello.', ...diff);
			assert.deepEqual(mail.doubts, [{ kind: 'refused', refusal }]);
		});
	}

	test('is in doubt for a subject with a language, but its subject is decoded', async () => {
		const { mail } = await read([from, 'Subject: =?utf-8*de?q?[PATCH]_F=C3=BClle?='], 'Hello.', ...diff);
		assert.deepEqual([mail.subject, kinds(mail)], ['[PATCH] Fülle', ['refused']]);
	});

	test('is in doubt for bytes outside its charset', async () => {
		const type = ['Content-Type: text/plain; charset=us-ascii', 'Content-Transfer-Encoding: quoted-printable'];
		const { mail } = await read([from, subject, ...type], 'Gr=C3=B6=C3=9Fe.', ...diff);
		assert.deepEqual(kinds(mail), ['refused']);
	});
});

suite('commit author and subject', () => {
	for (const [title, head, author] of [
		['a comma without quotes', ['From: Lee, Ann <ann@forge.test>'], ['Lee, Ann', 'ann@forge.test']],
		['From twice', ['From: Ann <ann@forge.test>', 'From: Eve <eve@evil.test>'], ['Eve', 'eve@evil.test']],
		['several people', ['From: Ann <ann@forge.test>, Eve <eve@evil.test>'], ['', 'ann@forge.test']],
		['quotes in quotes', ['From: "Ann \\"A\\" Lee" <ann@forge.test>'], ['Ann "A" Lee', 'ann@forge.test']],
		['a no-break space', ['From: ann@forge.test\u00A0'], ['', 'ann@forge.test\u00A0']],
	] as const) {
		test(`match git for ${title}`, async () => {
			const { patch } = await read([...head, subject], 'Hello.', ...diff);
			assert.deepEqual([patch.author?.name, patch.author?.address], author);
		});
	}

	test('include a sender with a comma in the name', async () => {
		const { mail } = await read(['From: Lee, Ann <ann@forge.test>', subject], 'Hello.', ...diff);
		assert.deepEqual(mail.from, [{ name: 'Lee, Ann', address: 'ann@forge.test' }]);
		assert.deepEqual(
			mail.cautions.map(({ kind }) => kind),
			['oddlyWritten'],
		);
	});

	test('come from the mail if a flowed line joins the headers in its text', async () => {
		const type = 'Content-Type: text/plain; format=flowed';
		const { patch } = await read(
			[from, subject, type],
			'From: Ann <ann@forge.test> ',
			'Subject: Another',
			'',
			'Hello.',
			...diff,
		);
		assert.equal(patch.subject, 'Fill the lamp');
	});

	test('come from the mail if a byte order mark hides the headers in its text', async () => {
		const type = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'];
		const { patch } = await read(
			[from, subject, ...type],
			'=EF=BB=BFFrom: Ann <ann@forge.test>',
			'',
			'Hello.',
			...diff,
		);
		assert.equal(patch.author?.address, 'bob@forge.test');
	});
});
