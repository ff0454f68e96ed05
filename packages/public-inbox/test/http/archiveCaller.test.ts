import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { abortReason } from '@forge-desk/base/abort.ts';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { ArchiveError } from 'public-inbox/http/archiveError.ts';
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
});
