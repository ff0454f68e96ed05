import assert from 'node:assert/strict';
import type { Artifact } from '../../src/port/repository.ts';
import type { HttpClient, StreamRequest } from '../../src/http/httpClient.ts';
import { restFiles } from '../../src/rest/restForge.ts';
import { problemFrom } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

const never = new AbortController().signal;
const lantern = { owner: '~alice', name: 'lantern' };

suite('release files over REST', () => {
	let asked: StreamRequest[];
	let isLeft: boolean;
	setup(() => {
		asked = [];
		isLeft = false;
	});

	async function get(url: string, git = sampleInstance.areas.git): Promise<void> {
		const http: HttpClient = {
			send: () => Promise.reject(new Error('Nothing is sent here')),
			async stream(request) {
				asked.push(request);
				return {
					head: {
						status: 200,
						contentType: 'text/html',
						location: undefined,
						retryAfterMs: undefined,
						body: new Uint8Array(),
					},
					header: () => '',
					chunks: oneChunk(),
					dispose: () => void (isLeft = true),
				};
			},
			beginWalk: () => ({ dispose: () => undefined }),
			close: () => Promise.resolve(),
		};
		const stream = restFiles({
			instance: { ...sampleInstance, areas: { ...sampleInstance.areas, git } },
			me: '~alice',
			tokenFor: () => 'secret',
			http,
			clock: fakeClock(),
		});
		const filename = url.includes('.html') ? 'manual.html' : 'release.tar.gz';
		const artifact: Artifact = { filename, createdMs: undefined, sizeBytes: 5, checksum: undefined, url };
		for await (const _ of stream.artifact(lantern, artifact, never)) {
			// Only the request matters here.
		}
	}

	async function* oneChunk(): AsyncGenerator<Uint8Array, void, undefined> {
		yield new Uint8Array(5);
	}

	test('the token goes to the exact origin of the repository area', async () => {
		await get('https://git.forge.test/~alice/lantern/a.html?x=1');
		assert.deepEqual(
			asked.map(({ origin, path, authorization, limitBytes }) => [origin, path, authorization, limitBytes]),
			[['https://git.forge.test', '/~alice/lantern/a.html?x=1', 'Bearer secret', 5]],
		);
		assert.ok(isLeft);
	});

	test('the token goes to no similar origin', async () => {
		const others = [
			'https://files.forge.test/a.html',
			'https://git.forge.test:444/a.html',
			'https://git.forge.test.evil.test/a.html',
			'https://todo.forge.test/a.html',
			'https://evil-git.forge.test/a.html',
			'https://evil.test/https://git.forge.test/a.html',
		];
		for (const url of others) {
			await get(url);
		}
		assert.deepEqual(
			asked.map(({ origin, authorization }) => [origin, authorization]),
			others.map((url) => [new URL(url).origin, undefined]),
		);
	});

	test('the token goes to no other scheme of the same host', async () => {
		await get('https://git.forge.test/a.html', 'http://git.forge.test');
		await get('http://git.forge.test/a.html', 'http://git.forge.test');
		assert.deepEqual(
			asked.map(({ origin, authorization }) => [origin, authorization]),
			[
				['https://git.forge.test', undefined],
				['http://git.forge.test', 'Bearer secret'],
			],
		);
	});

	test('a URL with a user name or without encryption causes no request', async () => {
		for (const url of [
			'https://git.forge.test@evil.test/a',
			'http://git.forge.test/a',
			'https://a:b@git.forge.test/a',
		]) {
			assert.equal((await problemFrom(get(url))).kind, 'notUnderstood', url);
		}
		assert.deepEqual(asked, []);
	});

	test('an HTML page is not accepted as an archive', async () => {
		assert.equal((await problemFrom(get('https://git.forge.test/a.tar.gz'))).kind, 'notUnderstood');
		assert.ok(isLeft);
	});
});
