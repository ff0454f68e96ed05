import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Artifact, RepositoryRef } from 'sourcehut/port/repository.ts';
import { allItems, protocolSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { startLocalServer } from '../support/localServer.ts';

const lantern: RepositoryRef = { owner: '~alice', name: 'lantern' };

protocolSuite('files of tags', { inBoth: true }, ({ dialect, forge }) => {
	teardown(async () => {
		await forge().sample.clearFaults();
	});

	async function known(): Promise<readonly Artifact[]> {
		const references = await allItems(forge().as('bob').repositories.references(lantern, wanted()));
		return references.find(({ name }) => name === 'refs/tags/v0.10.0')?.artifacts ?? [];
	}

	/** The artifact as a server would describe it. Files have the same URLs even where this server lists none. */
	function toldOf(filename: string, changes: Partial<Artifact> = {}): Artifact {
		const content = `Stands in for ${filename}\n`;
		return {
			filename,
			createdMs: undefined,
			sizeBytes: Buffer.byteLength(content),
			checksum: `sha256:${createHash('sha256').update(content).digest('hex')}`,
			url: `${forge().instance.areas.git}/~alice/lantern/refs/v0.10.0/${encodeURIComponent(filename)}`,
			...changes,
		};
	}

	async function got(artifact: Artifact, signal = wanted()): Promise<string> {
		const chunks: Uint8Array[] = [];
		for await (const chunk of forge().as('bob').repositories.artifact?.(lantern, artifact, signal) ?? []) {
			chunks.push(chunk);
		}
		return Buffer.concat(chunks).toString();
	}

	test('the server reports each file with size and checksum, or lists no files', async () => {
		const [first, second, ...others] = await known();
		assert.deepEqual(others, []);
		if (dialect === 'document') {
			assert.equal(first, undefined);
			return;
		}
		const createdMs = first?.createdMs;
		assert.equal(typeof createdMs, 'number');
		for (const [artifact, filename] of [
			[first, 'lantern-0.10.0.tar.gz'],
			[second, 'SHA256 sums.txt'],
		] as const) {
			// The server chooses the URL; the download below proves that it works.
			const { url } = artifact ?? toldOf(filename);
			assert.deepEqual(artifact, toldOf(filename, { createdMs, url }));
			assert.equal(await got(artifact ?? toldOf(filename)), `Stands in for ${filename}\n`);
		}
	});

	test('a download returns the file’s bytes and sends the account’s token', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		assert.equal(await got(toldOf('SHA256 sums.txt')), 'Stands in for SHA256 sums.txt\n');
		const [seen] = await sample.requests();
		assert.deepEqual([seen?.hasToken, seen?.method], [true, 'GET']);
	});

	test('the client rejects a file that exceeds its announced size', async () => {
		const artifact = toldOf('lantern-0.10.0.tar.gz', { sizeBytes: 10 });
		assert.deepEqual(await problemFrom(got(artifact)), { kind: 'tooLarge', limitBytes: 10 });
		await forge().sample.fault({ area: 'git' }, { kind: 'huge', megabytes: 30 });
		assert.equal((await problemFrom(got(toldOf('lantern-0.10.0.tar.gz')))).kind, 'tooLarge');
	});

	test('the client reports a truncated download and does not retry it', async () => {
		const { sample } = forge();
		await sample.fault({ area: 'git' }, { kind: 'reset', at: 'middle' }, 5);
		await sample.forgetRequests();
		assert.equal((await problemFrom(got(toldOf('lantern-0.10.0.tar.gz')))).kind, 'notUnderstood');
		assert.equal((await sample.requests()).length, 1);
	});

	test('the client rejects a web page, a redirect and an error status in place of a file', async () => {
		const { sample } = forge();
		await sample.fault({ area: 'git' }, { kind: 'contentType' });
		// The page is longer than the file, so either the size or the content type may be rejected first.
		const page = await problemFrom(got(toldOf('lantern-0.10.0.tar.gz', { sizeBytes: 1_000_000 })));
		assert.ok(page.kind === 'notUnderstood' && page.why.includes('web page'));
		await sample.fault({ area: 'git' }, { kind: 'redirect', to: 'https://elsewhere.test/file' });
		const redirected = await problemFrom(got(toldOf('lantern-0.10.0.tar.gz')));
		assert.deepEqual(redirected, { kind: 'redirected', toHost: 'elsewhere.test' });
		await sample.fault({ area: 'git' }, { kind: 'status', status: 503 });
		assert.deepEqual(await problemFrom(got(toldOf('lantern-0.10.0.tar.gz'))), { kind: 'serverError', status: 503 });
		assert.deepEqual(await problemFrom(got(toldOf('no-such.tar.gz'))), { kind: 'notFound' });
	});

	test('the client sends no request to a URL outside the forge or without encryption', async () => {
		const seen: (string | undefined)[] = [];
		const other = await startLocalServer((request, response) => {
			seen.push(request.headers.authorization);
			response.end('hello');
		});
		try {
			for (const url of [`${other.origin}/file`, 'file:///etc/passwd', 'nonsense', '//forge.test/file']) {
				const problem = await problemFrom(got(toldOf('a.tar.gz', { url })));
				assert.deepEqual([url, problem.kind], [url, 'notUnderstood']);
			}
			assert.deepEqual(seen, []);
		} finally {
			await other.stop();
		}
	});

	test('an abort rejects the download immediately', async () => {
		await forge().sample.fault({ area: 'git' }, { kind: 'hang' });
		const giving = new AbortController();
		const getting = got(toldOf('lantern-0.10.0.tar.gz'), giving.signal);
		giving.abort();
		await assert.rejects(getting, isAbort);
	});
});
