import assert from 'node:assert/strict';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import { ownLines } from '../../src/series/ownLines.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { suggestStatus } from '../../src/series/suggestions.ts';
import { verdictIn } from '../../src/series/verdict.ts';
import { makePatchset } from '../../../../test/support/makeMail.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const cover = makeSeriesMail({ id: 1, subject: '[PATCH proj 0/2] all', body: 'About.\n' });
const first = makeSeriesMail({ id: 2, parentId: 1, subject: '[PATCH proj 1/2] a', body: patchText('a.c') });
const second = makeSeriesMail({ id: 3, parentId: 1, subject: '[PATCH proj 2/2] b', body: patchText('b.c') });
const parts = [cover, first, second];

function answer(id: number, parentId: number, body: string, account = '~alice'): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: [PATCH proj] x', body, account, from: 'alice@forge.test' });
}

interface Situation {
	readonly answers?: readonly SeriesMail[];
	readonly status?: PatchsetStatus;
	readonly newer?: number;
	readonly of?: readonly SeriesMail[];
}

/** The suggestions: kind, status, and the quotation or version. */
function suggested({
	answers = [],
	status = 'proposed',
	newer,
	of = parts,
}: Situation): readonly (readonly unknown[])[] {
	const patchset = makePatchset({ status });
	const series = readSeries(of);
	const thread = [...of, ...answers];
	const newest =
		newer === undefined ? [] : [{ patchset: makePatchset({ id: 2, version: newer }), link: 'subject' as const }];
	return suggestStatus({
		patchset,
		versions: [{ patchset, link: undefined }, ...newest],
		series,
		thread,
		maintainers: ['~alice'],
	}).map((each) => [each.kind, each.status, 'by' in each ? each.by.version : each.quote]);
}

function said(text: string): string | undefined {
	return verdictIn(ownLines(text), 'Alice Liddell')?.kind;
}

suite('status suggestions', () => {
	test('suggest superseded for a newer version', () => {
		assert.deepEqual(suggested({ newer: 3 }), [['superseded', 'superseded', 3]]);
		assert.deepEqual(suggested({ newer: 1 }), [['superseded', 'superseded', 1]], 'sent again with the same number');
		assert.deepEqual(suggested({ newer: 0 }), []);
		const [one, two, three] = [1, 2, 3].map((version) => makePatchset({ id: version, version }));
		const versions = [one!, two!, three!].map((patchset) => ({ patchset, link: 'forge' as const }));
		const facts = { patchset: one!, versions, series: readSeries(parts), thread: parts, maintainers: [] };
		assert.deepEqual(suggestStatus(facts), [{ kind: 'superseded', status: 'superseded', by: three, link: 'forge' }]);
		assert.deepEqual(suggested({ newer: 3, status: 'approved' }), [['superseded', 'superseded', 3]]);
	});

	test('suggest nothing for a final status or one that is already set', () => {
		for (const status of ['applied', 'rejected', 'superseded'] as const) {
			assert.deepEqual(suggested({ newer: 3, status, answers: [answer(4, 1, 'Applied.\n')] }), []);
		}
		assert.deepEqual(suggested({ status: 'needs_revision', answers: [answer(4, 1, 'Please send a v2.\n')] }), []);
	});

	test('quote a maintainer’s statement that the series is applied, whatever the replies', () => {
		const answers = [answer(4, 1, 'Thanks, applied!\n'), answer(5, 4, 'Great.\n', '~bob')];
		assert.deepEqual(suggested({ answers }), [['appliedInThread', 'applied', 'Thanks, applied!']]);
		const push = 'Thanks!\n\nTo git@git.forge.test:~alice/proj\n   1234567..89abcde  main -> main\n';
		assert.deepEqual(suggested({ answers: [answer(4, 1, push)] }), [
			['appliedInThread', 'applied', 'To git@git.forge.test:~alice/proj 1234567..89abcde  main -> main'],
		]);
	});

	test('ignore other people and quotations', () => {
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'Applied.\n', '~mallory')] }), []);
		assert.deepEqual(suggested({ answers: [{ ...answer(4, 1, 'Applied.\n'), account: undefined }] }), []);
		assert.deepEqual(suggested({ answers: [answer(4, 1, '> Applied.\nReally.\n')] }), []);
	});

	test('ignore statements on a single patch of several', () => {
		assert.deepEqual(suggested({ answers: [answer(4, 2, 'Applied.\n')] }), []);
		assert.deepEqual(suggested({ answers: [answer(4, 3, 'LGTM\n')] }), []);
		assert.deepEqual(suggested({ answers: [answer(4, 2, 'Applied.\n')], of: [first, second] }), [
			['appliedInThread', 'applied', 'Applied.'],
		]);
	});

	test('ignore text in the series itself and about another series', () => {
		const account = '~alice';
		const own = makeSeriesMail({ id: 1, subject: cover.subject, body: 'Applied.\n', account });
		const alone = makeSeriesMail({ id: 3, subject: '[PATCH] a', body: `Applied.\n${patchText('a.c')}`, account });
		assert.deepEqual(suggested({ of: [own, first, second] }), []);
		assert.deepEqual(suggested({ of: [alone] }), []);
		for (const text of ['Applied.\n', 'LGTM.\n', 'Please send a v2.\n']) {
			assert.deepEqual(suggested({ answers: [answer(9, 99, text)] }), [], text);
			assert.deepEqual(suggested({ of: [cover], answers: [answer(9, 1, text)] }), [], text);
		}
		assert.deepEqual(suggested({ of: [first, second], answers: [answer(9, 3, 'Applied.\n')] }), []);
		assert.deepEqual(suggested({ of: [first, second], answers: [answer(9, 2, 'LGTM.\n')] }), []);
	});

	test('allow the author’s name below an approval', () => {
		const text = 'LGTM.\n\nAlice\n';
		const signed = (name: string): readonly unknown[] => {
			const from = [{ name, address: 'alice@forge.test' }];
			return suggested({ answers: [{ ...answer(4, 1, ''), reading: makeReading({ body: text, text, from }) }] });
		};
		assert.deepEqual(signed('Alice Liddell'), [['approvedInThread', 'approved', 'LGTM.']]);
		assert.deepEqual(signed('Ann'), []);
	});

	test('take approval from the last statement, in words or as the maintainer’s own trailer', () => {
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'LGTM, thanks!\n')] }), [
			['approvedInThread', 'approved', 'LGTM, thanks!'],
		]);
		const trailer = 'Reviewed-by: Alice <alice@forge.test>';
		assert.deepEqual(suggested({ answers: [answer(4, 1, `${trailer}\n`)] }), [
			['approvedInThread', 'approved', trailer],
		]);
		const acked = 'Acked-by: Alice <alice@forge.test>';
		assert.deepEqual(suggested({ answers: [answer(4, 1, `${acked}\nTested-by: Alice <alice@forge.test>\n`)] }), [
			['approvedInThread', 'approved', acked],
		]);
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'Tested-by: Alice <alice@forge.test>\n')] }), []);
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'LGTM\n'), answer(5, 4, 'Wait.\n', '~bob')] }), []);
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'Acked-by: Bob <bob@forge.test>\n')] }), []);
	});

	test('count an approving trailer even if the patch claims it or it came before', () => {
		const trailer = 'Reviewed-by: Alice <alice@forge.test>';
		const claimed = [
			cover,
			{ ...makeSeriesMail({ id: 2, parentId: 1, subject: first.subject, body: patchText('a.c', `\n${trailer}`) }) },
			makeSeriesMail({ id: 3, parentId: 1, subject: second.subject, body: patchText('b.c', `\n${trailer}`) }),
		];
		const approved = [['approvedInThread', 'approved', trailer]];
		assert.deepEqual(suggested({ of: claimed, answers: [answer(4, 1, `${trailer}\n`)] }), approved);
		const twice = [answer(4, 2, `${trailer}\n`), answer(5, 3, `${trailer}\n`), answer(6, 1, `${trailer}\n`)];
		assert.deepEqual(suggested({ answers: twice }), approved);
		assert.deepEqual(suggested({ of: claimed }), []);
	});

	test('take a request for another version from the last statement on any patch', () => {
		assert.deepEqual(suggested({ answers: [answer(4, 3, 'Two things.\n\nPlease send a v2.\n')] }), [
			['revisionAskedInThread', 'needs_revision', 'Please send a v2.'],
		]);
		assert.deepEqual(suggested({ answers: [answer(4, 1, 'NAK, this breaks the tests.\n')] }), [
			['revisionAskedInThread', 'needs_revision', 'NAK, this breaks the tests.'],
		]);
	});

	test('list both applied and superseded, the thread first', () => {
		assert.deepEqual(
			suggested({ answers: [answer(4, 1, 'Pushed.\n')], newer: 2 }).map(([kind]) => kind),
			['appliedInThread', 'superseded'],
		);
	});

	test('count only clear words', () => {
		const clear = {
			applied: [
				'Applied',
				'All applied, thanks!',
				"I've pushed the series.",
				'ok, merged to main',
				'Applied as 1234567.',
				'Fine. Pushed.',
			],
			approved: ['Approved.', 'Looks good to me!', 'lgtm', 'Ship it', 'Great, lgtm'],
			revisionAsked: [
				'Nack.',
				'This needs another round.',
				'Could you send a v3?',
				'Please resend with git send-email',
			],
		};
		for (const [kind, texts] of Object.entries(clear)) {
			texts.forEach((text) => assert.equal(said(text), kind, text));
		}
		const unclear = [
			'Applied?',
			'Not applied.',
			'I will have it applied tomorrow',
			'Once this is applied, we can go on.',
			'Applied the first two, the third needs work',
			'this is how it gets\napplied.',
			'Looks good to me, except for the second one',
			'approved by whom?',
			'If you like, please send a v2',
			'Merged branches are odd',
			'To whom it may concern',
			'To git@forge.test:~a/b\nnothing else',
			'',
		];
		unclear.forEach((text) => assert.equal(said(text), undefined, text));
	});

	test('ignore refusing words that refuse nothing', () => {
		const harmless = [
			'No changes requested.',
			'There are no changes requested from my side.',
			'This needs a new version of OpenSSL.',
			'It needs another round of testing by the users of arm64 before we ship.',
			'NAK from CI was spurious, LGTM.',
			'NACK withdrawn',
			'NAK, withdrawn.',
			'NAK.\n\nNever mind, I read it wrongly.',
			'No need to please resend.',
			'Please resend my regards to Carol, she will need a v2.',
		];
		harmless.forEach((text) => assert.notEqual(said(text), 'revisionAsked', text));
	});

	test('take no approval if other remarks follow', () => {
		const limited = [
			'LGTM.\n\nExcept for patch 2, which is broken.',
			'LGTM. But the tests fail.',
			'LGTM\n> +int main()\nThis is wrong.',
			'Approved.\n\nThanks for patch 1, but 2 is broken.',
			'Ship it.\n\nBroken',
			'Applied.\n\nExcept for patch 2, which is broken.',
		];
		limited.forEach((text) => assert.equal(said(text), undefined, text));
		const whole = [
			'LGTM.\n\nThanks for the patch!',
			'LGTM. Thanks a lot.\n\nReviewed-by: Alice <alice@forge.test>',
			'LGTM :)\n\nCheers,\nAlice',
			'LGTM.\n\nAlice Liddell',
			'LGTM!\n\nOn Fri, Mar 1, 2024 at 8:00 AM Bob <bob@forge.test> wrote:\n> Except for this\n',
			'On Fri, Bob wrote:\n> +x\nOne remark.\n\nLooks good to me. Great work!',
		];
		whole.forEach((text) => assert.equal(said(text), 'approved', text));
	});

	test('ignore an original mail without quote marks below a reply', () => {
		const below =
			'From: Bob Builder <bob@forge.test>\nSent: Friday, March 1, 2024 8:00 AM\nTo: devel\nSubject: x\n\nApplied.\n';
		assert.equal(said(`Hm.\n\n${below}`), undefined);
		assert.equal(said(`LGTM.\n\n${below}`), 'approved');
		assert.equal(said(`Hm.\n\n${below.replace('Sent:', 'Date:').replaceAll(/^(\w+):/gm, '*$1:*')}`), undefined);
		assert.equal(said('From: here on it is easy.\n\nApplied.\n'), 'applied');
	});

	test('ignore an unreadable mail, but count a mail without a sender', () => {
		const raw = {
			...answer(4, 1, ''),
			reading: { kind: 'raw', reason: 'unreadable', text: 'Applied, thanks!' },
		} as const;
		assert.deepEqual(suggested({ answers: [raw] }), []);
		const nobody = {
			...answer(4, 1, ''),
			reading: makeReading({ body: 'Applied, thanks!\n', text: 'Applied, thanks!\n', from: [] }),
		};
		assert.deepEqual(suggested({ answers: [nobody] }), suggested({ answers: [answer(4, 1, 'Applied, thanks!\n')] }));
	});

	test('quote the output of a push, in one line or two', () => {
		const quote = (text: string): string | undefined => verdictIn(ownLines(text), 'Alice')?.quote;
		const [to, range] = ['To git@git.forge.test:~bob/lamp', '1234567..89abcde  master -> master'];
		assert.equal(quote(`${to}\n   ${range}\n`), `${to} ${range}`);
		assert.equal(quote(`${to} ${range}\n`), `${to} ${range}`);
	});
});
