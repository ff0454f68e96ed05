import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import { createRandom } from '../../../support/random.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { ticketsNamed } from '../../../../src/store/mentions/namedTickets.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { pullRequestOf } from 'patchmail/series/pullRequest.ts';
import { readSeries } from 'patchmail/series/series.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import { suggestStatus } from 'patchmail/series/suggestions.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import { versionsAmong } from 'patchmail/series/versions.ts';
import { parseListFilter } from '../../../../src/engine/search/mails/listFilter.ts';
import { counts, seed } from '../../../support/counts.ts';
import { growthOf, isSlowEachTime, mostGrowth } from '../../../support/cpuTime.ts';
import { formedIn, partsIn, serverRows } from '../../../../src/store/lists/formedSets.ts';
import { makeMail, makePatchset } from '../../../support/makeMail.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../support/makeSeries.ts';
import { mutateText } from '../../../support/mutateText.ts';
import { testInBoth, testInRest } from '../../../support/parts.ts';

/** Time limit for one text, exceeded only if all three repeats exceed it. */
const mostMs = 50;

const request = `The following changes since commit ${'1'.repeat(40)}:\n\n  x\n\nare available in the Git repository at:\n\n  https://x.test/~a/b main\n\nfor you to fetch changes up to ${'2'.repeat(40)}:\n`;

const seeds: readonly [string, ...string[]] = [
	patchText('a.c', 'Why.\n\nSigned-off-by: Bob Builder <bob@forge.test>'),
	`From: Bob <bob@forge.test>\nSubject: x\n\n${patchText('a.c')}base-commit: ${'a'.repeat(40)}\n`,
	'Thanks, applied!\n\nReviewed-by: Alice <alice@forge.test>\n> quoted\nTo git@x:~a/b\n   1234567..89abcde  main -> main\n',
	request,
	'See ~alice/lantern#12 and https://todo.forge.test/~alice/lantern/3.\nFixes: #4\nPlease send a v2.\n',
];

const oddParts: readonly [string, ...string[]] = [
	'---\n',
	'From: ',
	'Subject: =?utf-8?q?',
	'=?utf-8?b?=?=',
	'>From ',
	'diff -',
	'Reviewed-by: ',
	'-by:',
	'<@>',
	'"',
	'[PATCH ',
	'9/9]',
	'\r\n',
	'\0',
	'\ud800',
	'\u202e',
	' \t \t ',
	'To git@',
	'..',
];

/** Runs everything that handles the text of a mail: as a patch, a cover letter and an answer. */
function readWhole(text: string): void {
	const cover = makeSeriesMail({ id: 1, subject: '[PATCH proj 0/1] x', body: text });
	const patch = makeSeriesMail({ id: 2, parentId: 1, subject: `[PATCH proj 1/1] ${text.slice(0, 5000)}`, body: text });
	const answer = makeSeriesMail({ id: 3, parentId: 2, subject: text, body: text, account: '~alice' });
	const attached = makeReading({
		body: text,
		attachments: [{ name: undefined, type: 'text/x-patch', size: 1, patch: text, text: undefined }],
		text: `${text} `,
		isFlowed: true,
	});
	patchMailOf(attached, text);
	const series = readSeries([answer, patch, cover], { usualPrefix: 'proj' });
	const thread = [cover, patch, answer];
	trailersOfThread(thread, series);
	const patchset = makePatchset({ submitter: text, subject: text, prefix: text });
	const versions = versionsAmong(patchset, [makePatchset({ id: 2, submitter: text })], {
		linked: [],
		unlinked: [],
		stated: [],
	});
	suggestStatus({ patchset, versions, series, thread, maintainers: ['~alice'] });
	pullRequestOf(text);
	ticketsNamed(text, ['https://todo.forge.test'], 1);
	mailboxOf([text]);
	parseListFilter(text);
	for (const { start, end } of series.patches.flatMap((each) => each.patch.diff.files)) {
		assert.ok(0 <= start && start <= end && end <= text.length);
	}
}

/** Runs everything that handles a conversation. */
function readThread(thread: readonly SeriesMail[]): void {
	const series = readSeries(thread);
	trailersOfThread(thread, series);
	const patchset = makePatchset();
	const summaries = thread.map(({ id, subject, createdMs }) => ({
		...makeMail({ id, subject, createdMs }),
		changes: undefined,
		from: patchset.submitter ?? '',
	}));
	const server = { listed: () => [patchset], patchset: () => patchset, series: () => undefined };
	formedIn(1, partsIn(summaries), serverRows(server));
	suggestStatus({ patchset, versions: [], series, thread, maintainers: ['~alice'] });
}

/** Texts that would take quadratic time with a careless pattern. */
const families: readonly (readonly [string, (size: number) => string])[] = [
	['blanks', (size) => ' '.repeat(size)],
	['blanks before a letter', (size) => `${' \t'.repeat(size)}x`],
	['blank lines', (size) => '\n'.repeat(size)],
	['lines of blanks', (size) => '   \n'.repeat(size)],
	['carriage returns', (size) => '\r'.repeat(size)],
	['long folded headers', (size) => `From: a\n${' b\n'.repeat(size)}`],
	['one long header', (size) => `From: ${'a@b <'.repeat(size)}\n\n---\n`],
	['encoded words', (size) => `From: ${'=?utf-8?q?a?= '.repeat(size)}\n\n---\n`],
	['unclosed encoded words', (size) => `Subject: ${'=?utf-8?q?'.repeat(size)}\n\n---\n`],
	['brackets of a subject', (size) => '[a] '.repeat(size)],
	['unclosed brackets', (size) => '['.repeat(size)],
	['marks of answers', (size) => 'Re: '.repeat(size)],
	['lines that end a message', (size) => '---\n'.repeat(size)],
	['nearly lines that end a message', (size) => `---${' '.repeat(size)}x\n`],
	['trailers', (size) => 'Reviewed-by: a <a@b.test>\n'.repeat(size)],
	['trailers of many', (size) => Array.from({ length: size }, (_, at) => `Acked-by: ${at}@b.test\n`).join('')],
	['one long key', (size) => `${'a-'.repeat(size)}by: x\n`],
	['unclosed addresses', (size) => `Reviewed-by: ${'<'.repeat(size)}\n`],
	['at signs', (size) => '@'.repeat(size)],
	['quoted lines', (size) => '> > > a\n'.repeat(size)],
	['sentences', (size) => 'applied? '.repeat(size)],
	['endless thanks', (size) => 'thanks, '.repeat(size)],
	['endless requests for a new version', (size) => 'please send a '.repeat(size)],
	['pushes', (size) => 'To git@x\n'.repeat(size)],
	['one long push', (size) => `To ${'x'.repeat(size)}\n`],
	['requests', (size) => 'are available in the Git repository at:\n\n'.repeat(size)],
	['tickets', (size) => '~a/b#1 '.repeat(size)],
	['addresses', (size) => 'https://todo.forge.test/~a/b/1 '.repeat(size)],
	['lines that begin a mail', (size) => 'From a 00:00:00 2024\n'.repeat(size)],
	['heads of answered mails', (size) => `x\n${'From: a\nSent: b\n'.repeat(size)}`],
	['attributions', (size) => `${'On 1 a@b wrote '.repeat(size)}\n\n`.repeat(2)],
	['approvals', (size) => 'LGTM. Thanks for it. '.repeat(size)],
	['refusals', (size) => 'NAK, '.repeat(size)],
	['bytes', (size) => '\udcf0a'.repeat(size)],
	[
		'parts of another charset',
		(size) =>
			`Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: text/plain; charset=koi8-r\n\nПa\n'.repeat(size)}`,
	],
	['long folded types', (size) => `Content-Type: text/plain;\n${' charset=\n'.repeat(size)}\nП\n`],
	['bases', (size) => `base-commit: ${' '.repeat(size)}\n`],
	['quotes', (size) => '"'.repeat(size)],
];

suite('hostile mails in series', function () {
	this.timeout(900_000);

	for (const [name, make] of families) {
		testInBoth(`${name}: reading takes linear time`, () => {
			const growth = growthOf(readWhole, make, counts({ least: 500, first: 500, small: 2000, full: 20_000 }));
			assert.ok(growth <= mostGrowth, `twice as much takes ${growth} times as long`);
		});
	}

	/** Conversations that would take quadratic time with a careless walk. */
	const conversations: readonly (readonly [string, (size: number) => readonly SeriesMail[]])[] = [
		['a chain of answers', (size) => chain(size)],
		['a chain of answers that never reaches the series', (size) => chain(size).slice(3)],
		['answers to one mail', (size) => chain(size).map((mail) => (mail.id > 3 ? { ...mail, parentId: 3 } : mail))],
		['answers in a circle', (size) => chain(size).map((mail) => (mail.id === 4 ? { ...mail, parentId: size } : mail))],
		['answers full of trailers to a long series', praised],
		[
			'patches',
			(size) =>
				Array.from({ length: size }, (_, at) =>
					makeSeriesMail({ id: at + 1, subject: `[PATCH v${at % 7} ${at % 9999}/9999] x`, body: 'x\n' }),
				),
		],
	];

	for (const [name, make] of conversations) {
		testInRest(`${name}: reading takes linear time in the number of mails`, () => {
			const growth = growthOf(readThread, make, counts({ least: 300, small: 1000, full: 10_000 }));
			assert.ok(growth <= mostGrowth, `twice as many take ${growth} times as long`);
		});
	}

	testInRest('versions of a list of equal patchsets: linking takes linear time', () => {
		const make = (size: number): readonly Patchset[] =>
			Array.from({ length: size }, (_, id) =>
				makePatchset({ id, version: id, createdMs: id, supersededById: id % 3 === 0 ? 0 : id + 1 }),
			);
		const run = (all: readonly Patchset[]): void => {
			const linked = all.map(({ id }): readonly [number, number] => [0, id]);
			assert.equal(versionsAmong(all[5]!, all, { linked, unlinked: [], stated: [] }).length, all.length);
		};
		const growth = growthOf(run, make, counts({ least: 300, small: 1000, full: 10_000 }));
		assert.ok(growth <= mostGrowth, `twice as many take ${growth} times as long`);
	});

	testInBoth('random mutations of mails: reading stays fast and throws no error', () => {
		const random = createRandom(seed());
		for (let round = counts({ least: 300, first: 500, small: 1500, full: 150_000 }); round > 0; round--) {
			const text = mutateText(random, seeds, oddParts);
			const isSlow = isSlowEachTime(() => readWhole(text), { limitMs: mostMs, repeats: 3 });
			assert.ok(!isSlow, `more than ${mostMs} ms for ${JSON.stringify(text.slice(0, 2000))}`);
		}
	});
});

/** A series of one patch with a cover letter, and a chain of replies of `size` mails in total. */
function chain(size: number): readonly SeriesMail[] {
	const answers = Array.from({ length: Math.max(0, size - 3) }, (_, at) =>
		makeSeriesMail({
			id: at + 4,
			parentId: at + 3,
			subject: 'Re: [PATCH 1/1] x',
			body: 'Reviewed-by: Alice <alice@forge.test>\n',
			account: '~alice',
		}),
	);
	return [
		makeSeriesMail({ id: 1, subject: '[PATCH 0/1] x' }),
		makeSeriesMail({ id: 2, parentId: 1, subject: '[PATCH 1/1] x', body: patchText('a.c') }),
		makeSeriesMail({ id: 3, parentId: 2, subject: 'Re: [PATCH 1/1] x' }),
		...answers,
	];
}

/** A tenth of the mails are patches; the others answer the cover letter with many trailers. */
function praised(size: number): readonly SeriesMail[] {
	const count = Math.ceil(size / 10);
	return Array.from({ length: size }, (_, at) =>
		at <= count
			? makeSeriesMail({ id: at + 1, parentId: at === 0 ? undefined : 1, subject: `[PATCH ${at}/${count}] x` })
			: makeSeriesMail({
					id: at + 1,
					parentId: 1,
					subject: 'Re: [PATCH 0/1] x',
					from: `m${at}@evil.test`,
					body: Array.from({ length: 5 }, (__, line) => `Acked-by: N <n${at}.${line}@evil.test>\n`).join(''),
				}),
	);
}
