import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { repositoryFiles } from '../../src/features/repositories/files/repositoryFiles.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { protocolSuite } from '../support/contractForge.ts';
import { counts } from '../support/counts.ts';
import { repositoryConnection, repositoryConnections } from '../support/fakeRepositories.ts';
import { quietProblems } from '../support/fakeTicketsParts.ts';
import { limitMs } from '../support/pace.ts';
import { storeOf } from '../support/repositoryAccount.ts';
import type { SampleUser } from '../support/sampleForge.ts';
import { cloneInto, contentsOf, entriesOf, type ListedEntry } from '../support/storedObjects.ts';
import { FileType } from '../support/vscodeValues.ts';
import { fake } from '../support/fake.ts';
import type { RepositoriesContext } from '../../src/features/repositories/parts/repositoriesContext.ts';

const ref = { owner: '~alice', name: 'many' };
const files = counts({ small: 1500, full: 56_172 });
/** Bob's reads differ only in how they request contents, so a part of them suffices; both list every folder. */
const bobOpensEvery = counts({ small: 1, full: 7 });
const readersAtATime = 16;

/*
 * The provider runs in plain node against a stub of the editor's API. The editor passes each call on unchanged; two
 * processes would only slow down 56,000 files. test/editor covers the real editor.
 */
protocolSuite('a whole repository through the file system', { files, firstIn: 'graphql' }, ({ dialect, forge }) => {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-whole-'));
	let listed: ReadonlyMap<string, ListedEntry> = new Map();
	let contents: ReadonlyMap<string, Buffer> = new Map();

	suiteSetup(function () {
		this.timeout(limitMs(120_000));
		cloneInto(folder, `${forge().sample.areas.git}/~alice/many`);
		listed = entriesOf(folder, 'refs/heads/master');
		const blobs = [...listed.values()].filter(({ type }) => type === 'blob');
		contents = contentsOf(
			folder,
			blobs.map(({ id }) => id),
		);
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	// Files of other users are read by id where the server supports it; one trial request finds out.
	for (const [user, every, trials] of [
		['alice', 1, 0],
		['bob', bobOpensEvery, dialect === 'field' ? 1 : 0],
	] as const) {
		test(`every file that ${user} opens matches git cat-file and costs one read`, async function () {
			this.timeout(limitMs(20 * 60_000));
			const { sample } = forge();
			await sample.forgetRequests();
			const account = await openAccount(storeOf(forge(), user), user);
			const met = new Map<string, vscode.FileType>();
			const opened = new Set<string>();
			try {
				await everyEntry(account, async (path, type) => {
					met.set(path, type);
					const entry = listed.get(path);
					assert.ok(entry, path);
					if (isFolder(type) || met.size % every !== 0) {
						return;
					}
					opened.add(entry.id);
					const at = account.uri(path);
					const [{ size }, bytes] = await Promise.all([account.files.stat(at), account.files.readFile(at)]);
					assert.equal(size, bytes.byteLength, path);
					assert.ok(expected(entry).equals(bytes), path);
				});
			} finally {
				account.dispose();
			}
			assert.equal(met.size, listed.size);
			assert.ok([...listed.values()].filter(({ type }) => type !== 'tree').length === files);
			for (const [path, entry] of listed) {
				assert.equal(met.get(path), typeOf(entry), path);
			}
			const trees = new Set([...listed.values()].filter(({ type }) => type === 'tree').map(({ id }) => id));
			const asked = await sample.requestCount();
			// Over GraphQL, binary or truncated files cost a second request, and folders of several pages cost git
			// two.
			const read = [...contents].flatMap(([id, bytes]) => (opened.has(id) ? [bytes] : []));
			const cut = read.filter((bytes) => bytes.length > 131_072 || !isUtf8(bytes)).length;
			assert.ok(read.length >= Math.floor(contents.size / (2 * every)), `${read.length} contents were read`);
			// The commit, its root, each folder and each blob.
			const most = 2 + trees.size + read.length + trials;
			const folders = Map.groupBy(listed.keys(), (path) => path.slice(0, path.lastIndexOf('/') + 1));
			const long = [...folders.values()].filter((names) => names.length > 25).length;
			const more = cut + 2 * long;
			assert.ok(dialect === 'graphql' ? asked <= most + more : asked === most, `${asked} for ${most} and ${more}`);
		});
	}

	test('a walk visits every entry with its mode and id', async function () {
		this.timeout(limitMs(120_000));
		const store = storeOf(forge(), 'bob');
		const met = new Map<string, string>();
		try {
			const signal = new AbortController().signal;
			for await (const step of store.folders.walk(ref, { ref: 'master', path: '' }, signal)) {
				assert.equal(step.kind, 'folder');
				if (step.kind === 'folder') {
					for (const { name, id, mode } of step.entries) {
						met.set(step.path === '' ? name : `${step.path}/${name}`, `${id} ${mode}`);
					}
				}
			}
		} finally {
			store.dispose();
		}
		assert.deepEqual(met, new Map([...listed].map(([path, { id, mode }]) => [path, `${id} ${mode}`])));
	});

	test('the sample forge reports no crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});

	function expected({ type, id }: ListedEntry): Buffer {
		const content = type === 'commit' ? Buffer.from(`Subproject commit ${id}\n`) : contents.get(id);
		assert.ok(content);
		return content;
	}
});

function typeOf({ type, mode }: ListedEntry): number {
	return type === 'tree'
		? FileType.Directory
		: mode === 0o120000
			? FileType.File | FileType.SymbolicLink
			: FileType.File;
}

function isFolder(type: number): boolean {
	return type === FileType.Directory;
}

interface Account {
	readonly files: ReturnType<typeof repositoryFiles>;
	readonly uri: (path: string) => vscode.Uri;
	dispose(): void;
}

async function openAccount(store: RepositoryStore, user: SampleUser): Promise<Account> {
	const { repositoryFiles } = await import('../../src/features/repositories/files/repositoryFiles.ts');
	const { uriOfPlace } = await import('../../src/features/repositories/subjects/place.ts');
	const connection = repositoryConnection(store, `~${user}`);
	const provider = repositoryFiles(
		fake<RepositoriesContext>({
			connections: repositoryConnections(connection),
			ready: () => Promise.resolve(),
			problems: quietProblems,
			tooLarge: () => assert.fail('No file is too large'),
		}),
	);
	return {
		files: provider,
		uri: (path) => uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at: { ref: 'master', path } }),
		dispose() {
			provider.dispose();
			store.dispose();
		},
	};
}

/** Descends like the explorer, with several readers in parallel. */
async function everyEntry(
	{ files: provider, uri }: Account,
	visit: (path: string, type: vscode.FileType) => Promise<void>,
): Promise<void> {
	const folders = [''];
	const waiting: (readonly [string, vscode.FileType])[] = [];
	const reader = async (): Promise<void> => {
		for (;;) {
			const next = waiting.pop();
			const folder = next ? undefined : folders.pop();
			if (next) {
				await visit(...next);
			} else if (folder === undefined) {
				return;
			} else {
				for (const [name, type] of await provider.readDirectory(uri(folder))) {
					const path = folder === '' ? name : `${folder}/${name}`;
					waiting.push([path, type]);
					if (isFolder(type)) {
						folders.push(path);
					}
				}
			}
		}
	};
	// The first reader fills the queues. Readers that find them empty end, so later items need another round.
	while (folders.length + waiting.length > 0) {
		await Promise.all(Array.from({ length: readersAtATime }, reader));
	}
}
