import assert from 'node:assert/strict';
import { subjectPlace } from '../../src/series/subjectPlace.ts';
import type { SetMail } from '../../src/series/setParts.ts';
import { joinedRoots } from '../../src/series/setThreads.ts';
import { setsAmong, withoutParts } from '../../src/series/threadSets.ts';

const minute = 60_000;

interface Written {
	readonly from?: string;
	/** Number of the mail above. */
	readonly to?: number;
	readonly text?: true;
	readonly author?: string;
	readonly patchsetId?: number;
	readonly atMs?: number;
}

function mail(id: number, subject: string, written: Written = {}): SetMail {
	const { from = 'ann@a.test', to, text, author = from, patchsetId, atMs = id * minute } = written;
	const place = subjectPlace(subject);
	const names = from === '' ? [] : [from];
	return {
		id,
		parentId: to,
		createdMs: atMs,
		arrivedMs: atMs,
		subject,
		place,
		names,
		hasDiff: !text,
		author,
		patchsetId,
	};
}

/** One line for each set: number, mails by index, then the other facts. */
function told(mails: readonly SetMail[], known: Parameters<typeof setsAmong>[1] = {}): readonly string[] {
	return withoutParts(setsAmong(mails, known)).map((set) => {
		const patches = set.patches.map(
			(each) => `${each.mail.id}${each.keptFrom === undefined ? '' : `<v${each.keptFrom}`}`,
		);
		const { version, count, cover, of, isByOther, serverId } = set;
		return [
			`v${version}: ${patches.join(' ')}`,
			patches.length === count ? '' : `of ${count}`,
			cover ? `cover ${cover.id}` : '',
			of ? `version of ${of.own[0]?.id}` : '',
			isByOther ? 'by someone else' : '',
			set.repeatedBy() ? `again as ${set.repeatedBy()?.own[0]?.id}` : '',
			serverId === undefined ? '' : `server ${serverId}`,
		]
			.filter((part) => part !== '')
			.join(', ');
	});
}

const max = 'max@m.test';
const three = [
	mail(1, '[PATCH 0/3] all', { text: true }),
	mail(2, '[PATCH 1/3] one', { to: 1 }),
	mail(3, '[PATCH 2/3] two', { to: 1 }),
	mail(4, '[PATCH 3/3] three', { to: 1 }),
];
const v1 = 'v1: 2 3 4, cover 1';

suite('sets of patches in a thread', () => {
	test('keep the patches of the version before that were not sent again', () => {
		assert.deepEqual(told([...three, mail(5, '[PATCH v2 2/3] two', { to: 3 })]), [v1, 'v2: 2<v1 5 4<v1, version of 1']);
		const renamed = [
			mail(5, 'Re: [PATCH 2/3] two', { to: 3, from: max, text: true }),
			mail(6, '[PATCH v2 2/3] second', { to: 5 }),
		];
		assert.deepEqual(told([...three, ...renamed]), [v1, 'v2: 2<v1 6 4<v1, version of 1']);
		const twice = [mail(5, '[PATCH v2 2/3] two', { to: 3 }), mail(6, '[PATCH v3 1/3] one', { to: 2 })];
		assert.deepEqual(told([...three, ...twice]), [
			v1,
			'v2: 2<v1 5 4<v1, version of 1',
			'v3: 6 5<v2 4<v1, version of 1',
		]);
	});

	test('stay incomplete without a sign of what they replace', () => {
		const other = mail(5, '[PATCH v2 2/3] something else', { to: 1 });
		assert.deepEqual(told([...three, other]), [v1, 'v2: 5, of 3, version of 1']);
		const announced = [mail(5, '[PATCH v2 0/3] all', { text: true, to: 1 }), mail(6, '[PATCH v2 1/3] one', { to: 5 })];
		assert.deepEqual(told([...three, ...announced]), [v1, 'v2: 6, of 3, cover 5, version of 1']);
		const longer = mail(5, '[PATCH v2 2/4] two', { to: 3 });
		assert.deepEqual(told([...three, longer]), [v1, 'v2: 5, of 4, version of 1']);
		const arriving = mail(5, '[PATCH v2 2/3] two', { to: 3 });
		assert.deepEqual(told([...three, arriving], { settledMs: arriving.createdMs - 1 }), [
			v1,
			'v2: 5, of 3, version of 1',
		]);
	});

	test('have no mail of another sender', () => {
		const planted = mail(5, '[PATCH v2 2/3] two', { to: 3, from: max });
		assert.deepEqual(told([...three, planted]), [v1, 'v2: 5, of 3, by someone else']);
		const own = [mail(6, '[PATCH v2 1/3] one', { to: 2 }), mail(7, '[PATCH v2 3/3] three', { to: 4 })];
		assert.deepEqual(told([...three, planted, ...own]), [
			v1,
			'v2: 5, of 3, by someone else',
			'v2: 6 3<v1 7, version of 1',
		]);
		const doubtful = mail(5, '[PATCH v2] one', { to: 1, from: '' });
		assert.deepEqual(told([...three, doubtful]), [v1]);
	});

	test('by someone else are a version if the first sender is the author, or a maintainer sent them', () => {
		const one = mail(1, '[PATCH] one');
		const taken = mail(2, '[PATCH v2] one', { to: 1, from: max, author: 'Ann@A.test' });
		assert.deepEqual(told([one, taken]), ['v1: 1', 'v2: 2, version of 1, by someone else']);
		const own = mail(2, '[PATCH v2] one', { to: 1, from: max });
		assert.deepEqual(told([one, own]), ['v1: 1', 'v2: 2, by someone else']);
		assert.deepEqual(told([one, own], { maintainers: [max] }), ['v1: 1', 'v2: 2, version of 1, by someone else']);
	});

	test('with a repeated number are each there, and the newest complete one counts', () => {
		const one = mail(1, '[PATCH] one');
		const wrong = mail(2, '[PATCH v2] release', { to: 1 });
		const right = mail(3, '[PATCH v2] one', { to: 1 });
		assert.deepEqual(told([one, wrong, right]), ['v1: 1', 'v2: 2, version of 1, again as 3', 'v2: 3, version of 1']);
		const again = [
			mail(5, '[PATCH 0/3] all', { text: true, to: 1 }),
			mail(6, '[PATCH 1/3] one', { to: 5 }),
			mail(7, '[PATCH 2/3] two', { to: 5 }),
			mail(8, '[PATCH 3/3] three', { to: 5 }),
		];
		assert.deepEqual(told([...three, ...again]), [`${v1}, again as 5`, 'v1: 6 7 8, cover 5, version of 1']);
		assert.deepEqual(told([...three, ...again.slice(0, 3)]), [v1]);
	});

	test('without a number repeat the newest version of the same title', () => {
		const mails = [mail(1, '[PATCH] one'), mail(2, '[PATCH v2] one', { to: 1 }), mail(3, '[PATCH] one', { to: 1 })];
		assert.deepEqual(told(mails), ['v1: 1', 'v2: 2, version of 1, again as 3', 'v2: 3, version of 1']);
	});

	test('may have a word beside their version', () => {
		for (const words of ['v6-rebased', 'v6 rebased', 'rebased']) {
			assert.deepEqual(
				told([mail(1, '[PATCH v6] one'), mail(2, `[PATCH ${words}] one`, { to: 1 })]),
				['v6: 1, again as 2', 'v6: 2, version of 1'],
				words,
			);
		}
		const changed = mail(2, '[PATCH v1-changed] one', { to: 1 });
		assert.deepEqual(told([mail(1, '[PATCH] one'), changed]), ['v1: 1, again as 2', 'v1: 2, version of 1']);
		assert.equal(subjectPlace('[PATCH v4l-utils] x')?.version, 1);
		assert.equal(subjectPlace('[PATCH v5.10 1/2] x')?.version, 1);
	});

	test('beside the others are no versions: a companion, a part beyond the count, a fixup', () => {
		const two = [mail(1, '[PATCH 1/2] one'), mail(2, '[PATCH 2/2] two', { to: 1 })];
		assert.deepEqual(told([...two, mail(3, '[PATCH] tests: add one', { to: 1 })]), ['v1: 1 2', 'v1: 3']);
		assert.deepEqual(told([...two, mail(3, '[PATCH 3/2] test code', { to: 1 })]), ['v1: 1 2', 'v1: 3']);
		assert.deepEqual(told([...two, mail(3, '[PATCH v2] fixup! one', { to: 1 })]), ['v1: 1 2', 'v2: 3']);
		const companion = [mail(3, '[PATCH] tests: add one', { to: 1 }), mail(4, '[PATCH v2] tests: add one', { to: 3 })];
		assert.deepEqual(told([...two, ...companion]), ['v1: 1 2', 'v1: 3', 'v2: 4, version of 3']);
	});

	test('have the mail above the first patch as cover letter, whatever its subject', () => {
		const cover = (subject: string, written: Written = {}): readonly string[] =>
			told([
				mail(1, subject, { text: true, ...written }),
				mail(2, '[PATCH 1/2] one', { to: 1 }),
				mail(3, '[PATCH 2/2] two', { to: 1 }),
			]);
		for (const subject of ['[PATCHSET 0/2] all', 'Free words, v2', '[RFC 0/2] all', '[PATCH 0/2] all', '[00/02] all']) {
			assert.deepEqual(cover(subject), ['v1: 2 3, cover 1'], subject);
		}
		assert.deepEqual(cover('Free words', { from: max }), ['v1: 2 3']);
		assert.deepEqual(cover('Re: Free words'), ['v1: 2 3']);
		assert.deepEqual(cover('[PATCH v3 0/2] all'), ['v3: 2 3, cover 1']);
		const [set] = setsAmong([mail(1, '[PATCHSET 0/1] all', { text: true }), mail(2, '[PATCH 1/1] one', { to: 1 })]);
		assert.equal(set?.subject, 'all');
		const next = [mail(5, '[PATCH v2 1/1] one', { to: 1 })];
		assert.deepEqual(told([mail(1, 'Free words', { text: true }), mail(2, '[PATCH 1/1] one', { to: 1 }), ...next]), [
			'v1: 2, cover 1',
			'v2: 5, version of 1',
		]);
	});

	test('without numbers are one series below one announcement', () => {
		const below = [mail(2, '[PATCH] one', { to: 1 }), mail(3, '[PATCH] two', { to: 1 })];
		assert.deepEqual(told([mail(1, '[PATCH] all', { text: true }), ...below]), ['v1: 2 3, cover 1']);
		const late = mail(3, '[PATCH] two', { to: 1, atMs: 500 * minute });
		assert.deepEqual(told([mail(1, '[PATCH] all', { text: true }), below[0]!, late]), ['v1: 2', 'v1: 3']);
		assert.deepEqual(told([mail(1, 'All of it', { text: true }), ...below]), ['v1: 2', 'v1: 3']);
		const atOnce = [1, 2, 3].map((id) => 9 * minute + id * 1000);
		assert.deepEqual(
			told([
				mail(1, 'All of it', { text: true, atMs: atOnce[0]! }),
				mail(2, '[PATCH] one', { to: 1, atMs: atOnce[1]! }),
				mail(3, '[PATCH] two', { to: 1, atMs: atOnce[2]! }),
			]),
			['v1: 2 3, cover 1'],
		);
		const others = mail(1, '[PATCH] all', { text: true, from: max });
		assert.deepEqual(told([others, ...below]), ['v1: 2', 'v1: 3']);
	});

	test('have a patch that arrived before its cover letter', () => {
		const early = [
			mail(1, '[PATCH 2/2] two', { to: 2 }),
			mail(2, '[PATCH 0/2] all', { text: true }),
			mail(3, '[PATCH 1/2] one', { to: 2 }),
		];
		assert.deepEqual(told(early), ['v1: 3 1, cover 2']);
		const [lost, ...rest] = early;
		assert.deepEqual(told([{ ...lost!, parentId: undefined }, ...rest]), ['v1: 3 1, cover 2']);
	});

	test('have the subjects that people write', () => {
		for (const tag of ['RFC', 'RESEND PATCH', 'PATCHv6', 'RFC v2', 'PATCH proj']) {
			const [set] = told([mail(1, `[${tag} 1/2] one`), mail(2, `[${tag} 2/2] two`, { to: 1 })]);
			assert.match(set ?? '', /^v\d: 1 2$/, tag);
		}
		for (const tags of ['[BUGFIX] [PATCH]', '[PATCH-RFC]', '[RFC v1]', '[Patch v1 1/1]']) {
			assert.deepEqual(told([mail(1, `${tags} one`)]), ['v1: 1'], tags);
		}
		assert.deepEqual(told([mail(1, '[list] [PATCH] [PATCH v3] one')]), ['v3: 1']);
		assert.deepEqual(told([mail(1, '[[PATCH v3] 1/2] one'), mail(2, '[[PATCH v3] 2/2] two', { to: 1 })]), ['v3: 1 2']);
		assert.deepEqual(told([mail(1, 'A question', { text: true, from: max }), mail(2, '[PATCH] one', { to: 1 })]), [
			'v1: 2',
		]);
	});

	test('of the server stay as they are beside the set of one sender', () => {
		const mails = [
			mail(1, '[PATCH 1/2] one', { patchsetId: 7 }),
			mail(2, '[PATCH 2/2] two', { patchsetId: 7, from: max }),
			mail(3, '[PATCH 2/2] two'),
		];
		assert.deepEqual(told(mails), ['v1: 1 3', 'v1: 1 2, again as 1, server 7']);
	});

	test('are joined over threads if each patch of a complete series has its own', () => {
		const apart = [mail(1, '[PATCH 1/3] one'), mail(2, '[PATCH 2/3] two'), mail(3, '[PATCH 3/3] three')];
		const joined = (mails: readonly SetMail[]): readonly (readonly [number, number])[] => [
			...joinedRoots(mails, ({ id, parentId }) => parentId ?? id),
		];
		assert.deepEqual(joined(apart), [
			[1, 1],
			[2, 1],
			[3, 1],
		]);
		assert.deepEqual(joined([mail(1, '[PATCH 1/3] one'), mail(2, '[PATCH 2/3] two', { to: 1 }), apart[2]!]), [
			[1, 1],
			[3, 1],
		]);
		assert.deepEqual(joined([...apart, mail(4, '[PATCH 2/3] two')]), []);
		assert.deepEqual(joined(apart.slice(1)), []);
		assert.deepEqual(joined([...apart.slice(0, 2), mail(3, '[PATCH 3/3] three', { from: max })]), []);
		assert.deepEqual(joined([...apart.slice(0, 2), mail(3, '[PATCH v2 3/3] three')]), []);
		assert.deepEqual(joined([...apart.slice(0, 2), mail(3, '[PATCH 3/3] three', { atMs: 900 * minute })]), []);
	});
});
