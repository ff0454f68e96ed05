import assert from 'node:assert/strict';
import { mailText } from 'patchmail/mail/mailText.ts';
import { postedSeries, readEnvelopes, type PostedSeries } from 'patchmail/series/postedSeries.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { versionLinks } from '../../src/port/versionLinks.ts';
import type { SearchRow } from '../../src/read/searchPage.ts';
import { provisionalSeries } from '../../src/series/provisionalSeries.ts';

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
		(_, { messageId }) => Number(messageId.slice(1, -3)),
	);
	return { ...links, asked };
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
			const { supersedesId, supersededById } = await neighboursOf(
				list,
				{ subject: 'fold', version: 2, submitter },
				never,
			);
			const found = address !== undefined;
			assert.deepEqual([supersedesId, supersededById], found ? [1, 3] : [undefined, undefined], submitter);
			assert.deepEqual(asked, found ? [`devel s:"fold" AND f:"${address}" AND NOT s:re:`] : []);
		}
	});

	test('of a first version take a search once a row shows a later one of this list', async () => {
		const first = { subject: 'fold', version: 1, submitter: 'ann@a.example' };
		const links = linksOver();
		const { neighboursOf, asked } = links;
		const [v2] = provisionalSeries([row('2', '[PATCH v2] Fold')]);
		const [v1] = provisionalSeries([row('1', '[PATCH] fold')]);
		links.seen(list, v1!);
		links.seen(other, v2!);
		const none = { supersededById: undefined, rows: [] };
		assert.deepEqual(await neighboursOf(list, first, never), none);
		assert.deepEqual(asked, []);
		links.seen(list, v2!);
		// A later sight of the first version does not hide the second one.
		links.seen(list, v1!);
		assert.deepEqual(await neighboursOf(list, first, never), { supersededById: 2, rows });
		assert.equal(asked.length, 1);
	});

	test('follow a change-id first, and the title if nothing else has the id', async () => {
		const [series] = await postedBy('Ann <ann@a.example>', 'Fold.\nchange-id: 2026-fold-1\n', '[PATCH v2] fold twice');
		const renamed = row('1', '[PATCH] fold once');
		for (const [byId, expected] of [
			[[renamed], 1],
			[[row('2', '[PATCH v2] fold twice')], undefined],
			[new Error('The archive fails'), undefined],
		] as const) {
			const { neighboursOf, asked } = linksOver((query) => (query.startsWith('nq:') ? byId : []));
			const { supersedesId, supersededById } = await neighboursOf(list, series!, never);
			assert.deepEqual([supersedesId, supersededById], [expected, undefined]);
			assert.equal(asked.length, expected === undefined ? 2 : 1);
			assert.match(asked[0] ?? '', /^devel nq:"change-id: 2026-fold-1" AND f:"ann@a\.example" /);
			assert.match(
				asked[1] ?? 'devel s:"fold twice" AND f:"ann@a.example"',
				/^devel s:"fold twice" AND f:"ann@a\.example"/,
			);
		}
	});

	test('take only hits with the title of a search by title', async () => {
		const { neighboursOf } = linksOver([row('1', '[PATCH] fold and iron'), row('3', '[PATCH v3] FOLD')]);
		const { supersedesId, supersededById } = await neighboursOf(
			list,
			{ subject: 'fold', version: 2, submitter: 'ann@a.example' },
			never,
		);
		assert.deepEqual([supersedesId, supersededById], [undefined, 3]);
	});

	test('end with a stopped reading', async () => {
		const stopped = new DOMException('Stopped', 'AbortError');
		const { neighboursOf } = linksOver(() => stopped);
		await assert.rejects(neighboursOf(list, { subject: 'fold', version: 2, submitter: 'a@x' }, never), stopped);
	});
});

suite('rows of new versions', () => {
	test('get the address and the neighbours of a read series whose sender sent them', async () => {
		const links = linksOver();
		links.read(list, await postedBy('Ann <ann@a.example>'));
		provisionalSeries(rows).forEach((each) => links.seen(list, each));
		const { isGuess: _, ...certain } = guessOf(3);
		const [first, second] = [guessOf(1), guessOf(2)];
		await links.link(list, [first, second, certain], never);
		assert.equal(links.of(first), first);
		assert.equal(links.of(certain), certain);
		assert.deepEqual(links.of(second), {
			...second,
			supersedesId: 1,
			supersededById: 3,
			submitter: 'Ann <ann@a.example>',
		});
		// A patchset that its thread has stays as it is.
		const { isGuess: __, ...opened } = guessOf(2);
		assert.equal(links.of(opened), opened);
		await links.link(list, [second], never);
		assert.equal(links.asked.length, 1);
	});

	test('are searched for again once a row shows a further version', async () => {
		const links = linksOver();
		links.read(list, await postedBy('Ann <ann@a.example>'));
		const all = provisionalSeries(rows);
		const early = all.filter(({ version }) => version < 3);
		early.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		early.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		assert.equal(links.asked.length, 1);
		all.forEach((each) => links.seen(list, each));
		await links.link(list, [guessOf(2)], never);
		assert.equal(links.asked.length, 2);
	});

	test('stay guesses if another person sent them, and in another list', async () => {
		const links = linksOver();
		links.read(list, await postedBy('Ann <ann@a.example>'));
		const foreign = guessOf(2, { messageId: '<foreign@x>' });
		await links.link(other, [guessOf(3)], never);
		await links.link(list, [guessOf(3, { subject: 'iron' })], never);
		assert.equal(links.asked.length, 0);
		await links.link(list, [foreign], never);
		assert.equal(links.of(foreign), foreign);
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
		assert.ok(guesses.every((guess) => links.of(guess) === guess));
		fails = false;
		await links.link(list, guesses, never);
		assert.equal(links.asked.length, 6);
		assert.equal(links.of(guesses[1]!).supersedesId, 2);
		await links.link(list, guesses, never);
		assert.equal(links.asked.length, 7);
	});
});
