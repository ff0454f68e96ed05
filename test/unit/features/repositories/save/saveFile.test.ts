import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partFiles } from '../../../../../src/machine/storage/partFiles.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { DownloadOutcome, Downloads } from '../../../../../src/store/repositories/downloads.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { idOf, quill, quillWorld, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { mostSavedBytes, saveFile } = await import('../../../../../src/features/repositories/save/saveFile.ts');
const { tooLargeNotice } = await import('../../../../../src/features/repositories/save/saveFile.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const never = new AbortController().signal;
const picture = new Uint8Array([0, 255, 1, 254, 13, 10]);

function subject(path: string, kind = 'file'): object {
	return { kind, connectionKey: 'alice.sample', ref: quill, revision: 'main', at: { ref: 'main', path } };
}

type BlobStream = RepositoryApi['blobStream'] & {};

suite('saving a file of a repository', () => {
	let folder: string;
	let path: string;
	setup(async () => {
		resetStub();
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-save-'));
		path = join(folder, 'picked');
	});
	teardown(() => rm(folder, { recursive: true }));

	interface Run {
		readonly stream: BlobStream;
		readonly what?: unknown;
		readonly fake?: FakeRepositories;
		readonly downloads?: Downloads;
		readonly signal?: AbortSignal;
	}

	async function run({ stream, what = subject('logo.bin'), ...others }: Run): Promise<FakeRepositories> {
		const { fake = quillWorld(), downloads = partFiles(), signal = never } = others;
		const { connections } = repositoryDesk(fake, { blobStream: stream });
		await saveFile(
			partial<RepositoriesContext>({
				connections,
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
				askFile: () => Promise.resolve({ path: 'src/main.c', line: undefined, column: undefined }),
				downloads,
			}),
			what,
			signal,
		);
		await new Promise((resolve) => setImmediate(resolve));
		return fake;
	}

	/** Responds with these bytes, one at a time. */
	function sending(bytes: Uint8Array, asked: unknown[] = []): BlobStream {
		return async function* (ref, at, limitBytes) {
			asked.push([ref, at, limitBytes]);
			for (const byte of bytes) {
				yield new Uint8Array([byte]);
			}
		};
	}

	test('requests the file by commit and path, verifies its id, and saves it byte for byte', async () => {
		const asked: unknown[] = [];
		stubbed.answers.push(path, undefined);
		const { world } = await run({ stream: sending(picture, asked) });
		assert.deepEqual(asked, [[quill, { ref: idOf(120), path: 'logo.bin' }, mostSavedBytes]]);
		assert.deepEqual(new Uint8Array(await readFile(path)), picture);
		assert.deepEqual(await readdir(folder), ['picked']);
		assert.match(stubbed.shown.join(), /^Saved logo\.bin \(6 bytes\)\. It is verified as the file in the commit\.$/);
		assert.ok(!world.calls.some((call) => call.startsWith('blob')));
	});

	test('does not request cached content again', async () => {
		const fake = quillWorld();
		const { connection, connections } = repositoryDesk(fake, { blobStream: () => assert.fail('It is known') });
		const found = await connection.repositories.folders.find(quill, { ref: 'main', path: 'logo.bin' }, never);
		assert.ok(found.kind === 'entry');
		await connection.repositories.objects.blob(quill, found.entry.id, never);
		stubbed.answers.push(path, undefined);
		await saveFile(
			partial<RepositoriesContext>({
				connections,
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
				askFile: () => assert.fail('It was handed over'),
				downloads: partFiles(),
			}),
			subject('logo.bin'),
			never,
		);
		assert.deepEqual(new Uint8Array(await readFile(path)), picture);
	});

	test('accepts a URI from the explorer, and asks for a file without one', async () => {
		const at = { ref: 'main', path: 'logo.bin' };
		const uri = uriOfPlace({ kind: 'entry', connectionKey: 'alice.sample', ref: quill, at });
		stubbed.answers.push(path, undefined);
		await run({ stream: sending(picture), what: uri });
		assert.deepEqual(new Uint8Array(await readFile(path)), picture);
		stubbed.answers.push(path, undefined);
		const main = new TextEncoder().encode('int main;\n');
		await run({ stream: sending(main), what: subject('', 'reference') });
		assert.equal(await readFile(path, 'utf8'), 'int main;\n');
	});

	test('removes wrong content, and content beyond the size limit', async () => {
		stubbed.answers.push(path, undefined);
		await run({ stream: sending(picture.subarray(1)) });
		assert.match(stubbed.shown.join(), /sent something other than logo\.bin.*removed/);
		assert.deepEqual(await readdir(folder), []);
		resetStub();
		stubbed.answers.push(path, undefined);
		await run({
			stream: async function* () {
				yield picture;
				throw new ForgeError({ kind: 'tooLarge', limitBytes: mostSavedBytes });
			},
		});
		assert.match(stubbed.shown.join(), /larger than 4\.3 GB, so it was removed/);
		assert.deepEqual(await readdir(folder), []);
		resetStub();
		stubbed.answers.push(path, undefined);
		await run({
			stream: async function* () {
				yield picture;
				throw new ForgeError({ kind: 'tooLarge', limitBytes: 20 * 1024 * 1024 });
			},
		});
		assert.match(stubbed.shown.join(), /larger than 21 MB, so it was removed/);
	});

	test('leaves nothing behind when the user cancels', async () => {
		const giving = new AbortController();
		stubbed.answers.push(path, undefined);
		const stream: BlobStream = async function* () {
			yield picture.subarray(0, 2);
			assert.deepEqual(await readdir(folder), ['picked.part']);
			giving.abort();
			yield picture.subarray(2);
		};
		await assert.rejects(run({ stream, signal: giving.signal }), isAbort);
		assert.deepEqual(await readdir(folder), []);
	});

	test('refuses folders and submodules before any question', async () => {
		for (const name of ['src', 'vendored']) {
			resetStub();
			await run({ stream: () => assert.fail('It is no file'), what: subject(name) });
			assert.match(stubbed.shown.join(), /is not a file\. Only files can be saved/);
			assert.deepEqual(stubbed.asked, []);
		}
	});

	test('writes only to a disk, and hides no character of the name', async () => {
		const fake = quillWorld();
		const root = fake.world.grow({ 'a\u202Eb:c.txt': 'x' });
		fake.world.commit(quill, 'main', root);
		stubbed.answers.push('vscode-vfs://github/file');
		await assert.rejects(run({ stream: sending(picture), fake, what: subject('a\u202Eb:c.txt') }), isAbort);
		assert.match(stubbed.shown.join(), /only be saved to a disk/);
		assert.doesNotMatch(stubbed.shown.join(), /\u202E/);
	});

	test('reports the error of a disk', async () => {
		const outcomes: DownloadOutcome[] = [{ kind: 'notWritten', code: 'ENOSPC' }];
		const downloads: Downloads = {
			save: () => Promise.resolve(outcomes.shift() ?? assert.fail('Asked twice')),
			remove: () => assert.fail('Nothing is in the way'),
		};
		stubbed.answers.push(path, undefined);
		await run({ stream: sending(picture), downloads });
		assert.match(stubbed.shown.join(), /not enough space for logo\.bin/);
	});

	test('reports when a malformed id verifies nothing', async () => {
		const fake = quillWorld();
		const root = fake.world.grow({ 'short.txt': { name: '', id: 'abc', type: 'blob', mode: 0o100644 } });
		fake.world.commit(quill, 'main', root);
		stubbed.answers.push(path, undefined);
		await run({ stream: sending(picture), fake, what: subject('short.txt') });
		assert.match(stubbed.shown.join(), /It cannot be verified/);
		assert.deepEqual(new Uint8Array(await readFile(path)), picture);
	});
});

suite('notice about a file that is too large', () => {
	setup(resetStub);
	const uri = uriOfPlace({
		kind: 'entry',
		connectionKey: 'alice.sample',
		ref: quill,
		at: { ref: 'main', path: 'media/film\u202E.bin' },
	});
	const error = new ForgeError({ kind: 'tooLarge', limitBytes: 20 * 1024 * 1024 });

	async function offer(answer: string | undefined): Promise<void> {
		stubbed.answers.push(...(answer === undefined ? [] : [answer]));
		tooLargeNotice(quietProblems)(uri, error);
		await new Promise((resolve) => setImmediate(resolve));
	}

	test('names the file and the limit', async () => {
		await offer(undefined);
		assert.match(stubbed.shown.join(), /^film⟨U\+202E⟩\.bin is larger than 21 MB and was not loaded/);
		assert.deepEqual(stubbed.executed, []);
	});

	for (const [answer, command] of [
		['Save to Disk…', 'forge.repositories.download'],
		['Open on the Web', 'forge.openOnWeb'],
	] as const) {
		test(`${answer} runs its command with the same file`, async () => {
			await offer(answer);
			assert.deepEqual([stubbed.executed, stubbed.passed], [[command], [uri]]);
		});
	}
});
