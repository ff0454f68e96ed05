import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import { isAbort } from '@forge-desk/base/abort.ts';
import { archiveClient, type ArchiveClient } from 'public-inbox/http/archiveClient.ts';
import { ArchiveError, type ArchiveProblem } from 'public-inbox/http/archiveError.ts';
import { HttpFailure, type HttpClient } from 'sourcehut/http/httpClient.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { startLocalServer, type LocalServer } from '../../support/localServer.ts';

const mebibyte = 1024 * 1024;
const line = 'From mboxrd@z Thu Jan  1 00:00:00 1970\n';
const id = '<1@x.example>';
const challenge =
	'<!doctype html><html><head><title>Making sure you&#39;re not a bot!</title></head><body><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script></body></html>';

suite('hostile archive', () => {
	let server: LocalServer;
	let answer: (request: IncomingMessage, response: ServerResponse) => void;
	let http: HttpClient;
	let clock: ReturnType<typeof hastyClock>;
	let client: ArchiveClient;
	let mirrors: Record<string, readonly string[]>;
	let site: string;
	let inbox: string;

	setup(async () => {
		server = await startLocalServer((request, response) => answer(request, response));
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
		clock = hastyClock();
		mirrors = {};
		client = archiveClient({ transport: transportOver(http), clock, mirrors: () => mirrors });
		site = `${server.origin}/`;
		inbox = `${site}devel/`;
	});
	teardown(async () => {
		await http.close();
		await server.stop();
	});

	/** An answer of a fixed body. */
	function says(body: string | Uint8Array, head: Readonly<Record<string, string>> = {}, status = 200): void {
		answer = (_request, response) => void response.writeHead(status, head).end(body);
	}
	const html = { 'Content-Type': 'text/html; charset=UTF-8' };
	const gzip = { 'Content-Type': 'application/gzip' };
	const page = (rows: string, count: string): string =>
		`<html><head></head><body><form action="./"><pre><a href="_/text/help/">help</a></pre></form><pre>${rows}</pre><pre id=t>${count}</pre></body></html>`;
	const search = (query = 's:x'): ReturnType<ArchiveClient['search']> =>
		client.search(inbox, { query, from: 0, rows: 50 }, wanted());
	const thread = (mostBytes = 64 * mebibyte, signal = wanted()): ReturnType<ArchiveClient['thread']> =>
		client.thread(inbox, id, mostBytes, signal);

	const reads: Readonly<Record<string, () => Promise<unknown>>> = {
		inbox: () => client.inbox(inbox, wanted()),
		prefixes: () => client.prefixes(inbox, wanted()),
		inboxes: () => client.inboxes(site, wanted()),
		mail: () => client.mail(inbox, id, mebibyte, wanted()),
		thread: () => thread(),
		search: () => search(),
		newest: () => client.newest(inbox, wanted()),
		received: () => client.received(inbox, { fromMs: 1, toMs: 2 }, mebibyte, wanted()),
	};

	/** `problem` of an `ArchiveError`. */
	function fails(problem: Partial<ArchiveProblem>): (error: unknown) => boolean {
		return (error) => {
			assert.ok(error instanceof ArchiveError, String(error));
			assert.deepEqual({ ...error.problem, ...problem }, error.problem);
			return true;
		};
	}

	for (const [name, read] of Object.entries(reads)) {
		test(`a challenge in place of an answer, with any status: ${name}`, async () => {
			for (const status of [200, 401, 403, 429, 503]) {
				says(challenge, html, status);
				await assert.rejects(read(), fails({ kind: 'challenge' }), String(status));
				says(challenge, { 'Content-Type': 'application/gzip', 'Content-Encoding': 'identity' }, status);
				await assert.rejects(read(), fails({ kind: 'challenge' }), `${status} with a wrong type`);
			}
		});

		test(`an endless body: ${name}`, async () => {
			answer = (_request, response) => {
				const more = (): void => {
					while (!response.destroyed && response.write(Buffer.alloc(mebibyte, 'a'))) {
						// Until the socket is full.
					}
				};
				response.writeHead(200, { 'Content-Type': 'text/plain' });
				response.on('drain', more);
				more();
			};
			const isLimited = await read().then(
				(found) => typeof found === 'object' && found !== null && 'isCut' in found && found.isCut === true,
				(error: unknown) => error instanceof ArchiveError && ['tooLarge', 'foreign'].includes(error.problem.kind),
			);
			assert.ok(isLimited);
		});

		test(`a redirect to another host: ${name}`, async () => {
			says('', { Location: 'https://elsewhere.example/x' }, 302);
			await assert.rejects(read(), fails({ kind: 'redirected', to: 'https://elsewhere.example/x' }));
			assert.equal(server.seen.length, 1);
		});
	}

	test('a page of another program is no empty list', async () => {
		says('<html><body>Sign in, please</body></html>', html);
		for (const name of ['inbox', 'mail', 'thread', 'search', 'newest', 'received'] as const) {
			await assert.rejects(reads[name]?.() ?? Promise.resolve(), fails({ kind: 'foreign' }), name);
		}
		says('<html><body>Not here</body></html>', html, 404);
		await assert.rejects(search(), fails({ kind: 'missing' }));
	});

	test('oversized gzip, as a file and as an encoding', async () => {
		const zeros = gzipSync(Buffer.alloc(64 * mebibyte));
		says(Buffer.concat(Array.from({ length: 16 }, () => zeros)), gzip);
		const before = process.memoryUsage().arrayBuffers;
		assert.deepEqual(await thread(8 * mebibyte), { mails: [], isCut: true });
		assert.ok(process.memoryUsage().arrayBuffers - before < 64 * mebibyte);
		await assert.rejects(client.inboxes(site, wanted()), fails({ kind: 'tooLarge' }));
		says(zeros, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });
		await assert.rejects(client.prefixes(inbox, wanted()), fails({ kind: 'tooLarge' }));
	});

	test('endless gzip ends at the limit, and keeps the mails before it', async () => {
		answer = (_request, response) => {
			response.writeHead(200, gzip);
			const packed = createGzip();
			packed.pipe(response);
			response.on('close', () => packed.destroy());
			packed.write(`${line}Message-ID: ${id}\n\nWhole.\n\n${line}Message-ID: <2@x.example>\n\n`);
			const more = (): void => {
				while (!packed.destroyed && packed.write(Buffer.alloc(mebibyte, 'a'))) {
					// Until it waits for its reader.
				}
			};
			packed.on('drain', more);
			more();
		};
		const { mails, isCut } = await thread(4 * mebibyte);
		assert.equal(isCut, true);
		assert.deepEqual(
			mails.map((each) => Buffer.from(each).toString()),
			[
				`Message-ID: ${id}

Whole.
`,
			],
		);
	});

	test('a cut file, a cut connection and no gzip', async () => {
		const whole = gzipSync(`${line}Subject: x\n\ntext\n`.repeat(1000));
		says(whole.subarray(0, -9), gzip);
		await assert.rejects(thread(), fails({ kind: 'damaged' }));
		says(Buffer.concat([whole.subarray(0, 20), Buffer.alloc(200, 7)]), gzip);
		await assert.rejects(thread(), fails({ kind: 'damaged' }));
		says('no gzip', gzip);
		await assert.rejects(thread(), fails({ kind: 'foreign' }));
		answer = (_request, response) => {
			response.writeHead(200, { ...gzip, 'Content-Length': whole.byteLength });
			response.write(whole.subarray(0, 50), () => response.destroy());
		};
		await assert.rejects(thread(), (error) => error instanceof HttpFailure && error.failure.kind === 'truncated');
	});

	test('a mail of 17 MB and a mailbox of 10,000 mails come whole', async () => {
		const large = Buffer.from(`Message-ID: ${id}\n\n${`${'x'.repeat(70)}\n>From a\n`.repeat(220_000)}`);
		const quoted = large.toString().replaceAll('\n>From', '\n>>From');
		assert.ok(large.byteLength > 17 * 1000 * 1000);
		says(`${line}${quoted}\n`, { 'Content-Type': 'text/plain' });
		const [mail] = (await client.mail(inbox, id, 32 * mebibyte, wanted())).mails;
		assert.ok(Buffer.from(mail ?? []).equals(large));
		assert.equal((await client.mail(inbox, id, mebibyte, wanted())).isCut, true);
		says(gzipSync(`${line}${quoted}\n`), gzip);
		assert.ok(Buffer.from((await thread()).mails[0] ?? []).equals(large));

		const many = Array.from({ length: 10_000 }, (_, at) => `Message-ID: <${at}@x.example>\n\nText ${at}\n\n`);
		says(gzipSync(many.map((text) => `${line}${text}\n`).join('')), gzip);
		assert.deepEqual(
			(await thread()).mails.map((each) => Buffer.from(each).toString()),
			many,
		);
	});

	test('rows without dates, authors and links', async () => {
		const rows = [
			'1. <b><a\nhref="a@x/">one</a></b>\n   - by A @ yesterday [99%]\n',
			'2. <b><a\nhref="b@x/">two</a></b>\n',
			'3. <b><a\nhref="c%ZZ@x/">three</a></b>\n   - by C @ 2026-01-02  3:04 UTC [99%]\n',
			'4. <b><a\nhref="../../d@x/">four</a></b>\n',
			'5. <b><a\nhref="e@x/">five</a></b>\n   - by E @ 2026-01-02  3:04 UTC [99%]\n',
		];
		says(page(rows.join('\n'), 'Results 1-5 of 5'), html);
		answer = ((before) => (request, response) => {
			if (/x=A/.test(request.url ?? '')) {
				response.writeHead(200, { 'Content-Type': 'application/atom+xml' });
				response.end(
					'<?xml version="1.0"?>\n<feed\nxmlns="x"><entry><author><name>C</name></author><title>three</title><link\nhref="http://x/c@x/"/></entry></feed>',
				);
			} else {
				before(request, response);
			}
		})(answer);
		const found = await search();
		assert.deepEqual(
			found.rows.map(({ messageId, author, dateMs }) => [messageId, author, dateMs]),
			[
				['<a@x>', 'A @ yesterday', undefined],
				['<b@x>', '', undefined],
				['<c@x>', 'C', undefined],
				['<e@x>', 'E', Date.UTC(2026, 0, 2, 3, 4)],
			],
		);
		// The feed gave one mail for two places.
		assert.deepEqual(found.missing, [3]);
		assert.deepEqual(server.seen, ['GET /devel/?q=s%3Ax&l=50', 'GET /devel/?q=s%3Ax&x=A&l=2&o=2']);
	});

	test('a page that counts more rows than it has asks a few times, and says so', async () => {
		const rows = Array.from({ length: 100 }, (_, at) => `${at * 2 + 1}. <b><a\nhref="m${at}@x/">m</a></b>\n`);
		says(page(rows.join(''), 'Results 1-999999999 of ~999999999'), html);
		answer = (
			(before) => (request, response) =>
				/x=A/.test(request.url ?? '')
					? response.end('<?xml version="1.0"?>\n<feed\nxmlns="x"></feed>')
					: before(request, response)
		)(answer);
		const { rows: found, missing } = await search();
		assert.equal(found.length, 100);
		assert.equal(missing.length, 900);
		assert.equal(server.seen.length, 5);
	});

	test('wrong charsets', async () => {
		const row =
			'1. <b><a\nhref="a@x/">Gr\u00FC\u00DFe &#8364; &#xD800; &#99999999;</a></b>\n   - by J\u00F6rg @ 2026-01-02  3:04 UTC [99%]\n';
		says(Buffer.from(page(row, 'Results 1-1 of 1'), 'latin1'), { 'Content-Type': 'text/html; charset=utf-16' });
		const { rows } = await search();
		assert.deepEqual(
			rows.map(({ subject, author, messageId }) => [subject, author, messageId]),
			[['Gr\uFFFD\uFFFDe \u20AC \uFFFD &#99999999;', 'J\uFFFDrg', '<a@x>']],
		);
	});

	test('pages made to be slow are read at once', async () => {
		const endless = [
			`1. <b><a\nhref="a@x/">x</a></b>\n${'- by - by @ '.repeat(500_000)}`,
			'1. <a '.repeat(1_000_000),
			'href='.repeat(1_000_000),
			`* ${' '.repeat(6_000_000)}`,
			'<entry><link href="'.repeat(300_000),
		];
		for (const text of endless) {
			says(page(text, 'Results 1-1 of 1'), html);
			await search().catch(() => undefined);
			says(`<?xml version="1.0"?>\n<feed\nxmlns="x">${text}`, { 'Content-Type': 'application/atom+xml' });
			await client.newest(inbox, wanted());
			answer = (request, response) =>
				request.url === '/' ? response.writeHead(200, html).end(text) : response.writeHead(404).end();
			await client.inboxes(site, wanted());
		}
	});

	test('a manifest that names other hosts', async () => {
		const entries = {
			'//elsewhere.example/a/git/0.git': { modified: 1 },
			'/__proto__/git/0.git': { modified: 'x', description: 7 },
			'/../../etc/git/0.git': {},
			'/devel/git/1.git': { modified: 1_700_000_000, description: 'Devel [epoch 1]' },
			'/devel/git/0.git': { modified: 1_600_000_000, description: 'Devel [epoch 0]' },
		};
		says(gzipSync(JSON.stringify(entries)), gzip);
		const found = await client.inboxes(site, wanted());
		assert.deepEqual(
			found.filter(({ url, epochs }) => [url, ...epochs].some((each) => !each.startsWith(site))),
			[],
		);
		assert.deepEqual(
			found.find(({ name }) => name === 'devel'),
			{
				url: inbox,
				name: 'devel',
				description: 'Devel',
				modifiedMs: 1_700_000_000_000,
				epochs: [`${inbox}git/0.git`, `${inbox}git/1.git`],
			},
		);
	});

	test('redirects within the host are followed, and not for ever', async () => {
		answer = (request, response) =>
			request.url === '/devel/new.atom'
				? response.writeHead(301, { Location: '/other/new.atom' }).end()
				: response.end('<?xml version="1.0"?>\n<feed\nxmlns="x"></feed>');
		assert.deepEqual(await client.newest(inbox, wanted()), []);
		says('', { Location: '/devel/new.atom' }, 301);
		await assert.rejects(client.newest(inbox, wanted()), fails({ kind: 'redirected' }));
		assert.equal(server.seen.length, 6);
	});

	test('a busy server is left alone for as long as it says', async () => {
		let refusals = 2;
		answer = (_request, response) => {
			refusals -= 1;
			return refusals >= 0
				? response.writeHead(429, { 'Retry-After': '3' }).end()
				: response.end('<?xml version="1.0"?>\n<feed\nxmlns="x"></feed>');
		};
		assert.deepEqual(await client.newest(inbox, wanted()), []);
		assert.equal(clock.pausedMs.filter((ms) => ms > 2000 && ms <= 3000).length, 2);

		says('', { 'Retry-After': '3600' }, 503);
		const startMs = clock.nowMs();
		const isBusy = (error: unknown): boolean =>
			error instanceof ArchiveError &&
			error.problem.kind === 'busy' &&
			Math.abs(error.problem.retryAtMs - startMs - 3_600_000) < 60_000;
		await assert.rejects(client.newest(inbox, wanted()), isBusy);
		const sent = server.seen.length;
		await assert.rejects(search(), isBusy);
		assert.equal(server.seen.length, sent);
	});

	test('one request at a time leaves, with pauses, and an aborted one leaves the queue', async () => {
		let running = 0;
		let most = 0;
		const agents = new Set<string | undefined>();
		answer = ({ headers }, response) => {
			agents.add(headers['user-agent']);
			assert.equal(headers.cookie, undefined);
			running += 1;
			most = Math.max(most, running);
			response.writeHead(200, { 'Content-Type': 'application/atom+xml', 'Set-Cookie': 'a=b' });
			response.write('<?xml version="1.0"?>\n');
			setImmediate(() => {
				running -= 1;
				response.end('<feed\nxmlns="x"></feed>');
			});
		};
		const gone = new AbortController();
		const calls = Array.from({ length: 10 }, (_, at) =>
			client.newest(inbox, at % 2 === 0 ? wanted() : gone.signal).catch((error: unknown) => error),
		);
		gone.abort();
		const ended = await Promise.all(calls);
		assert.equal(ended.filter(isAbort).length, 5);
		assert.deepEqual([most, server.seen.length], [1, 5]);
		// Proxies before archives challenge the names of browsers.
		assert.deepEqual([...agents], ['ForgeDesk/0.0.0 (VS Code extension)']);
		assert.equal(clock.pausedMs.filter((ms) => ms > 50 && ms <= 100).length, 4);
	});

	test('an abort during a body ends the call', async () => {
		const ended = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		answer = (_request, response) => {
			response.on('close', ended.resolve);
			response.writeHead(200, gzip).write(gzipSync(line).subarray(0, 12), () => begun.resolve());
		};
		const abort = new AbortController();
		const read = thread(mebibyte, abort.signal);
		await begun.promise;
		abort.abort();
		await assert.rejects(read, isAbort);
		await ended.promise;
	});

	test('mirrors answer for a dead, a failing and a partial host', async () => {
		const feed = '<?xml version="1.0"?>\n<feed\nxmlns="x"><entry><link href="http://x/a@x/"/></entry></feed>';
		says(feed);
		const dead = 'http://127.0.0.1:9/';
		mirrors = { [dead]: [site] };
		assert.equal((await client.newest(`${dead}devel/`, wanted())).length, 1);
		let partialPage = '';
		const partial = await startLocalServer((_request, response) =>
			response
				.writeHead(404, {
					...(partialPage === '' ? {} : html),
					'X-Archive-Coverage': 'partial; updated=2026-11-30',
					'X-Archive-Upstream': site,
				})
				.end(partialPage),
		);
		const failing = await startLocalServer((_request, response) => response.writeHead(502).end());
		try {
			mirrors = { [`${partial.origin}/`]: [`${failing.origin}/`, site] };
			assert.equal((await client.newest(`${partial.origin}/devel/`, wanted())).length, 1);
			assert.deepEqual([partial.seen.length, failing.seen.length], [1, 1]);
			// A search of a part finds less.
			partialPage = page('', 'No more results, only 0');
			says(page('1. <b><a\nhref="a@b/">x</a></b>\n', 'Results 1-1 of 1'), html);
			const query = { query: 's:x', from: 0, rows: 50 };
			assert.equal((await client.search(`${partial.origin}/devel/`, query, wanted())).rows.length, 1);
			mirrors = {};
			assert.deepEqual((await client.search(`${partial.origin}/devel/`, query, wanted())).rows, []);
			partialPage = '';
			const alone = client.newest(`${partial.origin}/devel/`, wanted());
			await assert.rejects(alone, fails({ kind: 'missing', isPartial: true, upstream: site }));
			// Not found on a whole archive is an answer.
			says('', {}, 404);
			mirrors = { [site]: [`${failing.origin}/`] };
			await assert.rejects(client.newest(inbox, wanted()), fails({ kind: 'missing', isPartial: false }));
			assert.equal(failing.seen.length, 1);
		} finally {
			await Promise.all([partial.stop(), failing.stop()]);
		}
	});
});
