import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { mailFile } from '../../src/mail/outgoingMail.ts';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import { lineKey } from '../../src/review/lineKey.ts';
import { quotableLines, type QuotableLine } from '../../src/review/quotableLines.ts';
import type { DraftComment, DraftPlace, MailEdit, ReviewDraft } from '../../src/review/reviewDraft.ts';
import {
	reviewReplies,
	type RenderedReview,
	type ReviewReply,
	type ReviewSetting,
} from '../../src/review/reviewReplies.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import type { CommentPlace, ReviewComment } from '../../src/review/reviewComment.ts';
import { suggestedHunks } from '../../src/review/suggestedHunks.ts';
import type { LineOrigin } from '../../src/review/sourceLines.ts';
import { holdsDiff } from 'sample-forge/mail/message.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';
import { replyCorpus, type CorpusThread } from '../../../../test/support/replyCorpus.ts';
import { readSeries } from '../../src/series/series.ts';
import { makeReading, makeSeriesMail } from '../../../../test/support/makeSeries.ts';
import { testInBoth } from '../../../../test/support/parts.ts';

const carol = { name: 'Carol Nakamura', address: 'carol@forge.test' };
const nowMs = Date.UTC(2026, 10, 22, 9, 30);
const noDraft: ReviewDraft = { comments: [], trailers: new Map(), status: undefined, edits: new Map() };

function settingOf({ mails, series }: Pick<CorpusThread, 'mails' | 'series'>): ReviewSetting {
	let count = 0;
	return {
		from: carol,
		own: [carol.address],
		posting: '~ada/lantern-devel@lists.example.org',
		thread: mails,
		series,
		newMessageId: () => `<reply-${(count += 1)}@forge.test>`,
		nowMs,
	};
}

function render(thread: CorpusThread, draft: Partial<ReviewDraft>): RenderedReview {
	return runAtOnce(reviewReplies({ ...noDraft, ...draft }, settingOf(thread)));
}

function comment(place: DraftPlace, text: string, change: Partial<DraftComment> = {}): DraftComment {
	return { id: text, place, text, suggestion: undefined, ...change };
}

/** The reply as others receive it. */
function arrived({ mail, answered }: ReviewReply, id: number): SeriesMail {
	const read = readPlainMail(mailFile(mail, nowMs));
	assert.ok(read, 'the reply is a plain mail');
	return {
		id,
		messageId: mail.messageId,
		parentId: answered.id,
		createdMs: nowMs + id,
		subject: read.subject,
		account: undefined,
		reading: { kind: 'read', mail: read },
	};
}

const addedLines = (lines: readonly string[]): string => {
	const rows = lines.map((line) => `+${line}\n`).join('');
	return `diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${rows}-- \n2.39.5\n`;
};
const smallPatch = makeSeriesMail({
	id: 1,
	subject: '[PATCH] x',
	body: `Why.\n---\n${addedLines(['line 1 of many', 'line 2 of many', 'line 3 of many'])}`,
});

function renderSmall(draft: Partial<ReviewDraft>, mails: readonly SeriesMail[] = [smallPatch]): RenderedReview {
	return runAtOnce(reviewReplies({ ...noDraft, ...draft }, settingOf({ mails, series: readSeries(mails) })));
}

const wordsOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

suite('review replies', function () {
	this.timeout(600_000);
	let threads: readonly CorpusThread[] = [];
	let lantern: CorpusThread;
	suiteSetup(async () => {
		threads = await replyCorpus();
		const found = threads.find(({ name }) => name === 'lantern-a');
		assert.ok(found);
		lantern = found;
	});

	const idOf = (name: string): string => {
		const [id] = [...lantern.nameOf].find(([, each]) => each === name) ?? [];
		const mail = lantern.mails.find((each) => each.id === id);
		assert.ok(mail, name);
		return mail.messageId;
	};
	const only = ({ replies }: RenderedReview): ReviewReply => {
		assert.equal(replies.length, 1);
		const [reply] = replies;
		assert.ok(reply);
		return reply;
	};

	test('quote the commented lines up to the last one and reply to the exact mail', () => {
		const messageId = idOf('lantern-1');
		const reply = only(
			render(lantern, {
				comments: [
					comment(
						{ kind: 'lines', messageId, file: 0, side: 'new', firstLine: 33, line: 33 },
						'free() takes NULL, so this is only needed for ring itself. Could the message say why it is wanted?',
					),
					comment({ kind: 'lines', messageId, file: 0, side: 'old', firstLine: 19, line: 19 }, 'Good riddance.'),
					comment({ kind: 'mail', messageId }, 'Thanks, I like it.'),
					comment({ kind: 'lines', messageId, file: 0, side: 'new', firstLine: 20, line: 22 }, 'Nice.'),
				],
				trailers: new Map([[messageId, 'Reviewed-by']]),
				status: 'approved',
			}),
		);
		assert.deepEqual(reply.astray, []);
		assert.equal(
			reply.mail.body,
			[
				'Thanks, I like it.',
				'',
				'On 2026-03-02 08:01 UTC, Ada Quill wrote:',
				'> diff --git a/src/ring.c b/src/ring.c',
				'> @@ -16,7 +16,11 @@ struct ring *ring_new(size_t size)',
				'>',
				'>  	if (!ring)',
				'>  		return NULL;',
				'> -	ring->bytes = malloc(size);',
				'',
				'Good riddance.',
				'',
				'[...]',
				'> +	if (!ring->bytes) {',
				'> +		free(ring);',
				'> +		return NULL;',
				'',
				'Nice.',
				'',
				'[...]',
				'> @@ -25,6 +29,8 @@ struct ring *ring_new(size_t size)',
				'[...]',
				'>  void ring_free(struct ring *ring)',
				'>  {',
				'> +	if (!ring)',
				'> +		return;',
				'',
				'free() takes NULL, so this is only needed for ring itself. Could the',
				'message say why it is wanted?',
				'',
				'Reviewed-by: Carol Nakamura <carol@forge.test>',
				'',
			].join('\n'),
		);
		assert.deepEqual(
			[reply.mail.inReplyTo, reply.mail.references, reply.mail.subject, reply.mail.patchsetStatus],
			[
				'<lantern-v2-1@example.org>',
				['<lantern-v2-0@example.org>', '<lantern-v2-1@example.org>'],
				'Re: [PATCH lantern v2 1/3] ring: copy in blocks instead of byte by byte',
				'approved',
			],
		);
		assert.deepEqual(
			[reply.mail.to, reply.mail.cc],
			[
				[{ name: '', address: '~ada/lantern-devel@lists.example.org' }],
				[
					{ name: 'Ada Quill', address: 'ada@example.org' },
					// They replied to the same patch, or to the cover letter.
					{ name: 'Bela Novak', address: 'bela@example.com' },
					{ name: 'Chen Wei', address: 'chen@example.net' },
					{ name: 'Dora Stein', address: 'dora.stein@example.com' },
				],
			],
		);
		const trailers = trailersOfThread([...lantern.mails, arrived(reply, 1000)], lantern.series);
		assert.ok(
			trailers.some(
				({ key, person, isForOther }) => key === 'Reviewed-by' && person.address === carol.address && !isForOther,
			),
		);
	});

	test('contain a suggested change as a diff that no program mistakes for a patch', () => {
		const messageId = idOf('lantern-1');
		const suggestion = {
			firstLine: 20,
			rows: [' 	if (!ring->bytes) {', '-		free(ring);', '+		ring_free(ring);', ' 		return NULL;'],
		};
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 20, line: 22 } as const;
		const reply = only(render(lantern, { comments: [comment(place, 'As everywhere else.', { suggestion })] }));
		assert.ok(
			reply.mail.body.endsWith(
				[
					'As everywhere else.',
					'',
					'    --- a/src/ring.c',
					'    +++ b/src/ring.c',
					'    @@ -20,3 +20,3 @@',
					'     	if (!ring->bytes) {',
					'    -		free(ring);',
					'    +		ring_free(ring);',
					'     		return NULL;',
					'',
				].join('\n'),
			),
			reply.mail.body,
		);
		assert.equal(holdsDiff(reply.mail.body), false);
		assert.deepEqual(reply.astray, []);
	});

	test('keep every line of a suggested change whole, and git finds no patch in them', () => {
		const messageId = idOf('lantern-1');
		const long = `${'a few words '.repeat(20)}end`;
		const rows = [
			' {',
			`-\t${long}`,
			`+\t-- ${long}`,
			'+- item',
			'---',
			'-- ',
			'+>quoted',
			'+',
			'\\ No newline at end of file',
		];
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 20, line: 22 } as const;
		const { mail, astray } = only(
			render(lantern, { comments: [comment(place, '', { suggestion: { firstLine: 20, rows } })] }),
		);
		const lines = mail.body.trimEnd().split('\n');
		assert.deepEqual(
			lines.slice(-rows.length - 5),
			['Suggested change:', '', '--- a/src/ring.c', '+++ b/src/ring.c', '@@ -20,4 +20,5 @@', ...rows].map((line, at) =>
				at < 2 ? line : `    ${line}`,
			),
		);
		assert.deepEqual([holdsDiff(mail.body), astray], [false, []]);
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-reply-'));
		try {
			gitIn(folder, ['mailinfo', 'message', 'patch'], mailFile(mail, nowMs));
			assert.equal(readFileSync(join(folder, 'patch'), 'utf8'), '');
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('contain a suggested change with blank lines at its end in a form that git applies', () => {
		const messageId = idOf('lantern-1');
		const before = 'a\nb\n\n\n\n';
		const [hunk] = runAtOnce(suggestedHunks(before, before.replace('b', 'c')));
		assert.ok(hunk);
		const suggestion = { firstLine: hunk.start + 1, rows: hunk.rows };
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 2, line: 2 } as const;
		const { mail } = only(render(lantern, { comments: [comment(place, '', { suggestion })] }));
		const read = readPlainMail(mailFile(mail, nowMs));
		const fixUp = /^ {4}--- [^]*/m.exec(read?.text ?? '')?.[0].replaceAll(/^ {4}/gm, '') ?? '';
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-reply-'));
		try {
			mkdirSync(join(folder, 'src'));
			writeFileSync(join(folder, 'src/ring.c'), before);
			gitIn(folder, ['apply', '-'], fixUp);
			assert.equal(readFileSync(join(folder, 'src/ring.c'), 'utf8'), 'a\nc\n\n\n\n');
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('never look like a patch, and keep diffs and code unwrapped', () => {
		const messageId = idOf('lantern-1');
		const long = `+${'x'.repeat(30)} ${'y'.repeat(60)}`;
		const text = `Like this:\ndiff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${'old '.repeat(30).trim()}\n${long}\n--\n${'word '.repeat(30)}\n- ${'item '.repeat(20)}`;
		const { mail } = only(render(lantern, { comments: [comment({ kind: 'mail', messageId }, text)] }));
		assert.equal(holdsDiff(mail.body), false);
		const lines = mail.body.split('\n');
		assert.ok(lines.includes(` ${long}`), mail.body);
		assert.ok(lines.includes(' --'), mail.body);
		assert.ok(
			lines.filter((line) => line.length > 72).every((line) => /^ [+-]/.test(line)),
			mail.body,
		);
		assert.ok(
			lines.some((line) => line.startsWith('  item')),
			mail.body,
		);
	});

	test('to a reply quote its text and include all its participants', () => {
		const asked = lantern.replies.find(
			({ mail }) => mail.reading.kind === 'read' && mail.reading.mail.text.includes('?'),
		);
		assert.ok(asked?.mail.reading.kind === 'read');
		const { mail } = asked;
		const { text, from } = asked.mail.reading.mail;
		const at = text.split('\n').findIndex((line) => !line.startsWith('>') && line.endsWith('?'));
		const reply = only(
			render(lantern, {
				comments: [comment({ kind: 'text', messageId: mail.messageId, part: 'text', line: at + 1 }, 'It is.')],
			}),
		);
		assert.deepEqual(reply.astray, []);
		assert.equal(reply.mail.inReplyTo, mail.messageId);
		assert.deepEqual(reply.mail.cc[0], from[0]);
		const found = runAtOnce(reviewComments([...lantern.mails, arrived(reply, 1000)], lantern.series)).at(-1);
		assert.equal(found?.answers?.mail.id, mail.id);
	});

	test('on a range are found on the whole range', () => {
		const messageId = idOf('lantern-1');
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 20, line: 22 } as const;
		const reply = only(render(lantern, { comments: [comment(place, 'Nice.')] }));
		const found = runAtOnce(reviewComments([...lantern.mails, arrived(reply, 1000)], lantern.series)).at(-1);
		assert.ok(found?.place.kind === 'line');
		assert.deepEqual([found.place.firstLine, found.place.line], [20, 22]);
	});

	test('go below the file header and name the line if the patch does not show it', () => {
		const messageId = idOf('lantern-1');
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 3, line: 3 } as const;
		const reply = only(render(lantern, { comments: [comment(place, 'Is this still needed?')] }));
		assert.ok(
			reply.mail.body.endsWith('> diff --git a/src/ring.c b/src/ring.c\n\nsrc/ring.c:3:\n\nIs this still needed?\n'),
			reply.mail.body,
		);
		assert.deepEqual(reply.astray, []);
	});

	test('go to each commented mail in the order of the series, and report lost comments', () => {
		const gone = comment({ kind: 'mail', messageId: '<gone@example.org>' }, 'Lost');
		const { replies, lost } = render(lantern, {
			comments: [
				comment({ kind: 'mail', messageId: idOf('lantern-3') }, 'Three'),
				comment({ kind: 'mail', messageId: idOf('lantern-0') }, 'Cover'),
				comment({ kind: 'mail', messageId: idOf('lantern-2') }, '  \n'),
				gone,
			],
			trailers: new Map([[idOf('lantern-1'), 'Tested-by']]),
			status: 'needs_revision',
		});
		assert.deepEqual(
			replies.map(({ mail }) => [mail.inReplyTo, mail.body.trim(), mail.patchsetStatus]),
			[
				['<lantern-v2-0@example.org>', 'Cover', undefined],
				['<lantern-v2-1@example.org>', 'Tested-by: Carol Nakamura <carol@forge.test>', undefined],
				['<lantern-v2-3@example.org>', 'Three', 'needs_revision'],
			],
		);
		assert.deepEqual(lost, [gone]);
	});

	testInBoth('from random comments on the corpus are found on exactly the commented lines', () => {
		const random = createRandom(seed());
		let [comments, onLines] = [0, 0];
		for (let round = 0; round < counts({ first: 20, small: 60, full: 1000 }); round++) {
			const thread = threads[random.below(threads.length)];
			assert.ok(thread);
			const drafts = thread.series.patches.flatMap((patch) => {
				const lines = quotableLines(patch.mail, patch);
				return Array.from({ length: random.below(7) }, (_, at) =>
					randomComment(random, { lines, mail: patch.mail, at, round }),
				);
			});
			const { replies, lost } = render(thread, { comments: drafts });
			assert.deepEqual(lost, []);
			const mails = replies.map((reply, at) => arrived(reply, 1000 + at));
			const found = runAtOnce(reviewComments([...thread.mails, ...mails], thread.series));
			for (const draft of drafts) {
				const reply = replies.findIndex((each) => each.answered.messageId === draft.place.messageId);
				const own = found.filter(({ mail }) => mail.id === mails[reply]?.id);
				const patch = thread.series.patches.find(({ mail }) => mail.messageId === draft.place.messageId);
				assert.ok(patch);
				const lines = quotableLines(patch.mail, patch);
				assert.ok(
					own.some((each) => isOnLine(each, draft, lines) && wordsOf(each.prose).includes(wordsOf(draft.text))),
					`${JSON.stringify(draft)}\n${replies[reply]?.mail.body}\n${JSON.stringify(own.map(({ place, prose }) => [place, prose]))}`,
				);
				comments += 1;
				onLines += draft.place.kind === 'lines' ? 1 : 0;
			}
			assert.deepEqual(
				replies.flatMap(({ astray }) => astray),
				[],
			);
		}
		console.log(`      ${comments} comments, ${onLines} of them on lines`);
	});

	test('use the user’s edited text until the comments change', () => {
		const { messageId } = smallPatch;
		const draft = {
			comments: [comment({ kind: 'mail', messageId }, 'Thanks, I like it.')],
			trailers: new Map([[messageId, 'Reviewed-by']] as const),
		};
		const { madeFrom, mail } = only(renderSmall(draft));
		const edited = (text: string, from: MailEdit['madeFrom'] = madeFrom): ReviewReply =>
			only(renderSmall({ ...draft, edits: new Map([[messageId, { text, madeFrom: from }]]) }));
		const told = ({ edit, comments, trailer, mail: { body } }: ReviewReply): readonly unknown[] => [
			edit?.kind,
			comments.length,
			trailer,
			body.includes('Thank you.'),
		];
		assert.equal(edited(madeFrom.text).edit, undefined);
		const text = madeFrom.text.replace('Thanks, I like it.', 'Thank you.');
		assert.deepEqual(told(edited(text)), ['taken', 1, 'Reviewed-by', true]);
		const broken = edited(text.replace(/^To: .*$/m, 'To: nobody'));
		assert.deepEqual([told(broken), broken.mail.body], [['broken', 1, 'Reviewed-by', false], mail.body]);
		const older = { ...madeFrom, text: 'Other', trailer: undefined };
		assert.deepEqual(told(edited(text, older)), ['outdated', 1, undefined, true]);
		assert.deepEqual(told(edited(text.replace(/^To: .*$/m, 'To: nobody'), older)), ['outdated', 1, undefined, false]);
		const lost = only(renderSmall({ ...draft, edits: new Map([[messageId, { text, madeFrom: undefined }]]) }));
		assert.deepEqual(told(lost), ['outdated', 0, undefined, true]);
	});

	test('with edits keep only the comments that have not changed since', () => {
		const { messageId } = smallPatch;
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 2, line: 2 } as const;
		const suggestion = { firstLine: 2, rows: ['-line 2 of many', '+line two'] };
		const comments = ['first', 'second'].map((id) => comment(place, `The ${id} remark.`, { id, suggestion }));
		const [first] = comments;
		assert.ok(first);
		const { madeFrom } = only(renderSmall({ comments }));
		const kept = (...then: readonly DraftComment[]): readonly string[] => {
			const edit = { text: `${madeFrom.text}More.\n`, madeFrom: { ...madeFrom, comments: then } };
			const reply = only(renderSmall({ comments, edits: new Map([[messageId, edit]]) }));
			assert.deepEqual([reply.edit, reply.astray], [{ kind: 'taken', text: edit.text }, []]);
			return reply.comments.map(({ id }) => id);
		};
		assert.deepEqual(
			[
				kept(...comments),
				kept(first),
				kept({ ...first, text: 'The first remark.  \n' }),
				kept({ ...first, text: 'The first\nremark.' }),
				kept({ ...first, text: 'Another remark.' }),
				kept({ ...first, id: 'third' }),
				kept({ ...first, suggestion: undefined }),
				kept({ ...first, suggestion: { ...suggestion, firstLine: 1 } }),
				kept(),
			],
			[['first', 'second'], ['first'], ['first'], [], [], [], [], [], []],
		);
	});

	test('handle unreadable mails, and name new, deleted and renamed files', () => {
		const diff = [
			'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
			'diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n',
			'diff --git a/was b/is\nsimilarity index 90%\nrename from was\nrename to is\n--- a/was\n+++ b/is\n@@ -1 +1 @@\n-a\n+b\n',
		].join('');
		const patch = makeSeriesMail({ id: 1, subject: '[PATCH] x', body: `Why.\n---\n${diff}` });
		const raw = makeSeriesMail({
			id: 2,
			parentId: 1,
			subject: 'Re: x',
			reading: { kind: 'raw', reason: 'unreadable', text: 'Odd' },
		});
		const thread = { mails: [patch, raw], series: readSeries([patch]) };
		const setting = { ...settingOf(thread), from: { name: '', address: 'carol@forge.test' } };
		const bodyOf = (draft: Partial<ReviewDraft>): string =>
			only(runAtOnce(reviewReplies({ ...noDraft, ...draft }, setting))).mail.body;
		const onLine = (file: number, side: 'old' | 'new'): string =>
			bodyOf({
				comments: [comment({ kind: 'lines', messageId: patch.messageId, file, side, firstLine: 9, line: 9 }, 'Why?')],
				trailers: new Map([[patch.messageId, 'Acked-by']]),
			});
		assert.match(onLine(0, 'new'), /^gone:9:$/m);
		assert.match(onLine(1, 'old'), /^new:9:$/m);
		assert.match(onLine(2, 'old'), /^was:9:$/m);
		assert.match(onLine(2, 'new'), /^is:9:$/m);
		assert.match(onLine(1, 'new'), /^Acked-by: <carol@forge.test>$/m);
		assert.match(bodyOf({ comments: [comment({ kind: 'mail', messageId: raw.messageId }, 'What?')] }), /^What\?$/m);
	});

	/** A review of a patch and the replies to it. */
	function reviewed(body: string, others: readonly SeriesMail[], comments: readonly DraftComment[]): ReviewReply {
		const patch = makeSeriesMail({ id: 1, subject: '[PATCH] x', body });
		const setting = settingOf({ mails: [patch, ...others], series: readSeries([patch]) });
		return only(runAtOnce(reviewReplies({ ...noDraft, comments }, setting)));
	}

	const added = (count: number): string => {
		const lines = Array.from({ length: count }, (_, at) => `+line ${at + 1} of many\n`).join('');
		return `Why.\n---\ndiff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${count} @@\n${lines}-- \n2.39.5\n`;
	};

	test('omit the middle of a long range and are found on its last line', () => {
		const place = {
			kind: 'lines',
			messageId: '<m1@forge.test>',
			file: 0,
			side: 'new',
			firstLine: 5,
			line: 94,
		} as const;
		const { mail, astray } = reviewed(added(100), [], [comment(place, 'Long.')]);
		const lines = mail.body.split('\n').filter((line) => /^> \+|^\[/.test(line));
		assert.deepEqual(
			[lines.length, lines[1], lines[30], lines[31], lines[32], lines[61]],
			[62, '> +line 5 of many', '> +line 34 of many', '[...]', '> +line 65 of many', '> +line 94 of many'],
		);
		assert.deepEqual(astray, []);
	});

	test('to a whole reply, or to a mail outside the series, are found there', () => {
		const body = added(2);
		const onLine = makeSeriesMail({
			id: 2,
			parentId: 1,
			subject: 'Re: [PATCH] x',
			body: '> +line 2 of many\n\nWhy?\n',
		});
		const elsewhere = makeSeriesMail({ id: 3, subject: 'Re: lunch', body: 'At noon?\n' });
		for (const { messageId } of [onLine, elsewhere]) {
			const { mail, astray } = reviewed(body, [onLine, elsewhere], [comment({ kind: 'mail', messageId }, 'Yes.')]);
			assert.deepEqual([mail.inReplyTo, mail.body, astray], [messageId, 'Yes.\n', []]);
		}
	});

	test('report that a comment on a file outside the patch will not be found', () => {
		const lost = comment({ kind: 'file', messageId: '<m1@forge.test>', file: 7 }, 'Why this file?');
		const { mail, astray } = reviewed(added(2), [], [lost]);
		assert.deepEqual([mail.body, astray], ['Why this file?\n', [lost]]);
	});

	test('to a hundred people with long foreign names report doubtful comments, because the fast reader refuses them', () => {
		const people = Array.from({ length: 101 }, (_, at) => ({
			name: '\u0416'.repeat(60),
			address: `j${at}@forge.test`,
		}));
		const reading = makeReading({ body: added(2), text: added(2), from: people.slice(0, 1), cc: people.slice(1) });
		const patch = makeSeriesMail({ id: 1, subject: '[PATCH] \u0416', reading });
		const draft = comment({ kind: 'mail', messageId: patch.messageId }, 'Fine.');
		const setting = settingOf({ mails: [patch], series: readSeries([patch]) });
		const { mail, astray } = only(runAtOnce(reviewReplies({ ...noDraft, comments: [draft] }, setting)));
		assert.deepEqual([mail.cc.length, astray], [100, [draft]]);
	});

	test('return edits of mails without a reply', () => {
		const { messageId } = smallPatch;
		const comments = [comment({ kind: 'mail', messageId }, 'Hi')];
		const { madeFrom } = only(renderSmall({ comments }));
		const edits = new Map<string, MailEdit>([
			['<a@b>', { text: '', madeFrom }],
			['<c@d>', { text: madeFrom.text, madeFrom }],
			['<e@f>', { text: 'Mine', madeFrom }],
			[messageId, { text: 'Of the patch', madeFrom }],
		]);
		assert.deepEqual(renderSmall({ edits }).idleEdits, ['Mine', 'Of the patch']);
		assert.deepEqual(renderSmall({ edits, comments }).idleEdits, ['Mine']);
	});

	test('follow the order of the series, even with missing mails, and the last one has the status', () => {
		const cover = makeSeriesMail({ id: 1, subject: '[PATCH 0/2] x', body: 'All.\n' });
		const [one, two] = [1, 2].map((index) =>
			makeSeriesMail({
				id: 1 + index,
				parentId: 1,
				subject: `[PATCH ${index}/2] x`,
				body: `Why.\n---\n${addedLines([`line of ${index}`])}`,
			}),
		);
		assert.ok(one && two);
		const answer = makeSeriesMail({ id: 4, parentId: 3, subject: 'Re: [PATCH 2/2] x', body: 'Hm.\n' });
		const setting = settingOf({ mails: [answer], series: readSeries([cover, one, two]) });
		const mails = [answer, two, one, cover];
		const comments = mails.map(({ messageId }) => comment({ kind: 'mail', messageId }, 'Yes.'));
		const rendered = (status: string | undefined): RenderedReview =>
			runAtOnce(reviewReplies({ ...noDraft, comments, status }, setting));
		assert.deepEqual(
			rendered('approved').replies.map(({ mail }) => [mail.inReplyTo, mail.patchsetStatus]),
			[
				[cover.messageId, undefined],
				[one.messageId, undefined],
				[two.messageId, undefined],
				[answer.messageId, 'approved'],
			],
		);
		assert.deepEqual(
			rendered(undefined).replies.map(({ mail }) => mail.patchsetStatus),
			[undefined, undefined, undefined, undefined],
		);
		assert.deepEqual(renderSmall({ status: 'approved' }).replies, []);
	});

	test('quote 3 lines above a comment, or 8, 25 or all if the line is ambiguous', () => {
		const paragraphs = ['First.', '', 'Second.', '', 'Third.', '', 'Fourth.', ''];
		const repeated = (times: number, marks: readonly number[] = []): readonly string[] =>
			Array.from({ length: times }, (_, at) => [...(marks.includes(at) ? [`Mark ${at}.`] : []), ...paragraphs]).flat();
		const prose = (marks: readonly number[]): string => `${repeated(5, marks).join('\n')}\n`;
		const diff = addedLines(['one']);
		const patch = (body: string): SeriesMail => makeSeriesMail({ id: 1, subject: '[PATCH] x', body });
		const cover = makeSeriesMail({ id: 2, subject: '[PATCH 0/1] x', body: prose([]) });
		const ofCover = makeSeriesMail({ id: 1, parentId: 2, subject: '[PATCH 1/1] x', body: `Why.\n---\n${diff}` });
		const { messageId } = smallPatch;
		const inDiff = (line: number) =>
			({ kind: 'lines', messageId, file: 0, side: 'new', firstLine: line, line }) as const;
		const rows = (...marks: readonly number[]): string =>
			`Why.\n---\n${addedLines(repeated(5, marks).filter((line) => line !== ''))}`;
		const inText = (part: 'message' | 'commentary' | 'text', line: number): DraftPlace => ({
			kind: 'text',
			messageId: part === 'text' ? cover.messageId : messageId,
			part,
			line,
		});
		const message = (...marks: readonly number[]): SeriesMail => patch(`${prose(marks)}---\n${diff}`);
		const commentary = (...marks: readonly number[]): SeriesMail => patch(`Why.\n---\n${prose(marks)}${diff}`);
		const headers = 2;
		const cases: readonly (readonly [mails: readonly SeriesMail[], place: DraftPlace, quoted: number])[] = [
			[[patch(rows(2))], inDiff(12), headers + 4],
			[[patch(rows(2))], inDiff(15), headers + 9],
			[[patch(rows())], inDiff(12), headers + 9],
			[[message(2)], inText('message', 18), 4],
			[[message(2)], inText('message', 34), 26],
			[[message()], inText('message', 17), 17],
			[[commentary(2)], inText('commentary', 18), 4],
			[[commentary()], inText('commentary', 17), 17],
			[[cover, ofCover], inText('text', 17), 17],
			[[cover, ofCover], { kind: 'file', messageId, file: 0 }, 1],
		];
		const text = 'Why?\nIt is not needed.';
		for (const [mails, place, quoted] of cases) {
			const { mail, astray } = only(renderSmall({ comments: [comment(place, text)] }, mails));
			const lines = mail.body.split('\n').filter((line) => line.startsWith('>'));
			assert.deepEqual([lines.length, astray], [quoted, []], mail.body);
		}
	});

	test('report that thanks on a line will be found on the patch', () => {
		const { messageId } = smallPatch;
		const places: readonly DraftPlace[] = [
			{ kind: 'lines', messageId, file: 0, side: 'new', firstLine: 2, line: 2 },
			{ kind: 'file', messageId, file: 0 },
			{ kind: 'text', messageId, part: 'message', line: 1 },
			{ kind: 'mail', messageId },
		];
		assert.deepEqual(
			places.map((place) => only(renderSmall({ comments: [comment(place, 'Thanks!')] })).astray.length),
			[1, 1, 1, 0],
		);
	});
});

interface On {
	readonly lines: readonly QuotableLine[];
	readonly mail: SeriesMail;
	readonly at: number;
	readonly round: number;
}

const vocabulary = [
	'why',
	'not',
	'this',
	'is',
	'Größe',
	'malloc()',
	'x->y',
	'a?',
	'ring',
	'naïve,',
	'fix:',
	'I',
	'>=',
	'#3',
	'日本語',
	'ok.',
	'\n',
	'\n\n',
	'https://example.org/a/very/long/path/that/nobody/can/break',
] as const;

function randomComment(random: Random, on: On): DraftComment {
	const said = Array.from({ length: random.below(40) }, () => random.pick(vocabulary));
	return comment(randomPlace(random, on), `Remark ${on.round}-${on.at}: ${said.join(' ').trim()} end`);
}

function randomPlace(random: Random, { lines, mail }: On): DraftPlace {
	const { messageId } = mail;
	const [first, ...others] = lines.filter(
		({ origin, old, fresh }) => origin.kind === 'message' || old !== undefined || fresh !== undefined,
	);
	assert.ok(first);
	const { origin, old, fresh } = random.pick([first, ...others]);
	if (origin.kind === 'message' && random.chance(30)) {
		return { kind: 'text', messageId, part: 'message', line: origin.line };
	}
	if (origin.kind !== 'line' || random.chance(5)) {
		return { kind: 'mail', messageId };
	}
	const { file } = origin;
	if (random.chance(5)) {
		return { kind: 'file', messageId, file };
	}
	const side = fresh === undefined || (old !== undefined && random.chance(50)) ? 'old' : 'new';
	const line = (side === 'old' ? old : fresh) ?? 0;
	return { kind: 'lines', messageId, file, side, firstLine: Math.max(1, line - random.pick([0, 0, 0, 1, 4, 7])), line };
}

/** Whether the comment is at its place, judged by line numbers alone. */
function isOnLine({ place }: ReviewComment, { place: wanted }: DraftComment, lines: readonly QuotableLine[]): boolean {
	if (wanted.kind === 'mail') {
		return place.kind === 'general';
	}
	const at = lines.findIndex((line) => described(line, wanted) === JSON.stringify(wanted));
	const isEmpty = (line: QuotableLine | undefined): boolean => lineKey(line?.text ?? 'none') === '';
	let found = at;
	while (found > 0 && isEmpty(lines[found])) {
		found -= 1;
	}
	const origin = lines[found]?.origin;
	return at !== -1 && origin !== undefined && endOf(origin) === endOf(place);
}

/** The place of a comment on this line, as JSON. */
function described({ origin, old, fresh }: QuotableLine, wanted: DraftPlace): string {
	if (origin.kind === 'line') {
		const line = wanted.kind === 'lines' && wanted.side === 'old' ? old : fresh;
		return JSON.stringify({ ...wanted, file: origin.file, line });
	}
	if (origin.kind === 'file') {
		return JSON.stringify({ ...wanted, kind: 'file', file: origin.file });
	}
	return origin.kind === 'message' ? JSON.stringify({ ...wanted, part: 'message', line: origin.line }) : '';
}

function endOf(place: CommentPlace | LineOrigin): string {
	const { kind } = place;
	return kind === 'line'
		? JSON.stringify([kind, place.file, place.side, place.line, place.end])
		: JSON.stringify(place);
}
