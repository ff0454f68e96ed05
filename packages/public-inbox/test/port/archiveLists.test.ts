import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { seriesQuery } from '../../src/series/provisionalSeries.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import type { ArchiveClient } from '../../src/http/archiveClient.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { ArchiveError, type ArchiveProblem } from '../../src/http/archiveError.ts';
import { archiveLists } from '../../src/port/archiveLists.ts';
import type { SearchPage, SearchRow } from '../../src/read/searchPage.ts';

const siteUrl = 'https://archive.example/';
const devel = { owner: 'archive.example', name: 'devel' };
const never = new AbortController().signal;
const clock = { nowMs: () => 1_000_000, after: () => ({ dispose: () => undefined }) };
const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

function raw(id: string, subject: string, body: string, ...answers: readonly string[]): Uint8Array {
	const parent = answers.length === 0 ? '' : `References: ${answers.join(' ')}\n`;
	return Buffer.from(
		`From: Ann <ann@a.example>\nSubject: ${subject}\nMessage-ID: ${id}\n${parent}Date: Fri, 27 Nov 2026 10:00:00 +0000\n\n${body}`,
	);
}

function row(messageId: string, subject: string) {
	return { messageId, subject, author: 'Ann', dateMs: Date.UTC(2026, 10, 27, 10) };
}

/** A page of search. */
function page(rows: readonly SearchRow[], from: number, to: number, total: number): SearchPage {
	return { rows, from, to, total, isEstimate: false, missing: [] };
}

/** Lists over a client with these members. All others throw. */
function listsOver(
	members: Partial<ArchiveClient>,
	time: Clock = clock,
	inboxes: readonly string[] = ['devel'],
	addresses: readonly string[] = ['ann@a.example'],
): ReturnType<typeof archiveLists> {
	const refused = (): never => assert.fail('an unexpected request');
	const client: ArchiveClient = {
		inbox: refused,
		prefixes: refused,
		inboxes: refused,
		mail: refused,
		thread: refused,
		search: refused,
		newest: refused,
		received: refused,
		threads: refused,
		...members,
	};
	return archiveLists(client, siteUrl, {
		inboxes: () => inboxes,
		ownAddresses: async () => addresses,
		clock: time,
	});
}

async function pageOf<T>(
	pages: AsyncGenerator<{ readonly items: readonly T[] }, void, undefined>,
): Promise<readonly T[]> {
	const { value } = await pages.next();
	return value?.items ?? [];
}

suite('archive as lists', () => {
	const thread = {
		mails: [
			raw('<reply@a.example>', 'Re: [PATCH 1/1] fold', 'Why?\n', '<cover@a.example>', '<one@a.example>'),
			raw('<one@a.example>', '[PATCH 1/1] fold', `Fold.\n---\n${diff}`, '<cover@a.example>'),
			raw('<cover@a.example>', '[PATCH 0/1] folds', 'All folds.\n'),
			raw('<other@b.example>', '[PATCH 0/1] folds', 'A series with an equal title.\n'),
		],
		isCut: false,
	};
	const rows = [row('<one@a.example>', '[PATCH 1/1] fold')];
	const found = { rows, from: 0, to: 1, total: 1, isEstimate: false, missing: [] };

	test('a row leads to its set, also if the row is not the first mail', async () => {
		let requests = 0;
		const api = listsOver({
			search: async () => found,
			async thread() {
				requests += 1;
				return thread;
			},
		});
		const [patchset] = await pageOf(api.patchsets(devel, never));
		assert.ok(patchset);
		const ref = { list: devel, id: patchset.id };
		const read = await api.patchset(ref, never);
		assert.deepEqual(
			[read.id, read.subject, read.status, read.coverLetter?.subject],
			[ref.id, 'folds', 'none', '[PATCH 0/1] folds'],
		);
		// The row has a name without an address. It stays complete once the thread was read.
		assert.deepEqual([patchset.isGuess, patchset.submitter], [true, 'Ann']);
		assert.deepEqual([read.isGuess, read.submitter], [undefined, 'Ann <ann@a.example>']);
		assert.deepEqual(await pageOf(api.patchsets(devel, never)), [read]);
		const patches = await pageOf(api.patches(ref, never));
		assert.deepEqual(
			patches.map(({ messageId, patchsetId }) => [messageId, patchsetId]),
			[['<one@a.example>', ref.id]],
		);
		const [cover] = await api.thread(ref.id, never);
		assert.equal(requests, 1);
		// Refreshing the page.
		await api.thread(cover?.id ?? 0, never);
		assert.equal(requests, 2);
	});

	test('a reply without a parent belongs to the thread of its subject', async () => {
		const stray = raw('<stray@c.example>', 'Re: [PATCH 1/1] fold', 'Nice.\n');
		const mails = [...thread.mails, stray];
		const api = listsOver({ search: async () => found, thread: async () => ({ mails, isCut: false }) });
		const [patchset] = await pageOf(api.patchsets(devel, never));
		const read = await api.thread(patchset?.id ?? 0, never);
		assert.ok(read.some(({ messageId }) => messageId === '<stray@c.example>'));
	});

	test('a new mail counts two minutes after its first sight, when searches find it', async () => {
		let [nowMs, messageId, dateMs] = [Date.UTC(2026, 5, 1), '<old@a.example>', Date.UTC(2026, 4, 1)];
		const api = listsOver(
			{ newest: async () => [{ messageId, dateMs, subject: '', author: '', address: '', parentId: undefined }] },
			{ ...clock, nowMs: () => nowMs },
		);
		const lastMs = async (): Promise<number | undefined> =>
			(await api.activity?.lastMs([devel], never))?.get('archive.example/devel');
		assert.equal(await lastMs(), Date.UTC(2026, 4, 1));
		[messageId, dateMs] = ['<new@a.example>', Date.UTC(2026, 4, 31)];
		assert.equal(await lastMs(), Date.UTC(2026, 4, 1));
		nowMs += 119_000;
		assert.equal(await lastMs(), Date.UTC(2026, 4, 1));
		nowMs += 2000;
		assert.equal(await lastMs(), Date.UTC(2026, 4, 31));
	});

	for (const [terms, query] of [
		['', 'd:19700101..'],
		['is:reply', 's:re:'],
		['message-id:a@b', 'm:a@b'],
		['from:ann@a.example', 'f:ann@a.example'],
		['s:"is:reply" from:ann', 's:"is:reply" from:ann'],
	] as const) {
		test(`the terms "${terms}" search for ${query}`, async () => {
			const asked: string[] = [];
			const api = listsOver({
				async search(_, { query: each }) {
					asked.push(each);
					return found;
				},
			});
			const pages = api.search?.(devel, terms, never);
			assert.ok(pages);
			await pageOf(pages);
			assert.deepEqual(asked, [query]);
		});
	}

	test('a series with another version names it, after one more search', async () => {
		const all = [row('<two@a.example>', '[PATCH v2 1/1] fold'), row('<one@a.example>', '[PATCH 1/1] fold')];
		const asked: string[] = [];
		const patch = raw('<one@a.example>', '[PATCH 1/1] fold', `Fold.\n---\n${diff}`);
		const api = listsOver({
			async search(_, { query }) {
				asked.push(query);
				return { ...found, rows: all, to: 2, total: 2 };
			},
			thread: async () => ({ mails: [patch], isCut: false }),
		});
		const rowsOfList = await pageOf(api.patchsets(devel, never));
		const [first, second] = [1, 2].map((version) => rowsOfList.find((each) => each.version === version)?.id ?? 0);
		const read = await api.patchset({ list: devel, id: first ?? 0 }, never);
		assert.deepEqual([read.supersededById, read.supersedesId], [second, undefined]);
		assert.match(asked.at(-1) ?? '', /^s:"fold" AND f:"[^"]+@[^"]+" AND NOT s:re:$/);
	});

	test('a version with another title is found by its change-id, and by its title without one', async () => {
		const changeId = '20261101-fold-3f9a1c0d77aa';
		const renamed = [row('<two@a.example>', '[PATCH v2 1/1] fold twice'), row('<one@a.example>', '[PATCH 1/1] fold')];
		for (const hits of [renamed, renamed.slice(0, 1)]) {
			const asked: string[] = [];
			const patch = raw('<two@a.example>', '[PATCH v2 1/1] fold twice', `Fold.\n---\nchange-id: ${changeId}\n${diff}`);
			const api = listsOver({
				async search(_, { query }) {
					asked.push(query);
					const rows = query.startsWith('nq:') ? hits : query.startsWith('s:"') ? [] : renamed;
					return { ...found, rows, to: rows.length, total: rows.length };
				},
				thread: async () => ({ mails: [patch], isCut: false }),
			});
			const rowsOfList = await pageOf(api.patchsets(devel, never));
			const [first, second] = [1, 2].map((version) => rowsOfList.find((each) => each.version === version)?.id ?? 0);
			asked.length = 0;
			const read = await api.patchset({ list: devel, id: second ?? 0 }, never);
			assert.equal(read.supersedesId, hits === renamed ? first : undefined);
			assert.match(
				asked[0] ?? '',
				/^nq:"change-id: 20261101-fold-3f9a1c0d77aa" AND f:"[^"]+" AND NOT nq:"prerequisite-/,
			);
			assert.equal(asked.length, hits === renamed ? 1 : 2);
		}
	});

	test('a series opens although the search for its versions fails', async () => {
		const all = [row('<two@a.example>', '[PATCH v2 1/1] fold'), row('<one@a.example>', '[PATCH 1/1] fold')];
		const patch = raw('<one@a.example>', '[PATCH 1/1] fold', `Fold.\n---\n${diff}`);
		const api = listsOver({
			search: async (_, { query }) =>
				query.startsWith('s:"')
					? Promise.reject(new ArchiveError({ kind: 'badQuery', text: '' }, 'archive.example'))
					: { ...found, rows: all, to: 2, total: 2 },
			thread: async () => ({ mails: [patch], isCut: false }),
		});
		const first = (await pageOf(api.patchsets(devel, never))).find(({ version }) => version === 1);
		const read = await api.patchset({ list: devel, id: first?.id ?? 0 }, never);
		assert.deepEqual([read.id, read.supersededById], [first?.id, undefined]);
		// The row of the second version survives the same failure.
		assert.equal((await pageOf(api.patchsets(devel, never))).length, 2);
	});

	test('an own reply without a thread hides no other own mail', async () => {
		const replies = [row('<r1@a.example>', 'Re: [PATCH] lost'), row('<r2@a.example>', 'Re: [PATCH] there')];
		const api = listsOver({
			search: async () => ({ ...found, rows: replies, to: 2, total: 2 }),
			thread: async (_, messageId) =>
				messageId === '<r1@a.example>'
					? Promise.reject(
							new ArchiveError({ kind: 'missing', isPartial: false, upstream: undefined }, 'archive.example'),
						)
					: { mails: [raw('<r2@a.example>', 'Re: [PATCH] there', 'Yes.\n')], isCut: false },
		});
		const pages = api.emailsOf?.(undefined, never);
		assert.ok(pages);
		assert.equal((await pageOf(pages)).length, 2);
	});

	test('own mails are those from the addresses of the user, in all followed lists', async () => {
		const asked: string[] = [];
		const api = listsOver({
			async search(inboxUrl, { query }) {
				asked.push(`${inboxUrl} ${query}`);
				return found;
			},
		});
		for (const user of [undefined, '"bob"@b.example', '~bob']) {
			const pages = api.emailsOf?.(user, never);
			assert.ok(pages);
			await pageOf(pages);
		}
		assert.deepEqual(asked, [`${siteUrl}devel/ f:"ann@a.example"`, `${siteUrl}devel/ f:"bob@b.example"`]);
	});

	test('a thread has no mail of another one with an equal subject, and parents come first', async () => {
		const api = listsOver({ search: async () => found, thread: async () => thread });
		const [patchset] = await pageOf(api.patchsets(devel, never));
		const mails = await api.thread(patchset?.id ?? 0, never);
		assert.deepEqual(
			mails.map(({ messageId }) => messageId),
			['<cover@a.example>', '<one@a.example>', '<reply@a.example>'],
		);
		assert.deepEqual(
			mails.map(({ parentId }) => mails.find(({ id }) => id === parentId)?.messageId),
			[undefined, '<cover@a.example>', '<one@a.example>'],
		);
	});

	test('a series over two pages of search is one row', async () => {
		const all = [row('<b@a.example>', '[PATCH 2/2] b'), row('<a@a.example>', '[PATCH 1/2] a')];
		const api = listsOver({
			search: async (_, { from }) => ({ ...found, rows: all.slice(from, from + 1), from, to: from + 1, total: 2 }),
		});
		const items: string[] = [];
		for await (const page of api.patchsets(devel, never)) {
			items.push(...page.items.map(({ subject }) => subject));
		}
		assert.deepEqual(items, ['a']);
	});

	test('a cover letter on the next page belongs to its series, also beside a clock that is wrong', async () => {
		const all = [
			{ ...row('<z@a.example>', '[PATCH] z'), dateMs: 0 },
			row('<b@a.example>', '[PATCH 2/2] b'),
			row('<a@a.example>', '[PATCH 1/2] a'),
			row('<c@a.example>', '[PATCH 0/2] all'),
		];
		for (const size of [2, 3]) {
			const api = listsOver({
				search: async (_, { from }) => {
					const rows = all.slice(from, from + size);
					return { ...found, rows, from, to: from + rows.length, total: 4 };
				},
			});
			const items: string[] = [];
			for await (const page of api.patchsets(devel, never)) {
				items.push(...page.items.map(({ subject }) => subject));
			}
			assert.deepEqual(items, ['z', 'all'], String(size));
		}
	});

	test('an incomplete series appears once no page can have its rest', async () => {
		const day = 86_400_000;
		const dated = (each: ReturnType<typeof row>, dateMs: number) => ({ ...each, dateMs });
		const all = [
			dated(row('<c@a.example>', '[PATCH 0/2] cover alone'), 9 * day),
			dated(row('<b@a.example>', '[PATCH 1/2] may go on'), 5 * day),
			dated(row('<a@a.example>', '[PATCH] single'), 4.5 * day),
			dated(row('<z@a.example>', '[PATCH] last'), 0),
		];
		const api = listsOver({
			search: async (_, { from }) => {
				const rows = from === 0 ? all.slice(0, 3) : all.slice(3);
				return { ...found, rows, from, to: from + rows.length, total: 4 };
			},
		});
		const pages: (readonly string[])[] = [];
		for await (const { items } of api.patchsets(devel, never)) {
			pages.push(items.map(({ subject }) => subject));
		}
		assert.deepEqual(pages, [
			['cover alone', 'single'],
			['may go on', 'last'],
		]);
	});

	test('own mails of all followed lists are on the first page', async () => {
		const api = listsOver(
			{
				search: async (inboxUrl) =>
					inboxUrl.endsWith('/gone/')
						? Promise.reject(
								new ArchiveError({ kind: 'missing', isPartial: false, upstream: undefined }, 'archive.example'),
							)
						: {
								...found,
								rows: inboxUrl.endsWith('/other/') ? [row('<mine@a.example>', '[PATCH] mine')] : [],
								to: 1,
								total: 1,
							},
			},
			clock,
			['devel', 'gone', 'other'],
		);
		const first = await api.emailsOf?.(undefined, never).next();
		const items = first?.done === false ? first.value.items : [];
		assert.deepEqual(
			items.map(({ messageId }) => messageId),
			['<mine@a.example>'],
		);
		assert.match(items[0]?.from ?? '', /<ann@a\.example>$/);
	});

	test('a cut thread without the asked mail is too large, and not lost', async () => {
		const api = listsOver({
			search: async () => found,
			// A reply without a parent may belong to any thread.
			thread: async () => ({ mails: [raw('<else@a.example>', 'Re: Hello', 'x')], isCut: true }),
		});
		const [patchset] = await pageOf(api.patchsets(devel, never));
		await assert.rejects(
			api.patchset({ list: devel, id: patchset?.id ?? 0 }, never),
			(error) => isForgeError(error) && error.problem.kind === 'tooLarge' && error.about === '<one@a.example>',
		);
	});

	test('a failed thread is asked for again', async () => {
		let requests = 0;
		const api = listsOver({
			search: async () => found,
			async thread() {
				requests += 1;
				return requests === 1 ? Promise.reject(new ArchiveError({ kind: 'silent' }, 'archive.example')) : thread;
			},
		});
		const [patchset] = await pageOf(api.patchsets(devel, never));
		const ref = { list: devel, id: patchset?.id ?? 0 };
		await assert.rejects(
			api.patchset(ref, never),
			(error) => isForgeError(error) && error.problem.kind === 'unreachable',
		);
		assert.equal((await api.patchset(ref, never)).id, ref.id);
	});

	test('a mail without plain text keeps its place in the thread', async () => {
		const html = Buffer.from(
			'From: Bob <bob@b.example>\nSubject: Re: folds\nMessage-ID: <html@b.example>\nIn-Reply-To: <cover@a.example>\n' +
				'Date: Fri, 27 Nov 2026 11:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>Fine.</p>\n',
		);
		const mails = [...thread.mails, html];
		const api = listsOver({ search: async () => found, thread: async () => ({ mails, isCut: false }) });
		const [patchset] = await pageOf(api.patchsets(devel, never));
		const read = await api.thread(patchset?.id ?? 0, never);
		const [cover] = read;
		assert.deepEqual(
			read
				.filter(({ messageId }) => messageId === '<html@b.example>')
				.map(({ subject, parentId }) => [subject, parentId]),
			[['Re: folds', cover?.id]],
		);
	});

	test('every problem of an archive has one of a forge', async () => {
		const cases: readonly (readonly [ArchiveProblem, Problem['kind']])[] = [
			[{ kind: 'silent' }, 'unreachable'],
			[{ kind: 'busy', retryAtMs: 5 }, 'rateLimited'],
			[{ kind: 'missing', isPartial: false, upstream: undefined }, 'notFound'],
			[{ kind: 'redirected', to: 'other.example' }, 'redirected'],
			[{ kind: 'tooLarge', limitBytes: 1 }, 'tooLarge'],
			[{ kind: 'badQuery', text: 'syntax' }, 'invalid'],
			[{ kind: 'refused', status: 403 }, 'notAllowed'],
			[{ kind: 'refused', status: 500 }, 'serverError'],
			[{ kind: 'challenge' }, 'browserCheck'],
			[{ kind: 'foreign' }, 'notUnderstood'],
			[{ kind: 'damaged' }, 'notUnderstood'],
		];
		for (const [problem, expected] of cases) {
			const api = listsOver({ search: () => Promise.reject(new ArchiveError(problem, 'archive.example')) });
			await assert.rejects(
				pageOf(api.posts(devel, never)),
				(error) => isForgeError(error) && error.problem.kind === expected,
			);
		}
	});

	test('an archive takes no writes and no unknown number', async () => {
		const api = listsOver({});
		for (const write of [api.create({ name: 'x' }, never), api.subscribe(devel, never), api.update(devel, '', never)]) {
			await assert.rejects(write, (error) => isForgeError(error) && error.problem.kind === 'notOffered');
		}
		await assert.rejects(api.thread(7, never), (error) => isForgeError(error) && error.problem.kind === 'notFound');
	});
});

suite('searches of an archive', () => {
	test('show each mail once, page after page, until the archive has no more', async () => {
		const rows = ['a', 'b', 'c', 'd'].map((name) => row(`<${name}@x>`, name));
		const cases = [
			// A mail arrives between two pages.
			{ pages: [page(rows.slice(0, 2), 0, 2, 5), page(rows.slice(1), 2, 5, 5)], totals: [5], names: ['ab', 'cd'] },
			{
				pages: [{ ...page(rows.slice(0, 2), 0, 2, 9), isEstimate: true }, page([], 2, 2, 2)],
				totals: [undefined],
				names: ['ab', ''],
			},
			// An archive that repeats itself ends.
			{ pages: [page(rows.slice(0, 1), 0, 1, 9), page(rows.slice(0, 1), 0, 1, 9)], totals: [9], names: ['a', ''] },
			{ pages: [page([], 0, 0, 0)], totals: [], names: [''] },
			// There may be more hits than estimated.
			{
				pages: [{ ...page(rows.slice(0, 2), 0, 2, 2), isEstimate: true }, page(rows.slice(2), 2, 4, 4)],
				totals: [undefined],
				names: ['ab', 'cd'],
			},
		];
		for (const { pages, totals, names } of cases) {
			const asked: (readonly [string, string, number, number])[] = [];
			const api = listsOver({
				async search(url, { query, from, rows: most }) {
					asked.push([url, query, from, most]);
					return pages[asked.length - 1] ?? assert.fail('a further page');
				},
			});
			const found: { readonly items: string; readonly seen: number; readonly completeness: Completeness }[] = [];
			for await (const { items, seen, completeness } of api.posts(devel, never)) {
				found.push({ items: items.map(({ subject }) => subject).join(''), seen, completeness });
			}
			let seen = 0;
			const expected = names.map((items, at) => {
				seen += items.length;
				const isLast = at === names.length - 1;
				return { items, seen, completeness: isLast ? { kind: 'complete' } : { kind: 'more', total: totals[at] } };
			});
			assert.deepEqual(found, expected);
			const query = 'd:19700101.. AND NOT s:re:';
			assert.deepEqual(
				asked,
				pages.map((_, at) => [`${siteUrl}devel/`, query, pages[at - 1]?.to ?? 0, 200]),
			);
		}
	});

	test('lead replies to the thread of their title, and rows of a read thread to its facts', async () => {
		const one = raw('<1@x>', '[PATCH] fold', `Fold.\n---\n${diff}`);
		const reply = raw('<2@x>', 'Re: [PATCH] fold', 'Why?\n', '<1@x>');
		const rows = [
			row('<2@x>', 'Re: [PATCH] fold'),
			row('<1@x>', '[PATCH] fold'),
			row('<3@x>', 'Re: other'),
			row('<4@x>', 'Care: [PATCH] fold'),
			{ ...row('<5@x>', 'Undated'), dateMs: undefined },
		];
		const api = listsOver({
			search: async (_, { query }) => {
				const found = query === 'x' ? rows : rows.filter(({ subject }) => !subject.startsWith('Re:'));
				return page(found, 0, found.length, found.length);
			},
			thread: async () => ({ mails: [one, reply], isCut: false }),
		});
		const posts = await pageOf(api.posts(devel, never));
		const [first] = posts;
		assert.deepEqual(first, {
			id: first?.id,
			createdMs: Date.UTC(2026, 10, 27, 10),
			subject: '[PATCH] fold',
			messageId: '<1@x>',
			parentId: undefined,
			threadId: undefined,
			list: { name: 'devel', owner: { canonicalName: 'archive.example', name: 'archive.example' } },
			sender: undefined,
			from: 'Ann',
			patchsetId: undefined,
		});
		assert.equal(posts.at(-1)?.createdMs, 0);
		const searched = async () => await pageOf(api.search?.(devel, 'x', never) ?? assert.fail());
		const threadIds = (mails: Awaited<ReturnType<typeof searched>>) =>
			mails.slice(0, 4).map(({ threadId }) => threadId);
		assert.deepEqual(threadIds(await searched()), [first?.id, undefined, undefined, undefined]);
		await api.thread(first?.id ?? 0, never);
		const known = await searched();
		// The first mail of a read thread names itself.
		assert.deepEqual(threadIds(known), [first?.id, first?.id, undefined, undefined]);
		assert.deepEqual(
			known.slice(0, 3).map(({ from, patchsetId }) => [from, patchsetId]),
			[
				['Ann <ann@a.example>', undefined],
				['Ann <ann@a.example>', first?.id],
				['Ann', undefined],
			],
		);
	});

	test('number a late mail above those that were there', async () => {
		const nowMs = Date.UTC(2026, 10, 28);
		const early = { ...row('<early@x>', '[PATCH] early'), dateMs: nowMs - 86_400_000 };
		const known = { ...row('<known@x>', '[PATCH] known'), dateMs: nowMs - 3_600_000 };
		for (const read of ['posts', 'patchsets', 'newest'] as const) {
			let rows = [known];
			const api = listsOver(
				{
					search: async () => page(rows, 0, rows.length, rows.length),
					newest: async () => rows.map((each) => ({ ...each, address: '', parentId: undefined })),
				},
				{ ...clock, nowMs: () => nowMs },
			);
			const [before] = await pageOf(api.posts(devel, never));
			rows = [early, known];
			if (read === 'newest') {
				await api.activity?.lastMs([devel], never);
			} else {
				await pageOf<unknown>(api[read](devel, never));
			}
			const late = (await pageOf(api.posts(devel, never))).find(({ messageId }) => messageId === '<early@x>');
			assert.equal(late?.id, (before?.id ?? 0) + 1, read);
		}
	});

	test('for changed files name each path', () => {
		assert.equal(listsOver({}).fileTerms?.(['src/a.c', 'b "c"']), 'dfn:"src/a.c" OR dfn:"b c"');
	});
});

suite('lists of a site', () => {
	const owner = { canonicalName: 'archive.example', name: 'archive.example' };
	const facts = { createdMs: 0, id: undefined, owner, permissions: undefined };

	test('are those of the archive, and nobody owns any', async () => {
		const inboxes = [
			{ url: '', name: 'devel', description: 'All of it', modifiedMs: 7, epochs: [] },
			{ url: '', name: 'other', description: '', modifiedMs: undefined, epochs: [] },
		];
		const api = listsOver({ inboxes: async () => inboxes });
		const { value } = await api.lists('archive.example', never).next();
		assert.deepEqual(value, {
			items: [
				{ ...facts, name: 'devel', description: 'All of it', updatedMs: 7 },
				{ ...facts, name: 'other', description: '', updatedMs: 0 },
			],
			seen: 2,
			completeness: { kind: 'complete' },
		});
		for (const nobody of [undefined, '~ann', 'ann@a.example']) {
			assert.deepEqual(await pageOf(api.lists(nobody, never)), []);
		}
		const subscriptions = await api.subscriptions([devel], never).next();
		assert.deepEqual(subscriptions.value, { items: [], seen: 0, completeness: { kind: 'complete' } });
	});

	test('have the address to post to, if the archive names one', async () => {
		for (const addresses of [['devel@a.example', 'old@a.example'], []]) {
			const inbox = { url: '', name: 'devel', description: 'All of it', addresses, listId: undefined };
			const api = listsOver({
				inbox: async (url) => ({ ...inbox, url, newsgroups: [], mirrors: [], repositories: [] }),
				prefixes: async (url) => [{ name: 's', text: url }],
			});
			const expected = { ...facts, name: 'a/b', description: 'All of it', updatedMs: 0 };
			const [address, ...otherAddresses] = addresses;
			const stated = { ...expected, address, otherAddresses };
			const ref = { ...devel, name: 'a/b' };
			assert.deepEqual(await api.list(ref, never), address === undefined ? expected : stated);
			assert.deepEqual(await api.searchPrefixes?.(ref, never), [{ name: 's', text: `${siteUrl}a%2Fb/` }]);
		}
	});

	test('refuse each write before a request', async () => {
		const api = listsOver({});
		const patchset = { list: devel, id: 1 };
		for (const write of [
			api.create({ name: 'x' }, never),
			api.update(devel, '', never),
			api.setPatchsetStatus(patchset, 'applied', never),
			api.subscribe(devel, never),
			api.unsubscribe({ id: 1, list: { name: 'devel', owner } }, never),
		]) {
			await assert.rejects(write, (error) => {
				assert.ok(isForgeError(error));
				return error.problem.kind === 'notOffered' && error.isUnsent;
			});
		}
	});
});

suite('mails of a site', () => {
	const failing = (problem: ArchiveProblem) => Promise.reject(new ArchiveError(problem, 'archive.example'));
	const missing: ArchiveProblem = { kind: 'missing', isPartial: false, upstream: undefined };
	const one = raw('<1@x>', 'a', 'One.\n');

	/** Mails of the inboxes by name. */
	function mailsIn(inboxes: Readonly<Record<string, readonly Uint8Array[] | ArchiveProblem>>) {
		const asked: string[] = [];
		const read = (url: string) => {
			const name = url.slice(siteUrl.length, -1);
			asked.push(name);
			const found = inboxes[name] ?? missing;
			return 'kind' in found ? failing(found) : Promise.resolve({ mails: found, isCut: false });
		};
		return { asked, api: listsOver({ mail: read, thread: read }, clock, ['devel', 'other']) };
	}

	test('by Message-ID alone come from followed lists, then from the inbox of all', async () => {
		for (const [inboxes, expected] of [
			[{ devel: [one], other: [one] }, ['devel']],
			[{ other: [one], all: [one] }, ['devel', 'other']],
			[{ all: [one] }, ['devel', 'other', 'all']],
		] as const) {
			const { api, asked } = mailsIn(inboxes);
			const id = { messageId: '<1@x>', list: undefined };
			assert.equal((await api.email(id, never)).list?.name, expected.at(-1));
			assert.deepEqual(asked, expected);
			assert.equal((await api.thread(id, never)).length, 1);
		}
	});

	test('are missing only if no inbox has them, and other failures end the search', async () => {
		const id = { messageId: '<1@x>', list: undefined };
		for (const [inboxes, kind, expected] of [
			[{}, 'notFound', ['devel', 'other', 'all']],
			[{ devel: { kind: 'silent' }, other: [one] }, 'unreachable', ['devel']],
			[{ other: [one], all: [] }, undefined, ['devel', 'other']],
		] as const) {
			const { api, asked } = mailsIn(inboxes);
			const found = await api.email(id, never).catch((error: unknown) => {
				assert.ok(isForgeError(error));
				return error.problem.kind;
			});
			assert.equal(typeof found === 'string' ? found : undefined, kind);
			assert.deepEqual(asked, expected);
		}
		// A named inbox is the only one.
		const { api, asked } = mailsIn({ other: [one] });
		await assert.rejects(api.email({ messageId: '<1@x>', list: devel }, never), isForgeError);
		assert.deepEqual(asked, ['devel']);
		await assert.rejects(api.email(7, never), (error) => isForgeError(error) && error.isUnsent);
	});

	test('with two texts under one Message-ID open by their numbers', async () => {
		const two = raw('<1@x>', 'a', 'Two.\n');
		const { api } = mailsIn({ devel: [one, two] });
		const thread = await api.thread({ messageId: '<1@x>', list: devel }, never);
		assert.equal(thread.length, 2);
		for (const mail of thread) {
			const read = await api.email(mail.id, never);
			assert.deepEqual([read.id, read.envelope], [mail.id, 'envelope' in mail && mail.envelope]);
			// The thread says more about a mail than the mail alone.
			assert.equal(read.threadId, mail.threadId);
		}
		const gone = listsOver({ mail: async () => ({ mails: [], isCut: false }) });
		await assert.rejects(gone.email({ messageId: '<1@x>', list: devel }, never), (error) => {
			assert.ok(isForgeError(error));
			return error.problem.kind === 'notFound' && error.about === '<1@x>';
		});
	});

	test('have a limit of bytes, twice as high for a thread', async () => {
		const limits: number[] = [];
		const read = async (_: string, __: string, mostBytes: number) => {
			limits.push(mostBytes);
			return { mails: [one], isCut: true };
		};
		const api = listsOver({ mail: read, thread: read });
		const id = { messageId: '<1@x>', list: devel };
		await api.email(id, never);
		// A cut thread with the mail is better than none.
		assert.equal((await api.thread(id, never)).length, 1);
		assert.deepEqual(limits, [2 ** 25, 2 ** 26]);
	});
});

suite('read threads of an archive', () => {
	const patch = (name: string) => raw(`<${name}@x>`, '[PATCH] fold', `Fold.\n---\n${diff}`);
	const idOf = (name: string, list = devel) => ({ messageId: `<${name}@x>`, list });

	function counting(time: Clock = clock) {
		const asked: string[] = [];
		const api = listsOver(
			{
				search: async () => page([row('<a@x>', '[PATCH] fold')], 0, 1, 1),
				async thread(url, messageId) {
					asked.push(`${url.slice(siteUrl.length)}${messageId}`);
					const name = messageId.slice(1, -3).replace('re-', '');
					return {
						mails: [patch(name), raw(`<re-${name}@x>`, 'Re: [PATCH] fold', 'Why?\n', `<${name}@x>`)],
						isCut: false,
					};
				},
			},
			time,
		);
		return { api, asked };
	}

	test('serve a minute of questions about any of their mails, and a second look is a wish for news', async () => {
		let nowMs = 1_000_000;
		const { api, asked } = counting({ ...clock, nowMs: () => nowMs });
		const [post] = await pageOf(api.posts(devel, never));
		const patches = async () => await pageOf(api.patches({ list: devel, id: post?.id ?? 0 }, never));
		assert.equal((await patches())[0]?.id, post?.id);
		nowMs += 59_999;
		assert.equal((await api.thread(idOf('re-a'), never)).length, 2);
		assert.deepEqual(asked, ['devel/<a@x>']);
		await api.thread(idOf('re-a'), never);
		assert.deepEqual(asked, ['devel/<a@x>', 'devel/<re-a@x>']);
		await api.thread(idOf('a'), never);
		assert.equal(asked.length, 3);
		nowMs += 59_999;
		await patches();
		assert.equal(asked.length, 3);
		nowMs += 1;
		await patches();
		assert.equal(asked.length, 4);
	});

	test('show the news of a second look in all later answers', async () => {
		const part = (name: string, at: number) => {
			const other = diff.replaceAll('a.txt', `${name}.txt`);
			return raw(`<${name}@x>`, `[PATCH ${at}/2] ${name}`, `Fold.\n---\n${other}`, ...(at === 1 ? [] : ['<a@x>']));
		};
		const mails = [part('a', 1)];
		const api = listsOver({ thread: async () => ({ mails: [...mails], isCut: false }) });
		const [first] = await api.thread(idOf('a'), never);
		const patches = async () => await pageOf(api.patches({ list: devel, id: first?.id ?? 0 }, never));
		assert.equal((await patches()).length, 1);
		mails.push(part('b', 2));
		assert.equal((await api.thread(idOf('a'), never)).length, 2);
		assert.equal((await patches()).length, 2);
	});

	test('of several versions come with one request, and one by one where that fails or lacks one', async () => {
		const names = [5, 4, 3, 2, 1] as const;
		const subjectOf = (version: number): string => `[PATCH v${version}] fold`;
		const patchOf = (version: number): Uint8Array =>
			raw(`<${version}@x>`, subjectOf(version), `Fold.\n---\n${diff.replace('two', String(version))}`);
		const all = { mails: names.map(patchOf), isCut: false };
		for (const [together, requests] of [
			[async () => all, ['thread <5@x>', 'search', 'threads <4@x> <3@x> <2@x> <1@x>']],
			[
				async () => ({ ...all, mails: all.mails.slice(0, 4) }),
				['thread <5@x>', 'search', 'threads <4@x> <3@x> <2@x> <1@x>', 'thread <1@x>'],
			],
			...[
				async () => undefined,
				async () => ({ ...all, isCut: true }),
				() => Promise.reject(new ArchiveError({ kind: 'refused', status: 405 }, 'archive.example')),
			].map(
				(fails) =>
					[
						fails,
						[
							'thread <5@x>',
							'search',
							'threads <4@x> <3@x> <2@x> <1@x>',
							...[4, 3, 2, 1].map((one) => `thread <${one}@x>`),
						],
					] as const,
			),
		] as const) {
			const asked: string[] = [];
			const api = listsOver({
				async search() {
					asked.push('search');
					return page(
						names.map((version) => row(`<${version}@x>`, subjectOf(version))),
						0,
						5,
						5,
					);
				},
				async thread(_, id) {
					asked.push(`thread ${id}`);
					return { mails: all.mails.filter((mail) => Buffer.from(mail).includes(id)), isCut: false };
				},
				async threads(_, ids) {
					asked.push(`threads ${ids.join(' ')}`);
					return await together();
				},
			});
			const [newest] = await pageOf(api.patchsets(devel, never));
			asked.length = 0;
			const found = (await api.versions?.({ list: devel, id: newest?.id ?? 0 }, never)) ?? [];
			assert.deepEqual(
				found.map(({ version }) => version),
				names,
			);
			for (const { id, version } of found) {
				const [patch] = await pageOf(api.patches({ list: devel, id }, never));
				assert.equal(patch?.subject, subjectOf(version));
			}
			assert.deepEqual(asked, requests);
		}
	});

	test('stay known while another one fails', async () => {
		let requests = 0;
		const api = listsOver({
			async thread(_, messageId) {
				requests += 1;
				return messageId === '<a@x>'
					? { mails: [patch('a')], isCut: false }
					: Promise.reject(new ArchiveError({ kind: 'silent' }, 'archive.example'));
			},
		});
		const [first] = await api.thread(idOf('a'), never);
		await assert.rejects(api.thread(idOf('b'), never), isForgeError);
		await pageOf(api.patches({ list: devel, id: first?.id ?? 0 }, never));
		assert.equal(requests, 2);
	});

	test('are those of their list, and the last few', async () => {
		const { api, asked } = counting();
		const firstOf = async (name: string, list = devel) => (await api.thread(idOf(name, list), never))[0]?.id ?? 0;
		const ids: number[] = [];
		for (const name of 'abcdefgh') {
			ids.push(await firstOf(name));
		}
		for (const id of ids) {
			await pageOf(api.patches({ list: devel, id }, never));
		}
		assert.equal(asked.length, 8);
		await pageOf(api.patches({ list: { ...devel, name: 'other' }, id: ids[3] ?? 0 }, never));
		assert.equal(asked.at(-1), 'other/<d@x>');
		await firstOf('i');
		await firstOf('j');
		const count = asked.length;
		await pageOf(api.patches({ list: devel, id: ids[0] ?? 0 }, never));
		assert.equal(asked.length, count + 1);
	});

	test('go on for the second asker when the first one leaves', async () => {
		let requests = 0;
		const gate = Promise.withResolvers<void>();
		const api = listsOver({
			search: async () => page([row('<a@x>', '[PATCH] fold')], 0, 1, 1),
			async thread(_, __, ___, signal) {
				requests += 1;
				await gate.promise;
				signal.throwIfAborted();
				return { mails: [patch('a')], isCut: false };
			},
		});
		const [item] = await pageOf(api.posts(devel, never));
		const ref = { list: devel, id: item?.id ?? 0 };
		const [first, other] = [new AbortController(), new AbortController()];
		const leaving = [api.thread(idOf('a'), first.signal), pageOf(api.patches(ref, first.signal))];
		const staying = [pageOf(api.patches(ref, never)), pageOf(api.patches(ref, other.signal))];
		first.abort();
		gate.resolve();
		for (const each of leaving) {
			await assert.rejects(each, { name: 'AbortError' });
		}
		for (const each of staying) {
			assert.equal((await each).length, 1);
		}
		assert.ok(requests <= 3, String(requests));
	});

	test('search for other versions once, and go on for the second asker', async () => {
		const rows = [row('<b@x>', '[PATCH v2] fold'), row('<a@x>', '[PATCH] fold')];
		const gate = Promise.withResolvers<void>();
		let searches = 0;
		const api = listsOver({
			async search(_, { query }, signal) {
				if (query.startsWith('s:"')) {
					searches += 1;
					await gate.promise;
					signal.throwIfAborted();
				}
				return page(rows, 0, 2, 2);
			},
			thread: async () => ({ mails: [patch('a')], isCut: false }),
		});
		const found = (await pageOf(api.patchsets(devel, never))).find(({ version }) => version === 1);
		const ref = { list: devel, id: found?.id ?? 0 };
		const stop = new AbortController();
		const [first, second] = [api.patchset(ref, stop.signal), api.patchset(ref, never)];
		const stopped = assert.rejects(first, { name: 'AbortError' });
		await eventually(async () => searches, 1);
		stop.abort();
		gate.resolve();
		await stopped;
		assert.notEqual((await second).supersededById, undefined);
		assert.equal(searches, 1);
	});

	test('search for other versions again after a stop', async () => {
		const rows = [row('<b@x>', '[PATCH v2] fold'), row('<a@x>', '[PATCH] fold')];
		const stop = new AbortController();
		const api = listsOver({
			async search(_, { query }, signal) {
				if (query.startsWith('s:"')) {
					stop.abort();
					signal.throwIfAborted();
				}
				return page(rows, 0, 2, 2);
			},
			thread: async () => ({ mails: [patch('a')], isCut: false }),
		});
		const first = (await pageOf(api.patchsets(devel, never))).find(({ version }) => version === 1);
		const ref = { list: devel, id: first?.id ?? 0 };
		await assert.rejects(api.patchset(ref, stop.signal), { name: 'AbortError' });
		assert.notEqual((await api.patchset(ref, never)).supersededById, undefined);
	});

	test('without the patch of a row have no patchset of it', async () => {
		const talk = raw('<a@x>', '[PATCH] fold', 'No patch.\n');
		const api = listsOver({ thread: async () => ({ mails: [talk, patch('b')], isCut: false }) });
		const [mail] = await api.thread(idOf('a'), never);
		await assert.rejects(api.patchset({ list: devel, id: mail?.id ?? 0 }, never), (error) => {
			assert.ok(isForgeError(error));
			return error.problem.kind === 'notFound' && error.about === '<a@x>';
		});
	});
});

suite('rows of patchsets', () => {
	test('have the facts of their subjects and dates', async () => {
		const dated = (each: ReturnType<typeof row>, minute: number) => ({ ...each, dateMs: minute * 60_000 });
		const rows = [
			dated(row('<3@x>', '[PATCH net v3 3/3] wash'), 3),
			dated(row('<2@x>', '[PATCH net v3 2/3] iron'), 3),
			dated(row('<1@x>', '[PATCH net v3 1/3] fold'), 2),
			dated(row('<0@x>', '[PATCH net v3 0/3] linen'), 1),
			dated(row('<9@x>', '[PATCH] cotton'), 0),
		];
		const asked: unknown[] = [];
		const api = listsOver({
			async search(_, how) {
				asked.push(how);
				return page(rows, 0, 5, 5);
			},
		});
		const { value } = await api.patchsets(devel, never).next();
		assert.ok(value);
		const [series, single] = value.items;
		const { coverLetter, ...facts } = series ?? assert.fail();
		const list = { name: 'devel', owner: { canonicalName: 'archive.example', name: 'archive.example' } };
		const unknown = {
			status: 'none',
			isGuess: true,
			list,
			supersededById: undefined,
			submitter: 'Ann',
			replyTo: undefined,
		};
		const expected = { ...unknown, id: facts.id, createdMs: 60_000, updatedMs: 60_000, messageId: '<3@x>' };
		assert.deepEqual(facts, { ...expected, subject: 'linen', prefix: 'net', version: 3 });
		assert.deepEqual([coverLetter?.id, coverLetter?.subject], [facts.id, '[PATCH net v3 0/3] linen']);
		assert.deepEqual([single?.prefix, single?.coverLetter, single?.messageId], [undefined, undefined, '<9@x>']);
		assert.deepEqual([value.seen, value.completeness], [2, { kind: 'complete' }]);
		assert.deepEqual(asked, [{ query: seriesQuery, from: 0, rows: 200 }]);
	});

	test('come page after page, and end with an archive that repeats itself', async () => {
		const rows = [row('<3@x>', '[PATCH] c'), row('<2@x>', '[PATCH] b')];
		const cover = row('<0@x>', '[PATCH 0/2] cover alone');
		const found: unknown[] = [];
		const pages = [page(rows.slice(0, 1), 0, 1, 9), page(rows.slice(1), 1, 2, 9), page([cover], 2, 2, 9)];
		const api = listsOver({ search: async () => pages[found.length] ?? assert.fail('a further page') });
		for await (const { items, seen, completeness } of api.patchsets(devel, never)) {
			found.push([items.map(({ subject, messageId }) => `${subject} ${messageId}`), seen, completeness]);
		}
		const more = { kind: 'more', total: undefined };
		assert.deepEqual(found, [
			[['c <3@x>'], 1, more],
			[['b <2@x>'], 2, more],
			[['cover alone <0@x>'], 3, { kind: 'complete' }],
		]);
	});

	test('of a second version get the address of the first one after its reading', async () => {
		const rows = [row('<2@x>', '[PATCH v2] fold'), row('<1@x>', '[PATCH] fold')];
		const asked: string[] = [];
		const api = listsOver({
			async search(url, { query, rows: most }) {
				asked.push(`${url} ${query} ${most}`);
				return page(rows, 0, 2, 2);
			},
			thread: async () => ({ mails: [raw('<1@x>', '[PATCH] fold', `Fold.\n---\n${diff}`)], isCut: false }),
		});
		const versions = async () =>
			(await pageOf(api.patchsets(devel, never))).toSorted((one, other) => one.version - other.version);
		const [first, second] = await versions();
		assert.deepEqual([second?.submitter, second?.supersedesId], ['Ann', undefined]);
		const opened = await api.patchset({ list: devel, id: first?.id ?? 0 }, never);
		assert.deepEqual(
			[opened.updatedMs, opened.replyTo, opened.coverLetter, opened.supersededById],
			[opened.createdMs, undefined, undefined, second?.id],
		);
		const bySearch = `${siteUrl}devel/ s:"fold" AND f:"ann@a.example" AND NOT s:re: 200`;
		assert.equal(asked.at(-1), bySearch);
		const count = asked.length;
		// The neighbours of a kept thread are known.
		await api.patchset({ list: devel, id: first?.id ?? 0 }, never);
		assert.equal(asked.length, count);
		const [, linked] = await versions();
		assert.deepEqual([linked?.submitter, linked?.supersedesId], ['Ann <ann@a.example>', first?.id]);
		const patches = await api.patches({ list: devel, id: first?.id ?? 0 }, never).next();
		assert.deepEqual([patches.value?.seen, patches.value?.completeness], [1, { kind: 'complete' }]);
	});

	test('lead to the set of their own, among several in a thread', async () => {
		const partOf = (version: number, index: number) => {
			const change = diff.replace('two', `${version}`).replaceAll('a.txt', `${index}.txt`);
			const answered = version === 1 && index === 1 ? [] : ['<1-1@x>'];
			const subject = `[PATCH v${version} ${index}/2] part ${index}`;
			return raw(`<${version}-${index}@x>`, subject, `Fold.\n---\n${change}`, ...answered);
		};
		const rows = [2, 1].map((version) => row(`<${version}-2@x>`, `[PATCH v${version} 2/2] part 2`));
		const mails = [1, 2].flatMap((version) => [1, 2].map((index) => partOf(version, index)));
		const api = listsOver({
			search: async () => page(rows, 0, 2, 2),
			thread: async () => ({ mails, isCut: false }),
		});
		for (const { id, version } of await pageOf(api.patchsets(devel, never))) {
			const ref = { list: devel, id };
			const patchset = await api.patchset(ref, never);
			assert.deepEqual([patchset.version, patchset.id], [version, id]);
			const patches = await pageOf(api.patches(ref, never));
			assert.deepEqual(
				patches.map(({ messageId, patchsetId }) => [messageId, patchsetId]),
				[1, 2].map((index) => [`<${version}-${index}@x>`, id]),
			);
		}
	});
});

suite('own mails', () => {
	const own = (api: ReturnType<typeof listsOver>) => api.emailsOf?.(undefined, never) ?? assert.fail();

	test('come from each list until its end, and then have the address everywhere', async () => {
		const rows = ['a', 'b', 'c'].map((name) => row(`<${name}@x>`, name));
		const api = listsOver(
			{
				search: async (url, { from }) =>
					url.endsWith('/devel/') ? page(rows.slice(from, from + 1), from, from + 1, 2) : page(rows.slice(2), 0, 1, 1),
			},
			clock,
			['devel', 'other'],
		);
		const found: unknown[] = [];
		for await (const { items, seen, completeness } of own(api)) {
			found.push([items.map(({ subject, from }) => `${subject} ${from}`), seen, completeness]);
		}
		assert.deepEqual(found, [
			[['a Ann <ann@a.example>', 'c Ann <ann@a.example>'], 2, { kind: 'more', total: undefined }],
			[['b Ann <ann@a.example>'], 3, { kind: 'complete' }],
		]);
		const posts = await pageOf(api.posts(devel, never));
		assert.deepEqual(
			posts.map(({ from }) => from),
			['Ann <ann@a.example>'],
		);
		// Those of another person are as the archive names them.
		const bob = listsOver({ search: async () => page(rows, 0, 3, 3) }).emailsOf?.('bob@b.example', never);
		assert.deepEqual(
			(await pageOf(bob ?? assert.fail())).map(({ from }) => from),
			['Ann', 'Ann', 'Ann'],
		);
		assert.deepEqual(await pageOf(own(listsOver({}, clock, []))), []);
		assert.deepEqual(await pageOf(own(listsOver({}, clock, ['devel'], []))), []);
	});

	test('of a user with two addresses take one search', async () => {
		const asked: string[] = [];
		const search = async (_: string, { query }: { readonly query: string }) => {
			asked.push(query);
			return page([], 0, 0, 0);
		};
		await pageOf(own(listsOver({ search }, clock, ['devel'], ['ann@a.example', 'ann@b.example'])));
		assert.deepEqual(asked, ['f:"ann@a.example" OR f:"ann@b.example"']);
	});

	test('have no subject that takes longer than its length', async () => {
		const subject = `re:${'['.repeat(1_000_000)}`;
		const api = listsOver({ search: async () => page([row('<a@x>', subject)], 0, 1, 1) });
		assert.deepEqual(
			(await pageOf(own(api))).map((mail) => mail.subject),
			[subject],
		);
	});

	test('that answer patches name their thread, three threads at a time', async () => {
		const replies = ['1', '2', '3', '4'].map((name) => row(`<${name}@x>`, `Re: re: [PATCH] ${name}`));
		const rest = [row('<5@x>', 'Re: talk'), row('<6@x>', '[PATCH] own'), row('<7@x>', 'Care: Re: [PATCH] x')];
		const asked: string[] = [];
		const api = listsOver({
			search: async () => page([...rest, ...replies], 0, 7, 7),
			async thread(url, messageId) {
				asked.push(`${url}${messageId}`);
				const parent = messageId.replace('@x', '@parent');
				const patch = raw(parent, '[PATCH] x', `Fold.\n---\n${diff}`);
				return { mails: [patch, raw(messageId, 'Re: [PATCH] x', 'Why?\n', parent)], isCut: false };
			},
		});
		const mails = await pageOf(own(api));
		assert.deepEqual(
			asked,
			replies.slice(0, 3).map(({ messageId }) => `${siteUrl}devel/${messageId}`),
		);
		assert.deepEqual(
			mails.map(({ threadId }) => threadId !== undefined),
			[false, false, false, true, true, true, false],
		);
		await pageOf(own(api));
		assert.equal(asked.length, 4);
	});

	test('fail with an unreachable archive, and survive an unreadable thread', async () => {
		const rows = [row('<1@x>', 'Re: [PATCH] a')];
		for (const [problem, kind] of [
			[{ kind: 'silent' }, 'unreachable'],
			[{ kind: 'refused', status: 500 }, 'serverError'],
			[{ kind: 'damaged' }, undefined],
		] as const) {
			const api = listsOver({
				search: async () => page(rows, 0, 1, 1),
				thread: () => Promise.reject(new ArchiveError(problem, 'archive.example')),
			});
			const reading = pageOf(own(api));
			if (kind === undefined) {
				assert.equal((await reading).length, 1);
			} else {
				await assert.rejects(reading, (error) => isForgeError(error) && error.problem.kind === kind);
			}
		}
		const stopped = new DOMException('Stopped', 'AbortError');
		const api = listsOver({ search: async () => page(rows, 0, 1, 1), thread: () => Promise.reject(stopped) });
		await assert.rejects(pageOf(own(api)), stopped);
	});
});

suite('news of an archive', () => {
	test('are as new as their sight, whatever date they have', async () => {
		let nowMs = Date.UTC(2026, 5, 1);
		let newest: { readonly messageId: string; readonly dateMs: number | undefined } | undefined;
		const api = listsOver(
			{
				newest: async () => (newest ? [{ ...newest, subject: '', author: '', address: '', parentId: undefined }] : []),
			},
			{ ...clock, nowMs: () => nowMs },
		);
		const lastMs = async (name = 'devel') =>
			(await api.activity?.lastMs([{ ...devel, name }], never))?.get(`archive.example/${name}`);
		const settledMs = async (messageId: string, dateMs: number | undefined) => {
			newest = { messageId, dateMs };
			await lastMs();
			nowMs += 120_000;
			return await lastMs();
		};
		const firstMs = nowMs - 86_400_000;
		assert.ok(((await lastMs()) ?? nowMs) < firstMs);
		assert.equal(await settledMs('<1@x>', firstMs), firstMs);
		assert.equal(await settledMs('<2@x>', firstMs - 5000), firstMs + 1);
		assert.equal(await settledMs('<3@x>', undefined), firstMs + 2);
		const sightMs = nowMs;
		assert.equal(await settledMs('<4@x>', Date.UTC(2030, 0)), sightMs);
		// Each list has its own.
		assert.equal(await lastMs('other'), nowMs);
	});
});
