import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { archiveClient, type ArchiveClient } from 'public-inbox/http/archiveClient.ts';
import { ArchiveError } from 'public-inbox/http/archiveError.ts';
import type { SearchRow } from 'public-inbox/read/searchPage.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import {
	archivedSeries,
	archiveMails,
	doubleId,
	furthestMs,
	ghostId,
	hostOf,
	oddIds,
	messageIdOf,
	oldestMs,
	otherText,
	type ArchiveMail,
} from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { comparableRows, expectedRows } from '../../support/corpusRows.ts';
import { rowsInMailbox } from '../../support/mailboxRows.ts';
import { limitMs } from '../../support/pace.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';

const packageFolder = join(import.meta.dirname, '../../../packages/public-inbox');
const mostBytes = 32 * 1024 * 1024;

suite('archive of Debian', () => {
	const mails = archiveMails();
	let archive: RealArchive;
	let http: HttpClient;
	let client: ArchiveClient;
	let inbox: string;

	suiteSetup(async function () {
		this.timeout(limitMs(300_000));
		const one = mails.flatMap(({ messageId, raw }) => (messageId === doubleId ? [raw] : []));
		archive = await startArchive(
			{ devel: mails.map(({ raw }) => raw), empty: [], late: [], twice: [] },
			{ twice: [...one, otherText] },
		);
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
		client = archiveClient({ transport: transportOver(http), clock: hastyClock(), mirrors: () => ({}) });
		inbox = archive.inboxUrl('devel');
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
	});

	const textsOf = (all: readonly Uint8Array[]): readonly string[] =>
		all.map((raw) => Buffer.from(raw).toString('latin1')).toSorted();
	const expectedTexts = (all: readonly ArchiveMail[]): readonly string[] => textsOf(all.map(({ raw }) => raw));

	async function allRows(query: string, rows = 200): Promise<readonly SearchRow[]> {
		const found: SearchRow[] = [];
		for (let from = 0; ;) {
			const page = await client.search(inbox, { query, from, rows }, wanted());
			assert.deepEqual(page.missing, [], `${query} from ${from}`);
			found.push(...page.rows);
			if (page.to >= page.total) {
				return found;
			}
			from = page.to;
		}
	}

	test('has 1,000 mails', () => {
		assert.equal(mails.length, 1000);
		assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1000);
	});

	test('gives each mail as it came, by its Message-ID', async function () {
		this.timeout(limitMs(120_000));
		for (const messageId of new Set(mails.map((mail) => mail.messageId))) {
			const found = await client.mail(inbox, messageId, mostBytes, wanted());
			const expected = mails.filter((mail) => mail.messageId === messageId);
			assert.deepEqual(textsOf(found.mails), expectedTexts(expected), messageId);
			assert.equal(found.isCut, false);
		}
	});

	test('gives all mails in threads', async function () {
		this.timeout(limitMs(120_000));
		const left = new Set(mails.map(({ messageId }) => messageId));
		const found: Uint8Array[] = [];
		for (const messageId of left) {
			const thread = await client.thread(inbox, messageId, mostBytes, wanted());
			found.push(...thread.mails);
			for (const raw of thread.mails) {
				left.delete(messageIdOf(raw));
			}
			assert.ok(!left.has(messageId), messageId);
		}
		// The archive adds mails with an equal subject to a thread, so some come several times.
		assert.deepEqual([...new Set(textsOf(found))], expectedTexts(mails));
	});

	test('gives all mails that it received in a time', async () => {
		const all = await client.received(inbox, { fromMs: 0, toMs: furthestMs * 2 }, mostBytes, wanted());
		assert.deepEqual(textsOf(all.mails), expectedTexts(mails));
		const none = await client.received(inbox, { fromMs: 1000, toMs: 2000 }, mostBytes, wanted());
		assert.deepEqual(none, { mails: [], isCut: false });
	});

	test('gives a row for each mail in searches, page by page', async () => {
		const ids = (rows: readonly SearchRow[]): readonly string[] => rows.map(({ messageId }) => messageId).toSorted();
		const expected = [...new Set(mails.map(({ messageId }) => messageId))].toSorted();
		for (const rows of [200, 37]) {
			assert.deepEqual([...new Set(ids(await allRows('z:1..', rows)))].toSorted(), expected);
		}
	});

	test('gives subject, author and date in rows', async () => {
		const [tags] = await allRows('m:tags@odd.example');
		assert.equal(tags?.subject, '<b>7. <a href="x/">no</a></b> &amp; - by A @ 2020-01-01 1:00 UTC');
		const [author] = await allRows('m:author@odd.example');
		assert.equal(author?.author, 'x @ 2020-01-01  1:00 UTC [99%]');
		assert.equal(author.dateMs, Date.UTC(2026, 5, 1));
		assert.equal((await allRows('m:old@odd.example'))[0]?.dateMs, oldestMs);
		assert.equal((await allRows('m:far@odd.example'))[0]?.dateMs, furthestMs);
		const talk = await allRows('s:"Question 7" AND f:ann@a.example', 10);
		assert.ok(talk.length > 20, String(talk.length));
		assert.ok(talk.every(({ author: name, subject }) => name === 'Ann Author' && subject.includes('Question 7')));
	});

	test('finds any Message-ID, also with signs of addresses', async () => {
		for (const id of oddIds) {
			const found = await allRows(`m:"${id}"`);
			if (!id.includes('"')) {
				assert.deepEqual(
					found.map(({ messageId }) => messageId),
					[`<${id}>`],
				);
			}
			const thread = await client.thread(inbox, `<${id}>`, mostBytes, wanted());
			assert.equal(thread.mails.length, 1, id);
		}
	});

	test('gives two texts under one Message-ID', async () => {
		const url = archive.inboxUrl('twice');
		const reads = [client.mail(url, doubleId, mostBytes, wanted()), client.thread(url, doubleId, mostBytes, wanted())];
		for (const { mails: texts } of await Promise.all(reads)) {
			// The archive adds a Message-ID of its own to the second one.
			const bodies = texts.map((raw) => Buffer.from(raw).toString().split('\n\n')[1] ?? '');
			assert.deepEqual(new Set(bodies), new Set(['Another text.\n', 'One text.\n']));
			assert.equal(bodies.length, 2);
		}
		const found = await client.search(url, { query: 's:double', from: 0, rows: 9 }, wanted());
		assert.deepEqual([found.rows.length, found.total, found.missing], [2, 2, []]);
		assert.ok(found.rows.some(({ messageId }) => messageId === doubleId));
	});

	test('misses what it does not have, and says so', async () => {
		const isMissing = (error: unknown): boolean => error instanceof ArchiveError && error.problem.kind === 'missing';
		await assert.rejects(client.mail(inbox, ghostId, mostBytes, wanted()), isMissing);
		await assert.rejects(client.thread(inbox, ghostId, mostBytes, wanted()), isMissing);
		await assert.rejects(client.inbox(archive.inboxUrl('nowhere'), wanted()), isMissing);
		await assert.rejects(client.newest(archive.inboxUrl('nowhere'), wanted()), isMissing);
		// A search in no inbox is no search without hits.
		const nowhere = client.search(archive.inboxUrl('nowhere'), { query: 'x', from: 0, rows: 9 }, wanted());
		await assert.rejects(nowhere, isMissing);
		const none = await client.search(inbox, { query: 's:nosuchword', from: 0, rows: 9 }, wanted());
		assert.deepEqual([none.rows, none.total, none.missing], [[], 0, []]);
		const beyond = await client.search(inbox, { query: 's:question', from: 5000, rows: 9 }, wanted());
		assert.deepEqual([beyond.rows, beyond.missing], [[], []]);
		const empty = await client.search(archive.inboxUrl('empty'), { query: 'x', from: 0, rows: 9 }, wanted());
		assert.deepEqual(empty.rows, []);
	});

	test('stops at the limit and keeps the whole mails before it', async () => {
		const first = mails.find(({ messageId }) => messageId === '<talk-3@talk.example>');
		const whole = await client.thread(inbox, first?.messageId ?? '', mostBytes, wanted());
		const bytes = whole.mails.reduce((sum, mail) => sum + mail.byteLength, 0);
		const cut = await client.thread(inbox, first?.messageId ?? '', Math.floor(bytes / 2), wanted());
		assert.equal(cut.isCut, true);
		assert.ok(cut.mails.length < whole.mails.length);
		assert.deepEqual(cut.mails, whole.mails.slice(0, cut.mails.length));
	});

	test('names its inboxes, their addresses and their prefixes', async () => {
		const facts = await client.inbox(inbox, wanted());
		assert.deepEqual(facts, {
			url: inbox,
			name: 'devel',
			description: 'public inbox for devel@lists.example',
			addresses: ['devel@lists.example'],
			listId: 'devel.lists.example',
			newsgroups: [],
			mirrors: [],
			repositories: [],
		});
		const prefixes = await client.prefixes(inbox, wanted());
		assert.deepEqual(
			['s', 'dfn', 'patchid', 'rt'].filter((name) => !prefixes.some((each) => each.name === name)),
			[],
		);
		assert.match(prefixes.find(({ name }) => name === 'd')?.text ?? '', /^match date-time range.*are supported$/);
		const listed = await client.inboxes(archive.siteUrl, wanted());
		assert.deepEqual(
			listed.filter(({ name }) => name === 'devel').map(({ url, epochs }) => ({ url, epochs })),
			[{ url: inbox, epochs: [`${inbox}git/0.git`] }],
		);
	});

	test('names the newest mails, and a delivered one at once', async () => {
		const raw = Buffer.from(
			'From: Eve <eve@e.example>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe_=26_mehr?=\nMessage-ID: <new/1@odd.example>\n' +
				'In-Reply-To: <talk-1@talk.example>\nDate: Fri, 27 Nov 2026 10:00:00 +0000\n\nNew.\n',
		);
		archive.deliver('late', [raw]);
		const [newest, ...rest] = await client.newest(archive.inboxUrl('late'), wanted());
		assert.deepEqual(rest, []);
		assert.deepEqual(newest, {
			messageId: '<new/1@odd.example>',
			subject: 'Grüße & mehr',
			author: 'Eve',
			address: 'eve@e.example',
			dateMs: newest?.dateMs,
			parentId: '<talk-1@talk.example>',
		});
		assert.equal((await client.newest(inbox, wanted())).length, 25);
	});

	test('gives threads whose series and versions are as their senders meant them', async function () {
		this.timeout(limitMs(120_000));
		const meant = expectedRows(readFileSync(join(import.meta.dirname, '../../corpus/series/expected.txt'), 'utf8'));
		for (const { name, mails: made } of archivedSeries) {
			const own = new Set(made.map((mail) => `<${hostOf(name)}.${mail.name}@made.example>`));
			const known = new Map<string, Uint8Array>();
			for (const messageId of own) {
				if (!known.has(messageId)) {
					for (const raw of (await client.thread(inbox, messageId, mostBytes, wanted())).mails) {
						known.set(messageIdOf(raw), raw);
					}
				}
			}
			// Titles of made series repeat, and the archive adds mails with an equal subject to a thread.
			const raw = [...known].flatMap(([messageId, each]) => (own.has(messageId) ? [each] : []));
			const expected = meant.get(name) ?? [];
			assert.deepEqual(comparableRows(await rowsInMailbox(raw), expected), expected, name);
		}
	});

	test('has the series that the example of the README lists', () => {
		const folder = mkdtempSync(join(tmpdir(), 'archive-readme-'));
		try {
			const [, example = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(packageFolder, 'README.md'), 'utf8')) ?? [];
			const face = pathToFileURL(join(packageFolder, 'src/index.ts')).href;
			writeFileSync(join(folder, 'example.ts'), example.replace("'public-inbox'", `'${face}'`));
			const { stdout, stderr } = spawnSync(process.execPath, ['example.ts', inbox], { cwd: folder, encoding: 'utf8' });
			assert.match(stdout, /^Max Maintainer: v2 \w+: change the \w+$/m, stderr);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('quotes lines of mails, so the client has something to undo', async () => {
		const raw = await fetch(`${inbox}talk-1@talk.example/t.mbox.gz`);
		const text = gunzipSync(new Uint8Array(await raw.arrayBuffer())).toString('latin1');
		assert.match(text, /\n>>From here\n>> From there\n>From now on\n>>>From far\n/);
	});
});
