import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { partFiles, partRecords } from '../../../../src/machine/storage/partFiles.ts';
import type { Download, DownloadOutcome, Promised } from '../../../../src/store/repositories/downloads.ts';

const text = 'a release of something';
const sum = createHash('sha256').update(text).digest('hex');
const saved: DownloadOutcome = { kind: 'saved', sum, bytes: text.length };

function promise(changes: Partial<Promised & { readonly kind: 'file' }> = {}): Promised {
	return { kind: 'file', sizeBytes: text.length, sha256: sum, ...changes };
}

function blobId(content: string | Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
	const bytes = Buffer.from(content);
	return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

suite('downloads to disk', () => {
	let folder: string;
	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'forge-desk-downloads-'));
	});
	teardown(() => rm(folder, { recursive: true }));

	async function* piecesOf(whole: string, then: () => void = () => undefined): AsyncGenerator<Uint8Array> {
		for (let from = 0; from < whole.length; from += 5) {
			yield new TextEncoder().encode(whole.slice(from, from + 5));
		}
		then();
	}

	function save(
		changes: Partial<Download> = {},
		signal: AbortSignal = new AbortController().signal,
	): Promise<DownloadOutcome> {
		return partFiles().save(
			{
				path: join(folder, 'file'),
				chunks: piecesOf(text),
				promised: promise(),
				progressed: () => undefined,
				...changes,
			},
			signal,
		);
	}

	test('appear under their name after verification, without leftovers', async () => {
		await writeFile(join(folder, 'file'), 'older');
		const seen: string[][] = [];
		const told: number[] = [];
		const chunks = piecesOf(text);
		async function* watched(): AsyncGenerator<Uint8Array> {
			for await (const chunk of chunks) {
				seen.push((await readdir(folder)).toSorted());
				yield chunk;
			}
			assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'older');
		}
		const outcome = await save({ chunks: watched(), progressed: (bytes) => void told.push(bytes) });
		assert.deepEqual(outcome, saved);
		assert.deepEqual(seen.at(-1), ['file', 'file.part']);
		assert.deepEqual(await readdir(folder), ['file']);
		assert.equal(await readFile(join(folder, 'file'), 'utf8'), text);
		assert.equal(told.at(-1), text.length);
	});

	test('leave nothing and keep the older file on a wrong hash or size', async () => {
		await writeFile(join(folder, 'file'), 'older');
		assert.deepEqual(await save({ promised: promise({ sha256: '0'.repeat(64) }) }), { kind: 'otherSum', sum });
		assert.deepEqual(await save({ promised: promise({ sizeBytes: text.length + 1 }) }), {
			kind: 'otherSize',
			bytes: text.length,
		});
		let taken = 0;
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (;;) {
				taken += 1;
				yield new Uint8Array(10);
			}
		}
		assert.deepEqual(await save({ chunks: endless() }), { kind: 'otherSize', bytes: 30 });
		assert.equal(taken, 3);
		assert.deepEqual(await readdir(folder), ['file']);
		assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'older');
	});

	test('report their own hash if the forge gave none', async () => {
		assert.deepEqual(await save({ promised: promise({ sha256: undefined }) }), saved);
	});

	test('verify a repository file by its id', async () => {
		const large = Buffer.alloc(3 * 1024 * 1024 + 7, 'forge');
		async function* pieces(): AsyncGenerator<Uint8Array> {
			for (let from = 0; from < large.length; from += 70_000) {
				yield large.subarray(from, from + 70_000);
			}
		}
		const bytes = large.length;
		for (const [content, chunks] of [
			[text, () => piecesOf(text)],
			['', () => piecesOf('')],
			[large, pieces],
		] as const) {
			for (const id of [blobId(content), blobId(content, 'sha256')]) {
				const outcome = await save({ chunks: chunks(), promised: { kind: 'blob', id, mostBytes: bytes } });
				assert.deepEqual(outcome, { kind: 'saved', sum: id, bytes: content.length });
				assert.deepEqual(await readFile(join(folder, 'file')), Buffer.from(content));
			}
		}
		assert.deepEqual(await readdir(folder), ['file']);
	});

	test('of a repository file leave nothing when the id is wrong or the file never ends', async () => {
		await writeFile(join(folder, 'file'), 'older');
		const other = await save({ promised: { kind: 'blob', id: blobId('another'), mostBytes: 100 } });
		assert.deepEqual(other, { kind: 'otherSum', sum: blobId(text) });
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (;;) {
				yield new Uint8Array(1000);
			}
		}
		const long = await save({ chunks: endless(), promised: { kind: 'blob', id: blobId(text), mostBytes: 4500 } });
		assert.deepEqual(long, { kind: 'otherSize', bytes: 5000 });
		assert.deepEqual(await readdir(folder), ['file']);
		assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'older');
	});

	test('skip verification for an abbreviated id', async () => {
		const outcome = await save({ promised: { kind: 'blob', id: 'abcdef0', mostBytes: 100 } });
		assert.equal(outcome.kind, 'saved');
	});

	test('leave nothing when the user cancels during verification', async () => {
		const giving = new AbortController();
		const chunks = piecesOf(text, () => giving.abort());
		const promised: Promised = { kind: 'blob', id: blobId(text), mostBytes: 100 };
		await assert.rejects(save({ chunks, promised }, giving.signal), isAbort);
		assert.deepEqual(await readdir(folder), []);
	});

	test('leave nothing when the user cancels or the source fails', async () => {
		const giving = new AbortController();
		async function* leaving(): AsyncGenerator<Uint8Array> {
			yield new Uint8Array(3);
			giving.abort();
			yield new Uint8Array(3);
		}
		await assert.rejects(save({ chunks: leaving() }, giving.signal), isAbort);
		const breaking = piecesOf(text, () => {
			throw new Error('broken');
		});
		await assert.rejects(save({ chunks: breaking }), /broken/);
		assert.deepEqual(await readdir(folder), []);
	});

	test('never write through an existing file or link', async () => {
		await writeFile(join(folder, 'precious'), 'precious');
		await symlink(join(folder, 'precious'), join(folder, 'file.part'));
		assert.deepEqual(await save(), { kind: 'inTheWay', path: join(folder, 'file.part') });
		assert.equal(await readFile(join(folder, 'precious'), 'utf8'), 'precious');
		assert.deepEqual((await readdir(folder)).toSorted(), ['file.part', 'precious']);
	});

	test('report the disk’s error code', async () => {
		assert.deepEqual(await save({ path: join(folder, 'no', 'such') }), { kind: 'notWritten', code: 'ENOENT' });
	});

	test('neither rename nor delete a file that replaced the part file', async () => {
		async function* replaced(): AsyncGenerator<Uint8Array> {
			yield* piecesOf(text);
			await rm(join(folder, 'file.part'));
			await writeFile(join(folder, 'file.part'), 'half');
		}
		assert.deepEqual(await save({ chunks: replaced() }), { kind: 'inTheWay', path: join(folder, 'file.part') });
		assert.deepEqual(await readdir(folder), ['file.part']);
		assert.equal(await readFile(join(folder, 'file.part'), 'utf8'), 'half');
	});

	suite('of a killed window', () => {
		/** Downloads in a separate process and kills it midway. */
		async function crashed(): Promise<number> {
			const program = `
				import { once } from 'node:events';
				import { partFiles } from ${JSON.stringify(import.meta.resolve('../../../../src/machine/storage/partFiles.ts'))};
				import { partRecords } from ${JSON.stringify(import.meta.resolve('../../../../src/machine/storage/partFiles.ts'))};
				async function* chunks() {
					yield new Uint8Array(10);
					console.log('writing');
					await once(process.stdin.resume(), 'end');
				}
				await partFiles(partRecords(${JSON.stringify(join(folder, 'records'))})).save({
					path: ${JSON.stringify(join(folder, 'file'))},
					chunks: chunks(),
					promised: { kind: 'blob', id: '', mostBytes: 100 },
					progressed: () => undefined,
				}, new AbortController().signal);`;
			const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
				stdio: ['pipe', 'pipe', 'inherit'],
			});
			await once(child.stdout, 'data');
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			assert.deepEqual(await ended, [null, 'SIGKILL']);
			return child.pid ?? 0;
		}

		const left = (): Promise<readonly string[]> => readdir(folder).then((names) => names.toSorted());
		const windows = (): ReturnType<typeof partFiles> => partFiles(partRecords(join(folder, 'records')));

		test('are deleted by the next window', async () => {
			await crashed();
			assert.deepEqual(await left(), ['file.part', 'records']);
			await windows().clearLeftovers();
			assert.deepEqual([await left(), await readdir(join(folder, 'records'))], [['records'], []]);
		});

		test('are not deleted if another file has taken the name', async () => {
			await crashed();
			const theirs = join(folder, 'theirs');
			await writeFile(theirs, 'mine');
			await rename(theirs, join(folder, 'file.part'));
			await windows().clearLeftovers();
			assert.equal(await readFile(join(folder, 'file.part'), 'utf8'), 'mine');
			assert.deepEqual(await readdir(join(folder, 'records')), []);
		});

		test('are kept while another window writes them, and kept if another machine recorded them', async () => {
			async function* cleared(): AsyncGenerator<Uint8Array> {
				await windows().clearLeftovers();
				yield* piecesOf(text);
			}
			const download = { path: join(folder, 'file'), promised: promise(), progressed: () => undefined };
			assert.deepEqual(await windows().save({ ...download, chunks: cleared() }, new AbortController().signal), saved);
			assert.deepEqual(await readdir(join(folder, 'records')), []);
			await crashed();
			const [name = ''] = await readdir(join(folder, 'records'));
			const record = join(folder, 'records', name);
			await writeFile(record, (await readFile(record, 'utf8')).replace(JSON.stringify(hostname()), '"elsewhere"'));
			await windows().clearLeftovers();
			assert.deepEqual(await left(), ['file', 'file.part', 'records']);
		});

		test('are kept when their record is damaged, and only the record is deleted', async () => {
			const pid = await crashed();
			const [name = ''] = await readdir(join(folder, 'records'));
			const record = join(folder, 'records', name);
			for (const text of ['{"host', '[]', `{"path":${JSON.stringify(join(folder, 'file.part'))},"inode":"1"}`]) {
				await writeFile(record, text);
				await windows().clearLeftovers();
				assert.deepEqual(await readdir(join(folder, 'records')), [], `${pid} ${text}`);
			}
			await writeFile(join(folder, 'records', 'other.txt'), '');
			await windows().clearLeftovers();
			assert.deepEqual(await readdir(join(folder, 'records')), ['other.txt']);
			assert.deepEqual(await left(), ['file.part', 'records']);
		});
	});
});
