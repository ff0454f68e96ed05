import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { type Place, placeOfUri, uriOfPlace } from '../../src/features/repositories/subjects/place.ts';
import { repositoryFiles } from '../../src/features/repositories/files/repositoryFiles.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import {
	fakeStore,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../support/fakeRepositories.ts';
import { quietProblems } from '../support/fakeTicketsParts.ts';
import { isSafeName } from '../../src/store/repositories/repositoryEntries.ts';
import { counts, seed } from '../support/counts.ts';
import { connectionKey, hostDialect } from './sampleHost.ts';
import { fake as partial } from '../support/fake.ts';
import type { RepositoriesContext } from '../../src/features/repositories/parts/repositoriesContext.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function uri(path: string, { ref = lantern, revision = 'master' } = {}): vscode.Uri {
	return uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision, path } });
}

async function textOf(at: vscode.Uri): Promise<string> {
	return utf8.decode(await vscode.workspace.fs.readFile(at));
}

/** Rejections of the editor's own promises, like Node's. */
async function fails(work: Thenable<unknown>, expected?: (error: unknown) => boolean, message?: string): Promise<void> {
	await assert.rejects(
		async () => {
			await work;
		},
		expected ?? (() => true),
		message,
	);
}

function isError(code: string): (error: unknown) => boolean {
	return (error) => error instanceof vscode.FileSystemError && error.code === code;
}

suite(`${hostDialect()}: remote file system`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
	});

	test('lists a folder with the kinds of its entries', async () => {
		const entries = await vscode.workspace.fs.readDirectory(uri(''));
		const kinds = new Map(entries);
		assert.equal(kinds.get('README.md'), vscode.FileType.File);
		assert.equal(kinds.get('src'), vscode.FileType.Directory);
		assert.equal(kinds.get('README'), vscode.FileType.File | vscode.FileType.SymbolicLink);
	});

	test('a file is read-only, with its correct size and a constant time', async () => {
		const at = uri('README.md');
		const [first, bytes, second] = [
			await vscode.workspace.fs.stat(at),
			await vscode.workspace.fs.readFile(at),
			await vscode.workspace.fs.stat(at),
		];
		assert.equal(first.size, bytes.byteLength);
		assert.deepEqual([second.mtime, second.size], [first.mtime, first.size]);
		assert.equal(first.permissions, vscode.FilePermission.Readonly);
		assert.equal(vscode.workspace.fs.isWritableFileSystem('forge'), false);
		await fails(vscode.workspace.fs.writeFile(at, new Uint8Array([1])));
		await fails(vscode.workspace.fs.delete(at));
	});

	test('reads unchanged bytes: binary, other charsets, line ends', async () => {
		const picture = await vscode.workspace.fs.readFile(uri('share/icons/lantern.png'));
		assert.deepEqual([...picture.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
		assert.equal((await vscode.workspace.fs.stat(uri('share/icons/lantern.png'))).size, picture.byteLength);
	});

	test('reads a link as the text of its target', async () => {
		assert.equal(await textOf(uri('README')), 'README.md');
		await fails(vscode.workspace.fs.readDirectory(uri('README')));
	});

	test('reads a submodule as its commit, with nothing below', async () => {
		assert.match(await textOf(uri('lib/wick')), /^Subproject commit [0-9a-f]{40}\n$/);
		await fails(vscode.workspace.fs.readDirectory(uri('lib/wick')), isError('FileNotADirectory'));
		await fails(vscode.workspace.fs.stat(uri('lib/wick/README.md')), isError('FileNotFound'));
	});

	test('a revision with slashes is one segment of the path', async () => {
		const at = uri('VERSION', { revision: 'feature/editorconfig/globs' });
		assert.match(at.path, /^\/~alice\/lantern@feature∕editorconfig∕globs\/VERSION$/);
		assert.ok((await textOf(at)).length > 0);
		assert.equal(await textOf(vscode.Uri.parse(at.toString())), await textOf(at));
	});

	test('opens own private and others’ unlisted repositories, and reports others’ private ones as forbidden', async () => {
		for (const ref of [
			{ owner: '~alice', name: 'diary' },
			{ owner: '~bob', name: 'dotfiles' },
		]) {
			const entries = await vscode.workspace.fs.readDirectory(uri('', { ref, revision: 'HEAD' }));
			assert.ok(entries.length > 0 && entries.every(([name]) => name !== 'Why is this empty?.md'), ref.name);
		}
		const sketches = uri('', { ref: { owner: '~bob', name: 'sketches' }, revision: 'master' });
		assert.deepEqual(await vscode.workspace.fs.readDirectory(sketches), [
			['Why is this empty?.md', vscode.FileType.File],
		]);
		assert.match(await textOf(vscode.Uri.joinPath(sketches, 'Why is this empty?.md')), /~bob\/sketches at master/);
		await fails(vscode.workspace.fs.readFile(vscode.Uri.joinPath(sketches, 'README.md')), isError('NoPermissions'));
	});

	test('an empty repository has a root with a file that explains this', async () => {
		const scratch = uri('', { ref: { owner: '~alice', name: 'scratch' }, revision: 'HEAD' });
		const [[name] = ['']] = await vscode.workspace.fs.readDirectory(scratch);
		assert.match(await textOf(vscode.Uri.joinPath(scratch, name)), /This repository is empty/);
	});

	test('a file opens as a document in its language', async () => {
		const document = await vscode.workspace.openTextDocument(uri('README.md'));
		assert.equal(document.languageId, 'markdown');
		assert.match(document.getText(), /^# Lantern/);
	});

	test('reports missing files and invalid paths as not found', async () => {
		for (const path of ['nothing', 'src/nothing', 'README.md/x']) {
			await fails(vscode.workspace.fs.stat(uri(path)), isError('FileNotFound'), path);
		}
		await fails(vscode.workspace.fs.stat(uri('x', { revision: 'no-such-branch' })), isError('FileNotFound'));
		for (const path of ['/', '/~alice', '/~alice/lantern', '/~alice/lantern@master/.git/config']) {
			const at = vscode.Uri.from({ scheme: 'forge', authority: connectionKey, path });
			await fails(vscode.workspace.fs.stat(at), isError('FileNotFound'), path);
		}
	});

	test('reports a missing account in a sentence', async () => {
		const at = vscode.Uri.from({
			scheme: 'forge',
			authority: 'nobody.nowhere',
			path: '/~alice/lantern@master/VERSION',
		});
		await fails(
			vscode.workspace.fs.readFile(at),
			(error) => isError('Unavailable')(error) && /not signed in/.test(String(error)),
		);
	});

	test('a commit is a document that trusts no signature', async () => {
		// The sample world is the same at every start.
		const id = '5f2ca107148b9ca974436d34eee36b35d6f88898';
		const document = await vscode.workspace.openTextDocument(
			uriOfPlace({ kind: 'commit', connectionKey, ref: lantern, id }),
		);
		const text = document.getText();
		assert.ok(text.includes(id) && text.includes('signed, not verified'));
		const { size } = await vscode.workspace.fs.stat(document.uri);
		assert.equal(size, new TextEncoder().encode(text).byteLength);
	});

	test('addresses survive formatting and parsing by the editor', () => {
		const hostile = fc.oneof(
			fc.constantFrom('..', '%2F', '%', '//', '\\', '?', '#', 'a b', '\u202E', 'e\u0301', 'C:', ':', '+', '&', '\n'),
			fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
			fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((text) => text.isWellFormed()),
		);
		const step = hostile.filter(isSafeName);
		fc.assert(
			fc.property(hostile, hostile, fc.array(step, { maxLength: 5 }), (name, revision, steps) => {
				const place: Place = {
					kind: 'entry',
					connectionKey,
					ref: { owner: '~alice', name },
					at: { ref: revision, path: steps.join('/') },
				};
				const at = uriOfPlace(place);
				assert.deepEqual(placeOfUri(at), place);
				assert.deepEqual(placeOfUri(vscode.Uri.parse(at.toString(), true)), place);
				assert.deepEqual(placeOfUri(vscode.Uri.joinPath(at, 'x')), {
					...place,
					at: { ref: revision, path: [...steps, 'x'].join('/') },
				});
			}),
			{ numRuns: counts({ small: 1000, full: 50_000 }), seed: seed() },
		);
	});
});

interface Served {
	readonly files: ReturnType<typeof repositoryFiles>;
	readonly fake: FakeRepositories;
	readonly store: RepositoryStore;
	readonly connections: ReturnType<typeof repositoryConnections>;
	/** Shown problems. */
	readonly shown: readonly unknown[];
}

/** The same code over repositories in memory, without the editor. */
function served(connect: 'at once' | 'when ready' = 'at once', whom: 'alice' | 'nobody' = 'alice'): Served {
	const fake = quillWorld();
	const store = fakeStore(fake);
	const connection = repositoryConnection(store);
	const connections = repositoryConnections(...(connect === 'at once' ? [connection] : []));
	const shown: unknown[] = [];
	const files = repositoryFiles(
		partial<RepositoriesContext>({
			connections,
			ready: async () => {
				await Promise.resolve();
				if (whom === 'alice') {
					connections.replace(connection);
				}
			},
			problems: quietProblems,
			tooLarge: (_, error) => void shown.push(error),
		}),
	);
	return { files, fake, store, connections, shown };
}

const readme = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path: 'README.md' } });

suite('remote file system over a forge in memory', () => {
	test('waits for the account of a restored document', async () => {
		const { files } = served('when ready');
		assert.equal(utf8.decode(await files.readFile(readme)), '# Quill\n');
	});

	test('opens names that confuse other software by their entry in the folder', async () => {
		const { files, fake } = served();
		const odd = {
			'-starts-with-a-dash': 'dash',
			'--help': 'help',
			' starts and ends with a space ': 'spaces',
			'ends with a dot.': 'dot',
			CON: 'device',
			'percent%20encoded%2Fslash.txt': 'percent',
			'e\u0301 decomposed.txt': 'nfd',
			'\u00e9 composed.txt': 'nfc',
			'question?hash#.txt': 'query',
			'back\\slash': 'backslash',
		};
		fake.world.commit(quill, 'main', fake.world.grow(odd));
		const read = new Map<string, string>();
		for (const [name] of await files.readDirectory(root)) {
			const at = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path: name } });
			read.set(name, utf8.decode(await files.readFile(vscode.Uri.parse(at.toString()))));
		}
		const { 'back\\slash': _, ...openable } = odd;
		assert.deepEqual(Object.fromEntries(read), openable, 'a name with a backslash cannot be opened');
	});

	test('reads a file once for stat and read', async () => {
		const { files, fake } = served();
		await files.stat(readme);
		await files.readFile(readme);
		await files.stat(readme);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('blobById')).length, 1);
	});

	test('a push fires events for known files, and changes the time of changed ones', async () => {
		const { files, fake, store } = served();
		const told: string[] = [];
		files.onDidChangeFile((changes) => told.push(...changes.map(({ uri: at }) => at.toString())));
		const before = await files.stat(readme);
		fake.world.commit(quill, 'main', fake.world.grow({ 'README.md': '# Other\n' }));
		store.apply({ kind: 'referencesMoved', ref: { owner: '~bob', name: 'quill' } });
		assert.deepEqual(told, []);
		store.apply({ kind: 'referencesMoved', ref: quill });
		assert.deepEqual(told, [readme.toString()]);
		const after = await files.stat(readme);
		assert.equal(after.size, before.size);
		assert.notEqual(after.mtime, before.mtime);
		assert.equal(utf8.decode(await files.readFile(readme)), '# Other\n');
	});

	test('maps problems of the forge to the editor’s own errors', async () => {
		const problems: readonly (readonly [Problem, string])[] = [
			[{ kind: 'notFound' }, 'FileNotFound'],
			[{ kind: 'notAllowed' }, 'NoPermissions'],
			[{ kind: 'tokenRejected', area: 'git' }, 'NoPermissions'],
			[{ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }, 'Unavailable'],
			[{ kind: 'serverError', status: 502 }, 'Unavailable'],
		];
		for (const [problem, code] of problems) {
			const { files, fake } = served();
			fake.world.before = () => {
				throw new ForgeError(problem);
			};
			await fails(Promise.resolve(files.readFile(readme)), isError(code), problem.kind);
		}
	});

	const note = 'Why is this empty?.md';
	const root = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path: '' } });

	/** Change events from now on. */
	function hear(files: ReturnType<typeof repositoryFiles>): readonly string[] {
		const told: string[] = [];
		files.onDidChangeFile((changes) =>
			told.push(...changes.map(({ type, uri: at }) => `${vscode.FileChangeType[type]} ${at.toString()}`)),
		);
		return told;
	}

	/** The only file of a root without content. */
	async function noteIn(files: ReturnType<typeof repositoryFiles>, at: vscode.Uri): Promise<string> {
		assert.equal((await files.stat(at)).type, vscode.FileType.Directory);
		const entries = await files.readDirectory(at);
		const name = entries[0]?.[0] ?? '';
		assert.equal(entries.length, 1);
		const note = vscode.Uri.joinPath(at, name);
		const bytes = await files.readFile(note);
		assert.equal((await files.stat(note)).size, bytes.byteLength);
		return utf8.decode(bytes);
	}

	test('without an account, the root explains this, and fills when the account arrives', async () => {
		const { connections, files } = served('when ready', 'nobody');
		assert.match(await noteIn(files, root), /not signed in to the account .*alice\.sample/);
		await fails(Promise.resolve(files.stat(readme)), isError('Unavailable'));
		const told = hear(files);
		connections.replace(repositoryConnection(fakeStore(quillWorld())));
		// The Explorer lists a folder again only when a file that it shows disappears.
		assert.ok(told.includes(`Deleted ${vscode.Uri.joinPath(root, note).toString()}`), told.join());
		assert.ok((await files.readDirectory(root)).some(([name]) => name === 'README.md'));
	});

	test('signing out also removes the names of files', async () => {
		const { connections, files } = served('at once', 'nobody');
		await files.readDirectory(root);
		await files.stat(readme);
		const told = hear(files);
		connections.replace();
		assert.deepEqual(told.toSorted(), [
			`Changed ${root.toString()}`,
			`Changed ${readme.toString()}`,
			`Created ${vscode.Uri.joinPath(root, note).toString()}`,
		]);
		assert.match(await noteIn(files, root), /not signed in/);
	});

	test('without the forge, the root explains this, and fills on a retry', async () => {
		const { files, fake } = served();
		fake.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
		};
		assert.match(await noteIn(files, root), /tries again when you return/);
		fake.world.before = () => undefined;
		const told = hear(files);
		files.tryRootsAgain();
		assert.deepEqual(told, [`Changed ${root.toString()}`, `Deleted ${vscode.Uri.joinPath(root, note).toString()}`]);
		const names = (await files.readDirectory(root)).map(([name]) => name);
		assert.ok(names.includes('README.md') && names.length > 1);
		await fails(
			Promise.resolve(files.stat(vscode.Uri.joinPath(root, 'Why is this empty?.md'))),
			isError('FileNotFound'),
		);
	});

	test('the root of a deleted branch or an empty repository explains this', async () => {
		const { files, fake } = served();
		const gone = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'gone', path: '' } });
		fake.world.before = (call) => {
			if (call.includes('gone')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		assert.match(await noteIn(files, gone), /This repository, branch or tag doesn't exist/);
		fake.world.logs.set('~alice/quill empty', []);
		const empty = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'empty', path: '' } });
		const note = await noteIn(files, empty);
		assert.match(note, /This repository is empty/);
		const manifest = JSON.stringify(vscode.extensions.getExtension('forge-desk.forge-desk')?.packageJSON);
		const [, button = ''] = /choose "([^"]+)" in the Repositories view/.exec(note) ?? [];
		assert.ok(manifest.includes(`{"command":"forge.view.refresh","category":"Forge","title":"${button}"`), note);
	});

	test('listing reads no file, and a file’s time is the commit’s, to the second', async () => {
		const { files, fake, store } = served();
		await files.readDirectory(root);
		await files.stat(root);
		assert.ok(!fake.world.calls.some((call) => call.startsWith('blob')));
		const standing = await store.folders.standing(quill, 'main', new AbortController().signal);
		const { mtime } = await files.stat(readme);
		assert.equal(Math.floor(mtime / 1000), Math.floor((standing?.commit.timestampMs ?? 0) / 1000));
	});

	test('reports a large file once, then only rejects it', async () => {
		const { files, fake, shown } = served();
		fake.world.before = (call) => {
			if (call.startsWith('blobById')) {
				throw new ForgeError({ kind: 'tooLarge', limitBytes: 20 });
			}
		};
		await fails(Promise.resolve(files.stat(readme)), isError('Unavailable'));
		await fails(Promise.resolve(files.readFile(readme)), isError('Unavailable'));
		assert.equal(shown.length, 1);
	});

	test('does not list invalid names', async () => {
		const { files, fake } = served();
		const root = fake.world.trees.get(fake.world.roots.get('~alice/quill main') ?? '');
		assert.ok(root?.entries[0]);
		const [first] = root.entries;
		fake.world.trees.set(root.id, {
			...root,
			entries: ['b', '..', 'a/b', 'a', 'b', '.git'].map((name) => ({ ...first, name })),
		});
		const at = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path: '' } });
		assert.deepEqual(await files.readDirectory(at), [
			['b', vscode.FileType.File],
			['a', vscode.FileType.File],
		]);
	});
});
