import assert from 'node:assert/strict';
import { mailText } from 'patchmail/mail/mailText.ts';
import { postedSeries, readEnvelopes, type PostedSeries } from 'patchmail/series/postedSeries.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { versionLinks } from '../../src/port/versionLinks.ts';
import type { SearchRow } from '../../src/read/searchPage.ts';

const never = new AbortController().signal;
const list = { owner: 'archive.example', name: 'devel' };
const other = { ...list, name: 'other' };

function row(name: string, subject: string, dateMs = 0): SearchRow {
	return { messageId: `<${name}@x>`, subject, author: 'Ann', dateMs };
}

const rows = [row('3', '[PATCH v3] fold'), row('2', '[PATCH v2] fold'), row('1', '[PATCH] fold')];

/** A row of a list, as a search shows it. */
function guessOf(number: number, changes: Partial<Patchset> = {}): Patchset {
	return {
		id: number,
		createdMs: 0,
		updatedMs: 0,
		subject: 'fold',
		prefix: undefined,
		version: number,
		status: 'none',
		isGuess: true,
		list: { name: 'devel', owner: { canonicalName: list.owner, name: list.owner } },
		coverLetter: undefined,
		supersededById: undefined,
		submitter: 'Ann',
		replyTo: undefined,
		messageId: `<${number}@x>`,
		...changes,
	};
}

/** Links over a search with these hits, by the number in a Message-ID. */
function linksOver(hits: readonly SearchRow[] | ((query: string) => readonly SearchRow[] | Error) = rows) {
	const asked: string[] = [];
	const links = versionLinks(
		async ({ name }, query) => {
			asked.push(`${name} ${query}`);
			const found = typeof hits === 'function' ? hits(query) : hits;
			if (found instanceof Error) {
				throw found;
			}
			return found;
		},
		(_, { messageId, subject, version }) => guessOf(Number(messageId.slice(1, -3)), { messageId, subject, version }),
	);
	/** Numbers of the versions before and after a series. */
	const neighboursOf = async (
		of: Omit<Parameters<typeof links.versionsOf>[1], 'id'>,
	): Promise<readonly (number | undefined)[]> => {
		const id = of.version;
		await links.versionsOf(list, { ...of, id }, never);
		const { supersedesId, supersededById } = links.withLinks(guessOf(id));
		return [supersedesId, supersededById];
	};
	return { ...links, asked, neighboursOf };
}

async function postedBy(from: string, body = 'Fold.\n', subject = '[PATCH] fold'): Promise<readonly PostedSeries[]> {
	const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';
	const raw = `From: ${from}\nSubject: ${subject}\nMessage-ID: <1@x>\nDate: Fri, 27 Nov 2026 10:00:00 +0000\n\n${body}---\n${diff}`;
	return postedSeries(await readEnvelopes([mailText(Buffer.from(raw))], never));
}

suite('links between versions', () => {
	test('need the address at the end of the sender', async () => {
		const cases: readonly (readonly [string | undefined, string | undefined])[] = [
			['Ann <ann@a.example>', 'ann@a.example'],
			['ann@a.example', 'ann@a.example'],
			['"Eve <eve@e.example>" <ann@a.example> ', 'ann@a.example'],
			['Ann', undefined],
			['', undefined],
			[undefined, undefined],
		];
		for (const [submitter, address] of cases) {
			const { neighboursOf, asked } = linksOver();
			const neighbours = await neighboursOf({ subject: 'fold', version: 2, submitter });
			const found = address !== undefined;
			assert.deepEqual(neighbours, found ? [1, 3] : [undefined, undefined], submitter);
			assert.deepEqual(asked, found ? [`devel s:"fold" AND f:"${address}" AND NOT s:re:`] : []);
		}
	});

	test('of a first version take a search once a row shows a later one of this list', async () => {
		const first = { subject: 'fold', version: 1, submitter: 'ann@a.example' };
		const links = linksOver();
		links.seen(list, guessOf(1));
		links.seen(other, guessOf(2, { subject: 'Fold' }));
		assert.deepEqual(await links.neighboursOf(first), [undefined, undefined]);
		assert.deepEqual(links.asked, []);
		links.seen(list, guessOf(2, { subject: 'Fold' }));
		// A later sight of the first version does not hide the second one.
		links.seen(list, guessOf(1));
		assert.deepEqual(await links.neighboursOf(first), [undefined, 2]);
		assert.equal(links.asked.length, 1);
	});

	test('of a first version that no row showed take a search, because a later one may be on any page', async () => {
		const { neighboursOf, asked } = linksOver();
		assert.deepEqual(await neighboursOf({ subject: 'fold', version: 1, submitter: 'ann@a.example' }), [undefined, 2]);
		assert.equal(asked.length, 1);
	});

	test('come for all versions with one search', async () => {
		const links = linksOver();
		const third = { id: 3, subject: 'fold', version: 3, submitter: 'ann@a.example' };
		const found = await links.versionsOf(list, third, never);
		assert.deepEqual(
			found.map(({ id, submitter, supersedesId, supersededById }) => [id, submitter, supersedesId, supersededById]),
			[
				[3, 'ann@a.example', 2, undefined],
				[2, 'ann@a.example', 1, 3],
				[1, 'ann@a.example', undefined, 2],
			],
		);
		assert.equal(await links.versionsOf(list, { ...third, id: 1, version: 1 }, never), found);
		assert.deepEqual([links.downFrom(3), links.downFrom(2), links.downFrom(7)], [[3, 2, 1], [2, 1], []]);
		const { isGuess: _, ...read } = guessOf(2, { submitter: 'Ann A. <ann@a.example>' });
		assert.deepEqual(links.withLinks(read), { ...read, supersedesId: 1, supersededById: 3 });
		assert.equal(links.asked.length, 1);
	});

	test('follow a change-id first, and the title if nothing else has the id', async () => {
		const [series] = await postedBy('Ann <ann@a.example>', 'Fold.\nchange-id: 2026-fold-1\n', '[PATCH v2] fold twice');
		const renamed = row('1', '[PATCH] fold once');
		const own = row('2', '[PATCH v2] fold twice');
		for (const [byId, expected] of [
			[[own, renamed], 1],
			[[own], undefined],
		] as const) {
			const { neighboursOf, asked } = linksOver((query) => (query.startsWith('nq:') ? byId : []));
			assert.deepEqual(await neighboursOf(series!), [expected, undefined]);
			assert.equal(asked.length, expected === undefined ? 2 : 1);
			assert.match(asked[0] ?? '', /^devel nq:"change-id: 2026-fold-1" AND f:"ann@a\.example" /);
			assert.match(
				asked[1] ?? 'devel s:"fold twice" AND f:"ann@a.example"',
				/^devel s:"fold twice" AND f:"ann@a\.example"/,
			);
		}
	});

	test('take only hits with the title of a search by title', async () => {
		const { neighboursOf } = linksOver([
			row('1', '[PATCH] fold and iron'),
			row('2', '[PATCH v2] fold'),
			row('3', '[PATCH v3] FOLD'),
		]);
		assert.deepEqual(await neighboursOf({ subject: 'fold', version: 2, submitter: 'ann@a.example' }), [undefined, 3]);
	});

	test('end with a stopped reading', async () => {
		const stopped = new DOMException('Stopped', 'AbortError');
		const { neighboursOf } = linksOver(() => stopped);
		await assert.rejects(neighboursOf({ subject: 'fold', version: 2, submitter: 'a@x' }), stopped);
	});
});

suite('rows of new versions', () => {
	test('get the address and the neighbours of a read series whose sender sent them', async () => {
		const links = linksOver();
		links.read(list, await postedBy('Ann <ann@a.example>'));
		[1, 2, 3].forEach((version) => links.seen(list, guessOf(version)));
		const { isGuess: _, ...certain } = guessOf(3);
		const [first, second] = [guessOf(1), guessOf(2)];
		await links.link(list, [first, second, certain], never);
		assert.deepEqual(links.withLinks(first), { ...first, supersededById: 2, submitter: 'Ann <ann@a.example>' });
		assert.deepEqual(links.withLinks(certain), { ...certain, supersedesId: 2 });
		assert.deepEqual(links.withLinks(second), {
			...second,
			supersedesId: 1,
			supersededById: 3,
			submitter: 'Ann <ann@a.example>',
		});
		await links.link(list, [second], never);
		assert.equal(links.asked.length, 1);
	});

	test('are searched for again once a row shows a further version', async () => {
		const all = [1, 2, 3].map((version) => guessOf(version));
		let hits = rows.slice(1);
		const links = linksOver(() => hits);
		links.read(list, await postedBy('Ann <ann@a.example>'));
		const early = all.slice(0, 2);
		early.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		early.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		assert.equal(links.asked.length, 1);
		hits = rows;
		all.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		assert.equal(links.asked.length, 2);
	});

	test('stay guesses if another person sent them, and in another list', async () => {
		const links = linksOver();
		links.read(list, await postedBy('Ann <ann@a.example>'));
		const foreign = guessOf(7, { version: 2, messageId: '<foreign@x>' });
		await links.link(other, [guessOf(3)], never);
		await links.link(list, [guessOf(3, { subject: 'iron' })], never);
		assert.equal(links.asked.length, 0);
		await links.link(list, [foreign], never);
		assert.equal(links.withLinks(foreign), foreign);
		await links.link(list, [foreign], never);
		assert.equal(links.asked.length, 1);
	});

	test('take another search after a failure, three at a time', async () => {
		let fails = true;
		const links = linksOver(() => (fails ? new Error('The archive fails') : rows));
		links.read(list, await postedBy('Ann <ann@a.example>'));
		const guesses = [2, 3, 4, 5].map((version) => guessOf(version));
		await links.link(list, guesses, never);
		assert.equal(links.asked.length, 3);
		assert.ok(guesses.every((guess) => links.withLinks(guess) === guess));
		fails = false;
		await links.link(list, guesses, never);
		// One search finds the second and the third version.
		assert.equal(links.asked.length, 5);
		assert.equal(links.withLinks(guesses[1]!).supersedesId, 2);
		await links.link(list, guesses, never);
		assert.equal(links.asked.length, 6);
	});
});
