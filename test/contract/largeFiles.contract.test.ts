import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partFiles } from '../../src/machine/storage/partFiles.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { DownloadOutcome } from '../../src/store/repositories/downloads.ts';
import type { TreePath } from 'sourcehut/port/repository.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { protocolSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { storeOf } from '../support/repositoryAccount.ts';
import type { SampleUser } from '../support/sampleForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const mebibyte = 1024 * 1024;
const mostBytes = 8 * mebibyte;

/** Invalid as text, and without repetition. */
const binary = Buffer.alloc(3 * mebibyte + 5);
for (let at = 0, seed = 1; at < binary.length; at++) {
	seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
	binary[at] = seed >> 16;
}
const files = {
	'every byte.bin': binary,
	'latin-1.txt': Buffer.from('Gr\xFC\xDFe aus K\xF6ln, d\xE9j\xE0 vu\r\nsans fin', 'latin1'),
	'utf-16.txt': Buffer.from('\uFEFFlantern\r\n', 'utf16le'),
	'empty.txt': Buffer.alloc(0),
};

protocolSuite('files of any size and encoding', { firstIn: 'graphql' }, ({ forge }) => {
	let folder: string;
	let commit: string;
	suiteSetup(() => {
		commit = pushToForge(forge().sample, { repository: 'lantern', branch: 'master', message: 'Add files', files });
	});
	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-large-'));
	});
	teardown(async () => {
		await forge().sample.clearFaults();
		await rm(folder, { recursive: true });
	});

	function at(path: string): TreePath {
		return { ref: commit, path };
	}

	async function idOf(store: RepositoryStore, path: string): Promise<string> {
		const found = await store.folders.find(lantern, at(path), wanted());
		assert.ok(found.kind === 'entry');
		return found.entry.id;
	}

	/** Saves a file like the application does. */
	async function save(
		path: string,
		{ user = 'bob', signal = wanted() }: { readonly user?: SampleUser; readonly signal?: AbortSignal } = {},
	): Promise<DownloadOutcome> {
		const { repositories } = forge().as(user);
		const store = storeOf(forge(), user);
		try {
			const id = await idOf(store, path);
			const chunks = repositories.blobStream?.(lantern, at(path), mostBytes, signal) ?? assert.fail('Not there');
			const promised = { kind: 'blob', id, mostBytes } as const;
			return await partFiles().save(
				{ path: join(folder, 'file'), chunks, promised, progressed: () => undefined },
				signal,
			);
		} finally {
			store.dispose();
		}
	}

	for (const user of ['alice', 'bob'] as const) {
		test(`${user} saves and opens every file byte for byte`, async () => {
			const store = storeOf(forge(), user);
			for (const [path, content] of Object.entries(files)) {
				const outcome = await save(path, { user });
				assert.deepEqual([path, outcome.kind], [path, 'saved']);
				assert.ok(content.equals(await readFile(join(folder, 'file'))), path);
				const { bytes } = await store.objects.blob(lantern, await idOf(store, path), wanted());
				assert.ok(content.equals(bytes), path);
			}
			store.dispose();
		});
	}

	test('a save waits for a slow drip of bytes', async () => {
		await forge().sample.fault({ area: 'git', path: '/blob/' }, { kind: 'drip', bytes: 3, everyMs: 5 });
		assert.equal((await save('latin-1.txt')).kind, 'saved');
	});

	test('a file over the size limit or with unrequested compression leaves nothing on disk', async () => {
		const { sample } = forge();
		await sample.fault({ area: 'git', path: '/blob/' }, { kind: 'huge', megabytes: 30 });
		assert.deepEqual(await problemFrom(save('every byte.bin')), { kind: 'tooLarge', limitBytes: mostBytes });
		assert.deepEqual(await readdir(folder), []);
		await sample.fault({ area: 'git', path: '/blob/' }, { kind: 'huge', megabytes: 30, gzip: true });
		assert.equal((await save('every byte.bin')).kind, 'otherSum');
		assert.deepEqual(await readdir(folder), []);
	});

	test('a save rejects a truncated file with a matching length', async () => {
		await forge().sample.fault({ area: 'git', path: '/blob/' }, { kind: 'truncate' });
		assert.equal((await save('every byte.bin')).kind, 'otherSum');
		assert.deepEqual(await readdir(folder), []);
	});

	test('a truncated response, a sign-in page and an error status leave nothing on disk', async () => {
		const { sample } = forge();
		for (const [fault, kind] of [
			[{ kind: 'reset', at: 'middle' }, 'notUnderstood'],
			[{ kind: 'contentType' }, 'notUnderstood'],
			[{ kind: 'status', status: 503 }, 'serverError'],
			[{ kind: 'redirect', to: 'https://elsewhere.test/file' }, 'redirected'],
		] as const) {
			await sample.fault({ area: 'git', path: '/blob/' }, fault);
			assert.equal((await problemFrom(save('every byte.bin'))).kind, kind);
			assert.deepEqual(await readdir(folder), []);
		}
	});

	test('an abort leaves nothing on disk', async () => {
		await forge().sample.fault({ area: 'git', path: '/blob/' }, { kind: 'drip', bytes: 1000, everyMs: 5 });
		const giving = new AbortController();
		const saving = save('every byte.bin', { signal: giving.signal });
		while (!(await readdir(folder)).includes('file.part')) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		giving.abort();
		await assert.rejects(saving, isAbort);
		assert.deepEqual(await readdir(folder), []);
	});

	test('the sample forge reports no crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});
