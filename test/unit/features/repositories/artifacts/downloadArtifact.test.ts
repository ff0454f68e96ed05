import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Download, DownloadOutcome, Downloads } from '../../../../../src/store/repositories/downloads.ts';
import type { Artifact } from 'sourcehut/port/repository.ts';
import { idOf, quill, quillWorld } from '../../../../support/fakeRepositories.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { downloadArtifact } = await import('../../../../../src/features/repositories/artifacts/downloadArtifact.ts');
const { artifactRows } = await import('../../../../../src/features/repositories/artifacts/artifactRow.ts');

const never = new AbortController().signal;
const text = 'a release';
const sum = createHash('sha256').update(text).digest('hex');
const saved: DownloadOutcome = { kind: 'saved', sum, bytes: text.length };
const subject = {
	kind: 'artifact',
	connectionKey: 'alice.sample',
	ref: quill,
	tag: 'refs/tags/v1.0',
	filename: '../../etc/$(trash)\u202Efile.tar.gz',
};

function artifact(changes: Partial<Artifact> = {}): Artifact {
	return {
		filename: subject.filename,
		createdMs: undefined,
		sizeBytes: text.length,
		checksum: `sha256:${sum.toUpperCase()}`,
		url: 'https://git.forge.test/~alice/quill/refs/v1.0/file',
		...changes,
	};
}

suite('release file download', () => {
	setup(resetStub);

	/** Runs the download and returns all saves. */
	async function run(told: Artifact, answer: DownloadOutcome = saved): Promise<readonly Download[]> {
		const fake = quillWorld();
		fake.world.references.set('~alice/quill', [{ name: 'refs/tags/v1.0', target: idOf(3), artifacts: [told] }]);
		const { connections } = repositoryDesk(fake, {
			async *artifact() {
				yield new TextEncoder().encode(text);
			},
		});
		const all: Download[] = [];
		const answers = [answer];
		const downloads: Downloads = {
			async save(download) {
				all.push(download);
				return answers.shift() ?? saved;
			},
			remove: async (path) => void stubbed.executed.push(`remove ${path}`),
		};
		await downloadArtifact(partial<RepositoriesContext>({ connections, downloads }), subject, never);
		await new Promise((resolve) => setImmediate(resolve));
		return all;
	}

	test('verifies the file against the promised checksum, and says so', async () => {
		stubbed.answers.push('/tmp/picked', undefined);
		const [download] = await run(artifact());
		assert.equal(download?.path, '/tmp/picked');
		assert.deepEqual(download?.promised, { kind: 'file', sizeBytes: text.length, sha256: sum });
		assert.match(stubbed.shown.join(), /Its checksum is correct/);
		assert.deepEqual(stubbed.asked, ['Save release file']);
	});

	test('reports both values for a wrong checksum or size, and the error of the disk', async () => {
		for (const [outcome, words] of [
			[{ kind: 'otherSum', sum: 'f00' }, new RegExp(`was removed.*should be ${sum} and is f00`)],
			[{ kind: 'otherSize', bytes: 3 }, /wrong size and was removed\. Bytes expected: 9; received: 3\./],
			[{ kind: 'notWritten', code: 'ENOSPC' }, /not enough space/],
			[{ kind: 'notWritten', code: 'EACCES' }, /EACCES/],
		] as const) {
			resetStub();
			stubbed.answers.push('/tmp/picked');
			await run(artifact(), outcome);
			assert.match(stubbed.shown.join(), words);
			assert.doesNotMatch(stubbed.shown.join(), /\u202E/);
		}
	});

	test('asks before it saves an unverifiable file or one from another server', async () => {
		for (const [told, words] of [
			[artifact({ checksum: undefined }), /the file cannot be checked/],
			[artifact({ checksum: 'md5:0123' }), /the file cannot be checked/],
			[artifact({ checksum: `sha256:${sum}0` }), /the file cannot be checked/],
			[artifact({ url: 'https://files.evil.test/file' }), /another server, files\.evil\.test/],
			[artifact({ url: 'https://git.forge.test:8443/file' }), /another server, git\.forge\.test:8443/],
		] as const) {
			resetStub();
			stubbed.answers.push(undefined);
			await assert.rejects(run(told), isAbort);
			resetStub();
			stubbed.answers.push('Download', '/tmp/picked', undefined);
			const [download] = await run(told);
			assert.equal(download?.path, '/tmp/picked');
			assert.match(stubbed.details.join(), words);
			const isUnproven = download?.promised.kind === 'file' && download.promised.sha256 === undefined;
			assert.equal(/without verification/.test(stubbed.shown.at(-1) ?? ''), isUnproven);
		}
	});

	test('replaces a file in the way only with consent', async () => {
		stubbed.answers.push('/tmp/picked', undefined);
		assert.equal((await run(artifact(), { kind: 'inTheWay', path: '/tmp/picked.part' })).length, 1);
		assert.deepEqual(stubbed.executed, []);
		resetStub();
		stubbed.answers.push('/tmp/picked', 'Replace', undefined);
		assert.equal((await run(artifact(), { kind: 'inTheWay', path: '/tmp/picked.part' })).length, 2);
		assert.deepEqual(stubbed.executed, ['remove /tmp/picked.part']);
	});

	test('writes only to a disk', async () => {
		stubbed.answers.push('vscode-vfs://github/file', undefined);
		await assert.rejects(run(artifact()), isAbort);
		assert.match(stubbed.shown.join(), /only be saved to a disk/);
	});

	test('a row shows name and size as text, and leads to the download', () => {
		const { connection } = repositoryDesk(quillWorld());
		const reference = { name: 'refs/tags/v1.0', target: idOf(3), artifacts: [artifact(), artifact()] };
		const parent = { id: 'x', item: { label: 'x' }, parent: undefined, subject: undefined };
		const rows = artifactRows({ connection, ref: quill }, reference, parent);
		assert.deepEqual(
			[rows[0]?.item.label, rows[0]?.item.description],
			['../../etc/$(trash)⟨U+202E⟩file.tar.gz', '9 bytes'],
		);
		assert.equal(new Set(rows.map(({ id }) => id)).size, 2);
		assert.deepEqual(rows[0]?.subject, subject);
		const part = artifactRows({ connection, ref: quill }, { ...reference, hasMoreArtifacts: true }, parent);
		assert.equal(part.at(-1)?.item.label, 'The forge has more release files. Open it on the web to see them.');
		assert.equal(new Set(part.map(({ id }) => id)).size, 3);
		const unread = { name: 'refs/tags/v1.0', target: idOf(3), areArtifactsUnread: true } as const;
		assert.deepEqual(
			artifactRows({ connection, ref: quill }, unread, parent).map(({ item }) => item.label),
			['The release files could not be read. Refresh to try again, or open the tag on the web.'],
		);
	});
});
