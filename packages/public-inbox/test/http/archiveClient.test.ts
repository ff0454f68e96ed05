import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { ArchiveError, type ArchiveProblem } from 'public-inbox/http/archiveError.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

suite('archives over the network', () => {
	const never = new AbortController().signal;
	const site = 'https://x.example/';
	const inbox = `${site}a/`;
	const line = 'From mboxrd@z Thu Jan  1 00:00:00 1970\n';
	const html = '<!doctype html><a href="_/text/help/">help</a>';
	const challenge = "<!doctype html><title>Making sure you're not a bot!</title>";
	const feedOf = (...ids: readonly string[]): string =>
		`<?xml version="1.0"?>\n<feed\nxmlns="x">${ids.map((id) => `<entry><title>${id}</title><link\nhref="${inbox}${id}/"/></entry>`).join('')}</feed>`;

	type Body = string | Uint8Array;
	/** By path: a body, or the status and the body. */
	type Pages = Readonly<Record<string, Body | readonly [number, Body, Readonly<Record<string, string>>?]>>;

	/** A client of an archive with these pages. */
	function open(pages: Pages, others: Pages[string] = [404, '']) {
		const asked: string[] = [];
		const clock = fakeClock();
		const client = archiveClient({
			transport: async ({ method, path }) => {
				assert.equal(method, path.includes('x=m') ? 'POST' : 'GET');
				asked.push(`${method} ${path}`);
				const page = pages[path] ?? others;
				const [status, body, head] = typeof page === 'string' || page instanceof Uint8Array ? [200, page] : page;
				async function* chunks(): AsyncGenerator<Uint8Array> {
					yield await Promise.resolve(Buffer.from(body));
				}
				return { status, header: (name) => head?.[name] ?? '', chunks: chunks(), dispose: () => undefined };
			},
			clock: {
				...clock,
				after(delayMs, work) {
					if (delayMs > 10_000) {
						return clock.after(delayMs, work);
					}
					queueMicrotask(work);
					return { dispose: () => undefined };
				},
			},
			mirrors: () => ({}),
		});
		return { client, asked };
	}

	function fails(problem: Partial<ArchiveProblem>): (error: unknown) => boolean {
		return (error) => {
			assert.ok(error instanceof ArchiveError, String(error));
			assert.deepEqual({ ...error.problem, ...problem }, error.problem);
			assert.equal(error.host, 'x.example');
			return true;
		};
	}

	const row = (place: number, id: string): string => `${place}. <b><a\nhref="${id}/">${id}</a></b>\n`;
	const page = (rows: string, count: string): string => `${html}<pre>${rows}</pre><pre id=t>${count}</pre>`;
	const search = (pages: Pages, from = 0, rows = 50) => {
		const opened = open(pages);
		return { ...opened, found: opened.client.search(inbox, { query: 's:x', from, rows }, never) };
	};

	test('know a challenge in place of any answer', async () => {
		const { client } = open({}, challenge);
		const reads = [
			client.inbox(inbox, never),
			client.prefixes(inbox, never),
			client.inboxes(site, never),
			client.mail(inbox, '<1@x>', 999, never),
			client.thread(inbox, '<1@x>', 999, never),
			client.search(inbox, { query: 'x', from: 0, rows: 9 }, never),
			client.newest(inbox, never),
			client.received(inbox, { fromMs: 0, toMs: 1 }, 999, never),
		];
		for (const ended of await Promise.allSettled(reads)) {
			assert.ok(ended.status === 'rejected' && fails({ kind: 'challenge' })(ended.reason));
		}
	});

	test('describe an inbox without a description, but not without a configuration', async () => {
		const config = '[publicinbox "a"]\n\taddress = a@lists.example\n';
		const described = { '/a/_/text/config/raw': config, '/a/description': ' All of A\n' };
		assert.equal((await open(described).client.inbox(inbox, never)).description, 'All of A');
		const bare = await open({ '/a/_/text/config/raw': config }).client.inbox(inbox, never);
		assert.deepEqual([bare.url, bare.name, bare.description], [inbox, 'a', '']);
		await assert.rejects(open({}).client.inbox(inbox, never), fails({ kind: 'missing' }));
		await assert.rejects(open({ '/a/_/text/config/raw': 'x' }).client.inbox(inbox, never), fails({ kind: 'foreign' }));
		// A part of an archive may lack the description that the whole has.
		const partial: Pages = { ...described, '/a/description': [404, '', { 'x-archive-coverage': 'partial' }] };
		await assert.rejects(open(partial).client.inbox(inbox, never), fails({ kind: 'missing', isPartial: true }));
		const signIn: Pages = { ...described, '/a/description': '<html>Sign in, please</html>' };
		await assert.rejects(open(signIn).client.inbox(inbox, never), fails({ kind: 'foreign' }));
		const failing: Pages = { ...described, '/a/description': [403, ''] };
		await assert.rejects(open(failing).client.inbox(inbox, never), fails({ kind: 'refused', status: 403 }));
	});

	test('read texts of a mebibyte and no longer ones', async () => {
		const help = 'Prefixes supported in this installation include:\n\n  s:  Subject\n'.padEnd(1024 * 1024, '\n');
		const read = (text: string) => open({ '/a/_/text/help/raw': text }).client.prefixes(inbox, never);
		assert.deepEqual(await read(help), [{ name: 's', text: 'Subject' }]);
		await assert.rejects(read(`${help}\n`), fails({ kind: 'tooLarge', limitBytes: 1024 * 1024 }));
	});

	test('list the inboxes of a manifest, packed or not, and of the start page otherwise', async () => {
		const manifest = JSON.stringify({ '/b/git/0.git': {} });
		const start = `${html}<pre>* 2026-01-02  3:04 - <a\nhref="${inbox}">a</a>\n  A</pre>`;
		const cases: readonly (readonly [Pages, readonly string[]])[] = [
			[{ '/manifest.js.gz': gzipSync(manifest), '/': start }, ['b']],
			[{ '/manifest.js.gz': manifest, '/': start }, ['b']],
			[{ '/manifest.js.gz': '{}', '/': start }, ['a']],
			[{ '/manifest.js.gz': 'no json', '/': start }, ['a']],
			[{ '/': start }, ['a']],
			[{ '/': start.replace(html, 'Checking your browser') }, ['a']],
			[{ '/': html }, []],
			[{ '/': '<!doctype html>Sign in, please' }, []],
		];
		for (const [pages, names] of cases) {
			const found = await open(pages).client.inboxes(site, never);
			assert.deepEqual(
				found.map(({ name }) => name),
				names,
			);
		}
		await assert.rejects(open({ '/': challenge }).client.inboxes(site, never), fails({ kind: 'challenge' }));
		const cut = gzipSync(manifest).subarray(0, -9);
		await assert.rejects(
			open({ '/manifest.js.gz': cut, '/': start }).client.inboxes(site, never),
			fails({ kind: 'damaged' }),
		);
		await assert.rejects(open({}).client.inboxes(site, never), fails({ kind: 'missing' }));
	});

	test('give mails and threads up to a limit, which keeps the whole mails before it', async () => {
		const box = `${line}Subject: 1\n\nOne\n\n${line}Subject: 2\n\nTwo\n\n`;
		const texts = ['Subject: 1\n\nOne\n', 'Subject: 2\n\nTwo\n'];
		const pages = { '/a/1%2F2%40x/raw': box, '/a/1%2F2%40x/t.mbox.gz': gzipSync(box) };
		for (const kind of ['mail', 'thread'] as const) {
			const read = async (mostBytes: number) => {
				const { mails, isCut } = await open(pages).client[kind](inbox, '<1/2@x>', mostBytes, never);
				return [mails.map((mail) => Buffer.from(mail).toString()), isCut];
			};
			assert.deepEqual(await read(box.length), [texts, false]);
			assert.deepEqual(await read(box.length - 1), [[], true]);
			await assert.rejects(open({}).client[kind](inbox, '<1/2@x>', 9, never), fails({ kind: 'missing' }));
			const foreign = { '/a/1%2F2%40x/raw': 'text', '/a/1%2F2%40x/t.mbox.gz': box };
			await assert.rejects(open(foreign).client[kind](inbox, '<1/2@x>', 999, never), fails({ kind: 'foreign' }));
		}
	});

	test('read several threads at once, and only where the file has whole threads', async () => {
		const path = '/a/?x=m&t=1&q=mid%3A1%40x+OR+mid%3A2%40x';
		// Two mails of one thread bring it twice.
		const one = `${line}Message-ID: <1@x>\n\nOne.\n\n`;
		const body = gzipSync(`${one}${one}`);
		for (const [file, mails] of [
			['inline; filename=results-thread-mid-1.mbox.gz', 1],
			['inline; filename=results-mid-1.mbox.gz', undefined],
			['', undefined],
		] as const) {
			const { client, asked } = open({ [path]: [200, body, { 'content-disposition': file }] });
			const read = await client.threads(inbox, ['<1@x>', '<2@x>'], 999, never);
			assert.equal(read?.mails.length, mails, file);
			assert.deepEqual(asked, [`POST ${path}`]);
		}
		// A search would read the signs as its own.
		const { client, asked } = open({});
		assert.equal(await client.threads(inbox, ['<1@x>', '<2 OR s:x@x>'], 999, never), undefined);
		assert.deepEqual(asked, []);
		await assert.rejects(client.threads(inbox, ['<1@x>'], 999, never), fails({ kind: 'missing' }));
	});

	test('ask for received mails by whole seconds with ten digits, and find none where all are older', async () => {
		const path = '/a/?x=m&q=rt%3A0000000001..1700000001';
		const times = { fromMs: 1999, toMs: 1_700_000_000_001 };
		const { client, asked } = open({ [path]: gzipSync(`${line}Subject: 1\n\n\n`) });
		const found = await client.received(inbox, times, 999, never);
		assert.deepEqual([found.mails.length, found.isCut], [1, false]);
		const none = await client.received(inbox, { fromMs: -5000, toMs: 0 }, 999, never);
		assert.deepEqual(none, { mails: [], isCut: false });
		assert.deepEqual(asked, [`POST ${path}`, 'POST /a/?x=m&q=rt%3A0000000000..0000000000']);
		const refusing = open({ [path]: [403, ''] });
		await assert.rejects(refusing.client.received(inbox, times, 9, never), fails({ kind: 'refused' }));
		const plain = open({ [path]: 'no gzip' });
		await assert.rejects(plain.client.received(inbox, times, 9, never), fails({ kind: 'foreign' }));
	});

	test('say in the words of the archive why a search failed', async () => {
		const path = '/a/?q=s%3Ax&l=50';
		const empty = { rows: [], from: 0, to: 0, total: 0, isEstimate: false, missing: [] };
		for (const none of [html, page('', 'No more results, only 0')]) {
			assert.deepEqual(await search({ [path]: [404, none] }).found, empty);
		}
		const cases: readonly (readonly [Pages[string], ArchiveProblem])[] = [
			[[400, `${html}\nBad query: <b>Syntax: &lt;x&gt; </b>\n`], { kind: 'badQuery', text: 'Syntax: <x>' }],
			[[400, `${html}\nBad query: no words`], { kind: 'badQuery', text: 'no words' }],
			[[400, html], { kind: 'badQuery', text: '' }],
			[html, { kind: 'foreign' }],
			['<p>Sign in</p>', { kind: 'foreign' }],
			[challenge, { kind: 'challenge' }],
			[[400, '<!doctype html>Sign in'], { kind: 'refused', status: 400 }],
			[[404, 'no page'], { kind: 'missing', isPartial: false, upstream: undefined }],
		];
		for (const [answer, problem] of cases) {
			await assert.rejects(search({ [path]: answer }).found, fails(problem));
		}
	});

	test('never ask a search for more rows than archives send', async () => {
		const { found, asked } = search({ '/a/?q=s%3Ax&l=200&o=7': page(row(8, 'h@x'), 'Results 8-8 of 8') }, 7, 5000);
		assert.equal((await found).rows.length, 1);
		assert.deepEqual(asked, ['GET /a/?q=s%3Ax&l=200&o=7']);
	});

	test('fill rows that a page counts and hides from feeds, in their places', async () => {
		const rows = [row(11, '1@x'), row(14, '4@x'), row(17, '7@x')].join('');
		const pages = {
			'/a/?q=s%3Ax&l=50&o=10': page(rows, 'Results 11-18 of 18'),
			// More entries than asked for take no place of a row.
			'/a/?q=s%3Ax&x=A&l=2&o=11': feedOf('2@x', '3@x', '9@x'),
			// Two hits with one Message-ID are one mail.
			'/a/?q=s%3Ax&x=A&l=2&o=14': feedOf('4@x', '6@x'),
			'/a/?q=s%3Ax&x=A&l=1&o=17': feedOf(),
		};
		const { found, asked } = search(pages, 10);
		const read = await found;
		assert.deepEqual(
			read.rows.map(({ messageId, subject }) => [messageId, subject]),
			['1@x', '2@x', '3@x', '4@x', '6@x', '7@x'].map((id) => [`<${id}>`, id]),
		);
		assert.deepEqual([read.from, read.to, read.total, read.missing], [10, 18, 18, [17]]);
		assert.equal(asked.length, 4);
	});

	test('ask for at most four gaps, and two hundred rows of each', async () => {
		const hidden = [300, 302, 304, 306, 308];
		const rows = Array.from({ length: 310 }, (_, at) =>
			at < 250 || hidden.includes(at) ? '' : row(at + 1, `${at}@x`),
		);
		const gaps = ['l=200', 'l=1&o=300', 'l=1&o=302', 'l=1&o=304'];
		const { found, asked } = search({
			'/a/?q=s%3Ax&l=50': page(rows.join(''), 'Results 1-310 of ~999'),
			...Object.fromEntries(gaps.map((gap) => [`/a/?q=s%3Ax&x=A&${gap}`, feedOf()])),
		});
		const read = await found;
		assert.deepEqual([read.rows.length, read.missing.length, read.isEstimate], [55, 255, true]);
		assert.deepEqual(
			asked.slice(1),
			gaps.map((gap) => `GET /a/?q=s%3Ax&x=A&${gap}`),
		);
	});
});
