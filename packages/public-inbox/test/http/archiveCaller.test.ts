import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { abortReason, isAbort } from '@forge-desk/base/abort.ts';
import { archiveCaller } from 'public-inbox/http/archiveCaller.ts';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { ArchiveError, type ArchiveProblem } from 'public-inbox/http/archiveError.ts';
import type { ArchiveRequest, ArchiveResponse, ArchiveTransport } from 'public-inbox/http/archiveTransport.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

suite('calls of archives', () => {
	const never = new AbortController().signal;
	const feed = '<?xml version="1.0"?>\n<feed\nxmlns="x"></feed>';

	function clientOver(transport: ArchiveTransport, clock = fakeClock()) {
		return archiveClient({ transport, clock, mirrors: () => ({}) });
	}

	function response(status: number, head: Readonly<Record<string, string>>, chunks = bodyOf(feed)): ArchiveResponse {
		return { status, header: (name) => head[name] ?? '', chunks, dispose: () => undefined };
	}

	async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
		yield await Promise.resolve(new TextEncoder().encode(text));
	}

	function fails(kind: string): (error: unknown) => boolean {
		return (error) => error instanceof ArchiveError && error.problem.kind === kind;
	}

	test('end after thirty seconds without an answer, and let the next one go', async () => {
		const clock = fakeClock();
		const asked: ArchiveRequest[] = [];
		const client = clientOver(async (request, signal) => {
			asked.push(request);
			return asked.length > 1
				? response(200, {})
				: new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortReason(signal))));
		}, clock);
		const first = assert.rejects(client.newest('http://x.example/a/', never), fails('silent'));
		const second = client.newest('http://x.example/a/', never);
		await setImmediate();
		clock.advance(29_999);
		await setImmediate();
		assert.equal(asked.length, 1);
		clock.advance(1);
		await first;
		await setImmediate();
		clock.advance(100);
		assert.deepEqual(await second, []);
		assert.deepEqual(asked[0], { method: 'GET', origin: 'http://x.example', path: '/a/new.atom', connectMs: 5000 });
	});

	test('end when a body drips', async () => {
		const clock = fakeClock();
		let drops = 0;
		async function* drip(): AsyncGenerator<Uint8Array> {
			for (;;) {
				drops += 1;
				clock.advance(10_000);
				yield await Promise.resolve(new Uint8Array([0x20]));
			}
		}
		await assert.rejects(
			clientOver(async () => response(200, {}, drip()), clock).newest('http://x.example/a/', never),
			fails('silent'),
		);
		assert.equal(drops, 4);
	});

	test('follow a redirect to the safer scheme of their host only', async () => {
		const targets: Readonly<Record<string, boolean>> = {
			'https://x.example/a/': true,
			'https://x.example:444/a/': false,
			'https://y.example/a/': false,
			'//y.example/a/': false,
			'javascript:alert(1)': false,
			'http://': false,
		};
		for (const [location, isFollowed] of Object.entries(targets)) {
			const asked: string[] = [];
			const clock = fakeClock();
			const client = clientOver(async ({ origin }) => {
				asked.push(origin);
				return asked.length === 1 ? response(302, { location }) : response(200, {});
			}, clock);
			const read = client.newest('http://x.example/a/', never);
			if (isFollowed) {
				assert.deepEqual(await read, []);
				assert.deepEqual(asked, ['http://x.example', 'https://x.example']);
			} else {
				await assert.rejects(read, fails('redirected'), location);
				assert.equal(asked.length, 1);
			}
		}
	});

	test('never leave the encrypted scheme, and never repeat a question elsewhere', async () => {
		const client = clientOver(async () => response(302, { location: 'http://x.example/a/' }));
		await assert.rejects(client.newest('https://x.example/a/', never), fails('redirected'));
		const asked: ArchiveRequest[] = [];
		const posting = clientOver(async (request) => {
			asked.push(request);
			return response(307, { location: '/b/' });
		});
		const time = { fromMs: 1_700_000_000_000, toMs: 1_700_000_060_000 };
		await assert.rejects(posting.received('https://x.example/a/', time, 9, never), fails('redirected'));
		assert.deepEqual(
			asked.map(({ method, path }) => `${method} ${path}`),
			['POST /a/?x=m&q=rt%3A1700000000..1700000060'],
		);
	});

	/** A clock whose pauses between requests pass at once. */
	function hastyClock() {
		const clock = fakeClock();
		const pausedMs: number[] = [];
		return {
			...clock,
			pausedMs,
			after(delayMs: number, work: () => void) {
				if (delayMs > 10_000) {
					return clock.after(delayMs, work);
				}
				pausedMs.push(delayMs);
				clock.advance(delayMs);
				queueMicrotask(work);
				return { dispose: () => undefined };
			},
		};
	}

	type Answer = () => ArchiveResponse | Promise<ArchiveResponse>;

	/** A client of `http://x.example/a/` whose hosts answer one after another; the last answer stays. */
	function scene(
		answers: Readonly<Record<string, readonly Answer[]>>,
		mirrors: Readonly<Record<string, readonly string[]>> = {},
	) {
		const clock = hastyClock();
		const asked: string[] = [];
		const left = new Map(Object.entries(answers).map(([host, own]) => [host, [...own]]));
		const client = archiveClient({
			transport: async ({ origin, path }) => {
				asked.push(`${origin}${path}`);
				const own = left.get(new URL(origin).host) ?? [];
				return (own.length > 1 ? own.shift() : own[0])?.() ?? assert.fail(origin);
			},
			clock,
			mirrors: () => mirrors,
		});
		return { clock, asked, client, read: () => client.newest('http://x.example/a/', never) };
	}

	const says =
		(status: number, head: Readonly<Record<string, string>> = {}, text = ''): Answer =>
		() =>
			response(status, head, bodyOf(text));
	const sound = says(200, {}, feed);
	const html = { 'content-type': 'text/html; charset=UTF-8' };
	const challenge = "<title>Making sure you're not a bot!</title>";
	const partial = { 'x-archive-coverage': 'partial; updated=2026-11-20', 'x-archive-upstream': 'https://up.example/' };
	const missing = { kind: 'missing', isPartial: false, upstream: undefined } as const;

	test('say why they brought no answer', async () => {
		const page = '<p>Sign in, please</p>';
		const cases: readonly (readonly [Answer, ArchiveProblem])[] = [
			[says(404), missing],
			[says(410), missing],
			[says(404, html, page), missing],
			[says(404, partial), { ...missing, isPartial: true, upstream: 'https://up.example/' }],
			[says(404, { 'x-archive-coverage': ' Partial' }), { ...missing, isPartial: true }],
			[says(404, { ...partial, 'x-archive-coverage': 'impartial' }), missing],
			[says(404, { ...partial, 'x-archive-coverage': 'whole, not partial' }), missing],
			[says(403), { kind: 'refused', status: 403 }],
			[says(500, html, page), { kind: 'refused', status: 500 }],
			[says(200, html, page), { kind: 'foreign' }],
			[says(200, {}, '<!DOCTYPE html><p>no type</p>'), { kind: 'foreign' }],
			[says(200, {}, 'no feed'), { kind: 'foreign' }],
			[says(200, html, challenge), { kind: 'challenge' }],
			[says(403, html, challenge), { kind: 'challenge' }],
			[says(429, html, challenge), { kind: 'challenge' }],
			[says(200, { 'content-encoding': 'gzip' }, 'no gzip'), { kind: 'damaged' }],
			[says(302, { location: 'http://[' }), { kind: 'redirected', to: 'http://[' }],
			[says(302, { location: '//y.example' }), { kind: 'redirected', to: 'http://y.example/' }],
		];
		for (const [answer, problem] of cases) {
			const { read, asked } = scene({ 'x.example': [answer] });
			await assert.rejects(read(), (error) => {
				assert.ok(error instanceof ArchiveError);
				assert.deepEqual([error.problem, error.host], [problem, 'x.example']);
				return true;
			});
			assert.deepEqual(asked, ['http://x.example/a/new.atom']);
		}
	});

	test('unpack what the transfer packed', async () => {
		async function* packed(): AsyncGenerator<Uint8Array> {
			yield await Promise.resolve(gzipSync(feed));
		}
		for (const encoding of ['gzip', 'x-gzip', ' GZIP ']) {
			const { read } = scene({ 'x.example': [() => response(200, { 'content-encoding': encoding }, packed())] });
			assert.deepEqual(await read(), [], encoding);
		}
		for (const encoding of ['', 'identity', 'no-gzip', 'gzip-no']) {
			const { read } = scene({ 'x.example': [says(200, { 'content-encoding': encoding }, feed)] });
			assert.deepEqual(await read(), [], encoding);
		}
	});

	test('wait as long as a busy host asks, in seconds or until a date, and ask again', async () => {
		const cases: readonly (readonly [string, number])[] = [
			['3', 3000],
			[' 10 ', 10_000],
			['Fri, 20 Nov 2026 12:00:07 GMT', 7000],
			['20 Nov 2026 12:00:07 GMT', 7000],
			['0', 100],
			['Fri, 20 Nov 2026 11:00:00 GMT', 100],
			['soon', 2000],
			['', 2000],
		];
		for (const status of [429, 503]) {
			for (const [retryAfter, pauseMs] of cases) {
				const { read, clock } = scene({ 'x.example': [says(status, { 'retry-after': retryAfter }), sound] });
				assert.deepEqual(await read(), []);
				assert.deepEqual(clock.pausedMs, [pauseMs], retryAfter);
			}
		}
	});

	test('leave a host alone that wants a long rest, for a day at most', async () => {
		for (const [retryAfter, restMs] of [
			['11', 11_000],
			['Fri, 20 Nov 2026 13:00:00 GMT', 3_600_000],
			['999999999', 24 * 3_600_000],
		] as const) {
			for (const page of ['', challenge]) {
				const { read, clock, asked } = scene({
					'x.example': [says(503, { ...(page === '' ? {} : html), 'retry-after': retryAfter }, page), sound],
				});
				const retryAtMs = clock.nowMs() + restMs;
				const isBusy = (error: unknown): boolean =>
					error instanceof ArchiveError && error.problem.kind === 'busy' && error.problem.retryAtMs === retryAtMs;
				await assert.rejects(read(), page === '' ? isBusy : fails('challenge'));
				await assert.rejects(read(), isBusy);
				assert.equal(asked.length, 1);
				clock.advance(restMs - 10_000);
				assert.deepEqual(await read(), []);
			}
		}
	});

	test('give up after three busy answers, and begin anew after any other one', async () => {
		const busy = Array.from({ length: 3 }, () => says(503));
		for (const other of [sound, says(404), says(302, { location: '//y.example' })]) {
			const { read, clock, asked } = scene({ 'x.example': [...busy, other, says(503)] });
			await assert.rejects(read(), fails('busy'));
			assert.deepEqual([asked.length, clock.pausedMs], [3, [2000, 4000]]);
			await (other === sound ? read() : assert.rejects(read(), ArchiveError));
			await assert.rejects(read(), fails('busy'));
			assert.deepEqual(clock.pausedMs.slice(2), [8000, 100, 2000, 4000]);
		}
	});

	test('leave a busy host alone whose answer is damaged or cut', async () => {
		const lost = new Error('The connection is gone');
		async function* cut(): AsyncGenerator<Uint8Array> {
			yield await Promise.resolve(new Uint8Array([0x20]));
			throw lost;
		}
		const cases: readonly (readonly [Readonly<Record<string, string>>, AsyncGenerator<Uint8Array>])[] = [
			[{ 'content-encoding': 'gzip' }, bodyOf('no gzip')],
			[{}, cut()],
		];
		for (const [head, body] of cases) {
			let sent = 0;
			const client = clientOver(async () => {
				sent += 1;
				return response(429, { 'retry-after': '3600', ...head }, body);
			});
			await assert.rejects(client.newest('http://x.example/a/', never), fails('busy'));
			await assert.rejects(client.newest('http://x.example/a/', never), fails('busy'));
			assert.equal(sent, 1);
		}
	});

	test('follow three redirects within their host, by paths of any form', async () => {
		const steps = [
			says(301, { location: '/b' }),
			says(307, { location: 'c?d=e#f' }),
			says(308, { location: 'http://name@x.example:80/g' }),
		];
		const three = scene({ 'x.example': [...steps, sound] });
		assert.deepEqual(await three.read(), []);
		assert.deepEqual(
			three.asked.map((url) => url.slice('http://x.example'.length)),
			['/a/new.atom', '/b', '/c?d=e', '/g'],
		);
		const four = scene({ 'x.example': [...steps, says(302, { location: '/h' }), sound] });
		await assert.rejects(
			four.read(),
			(error) =>
				error instanceof ArchiveError && error.problem.kind === 'redirected' && error.problem.to.endsWith('/h'),
		);
		assert.equal(four.asked.length, 4);
		const port = scene({ 'x.example:8080': [says(302, { location: 'https://x.example/a/' })] });
		await assert.rejects(port.client.newest('http://x.example:8080/a/', never), fails('redirected'));
	});

	test('ask the mirrors where another host may help, and only there', async () => {
		const mirrors = {
			'http://x.example/': ['http://short.example/'],
			'http://x.example/a/': ['http://m.example/copy/'],
			'http://y.example/': ['http://z.example/'],
		};
		const network = (): Promise<ArchiveResponse> => Promise.reject(new Error('No network'));
		const helped = [network, says(500), says(502), says(429), says(200, html, challenge), says(404, partial)];
		helped.push(says(200, { 'content-encoding': 'gzip' }, 'no gzip'));
		for (const answer of helped) {
			const { read, asked } = scene({ 'x.example': [answer], 'm.example': [sound] }, mirrors);
			assert.deepEqual(await read(), []);
			assert.deepEqual(asked, ['http://x.example/a/new.atom', 'http://m.example/copy/new.atom']);
		}
		for (const answer of [says(404), says(403), says(200, html, 'x'), says(302, { location: '//y.example' })]) {
			const { read, asked } = scene({ 'x.example': [answer], 'm.example': [sound] }, mirrors);
			await assert.rejects(read(), ArchiveError);
			assert.equal(asked.length, 1);
		}
		const dead = scene({ 'x.example': [network], 'm.example': [says(500)] }, mirrors);
		await assert.rejects(dead.read(), /No network/);
		// A copy may be late, so only the archive itself says that nothing is there.
		const late404 = scene(
			{ 'x.example': [says(503, { 'retry-after': '60' }), sound], 'm.example': [says(404)] },
			mirrors,
		);
		await assert.rejects(late404.read(), fails('busy'));
		const none = scene({ 'x.example': [network] }, { 'http://y.example/': ['http://z.example/'] });
		await assert.rejects(none.read(), /No network/);
		assert.equal(none.asked.length, 1);
		async function* late(): AsyncGenerator<Uint8Array> {
			silent.clock.advance(31_000);
			yield await Promise.resolve(Buffer.from(feed));
		}
		const silent = scene({ 'x.example': [() => response(200, {}, late())], 'm.example': [sound] }, mirrors);
		assert.deepEqual(await silent.read(), []);
		const gone = new AbortController();
		const aborted = scene({ 'x.example': [() => (gone.abort(), network())] }, mirrors);
		await assert.rejects(aborted.client.newest('http://x.example/a/', gone.signal), isAbort);
		assert.equal(aborted.asked.length, 1);
	});

	test('ask a host last for a minute after it failed, and while it rests', async () => {
		const mirrors = { 'http://x.example/': ['http://m.example/'] };
		const cases: readonly (readonly [Answer, number])[] = [
			[says(500), 60_000],
			[says(503, { 'retry-after': '3600' }), 3_590_000],
			[says(404, partial), 0],
		];
		for (const [answer, lastMs] of cases) {
			const { read, asked, clock } = scene({ 'x.example': [answer, sound], 'm.example': [sound] }, mirrors);
			const startMs = clock.nowMs();
			await read();
			if (lastMs > 0) {
				clock.advance(startMs + lastMs - 1 - clock.nowMs());
				await read();
				clock.advance(1);
			}
			await read();
			assert.deepEqual(
				asked.map((url) => new URL(url).host.slice(0, 1)),
				['x', 'm', ...(lastMs > 0 ? ['m'] : []), 'x'],
			);
		}
	});

	test('believe a part of an archive in a search only where nobody has the whole', async () => {
		const mirrors = { 'http://x.example/': ['http://m.example/'] };
		const page = (text: string): string => `<a href="_/text/help/">help</a><pre id=t>${text}</pre>`;
		const answers = {
			'x.example': [says(404, { ...html, ...partial }, page('No more results, only 0'))],
			'm.example': [says(200, html, page('1. <b><a\nhref="a@b/">x</a></b>\nResults 1-1 of 1'))],
		};
		const found = async (client: ReturnType<typeof archiveClient>): Promise<number> =>
			(await client.search('http://x.example/a/', { query: 'x', from: 0, rows: 9 }, never)).rows.length;
		assert.equal(await found(scene(answers, mirrors).client), 1);
		assert.equal(await found(scene(answers).client), 0);
		// A whole archive without a hit has the last word.
		const whole = { ...answers, 'x.example': [says(404, html, page('No more results, only 0'))] };
		assert.equal(await found(scene(whole, mirrors).client), 0);
	});

	test('grant a body thirty seconds and 64 kbit a second', async () => {
		for (const [lateMs, isFast] of [
			[0, true],
			[1, false],
		] as const) {
			const clock = fakeClock();
			async function* slow(): AsyncGenerator<Uint8Array> {
				clock.advance(20_000);
				yield await Promise.resolve(Buffer.from(feed.padEnd(40_000)));
				clock.advance(20_000 + lateMs);
				yield Buffer.from(' '.repeat(40_000));
			}
			const read = clientOver(async () => response(200, {}, slow()), clock).newest('http://x.example/a/', never);
			await (isFast ? read : assert.rejects(read, fails('silent')));
		}
	});

	test('wait for a slow reader', async () => {
		const clock = fakeClock();
		async function* body(): AsyncGenerator<Uint8Array> {
			yield* bodyOf('one'.padEnd(300));
			yield* bodyOf('two'.padEnd(300));
		}
		const caller = archiveCaller(
			async () => response(200, {}, body()),
			clock,
			() => ({}),
		);
		async function read({ chunks }: { readonly chunks: AsyncIterable<Uint8Array> }): Promise<number> {
			let bytes = 0;
			for await (const chunk of chunks) {
				clock.advance(60_000);
				bytes += chunk.byteLength;
			}
			return bytes;
		}
		assert.equal(await caller.ask({ method: 'GET', url: 'http://x.example/a/', isPage: false, read }, never), 600);
	});

	test('end their connection, and nothing else after it', async () => {
		for (const answer of [sound, says(404), says(302, { location: '//y.example' })]) {
			const clock = fakeClock();
			const signals: AbortSignal[] = [];
			let disposed = 0;
			const client = clientOver(async (_request, signal) => {
				signals.push(signal);
				return { ...(await answer()), dispose: () => void (disposed += 1) };
			}, clock);
			await client.newest('http://x.example/a/', never).catch(() => undefined);
			clock.advance(60_000);
			assert.deepEqual([disposed, signals.map(({ aborted }) => aborted)], [1, [false]]);
		}
	});
});
