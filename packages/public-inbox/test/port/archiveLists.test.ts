import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { archivedFrom, firstMailOfFormed, formedPatchsetId, numbersOfMinute } from 'patchmail/series/listedPatchset.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { ArchiveClient } from '../../src/http/archiveClient.ts';
import { ArchiveError, type ArchiveProblem } from '../../src/http/archiveError.ts';
import { archiveLists } from '../../src/port/archiveLists.ts';
import { mailNumbers, type KeptNumbers, type NumberedMail } from '../../src/port/mailNumbers.ts';

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

/** Lists over a client with these members. All others throw. */
function listsOver(
	members: Partial<ArchiveClient>,
	time: Clock = clock,
	inboxes: readonly string[] = ['devel'],
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
		...members,
	};
	return archiveLists(client, siteUrl, {
		inboxes: () => inboxes,
		ownAddresses: async () => ['ann@a.example'],
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
			thread: async () => ({ mails: [raw('<else@a.example>', 'Hello', 'x')], isCut: true }),
		});
		const [patchset] = await pageOf(api.patchsets(devel, never));
		await assert.rejects(
			api.patchset({ list: devel, id: patchset?.id ?? 0 }, never),
			(error) => isForgeError(error) && error.problem.kind === 'tooLarge',
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

suite('numbers of archived mails', () => {
	const mail = { inbox: 'devel', messageId: '<a@a.example>' };

	const nowMs = Date.UTC(2026, 4, 1);
	const atMs = Date.UTC(2026, 3, 1, 12, 30, 10);
	const fresh = (kept?: KeptNumbers) => mailNumbers(kept, () => nowMs);

	test('a number is the same everywhere, and differs for a second text', () => {
		const number = fresh().numberOf(mail, atMs);
		assert.equal(fresh().numberOf({ ...mail, inbox: 'other' }, atMs + 20_000), number);
		assert.notEqual(fresh().numberOf({ ...mail, text: 'abc' }, atMs), number);
		assert.ok(number >= archivedFrom && Number.isSafeInteger(formedPatchsetId(number)));
	});

	test('numbers rise with the minute, and a mail from the future has the number of now', () => {
		const numbers = fresh();
		const all = [0, atMs, atMs + 60_000, Date.UTC(2030, 0)].map((dateMs, at) =>
			numbers.numberOf({ ...mail, messageId: `<${at}@a.example>` }, dateMs),
		);
		assert.deepEqual(
			all.toSorted((one, other) => one - other),
			all,
		);
		assert.ok((all[3] ?? 0) < numbers.numberOf({ ...mail, messageId: '<n@a.example>' }, nowMs) + numbersOfMinute);
	});

	test('two mails with the hash of one minute get two numbers, and a kept number stays', () => {
		const number = fresh().numberOf(mail, atMs);
		const kept: NumberedMail[] = [{ ...mail, messageId: '<other@a.example>', number }];
		const store = { read: () => kept, add: (each: NumberedMail) => void kept.push(each) };
		assert.equal(fresh(store).numberOf(mail, atMs), number + 1);
		assert.equal(fresh(store).numberOf(mail, 0), number + 1);
		assert.equal(fresh(store).mailOf(number + 1)?.messageId, mail.messageId);
	});

	test('a number of another window is found', () => {
		const kept: NumberedMail[] = [];
		const store = { read: () => kept, add: (each: NumberedMail) => void kept.push(each) };
		const [one, other] = [fresh(store), fresh(store)];
		const number = one.numberOf(mail, atMs);
		assert.equal(other.mailOf(number)?.messageId, mail.messageId);
		assert.equal(other.mailOf(number + 1), undefined);
	});

	test('no number of an archive is taken for a patchset that the client formed', () => {
		const number = fresh().numberOf(mail, atMs);
		assert.equal(firstMailOfFormed(number), undefined);
		for (const each of [1, 31, 4_000_000, archivedFrom, number, archivedFrom + 2 ** 51 - 1]) {
			assert.equal(firstMailOfFormed(formedPatchsetId(each)), each);
		}
	});
});
