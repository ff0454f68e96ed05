import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMail } from '../../src/mail/readMail.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { mailTrailers } from '../../src/series/threadTrailers.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';

const folder = join(import.meta.dirname, '../../../../test/corpus/replyForms');

async function mailOf(envelope: string, id: number): Promise<SeriesMail> {
	const reading = await readMail(envelope, { evenIfLarge: false });
	assert.ok(reading.kind === 'read');
	const { messageId = '', subject, dateMs = 0 } = reading.mail;
	const parentId = id === 1 ? undefined : 1;
	return { id, messageId, parentId, createdMs: dateMs, subject, account: undefined, reading };
}

/** The comments and trailers of a reply to the folder’s patch. */
async function saidIn(envelope: string): Promise<readonly string[]> {
	const patch = await mailOf(readFileSync(join(folder, 'patch.eml'), 'utf8'), 1);
	const reply = await mailOf(envelope, 2);
	const comments = runAtOnce(reviewComments([patch, reply], readSeries([patch])));
	return [
		...comments.map(({ place, prose }) => `${place.kind === 'line' ? `line ${place.line}` : place.kind}: ${prose}`),
		...mailTrailers(reply).map(({ key, value }) => `= ${key}: ${value}`),
	];
}

const head = `From: Bob Builder <bob@example.test>
Subject: Re: [PATCH] a: add things
Message-ID: <r@example.test>
In-Reply-To: <p@example.test>
Date: Mon, 3 Mar 2025 11:00:00 +0100
Content-Type: text/plain; charset=utf-8
`;

async function saidBy(...body: readonly string[]): Promise<readonly string[]> {
	return await saidIn([head, ...body].join('\n'));
}

const signedOff = 'Signed-off-by: Ada Example <ada@example.test>';
const tested = 'Tested-by: Bob Builder <bob@example.test>';
const rename = 'line 4: Please rename this.';
/** A quotation that ends in the middle of the patch, with a comment. */
const question = [
	'On Mon, Mar 03, 2025 at 10:00:00AM +0100, Ada Example wrote:',
	'> +three(third_argument);',
	'> +four(fourth_argument);',
	'',
	'Please rename this.',
	'',
];
const below = ['> five(fifth);', '> six(sixth);', ''];

suite('reply forms', () => {
	const block = `Board: Pebble rev 2
Kernel: 6.8.0 of 2025-03-03 10:20:30
Bootloader: 2024.01
Contact: lab@example.test`;
	const files: Readonly<Record<string, readonly string[]>> = {
		'approval-trimmed': ['general: Good catch, applied.'],
		'attribution-then-elision': [rename],
		'broken-quotation': [rename],
		'clearsigned-plain': [`general: Works for me, but why four?\n\n${tested}`, `= ${tested}`],
		'elision-brackets': [rename],
		'footer-confidential-twice': [rename],
		'footer-groups': [rename],
		'footnote-below-signature': [
			'line 4: Please rename this, see [1].\n\n\n[1] Log of the second run\nstage one: 10 s\n\nstage two: 20 s',
		],
		'original-above-quotation-trailer': [
			'general: Reviewed-by: Bob Builder <bob@example.test>',
			'= Reviewed-by: Bob Builder <bob@example.test>',
		],
		robot: [
			`general: Hi Ada,

kernel test robot noticed the following build warnings:

All warnings (new ones prefixed by >>):

   a.c: In function 'main':
>> a.c:4:2: warning: implicit declaration of function 'four'
       4 | four(fourth_argument);
         | ^~~~


vim +/four +4 a.c

     1	one(first);
     2	two(second);
     3	three(third_argument);
   > 4	four(fourth_argument);
     5	five(fifth);
     6	six(sixth);`,
		],
		'section-between-dashes': [
			`general: Two things.

----- Benchmark -----
before 10 s, after 5 s, but why is the first run slow?

${tested}`,
			`= ${tested}`,
		],
		'signoff-nickname': [rename],
		'tested-on-block': [
			`general: Works here.\n\n${block}\n\nThe second run was slower, can you say why?\n\n${tested}`,
			`= ${tested}`,
		],
		'trailers-as-form': [
			`line 4: Please add these in order:

Suggested-by: ...
Signed-off-by: A. E. <...>

With that,
Reviewed--by: Bob Builder <bob@example.test>`,
			'= Reviewed-by: Bob Builder <bob@example.test>',
		],
	};

	test('each file has an expectation', () => {
		const names = readdirSync(folder).map((name) => name.replace('.eml', ''));
		assert.deepEqual(names.toSorted(), [...Object.keys(files), 'patch'].toSorted());
	});

	for (const [name, expected] of Object.entries(files)) {
		test(`${name} yields the comments that its author meant`, async () => {
			assert.deepEqual(await saidIn(readFileSync(join(folder, `${name}.eml`), 'utf8')), expected);
		});
	}

	for (const [what, lines] of Object.entries({
		'a git log': [
			'commit 0123456789abcdef',
			'Author:     Ada Example <ada@example.test>',
			'AuthorDate: Mon Mar 3 10:00:00 2025 +0100',
			'Commit:     Bob Builder <bob@example.test>',
			'CommitDate: Mon Mar 3 11:00:00 2025 +0100',
		],
		'a merge log': ['Merge: 0123456 89abcde', 'Author: Ada <ada@example.test>', 'Date: Mon Mar 3 10:00:00 2025'],
		'gpg output': [
			'gpg: Signature made Mon 03 Mar 2025 10:00:00 AM CET',
			'gpg: using RSA key 0123',
			'gpg: Good signature from "Ada Example <ada@example.test>"',
		],
		'a kernel state': [
			'CPU: 0 PID: 1 Comm: init 6.8.0',
			'Hardware name: Pebble/Pebble, BIOS 1.0 2025-03-03 10:20',
			'Workqueue: events [kernel]',
		],
		'a report in Russian': ['Плата: Pebble', 'Ядро: 6.8.0 от 2025-03-03 10:20', 'Контакт: lab@example.test'],
		'a report in Chinese': ['主板：Pebble', '内核：6.8.0，2025年3月3日 10:20', '联系人：lab@example.test'],
		'a report that names the patch': [
			'Patch: [PATCH] a: add things',
			'Tested: 2025-03-03 10:20',
			'Tester: Bob Builder <bob@example.test>',
		],
		'a range of versions': ['From: v6.8', 'To: v6.9', 'Date: 2025-03-03 10:20', 'Contact: lab@example.test'],
		'a heading': ['-------- Reproduce Log --------'],
		'a heading about messages': ['----- Original error message -----'],
		'a heading with an address': ['---- Log of lab <lab@example.test> ----'],
		'a heading in another language': ['----- Сообщение об ошибке -----'],
	})) {
		test(`${what} does not hide the text below it`, async () => {
			const body = ['Two things.', '', ...lines, '', 'Why is it slow?', '', tested];
			assert.deepEqual(await saidBy(...body), [`general: ${body.join('\n')}`, `= ${tested}`]);
		});
	}

	test('a pasted patch does not hide the text below it', async () => {
		const body = [
			'How about this?',
			'',
			'From: Bob Builder <bob@example.test>',
			'Date: Mon, 3 Mar 2025 10:00:00 +0100',
			'Subject: [PATCH] b: add more',
			'',
			'Signed-off-by: Bob Builder <bob@example.test>',
			'---',
			'diff --git a/b b/b',
			'--- a/b',
			'+++ b/b',
			'@@ -1 +1 @@',
			'-a',
			'+b',
			'',
			tested,
		];
		assert.deepEqual((await saidBy(...body)).slice(1), [`= ${tested}`]);
	});

	test('a signed text loses its PGP armor', async () => {
		const signed = (...text: readonly string[]): readonly string[] => [
			'-----BEGIN PGP SIGNED MESSAGE-----',
			'Hash: SHA512',
			'NotDashEscaped: x',
			'',
			...text,
			'-----BEGIN PGP SIGNATURE-----',
			'Version: GnuPG v2',
			'',
			'iQEzBAEBCAAdFiEE',
			'=abcd',
			'-----END PGP SIGNATURE-----',
		];
		assert.deepEqual(await saidBy(...signed('- - One.', '', tested, '- -- ', 'Bob')), [
			`general: - One.\n\n${tested}`,
			`= ${tested}`,
		]);
		assert.deepEqual(await saidBy('-----BEGIN PGP SIGNATURE-----', 'is a line that I miss.'), [
			'general: -----BEGIN PGP SIGNATURE-----\nis a line that I miss.',
		]);
		const key = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', 'mQINBF', '-----END PGP PUBLIC KEY BLOCK-----'];
		assert.deepEqual(await saidBy('Here is my key.', '', ...key, '', 'Fine?'), [
			'general: Here is my key.\n\n\n\nFine?',
		]);
	});

	for (const [language, labels, date] of [
		['German', ['Von', 'Gesendet', 'An', 'Betreff'], 'Montag, 3. März 2025 10:00'],
		['French', ['De', 'Envoyé', 'À', 'Objet'], 'lundi 3 mars 2025 10:00'],
		['Korean', ['보낸 사람', '보낸 날짜', '받는 사람', '제목'], '2025년 3월 3일 10:00'],
		['Turkish', ['Kimden', 'Gönderildi', 'Kime', 'Konu'], '3 Mart 2025 Pazartesi 10:00'],
		['Hungarian', ['Feladó', 'Elküldve', 'Címzett', 'Tárgy'], '2025. március 3. 10:00'],
		['Georgian, an unlisted language', ['გამომგზავნი', 'თარიღი', 'ვის', 'თემა'], '2025 წლის 3 მარტი, 10:00'],
	] as const) {
		test(`an unmarked original in ${language} is no comment`, async () => {
			const values = ['Ada Example <ada@example.test>', date, 'dev', '[PATCH] a: add things'];
			const original = labels.map((label, at) => `${label}: ${values[at]}`);
			const body = ['Fine.', '', ...original, '', 'Says why it is done.', '', signedOff];
			assert.deepEqual(await saidBy(...body), ['general: Fine.']);
			assert.deepEqual(await saidBy('Fine.', '', '---- Text von Ada ----', ...body.slice(2)), ['general: Fine.']);
		});
	}

	test('text right below an original’s mark is no mail head', async () => {
		const said = await saidBy('Fine.', '', '-----Original Message-----', 'Says why it is done.', 'Why?', '', 'Mine.');
		assert.deepEqual(said, ['general: Fine.', 'message: Why?\n\nMine.']);
	});

	/** The comments of a reply with a comment on a line. */
	async function saidAround(above: readonly string[], lines: readonly string[]): Promise<readonly string[]> {
		return await saidBy(...above, ...question, ...below, ...lines);
	}

	for (const lines of [
		['Have a lovely day! Robbie'],
		['MBR, Robbie'],
		['   -- MJB'],
		['Thanks for reviewing,', '-\tBob.'],
		['Thanks!', '', 'BR,', '', 'Joey'],
		['Kind regards,', 'Robert Rock'],
		['\t\t\t\t\t\t\t\tHonza'],
		['best regards,', 'robbie'],
		['Bób'],
		['Thank for your review.'],
		['Thanks for your time & review.', 'Bob'],
		['Regards,', 'Robbie', 'https://example.test/~robbie'],
		['Thanks!', '<https://social.example.test/@robbie>'],
		['Sent with Example Mail (https://mail.example.test) secure email.'],
		['Get Outlook for Android<https://aka.example.test/ghei36>'],
	]) {
		test(`${lines.join(' ').trim()} at the end is no comment`, async () => {
			assert.deepEqual(await saidAround([], lines), [rename]);
		});
	}

	for (const line of [
		'Hi,',
		'Hi Ada,',
		'Hello Li, all,',
		'Hi Po-Hsu Lin,',
		'Dear Ada',
		'Hi there!',
		'Hallo Ümit,',
		'Hi 李雷，',
		'Hi Dan：',
		'Hi ricardo,',
		'Hi bob, Jan,',
		'Hi, ada',
		'Hi Ada,\n...',
		'Ada,',
		'Ada and Bob!',
		'Áda:',
		']',
	]) {
		test(`${line.replace('\n', ' ')} above a quotation is no comment`, async () => {
			assert.deepEqual(await saidAround([line, ''], []), [rename]);
		});
	}

	for (const line of [
		'Thanks, applied',
		'Thanks, merged!',
		'Best to drop this',
		'Hello, this leaks',
		'Hi, it breaks',
		'Hi all, this breaks here,',
		'Hey wrong type,',
		'hi ricardo this leaks',
		'^',
		'Hey no!',
		'Dear compiler, no',
		'Cheers but no',
		'Regards the second',
		'Yours is better',
		'Four,',
		'Ada: no',
		'Ada',
	]) {
		test(`${line} is a comment at the top and at the bottom`, async () => {
			assert.deepEqual(await saidAround([line, ''], []), [`general: ${line}`, rename]);
			assert.deepEqual(
				(await saidAround([], [line])).map((said) => said.replace(/^.*?: /, '')),
				['Please rename this.', line],
			);
		});
	}

	for (const lines of [
		['Thanks,', 'Nack'],
		['Thanks,', 'Applied.'],
		['Thanks,', 'later'],
		['Regards,', 'nack'],
		['-- broken'],
		['- Remove'],
		['Fine'],
		['---', 'To unsubscribe users we need a lock here.', 'Why not?'],
		['https://example.test/the-manual#four'],
		['Thanks, see', 'https://example.test/the-manual#four'],
		['a.c'],
		['This message is confidential, so the log must not have it.'],
	]) {
		test(`${lines.join(' ')} is a comment at the end`, async () => {
			assert.deepEqual((await saidAround([], lines)).length, 2);
		});
	}

	const rule = '-'.repeat(30);
	for (const [program, footer] of Object.entries({
		mailman: ['_'.repeat(47), 'dev mailing list', 'dev@lists.example.test'],
		mailman3: [
			'_'.repeat(47),
			'dev mailing list -- dev@lists.example.test',
			'To unsubscribe send an email to dev-leave@example.test',
		],
		google: [
			'--~--~---------~--~----~',
			'You received this message because you are subscribed to the Google Groups "dev" group.',
		],
		majordomo: [
			'---',
			'To unsubscribe from this list: send the line "unsubscribe dev" in',
			'the body of a message to majordomo@example.test',
		],
		ezmlm: [rule, 'To unsubscribe, e-mail: dev-unsubscribe@example.test'],
		sympa: ['***', 'Unsubscribe: https://lists.example.test/sympa/signoff/dev'],
		company: [
			'This e-mail and any attachments are confidential. If you are not the intended recipient,',
			'please notify the sender and delete it.',
		],
		headings: [
			'CONFIDENTIALITY NOTE:',
			'',
			'This e-mail and any attachments may contain confidential information.',
			...Array.from({ length: 14 }, () => 'Its use is prohibited.'),
			'Please delete this mail.',
			'='.repeat(70),
			'',
			'CONFIDENTIALITY NOTE:',
			'',
			'Please delete this mail.',
		],
		notice: [
			'IMPORTANT NOTICE: The contents of this email are confidential and may be privileged.',
			'If you are not the intended recipient, do not disclose the contents. Thank you.',
		],
		scanner: [
			'--',
			'This email has been checked for viruses by Example antivirus software.',
			'https://av.example.test/',
		],
		German: [
			'Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Empfänger sind,',
			'informieren Sie bitte den Absender.',
		],
	})) {
		test(`the footer of ${program} is no comment`, async () => {
			assert.deepEqual(await saidAround([], ['Thanks,', 'Robbie', '', ...footer]), [rename]);
			assert.deepEqual(await saidAround([], footer), [rename]);
		});
	}

	test('a heading above a signature and a footer is no footer', async () => {
		const text = ['Rename', '='.repeat(30), '', 'Four is no name.', 'Use a verb.'];
		const end = ['', '-- ', 'Bob', '', '-- ', 'Mailing list info: https://lists.example.test/listinfo/dev'];
		assert.deepEqual(await saidBy(...text, ...end), [`general: ${text.join('\n')}`]);
	});

	for (const heading of ['a.c', 'a.c:', 'a/a.c', 'In a.c:', '* a.c', 'a.c\n']) {
		test(`${heading.trim()} above a quotation is its heading, and no comment`, async () => {
			const asked = ['> +three(third_argument);', 'Why three?', ''];
			assert.deepEqual(
				await saidBy(...asked, ...heading.split('\n'), '> +four(fourth_argument);', 'Please rename this.'),
				['line 3: Why three?', rename],
			);
		});
	}

	test('a path with more words, or of another file, is a comment above a quotation', async () => {
		for (const line of ['b.c', 'a.c is wrong', 'a.c:41:']) {
			const said = await saidBy(
				'> +three(third_argument);',
				line,
				'',
				'> +four(fourth_argument);',
				'Please rename this.',
			);
			assert.deepEqual(said, [`line 3: ${line}`, rename]);
		}
	});

	test('a path with a line below the names of a file is a comment on that line, outside the diff', async () => {
		const names = ['> diff --git a/a.c b/a.c', '> index 1111111..2222222 100644', '> --- a/a.c', '> +++ b/a.c', ''];
		const patch = await mailOf(readFileSync(join(folder, 'patch.eml'), 'utf8'), 1);
		const places = async (line: string) => {
			const reply = await mailOf([head, ...names, line, '', 'Why?', ''].join('\n'), 2);
			return runAtOnce(reviewComments([patch, reply], readSeries([patch]))).map(({ place, prose }) => [place, prose]);
		};
		const onFile = { kind: 'file', mailId: 1, file: 0 };
		assert.deepEqual(await places('a.c:41:'), [[{ ...onFile, line: 41 }, 'a.c:41:\n\nWhy?']]);
		assert.deepEqual(await places('b.c:41:'), [[onFile, 'b.c:41:\n\nWhy?']]);
		assert.deepEqual(await places('c:41:'), [[onFile, 'c:41:\n\nWhy?']]);
	});

	test('a bot command is about the whole patch', async () => {
		assert.deepEqual(await saidAround([], ['pw-bot: cr']), [rename, 'general: pw-bot: cr']);
	});

	test('footnotes belong to the comment with their number', async () => {
		const asked = [
			'> +three(third_argument);',
			'See [1], and [2].',
			'',
			'> +four(fourth_argument);',
			'Fine.',
			'',
			...below,
		];
		const notes = ['[1] https://example.test/one', '[2]: Chapter two of the', '    manual.', '', 'Thanks,', 'Robbie'];
		assert.deepEqual(await saidBy(...asked, ...notes), [
			`line 3: See [1], and [2].\n\n${notes.slice(0, 3).join('\n')}`,
			'line 4: Fine.',
		]);
		assert.deepEqual(await saidAround([], ['[1] https://example.test/one']), [
			rename,
			'general: [1] https://example.test/one',
		]);
		assert.deepEqual((await saidAround([], ['[1] Why two?'])).length, 2);
		assert.deepEqual((await saidBy(...asked, '[1] https://example.test/one', '', 'This leaks.')).length, 3);
	});

	for (const [what, lines] of Object.entries({
		'an elision': ['On Mon, Mar 03, 2025 at 10:00:00AM +0100, Ada Example wrote:', '', '...', ''],
		'two blank lines': ['Ada Example <ada@example.test> wrote:', '', ''],
		'nothing, of a person outside the thread': ['Li Wei <li@example.test> wrote:'],
		'nothing, in Chinese': ['在 2025/3/3 10:00, Ada 写道:'],
		'nothing, with a wide colon': ['<ada@example.test> 于2025年3月3日周一 10:00写道：'],
		'nothing, in traditional Chinese': ['Ada Example <ada@example.test> 於 2025年3月3日 週一 下午5:44寫道：', ''],
		'nothing, of two lines': ['From: Ada Example <ada@example.test>', 'Date: Mon, 3 Mar 2025 10:00:00 +0100', ''],
		'a greeting': ['On Mon, 3 Mar 2025, Ada Example wrote:', 'Hi Ada,', ''],
		'a note': ['Ada Example <ada@example.test> wrote:', '', '[ ... ]', '', 'Hi,', ''],
		'nothing, and a greeting': ['Hi Ada,', '', 'Ada Example <ada@example.test> wrote:', ''],
	})) {
		test(`an attribution above ${what} is no comment`, async () => {
			assert.deepEqual(await saidBy(...lines, ...question.slice(1)), [rename]);
		});
	}

	test('an attribution at the top is no comment, but the note below it is', async () => {
		const note = ['[ Adds the list ]', ''];
		assert.deepEqual(await saidBy('Ada Example <ada@example.test> wrote:', '', ...note, ...question.slice(1)), [
			'general: [ Adds the list ]',
			rename,
		]);
	});

	test('the rest of a wrapped quoted line is no comment', async () => {
		const long = `> ${'x'.repeat(58)} and then `;
		assert.deepEqual(await saidBy(...question.slice(0, 1), long, 'breaking.', ...question.slice(1)), [rename]);
		const asked = [long.trimEnd(), 'breaking.'];
		assert.deepEqual((await saidBy(...question.slice(0, 1), ...asked, ...question.slice(1))).length, 2);
		const short = [`> ${'x'.repeat(40)} `, 'breaking.'];
		assert.deepEqual((await saidBy(...question.slice(0, 1), ...short, ...question.slice(1))).length, 2);
	});

	test('own output behind other marks is a comment, even if it repeats lines of the patch', async () => {
		const output = ['| +three(third_argument);', '| +four(fourth_argument);', '| +fourth_argument {', '| }'];
		assert.deepEqual(await saidBy(...question, 'It prints:', '', ...output, '', ...below), [
			`line 4: ${['Please rename this.', '', 'It prints:', '', ...output].join('\n')}`,
		]);
	});

	test('an attribution without a quotation and the author line of a mail are no comments', async () => {
		const attribution = 'On Mon, 3 Mar 2025 10:00:00 +0100, Ada Example <ada@example.test> wrote:';
		assert.deepEqual(await saidBy(attribution, '', 'Fine.'), ['general: Fine.']);
		assert.deepEqual(await saidBy('From: Bob Builder <bob@other.test>', '', 'Fine.'), ['general: Fine.']);
		assert.deepEqual((await saidBy('Ada wrote:', '', 'Fine.')).length, 1);
		assert.equal((await saidBy('Ada wrote:', '', 'Fine.'))[0], 'general: Ada wrote:\n\nFine.');
	});

	test('quote marks of a person above lines of a bot count as marks', async () => {
		const lines = ['> All warnings (new ones prefixed by >>):', '>>> a.c:4:2: warning: declaration', '', 'I see.'];
		assert.deepEqual(await saidBy(...lines), ['general: I see.']);
		const nested = ['>> a.c:4:2: warning: declaration', '> Is it new?', '', 'Yes.'];
		assert.deepEqual(await saidBy(...nested), ['general: Yes.']);
	});

	test('text between dashes and a quotation is a comment', async () => {
		const own = [
			'Two issues.',
			'--',
			'',
			'--- Patch [1]: add things ---',
			'Author: Ada Example <ada@example.test>',
			'',
		];
		assert.deepEqual(await saidBy(...own, ...question.slice(1)), [`general: ${own.slice(0, -1).join('\n')}`, rename]);
		assert.deepEqual(await saidBy(...own), [`general: ${own.slice(0, -1).join('\n')}`]);
		assert.deepEqual(await saidBy('Fine.', '--', 'Bob', 'Some Company'), ['general: Fine.']);
		assert.deepEqual(await saidBy('Fine.', '--', 'Bob', '', '-- ', 'Some list'), ['general: Fine.']);
		assert.deepEqual((await saidBy('Fine.', '--', 'Bob', '', 'Well, no.'))[0], 'general: Fine.\n--\nBob\n\nWell, no.');
		const quotation = ['Ada Example <ada@example.test> wrote:', '> five(fifth);'];
		const signed = ['Fine.', '--', 'Bob Builder', 'Some Company'];
		assert.deepEqual(await saidBy(...signed, '', ...quotation), ['line 5: Fine.']);
		assert.deepEqual(await saidBy(...signed, ...quotation), ['line 5: Fine.']);
		assert.deepEqual((await saidBy(...signed, '', 'One more thing.', ...quotation.slice(1))).length, 1);
		assert.equal(
			(await saidBy(...signed, '', 'One more.', ...quotation.slice(1)))[0],
			`line 5: ${[...signed, '', 'One more.'].join('\n')}`,
		);
	});

	test('an omission inside a text belongs to the comment, but not one at its end', async () => {
		const code = ['Like this:', '', '\tif (four) {', '\t\t...', '\t}', '', '[...]', 'And a log:', ''];
		const log = ['------------[ cut here ]------------', 'WARNING: a.c:4'];
		assert.deepEqual(await saidBy(...question, ...code, ...log, '', '...', '', ...below), [
			`line 4: ${['Please rename this.', '', ...code, ...log].join('\n')}`,
		]);
		const end = ['\tthree();', '\t// ...'];
		assert.deepEqual(await saidBy(...question, ...end, '', '...', '', '[...]', '', ...below), [
			`line 4: ${['Please rename this.', '', ...end].join('\n')}`,
		]);
		assert.deepEqual(await saidAround([], log), [rename, `line 6: ${log.join('\n')}`]);
	});

	for (const line of ['.', '...', 'snip', '// snip', '[...] /* snip */']) {
		test(`${line} between quotations is no comment`, async () => {
			assert.deepEqual(await saidBy(...question.slice(0, 2), line, line, ...question.slice(2)), [rename]);
		});
	}

	for (const [what, text] of Object.entries({
		'a long text': Array.from({ length: 13 }, (_, at) => [`Point ${at} is wrong.`, '']).flat(),
		footnotes: ['[1] https://example.test/one', '[2] https://example.test/two'],
		'a trailer': [tested],
		'a question': ['Can you say why the first run is slow?', 'It took 3 s.'],
	})) {
		test(`${what} below a signature is a comment`, async () => {
			const own = text.findLastIndex((line) => line !== '') + 1;
			const said = [what === 'a long text' ? '-- \nBob Builder\n\n' : '\n', text.slice(0, own).join('\n')].join('');
			assert.deepEqual(await saidBy('Fine.', '', '-- ', 'Bob Builder', '', ...text), [
				`general: Fine.\n\n${said}`,
				...(what === 'a trailer' ? [`= ${tested}`] : []),
			]);
		});
	}

	test('a signature of several parts is no comment', async () => {
		const parts = ['-- ', 'Bob Builder', '', '"Who does not ask?"', '', 'Some Company'];
		assert.deepEqual(await saidBy('Fine.', '', ...parts), ['general: Fine.']);
		assert.deepEqual(await saidBy('Fine.', '', '-- ', tested), ['general: Fine.']);
		const original = ['-----Original Message-----', ...Array.from({ length: 30 }, (_, at) => `Line ${at}.`)];
		assert.deepEqual(await saidBy('Fine.', '', '-- ', 'Bob', '', ...original), ['general: Fine.']);
		const list = ['', '_'.repeat(47), 'dev mailing list', 'dev@lists.example.test'];
		assert.deepEqual(await saidBy('Fine.', '', '--', 'Bob', ...list), ['general: Fine.']);
	});

	test('a trailer below a signature and a quotation counts', async () => {
		const lines = ['Fine.', '-- ', 'Bob', '', ...question.slice(0, -2), tested];
		assert.deepEqual((await saidBy(...lines)).slice(-1), [`= ${tested}`]);
	});

	test('a report on several files is one comment', async () => {
		const file = (name: string): readonly string[] => [`>> ${name}.c:4:2: warning: unused`, '       4 | four();', '--'];
		const lines = ['(new ones prefixed by >>)', '', ...file('a'), ...file('b'), '   last line'];
		assert.deepEqual(await saidBy(...lines, '', '-- ', '0-DAY CI'), [`general: ${lines.join('\n')}`]);
	});

	test('a report without a heading is one comment', async () => {
		const lines = [
			'The build fails:',
			'',
			'>> a.c:4:2: error: no declaration',
			'   > 4 | four(fourth_argument);',
			'',
			'Why?',
		];
		assert.deepEqual(await saidBy(...lines), [`general: ${lines.join('\n')}`]);
	});
});
