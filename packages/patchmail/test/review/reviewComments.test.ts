import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { openQuestions } from '../../src/review/openQuestions.ts';
import type { LinePlace, ReviewComment } from '../../src/review/reviewComment.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const patchBody = [
	'Count the lamps once, and keep what was counted.',
	'',
	'---',
	' lamp.c | 6 +++---',
	' 1 file changed, 3 insertions(+), 3 deletions(-)',
	'',
	'diff --git a/lamp.c b/lamp.c',
	'index 1234567..89abcde 100644',
	'--- a/lamp.c',
	'+++ b/lamp.c',
	'@@ -10,7 +10,7 @@ int lamps(void)',
	' {',
	'-\tint found = 0;',
	'-\tfor_each_lamp(lamp)',
	'-\t\tfound++;',
	'+\tstatic int found = -1;',
	'+\tif (found < 0)',
	'+\t\tfound = count_lamps();',
	' \treturn found;',
	' }',
	' ',
	'-- ',
	'2.39.5',
	'',
].join('\n');

const patch = makeSeriesMail({ id: 1, subject: '[PATCH lamp] count once', body: patchBody, from: 'ann@forge.test' });

/** A reply to the patch, or to another mail. */
function reply(lines: readonly string[], change: Partial<SeriesMail> & { readonly from?: string } = {}): SeriesMail {
	return makeSeriesMail({
		id: 2,
		parentId: 1,
		subject: 'Re: [PATCH lamp] count once',
		body: lines.join('\n'),
		...change,
	});
}

function commentsOf(...replies: readonly SeriesMail[]): readonly ReviewComment[] {
	return runAtOnce(reviewComments([patch, ...replies], readSeries([patch])));
}

function lineOf({ place }: ReviewComment): LinePlace {
	assert.equal(place.kind, 'line');
	return place;
}

suite('review comments', function () {
	this.timeout(600_000);
	test('a comment goes to the last quoted line and knows the start of the quotation', () => {
		const [comment] = commentsOf(
			reply(['> +\tstatic int found = -1;', '> +\tif (found < 0)', '', 'Threads?', '', '-- ', 'Bob']),
		);
		assert.ok(comment);
		const place = lineOf(comment);
		assert.deepEqual([place.side, place.firstLine, place.line], ['new', 11, 12]);
		assert.equal(patchBody.slice(place.start, place.end), '+\tstatic int found = -1;\n+\tif (found < 0)');
		assert.equal(comment.prose, 'Threads?');
		assert.deepEqual(comment.quote, [' +\tstatic int found = -1;', ' +\tif (found < 0)']);
	});

	test('omitted lines do not belong to the commented range', () => {
		const [comment] = commentsOf(reply(['> {', '> [...]', '> +\tif (found < 0)', '', 'Why?']));
		assert.ok(comment);
		assert.deepEqual([lineOf(comment).firstLine, lineOf(comment).line], [12, 12]);
	});

	test('removed lines are on the old side', () => {
		const [comment] = commentsOf(reply(['> -\tfor_each_lamp(lamp)', '> -\t\tfound++;', 'Good.']));
		assert.ok(comment);
		assert.deepEqual([lineOf(comment).side, lineOf(comment).firstLine, lineOf(comment).line], ['old', 12, 13]);
	});

	test('a hunk header means its first line', () => {
		const [comment] = commentsOf(reply(['> @@ -10,7 +10,7 @@ int lamps(void)', 'Inline?']));
		assert.ok(comment);
		assert.deepEqual([lineOf(comment).side, lineOf(comment).line], ['new', 10]);
	});

	test('References or the quotation identify the parent of a mail without one', () => {
		const quotation = ['> +\tif (found < 0)', 'Why?'];
		const reading = makeReading({ body: quotation.join('\n'), references: ['<m1@forge.test>'] });
		const byReferences = reply([], { parentId: undefined, reading });
		const lost = reply(quotation, { id: 3, parentId: 77 });
		const both = commentsOf(byReferences, lost);
		assert.deepEqual(
			both.map((comment) => lineOf(comment).line),
			[12, 12],
		);
	});

	test('a mail unrelated to the series goes elsewhere', () => {
		const lost = { parentId: undefined, subject: 'Re: something else' };
		const [comment] = commentsOf(reply(['> something else', '', 'What?'], lost));
		assert.equal(comment?.place.kind, 'elsewhere');
	});

	test('a comment on another version is not placed on a similar line', () => {
		const other = makeSeriesMail({ id: 5, subject: '[PATCH lamp v2] count once', body: patchBody });
		const comments = commentsOf(other, reply(['> +\tif (found < 0)', '', 'Still?'], { id: 6, parentId: 5 }));
		assert.deepEqual(
			comments.map(({ prose, place }) => [prose, place.kind]),
			[['Still?', 'elsewhere']],
		);
	});

	test('a quote of an unreadable patch of another series is not placed on a similar line', () => {
		const other = makeSeriesMail({
			id: 5,
			subject: '[PATCH other] count',
			createdMs: patch.createdMs - 1,
			reading: { kind: 'raw', reason: 'unreadable', text: patchBody },
		});
		const comments = commentsOf(other, reply(['> +\tif (found < 0)', '', 'Why?'], { id: 6, parentId: 5 }));
		assert.deepEqual(
			comments.map(({ prose, place }) => [prose, place.kind]),
			[['Why?', 'elsewhere']],
		);
	});

	test('a reply without Re: is a reply', () => {
		const [comment] = commentsOf(reply(['> +\tif (found < 0)', '', 'Why?'], { subject: patch.subject }));
		assert.equal(comment?.place.kind, 'line');
	});

	test('an unreadable mail is a comment on the whole patch', () => {
		const [comment] = commentsOf(reply([], { reading: { kind: 'raw', reason: 'noPlainText', text: '<p>Hm</p>' } }));
		assert.deepEqual([comment?.prose, comment?.place], ['<p>Hm</p>', { kind: 'general', mailId: 1 }]);
	});

	test('trailers below a quotation are about the whole patch', () => {
		const [comment] = commentsOf(reply(['> }', '', 'Reviewed-by: Bob <bob@forge.test>']));
		assert.deepEqual(comment?.place, { kind: 'general', mailId: 1 });
	});

	test('a greeting alone is a courtesy, and the reading drops it above a comment', () => {
		const kinds = (...lines: readonly string[]): readonly unknown[] =>
			commentsOf(reply(lines)).map(({ prose, isCourtesy }) => [prose, isCourtesy]);
		assert.deepEqual(kinds('Hi Ann,', '', '> +\tif (found < 0)', '', 'Why?'), [['Why?', false]]);
		assert.deepEqual(kinds('Hi Ann,', '', '> +\tif (found < 0)'), [['Hi Ann,', true]]);
		const thanks = ['Hi Ann,', '', 'Thanks for the patch.', ''];
		assert.deepEqual(kinds(...thanks, '> +\tif (found < 0)', '', 'Why?'), [['Why?', false]]);
		assert.deepEqual(kinds('> +\tif (found < 0)', '', 'Thanks!', '', '> \treturn found;', '', 'Why?'), [
			['Thanks!', true],
			['Why?', false],
		]);
	});

	for (const line of [
		'Ann writes:',
		'Mon, Mar 02, 2026 at 10:00:00AM +0000, somebody wrote:',
		'----- Reply message -----',
	]) {
		test(`a quotation below “${line}” leaves no comment of that line`, () => {
			const from = [{ name: 'Ann Lee', address: 'ann@forge.test' }];
			const ofAnn = makeSeriesMail({ ...patch, reading: makeReading({ body: patchBody, from }) });
			const comments = reviewComments([ofAnn, reply([line, '> +\tif (found < 0)', '', 'Why?'])], readSeries([ofAnn]));
			assert.deepEqual(
				runAtOnce(comments).map(({ prose }) => prose),
				['Why?'],
			);
		});
	}

	test('the mark of a mail program below a quotation is no comment', () => {
		const lines = ['> +\tif (found < 0)', '', 'Why?', '', '> \treturn found;', '---end quoted text---'];
		assert.deepEqual(
			commentsOf(reply(lines)).map(({ prose }) => prose),
			['Why?'],
		);
	});

	const quotedEnd = ['> +\tif (found < 0)', '', 'Why?', '', '> +\t\tfound = count_lamps();', '> \treturn found;', ''];
	const wholePatch = patchBody.split('\n').map((line) => `> ${line}`);
	const toEnd = wholePatch.slice(0, wholePatch.indexOf('> -- '));

	for (const [what, lines] of [
		['a first name', ['Kind regards,', '', 'Bob']],
		['a whole name', ['Bob B. Builder']],
		['initials', ['-- BBB']],
		['thanks', ['Thanks!']],
		['a wish', ['Have a lovely night!', 'Bob']],
		['a greeting in two languages', ['Gr{oetje,eeting}s,', '', '  Bob']],
		['regards without a comma', ['regards', '', 'bob']],
		[
			'the footer of a list',
			['_'.repeat(47), 'devel mailing list', 'devel@forge.test', 'https://forge.test/listinfo/devel'],
		],
		['a sign-off above the footer of a list', ['Bob', '_'.repeat(47), 'devel mailing list -- devel@forge.test']],
	] as const) {
		test(`${what} at the end of a mail is about no line`, () => {
			const comments = (above: readonly string[]): readonly ReviewComment[] => {
				const from = [{ name: 'Bob B. Builder', address: 'bob@forge.test' }];
				return commentsOf(reply([], { reading: makeReading({ body: [...above, ...lines].join('\n'), from }) }));
			};
			assert.deepEqual(
				comments(quotedEnd).map(({ prose }) => prose),
				['Why?'],
			);
			const only = comments(quotedEnd.slice(4));
			assert.ok(only.every(({ place, isCourtesy }) => place.kind === 'general' && isCourtesy));
		});
	}

	test('text below a whole quoted patch is about the whole patch', () => {
		for (const said of ['Thanks, applied.\n\nA', 'Good catch! Applied.']) {
			const [comment] = commentsOf(reply([...toEnd, '', ...said.split('\n')]));
			assert.deepEqual(comment?.place, { kind: 'general', mailId: 1 });
		}
		const [onLine] = commentsOf(reply([...toEnd.slice(7), '', 'Why?']));
		assert.equal(onLine?.place.kind, 'line', 'a part of it');
		// A patch without a signature ends with its diff.
		const bare = makeSeriesMail({
			id: 1,
			subject: patch.subject,
			body: patchBody.slice(0, patchBody.indexOf('-- \n')),
		});
		const below = reply([...toEnd, '', 'Thanks, applied.']);
		const [onBare] = runAtOnce(reviewComments([bare, below], readSeries([bare])));
		assert.deepEqual(onBare?.place, { kind: 'general', mailId: 1 });
	});

	/** A comment on another patch than the usual one. */
	function commentOn(diff: string, lines: readonly string[], message = 'Why.'): ReviewComment | undefined {
		const mail = makeSeriesMail({ id: 1, subject: patch.subject, body: `${message}\n---\n${diff}-- \n2.39.5\n` });
		const [comment] = runAtOnce(reviewComments([mail, reply(lines)], readSeries([mail])));
		return comment;
	}

	test('comments on a binary file and on a hunk without lines go to the file', () => {
		const binary = 'diff --git a/i b/i\nindex 1111111..2222222 100644\nBinary files a/i and b/i differ\n';
		const on = (diff: string): unknown => commentOn(diff, ['> diff --git a/i b/i', '', 'Why?'])?.place;
		assert.deepEqual(on(binary), { kind: 'file', mailId: 1, file: 0 });
		const head = 'diff --git a/i b/i\nindex 1111111..2222222 100644\n--- a/i\n+++ b/i\n';
		assert.deepEqual(on(`${head}@@ -1,3 +1,3 @@ int main(void)\n${binary.replaceAll('/i', '/j')}`), {
			kind: 'file',
			mailId: 1,
			file: 0,
		});
	});

	test('a quotation spans a few blank lines, but restarts after many', () => {
		const firstLine = (blanks: number): number | undefined => {
			const lines = ['+first();', ...Array.from({ length: blanks }, () => ' '), '+last();'];
			const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,${blanks} +1,${lines.length} @@\n${lines.join('\n')}\n`;
			const comment = commentOn(diff, [...lines.map((line) => `> ${line}`), 'Why?']);
			return comment && lineOf(comment).firstLine;
		};
		assert.deepEqual([firstLine(3), firstLine(30)], [1, 32]);
	});

	test('a changed line that resembles many lines does not hide the first message line below it', () => {
		const many = Array.from({ length: 9 }, (_, at) => `the lamp is number ${at}`).join('\n');
		const comment = commentOn(
			'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
			['> the lamp is', '> Count the lamps once.', '', 'Why?'],
			`Count the lamps once.\n\n${many}`,
		);
		assert.deepEqual(comment?.place, { kind: 'message', mailId: 1, line: 1 });
	});

	test('the end of a very long reply is one comment on the whole patch', () => {
		const comments = commentsOf(
			reply([
				'> +\tif (found < 0)',
				'',
				'Why?',
				'',
				...Array.from({ length: 1000 }, () => '> '.repeat(500)),
				'',
				'Last.',
			]),
		);
		assert.deepEqual(
			comments.map(({ prose, place, index }) => [prose.slice(-5), place.kind, index]),
			[
				['Why?', 'line', 0],
				['Last.', 'general', 1],
			],
		);
	});

	test('trailers above a sign-off are about the whole patch', () => {
		const body = ['> }', '', 'Reviewed-by: Bob <bob@forge.test>', '', 'Thanks,', 'Bob'].join('\n');
		const [comment] = commentsOf(reply([], { reading: makeReading({ body }) }));
		assert.deepEqual(comment?.place, { kind: 'general', mailId: 1 });
	});

	test('a patch inside a reply is one comment on the whole patch', () => {
		const better = [
			'Right. Here is a better one:',
			'',
			`From ${'6a8c60ea'.repeat(5)} Mon Sep 17 00:00:00 2001`,
			'From: Bob <bob@forge.test>',
			'Date: Wed, 11 Dec 2019 19:57:24 +0530',
			'Subject: [PATCH v2] count once',
			'',
			'Says why.',
			'---',
			...patchBody
				.split('\n')
				.slice(6)
				.flatMap((line) => (line.includes('found < 0') ? [line, '+\tchecked(new_argument);'] : [line])),
		];
		for (const lines of [better, [...better.slice(0, 2), ...better.slice(3)]]) {
			assert.deepEqual(
				commentsOf(reply(lines)).map(({ place }) => place),
				[{ kind: 'general', mailId: 1 }],
			);
		}
	});

	test('a reply older than its parent patch is still about that patch', () => {
		const early = reply(['> +\tif (found < 0)', '', 'Still?'], { id: 6, parentId: 5, createdMs: 1 });
		const other = makeSeriesMail({
			id: 5,
			subject: '[PATCH other] count',
			body: patchBody,
			createdMs: 2,
			from: 'bob@forge.test',
		});
		const all = runAtOnce(reviewComments([patch, early, other], readSeries([patch])));
		assert.deepEqual(
			all.map(({ place }) => place.kind),
			['elsewhere'],
		);
	});

	test('a reply older than the series is not about it', () => {
		const old = reply(['> +\tif (found < 0)', '', 'This leaks.'], {
			parentId: 99,
			subject: 'Re: [PATCH v1] count',
			createdMs: patch.createdMs - 1,
		});
		assert.deepEqual(
			commentsOf(old).map(({ place }) => place.kind),
			['elsewhere'],
		);
	});

	test('a mark above a quotation is an attribution in each form', () => {
		const head = ['From: Ann', 'Sent: Monday, March 3, 2025 10:00 AM', 'Subject: [PATCH lamp] count once'];
		for (const mark of [['----- Ursprüngliche Mail -----'], head, ['-----Original Message-----', ...head]]) {
			for (const between of [[], ['']]) {
				const quotation = ['> +\tstatic int found = -1;', '> +\tif (found < 0)', ''];
				const own = ['How about this one?', '', 'diff --git a/x b/x', '+\tif (found < 0)'];
				const said = commentsOf(reply(['Two things.', '', ...mark, ...between, ...quotation, ...own]));
				assert.deepEqual(
					said.map(({ prose }) => prose),
					['Two things.', own.join('\n')],
					mark.join('\n'),
				);
			}
		}
	});

	test('an unknown original is not the author’s text, unless there is no other text', () => {
		const original = [
			'-----Original Message-----',
			'From: Eve',
			'Sent: Monday, March 3, 2025 10:00 AM',
			'Subject: lunch',
			'',
			'At noon?',
		];
		const said = commentsOf(reply(['See below.', '', ...original]));
		assert.deepEqual(
			said.map(({ prose }) => prose),
			['See below.'],
		);
		assert.deepEqual(
			commentsOf(reply(original)).map(({ prose }) => prose),
			['At noon?'],
		);
	});

	test('text right below a quotation does not belong to the head above it', () => {
		const head = ['From: Ann', 'Sent: Monday, March 3, 2025 10:00 AM', 'Subject: [PATCH lamp] count once'];
		const comments = commentsOf(reply([...head, '> +\tif (found < 0)', 'Why?', '> }', 'Fine.']));
		assert.deepEqual(
			comments.map(({ prose }) => prose),
			['Why?', 'Fine.'],
		);
	});

	test('a line with a mailbox’s From mark belongs to the comment', () => {
		const [comment] = commentsOf(reply(['> }', '', 'This is odd.', '>From here on it is empty.', 'Is it not?']));
		assert.equal(comment?.prose, 'This is odd.\nFrom here on it is empty.\nIs it not?');
	});

	test('a reply to the cover letter may name a patch', () => {
		const cover = makeSeriesMail({ id: 10, subject: '[PATCH lamp 0/2] twice', body: 'Twice.' });
		const parts = [1, 2].map((at) =>
			makeSeriesMail({ id: 10 + at, subject: `[PATCH lamp ${at}/2] part ${at}`, body: patchBody, parentId: 10 }),
		);
		const mail = reply(['In 2/2:', '> +\tif (found < 0)', 'Why?', '', 'Patch 1:', '> }', 'Fine.'], {
			id: 20,
			parentId: 10,
		});
		const series = readSeries([cover, ...parts]);
		const comments = runAtOnce(reviewComments([cover, ...parts, mail], series));
		assert.deepEqual(
			comments.filter(({ place }) => place.kind === 'line').map((comment) => lineOf(comment).mailId),
			[12, 11],
		);
	});

	test('among equal comments, the answer goes to the one on the quoted line', () => {
		const question = reply(['> {', 'Why?', '> +\tif (found < 0)', 'Why?', '> }', 'Why?'], { id: 2 });
		const answer = reply(['> > +\tif (found < 0)', '> Why?', 'Because.'], { id: 3, parentId: 2 });
		const last = commentsOf(question, answer).at(-1);
		assert.equal(last?.answers?.index, 1);
	});

	test('text that only looks like a mail program’s line stays', () => {
		const comments = commentsOf(
			reply([
				'> {',
				'',
				'Only what you wrote in 2024 is better:',
				'',
				'> +\tif (found < 0)',
				'',
				'Sent with the old flags, this fails.',
				'Envoyé de façon répétée, it fails as well.',
				'',
				'On Mon, Mar 2, 2026 at 9:01 AM Ann Lee <ann@forge.test>',
				'wrote:',
				'> }',
				'Sent from my phone',
			]),
		);
		assert.deepEqual(
			comments.map(({ prose }) => prose),
			[
				'Only what you wrote in 2024 is better:',
				'Sent with the old flags, this fails.\nEnvoyé de façon répétée, it fails as well.',
			],
		);
	});

	test('a circular conversation ends', () => {
		const comments = commentsOf(
			reply(['> Two', 'One'], { id: 2, parentId: 3 }),
			reply(['> One', 'Two'], { id: 3, parentId: 2 }),
		);
		assert.equal(comments.length, 2);
	});

	test('a question is open until somebody else answers it', () => {
		const question = reply(['> +\tif (found < 0)', '', 'Why?'], { id: 2, from: 'bob@forge.test' });
		const own = reply(['> Why?', '', 'I mean it.'], { id: 3, parentId: 2, from: 'bob@forge.test' });
		const answer = reply(['> Why?', '', 'Because.'], { id: 4, parentId: 2, from: 'ann@forge.test' });
		const openIn = (comments: readonly ReviewComment[]) => [...openQuestions(comments)].map(({ prose }) => prose);
		assert.deepEqual(openIn(commentsOf(question, own)), ['Why?']);
		assert.deepEqual(openIn(commentsOf(question, own, answer)), []);
	});

	test('an answer on the same line closes an unquoted question', () => {
		const question = reply(['> +\tif (found < 0)', '', 'Why?'], { id: 2, from: 'bob@forge.test' });
		const below = (line: string) =>
			reply([`> > ${line}`, '', 'Because.'], { id: 3, parentId: 2, from: 'ann@forge.test' });
		assert.equal(openQuestions(commentsOf(question, below('+\tif (found < 0)'))).size, 0);
		assert.equal(openQuestions(commentsOf(question, below('+\t\tfound = count_lamps();'))).size, 1);
		// Servers without parent numbers, and mails that name only their thread.
		const body = '> > +\tif (found < 0)\n\nBecause.';
		const from = [{ name: '', address: 'ann@forge.test' }];
		for (const head of [{ inReplyTo: '<m2@forge.test>' }, { references: ['<m1@forge.test>', '<m2@forge.test>'] }]) {
			const answer = reply([], { id: 3, parentId: undefined, reading: makeReading({ body, from, ...head }) });
			assert.equal(openQuestions(commentsOf(question, answer)).size, 0);
		}
		// A question in a reply to another mail is no answer.
		const quotation = reply(['> > +\tif (found < 0)'], { id: 3, parentId: 2, from: 'carol@forge.test' });
		const reading = makeReading({
			body: '> > > +\tif (found < 0)\n\nIs it fast?',
			from,
			references: ['<m1@forge.test>', '<m2@forge.test>', '<m3@forge.test>'],
		});
		const later = reply([], { id: 4, parentId: 3, reading });
		assert.equal(openQuestions(commentsOf(question, quotation, later)).size, 2);
	});

	test('code and addresses are not questions', () => {
		const prose = [
			'Use `a ? b : c` or',
			'',
			'\tx = y ? 1 : 2;',
			'',
			'as in https://forge.test/?q=1 and n = a ? b : c;',
		];
		assert.equal(openQuestions(commentsOf(reply(prose))).size, 0);
		assert.equal(openQuestions(commentsOf(reply(['Is it (really?) so']))).size, 1);
		assert.equal(openQuestions(commentsOf(reply(['本当ですか？']))).size, 1);
	});

	test('each written line of a random reply is in exactly one comment', () => {
		const random = createRandom(seed());
		const quoted = patchBody.split('\n').map((line) => `> ${line}`);
		// Greetings, attributions, omissions, marks above quotations, and armor are not comments.
		const others = [
			'',
			'',
			'[...]',
			'[]',
			'> > +\tif (found < 0)',
			'| }',
			'> nothing known',
			'On Mon, 2 Mar 2026, Ann wrote:',
			'__________',
			'-----Original Message-----\n> nothing known',
			'-----BEGIN PGP SIGNATURE-----\n\niHUEARYIAB0WIQR\n-----END PGP SIGNATURE-----',
		];
		const forms = [
			(at: number): string => `Own words of line ${at}.`,
			(at: number): string => `----- Benchmark ${at} -----`,
			(at: number): string =>
				`Board: Pebble ${at}\nKernel: 6.8 of 2025-03-03 10:20\nContact: lab@forge.test, rack ${at}`,
			(at: number): string => `Author: Ann <ann${at}@forge.test>\nAuthorDate: Mon Mar 3 10:00:00 2025, ${at}`,
			(at: number): string => `Thanks, applied ${at}`,
			(at: number): string => `[1] This is note ${at}`,
			(at: number): string => `gpg: Signature made Mon 03 Mar 2025 10:00:00, ${at}`,
		];
		for (let round = 0; round < counts({ small: 400, full: 20_000 }); round++) {
			const written: string[] = [];
			const lines = Array.from({ length: 1 + random.below(40) }, (_, at) => {
				const kind = random.below(3);
				if (kind === 0) {
					const said = forms[random.below(forms.length)]!(at);
					written.push(said);
					return said;
				}
				const from = kind === 1 ? quoted : others;
				return from[random.below(from.length)] ?? '';
			});
			const comments = commentsOf(reply(['Hi Ann,', '', ...lines])).map(({ prose }) => `\n${prose}\n`);
			for (const said of written) {
				const holders = comments.filter((prose) => prose.includes(`\n${said}\n`));
				assert.equal(holders.length, 1, `${said}\n\nin\n\n${lines.join('\n')}`);
			}
		}
	});

	test('a reply to the cover letter means the patch with the number above the quotation', () => {
		const cover = makeSeriesMail({ id: 100, subject: '[PATCH lamp 00/12] all', body: 'All.' });
		const parts = Array.from({ length: 12 }, (_, at) =>
			makeSeriesMail({
				id: 101 + at,
				parentId: 100,
				subject: `[PATCH lamp ${at + 1}/12] part`,
				body: [0, 2, 11].includes(at) ? patchBody : patchText(`x${at}`),
			}),
		);
		const series = readSeries([cover, ...parts]);
		const heads = {
			third: [
				'In 3/12:',
				'[PATCH 03/12]',
				'(3/12)',
				'#3/12',
				'On 3/12, again',
				'3/12',
				'Patch 3:',
				'In patch 3',
				'PATCH #3.',
				'patch 3/12',
				`3/12 ${'.'.repeat(115)}`,
			],
			twelfth: ['12/12', 'See patch 12'],
			// The number of another series, or no number.
			unnamed: [
				'Well,',
				'x3/12',
				'3/12x',
				'3/2',
				'3/120',
				'13/12',
				'dispatch 3',
				'patch 3x',
				`3/12 ${'.'.repeat(116)}`,
			],
		};
		const meant = (head: string, parentId = 100): unknown => {
			const body = `${head}\n> +\tif (found < 0)\nWhy?`;
			const mail = makeSeriesMail({ id: 200, parentId, subject: 'Re: [PATCH lamp 00/12] all', body });
			const comment = runAtOnce(reviewComments([cover, ...parts, mail], series)).at(-1);
			return comment && lineOf(comment).mailId;
		};
		for (const [heading, number] of [
			[heads.third, 103],
			[heads.twelfth, 112],
			[heads.unnamed, 101],
		] as const) {
			assert.deepEqual(
				Object.fromEntries(heading.map((head) => [head, meant(head)])),
				Object.fromEntries(heading.map((head) => [head, number])),
			);
		}
		// A reply to a patch means that patch.
		assert.equal(meant('In 3/12:', 112), 112);
	});

	test('the name or address of the author or one of four ancestors above a quotation is no comment', () => {
		const written = (id: number, name: string, body: string): SeriesMail =>
			makeSeriesMail({
				id,
				parentId: id === 1 ? undefined : id - 1,
				subject: id === 1 ? patch.subject : `Re: ${patch.subject}`,
				reading: makeReading({
					body,
					from: [{ name, address: `${name.split(' ')[0]}@forge.test` }],
				}),
			});
		const ann = written(1, 'Ann Lee', patchBody);
		const chain = ['Bob Rock', 'Cem Ak', 'Dan Fox', 'Eve Ray'].map((name, at) => written(2 + at, name, 'Hm.'));
		const isSaid = (name: string): boolean => {
			const last = written(6, 'Fay Sun', `${name}:\n> +\tif (found < 0)\nWhy?`);
			const comments = runAtOnce(reviewComments([ann, ...chain, last], readSeries([ann])));
			return comments.some(({ mail, prose }) => mail.id === 6 && prose === `${name}:`);
		};
		const names = ['Fay Sun', 'Eve Ray', 'EVE RAY', 'Eve@forge.test', 'Bob Rock', 'Ann Lee', 'Gil Tan', 'ray'];
		assert.deepEqual(names.filter(isSaid), ['Ann Lee', 'Gil Tan', 'ray']);
	});

	test('a sign-off with the whole name, a part of it or initials is no comment', () => {
		const signs = ['Bob Tock', 'BT', 'T', 'Bob', 'B', 'tock', 'Tock Bob', 'Al'];
		const asNames = (name: string): readonly string[] =>
			signs.filter((sign) => {
				const body = ['> {', 'Why?', '', '> }', sign].join('\n');
				return (
					commentsOf(reply([], { reading: makeReading({ body, from: [{ name, address: 'b@forge.test' }] }) }))
						.length === 1
				);
			});
		assert.deepEqual(["'Bob Tock'", 'Tock, Bob', 'Bob', ''].map(asNames), [
			['Bob Tock', 'BT', 'Bob', 'B', 'tock'],
			['T', 'Bob', 'tock', 'Tock Bob'],
			['Bob', 'B'],
			[],
		]);
	});

	/** Each comment with the last line of its place, or the kind of its place. */
	function placed(...lines: readonly string[]): readonly (readonly [prose: string, place: number | string])[] {
		return commentsOf(reply(lines)).map(({ prose, place }) => [prose, place.kind === 'line' ? place.line : place.kind]);
	}

	test('text above all quotations is about the only quotation, or else about the patch', () => {
		const quotation = '> +\tif (found < 0)';
		assert.deepEqual(placed('Why?', '', quotation), [['Why?', 12]]);
		assert.deepEqual(placed('Why?', '', quotation, '', 'Well.'), [
			['Why?', 'general'],
			['Well.', 12],
		]);
		assert.deepEqual(placed('Why?', '', quotation, '', 'Well.', '> }'), [
			['Why?', 'general'],
			['Well.', 12],
		]);
	});

	test('trailers and a sign-off at the end count even above a last quotation', () => {
		const trailer = 'Reviewed-by: Bob <bob@forge.test>';
		assert.deepEqual(placed('> {', 'Why?', '> }', trailer, '> {'), [
			['Why?', 10],
			[trailer, 'general'],
		]);
		assert.deepEqual(placed('> {', trailer, '> }', 'Why?'), [
			[trailer, 10],
			['Why?', 15],
		]);
		assert.deepEqual(placed('> }', trailer, '  ', 'Thanks!'), [[`${trailer}\n\nThanks!`, 'general']]);
		assert.deepEqual(placed('> {', 'Why?', '> }', 'Thanks!', '> {'), [['Why?', 10]]);
		assert.deepEqual(placed('> }', 'Thanks!', '> {'), [['Thanks!', 'general']]);
	});

	test('a comment below a patch with an omission or without its message is about the last line', () => {
		const said = 'Applied, as it is.';
		const elided = toEnd.with(toEnd.length - 4, '[...]');
		assert.deepEqual([placed(...elided, '', said), placed(...toEnd.slice(3), '', said)], [[[said, 15]], [[said, 15]]]);
	});

	test('a mail older than the series is about it only as a reply to it', () => {
		const places = (change: Partial<SeriesMail>): readonly string[] =>
			[-1, 0, 1].flatMap((ms) =>
				commentsOf(reply(['> +\tif (found < 0)', '', 'Why?'], { ...change, createdMs: patch.createdMs + ms })).map(
					({ place }) => place.kind,
				),
			);
		assert.deepEqual(places({}), ['line', 'line', 'line']);
		assert.deepEqual(places({ parentId: 99, subject: 'Re: x' }), ['elsewhere', 'line', 'line']);
		// The series begins with its first mail.
		const parts = [1, 2].map((at) =>
			makeSeriesMail({ id: at, subject: `[PATCH lamp ${at}/2] part`, body: patchBody, createdMs: 1000 * at }),
		);
		const between = reply(['> {', 'Why?'], { id: 9, parentId: 99, subject: 'Re: x', createdMs: 1500 });
		const [comment] = runAtOnce(reviewComments([...parts, between], readSeries(parts)));
		assert.equal(comment?.place.kind, 'line');
	});

	test('a reply without a quotation answers the comment on the whole patch, or the only one', () => {
		const both = reply(['> {', 'Why?', '', '> }', '', 'Reviewed-by: Bob <bob@forge.test>']);
		const answer = commentsOf(both, reply(['You are right in both.'], { id: 3, parentId: 2 })).at(-1);
		assert.deepEqual([answer?.place, answer?.answers?.index], [{ kind: 'general', mailId: 1 }, 1]);
		const one = reply(['> {', 'Why?']);
		const [asked, because] = commentsOf(one, reply(['It is needed.'], { id: 3, parentId: 2 }));
		assert.deepEqual([because?.place, because?.answers], [asked?.place, asked]);
	});

	test('a quotation appears with its omissions, and also without marks', () => {
		const [elided] = commentsOf(reply(['> {', '[...]', '> +\tif (found < 0)', '', 'Why?']));
		assert.deepEqual(elided?.quote, [' {', '[...]', ' +\tif (found < 0)']);
		const unmarked = commentsOf(
			reply([
				'-----Original Message-----',
				'From: Ann',
				'Sent: Monday, March 3, 2025 10:00 AM',
				'Subject: [PATCH lamp] count once',
				'',
				'+\tstatic int found = -1;',
				'+\tif (found < 0)',
				'Why so?',
			]),
		);
		assert.deepEqual(unmarked.at(-1)?.quote, ['+\tstatic int found = -1;', '+\tif (found < 0)']);
	});

	test('blanks after the readable part of a text are no comment', () => {
		const blanks = ' '.repeat(1_000_000);
		assert.deepEqual(placed('> +\tif (found < 0)', 'Why?', '', blanks, 'Last.'), [
			['Why?', 12],
			['Last.', 'general'],
		]);
		assert.deepEqual(placed('> +\tif (found < 0)', 'Why?', '', blanks, '  '), [['Why?', 12]]);
	});
});
