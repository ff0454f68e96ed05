import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import * as v from 'valibot';
import type { Uri } from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { CloneToSearch } from '../../../../../src/features/repositories/parts/openClones.ts';
import type { SearchView } from '../../../../../src/features/repositories/find/searchView.ts';
import type { RepositorySources } from '../../../../../src/store/repositories/repositorySources.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { PathIndexes } from '../../../../../src/store/repositories/find/pathIndexes.ts';
import { eagerClock } from '../../../../support/eagerClock.ts';
import { searchHere, unresting, wholeQuill } from '../../../../support/fakeFind.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	objectsInMemory,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
	type Folder,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';
import type {
	FileSearch,
	RepositoriesContext,
} from '../../../../../src/features/repositories/parts/repositoriesContext.ts';
import { fake as partial } from '../../../../support/fake.ts';

const { searchCommands } = await import('../../../../../src/features/repositories/find/searchCommands.ts');
const { searchView } = await import('../../../../../src/features/repositories/find/searchView.ts');
const { lineLabel } = await import('../../../../../src/features/repositories/find/searchView.ts');

const never = new AbortController().signal;

interface Desk {
	readonly fake: FakeRepositories;
	readonly results: SearchView;
	readonly connections: ReturnType<typeof repositoryConnections>;
	readonly run: (command: CommandId) => Promise<void>;
}

interface SearchChanges extends Partial<RepositoriesContext> {
	readonly placeOf?: (subject: unknown, signal: AbortSignal) => Promise<FileSearch>;
}

function desk(
	fake: FakeRepositories = quillWorld(),
	{ placeOf, ...changes }: SearchChanges = {},
	kept: Partial<RepositorySources> = {},
): Desk {
	const connection = repositoryConnection(fakeStore(fake, kept));
	const connections = repositoryConnections(connection);
	const clock = eagerClock();
	const results = searchView(partial<RepositoriesContext>({ connections, problems: quietProblems, clock }));
	const table = searchCommands(
		partial<RepositoriesContext>({
			problems: quietProblems,
			clock,
			searcher: searchHere,
			cloneOf: () => Promise.resolve(undefined),
			...changes,
		}),
		new PathIndexes(connections, unresting),
		results,
		placeOf ?? (() => Promise.resolve(wholeQuill(connection))),
	);
	return { fake, results, connections, run: async (command) => table[command]?.(undefined, never, []) };
}

/** A world with these files. */
function worldOf(folder: Folder): FakeRepositories {
	const fake = fakeRepositories();
	fake.world.roots.set('~alice/quill main', fake.world.grow(folder));
	fake.world.logs.set('~alice/quill main', [makeCommit(1)]);
	return fake;
}

/** The box for the text. */
async function box(): Promise<StubbedBox> {
	for (let turn = 0; turn < 1000 && stubbed.lines.length === 0; turn += 1) {
		await new Promise(setImmediate);
	}
	const found = stubbed.lines.shift();
	assert.ok(found);
	return found;
}

async function search({ run }: Desk, text: string): Promise<void> {
	const running = run('forge.repositories.search');
	const asked = await box();
	asked.type(text);
	asked.accept();
	await running;
}

function labelOf({ item }: TreeNode): string {
	const { label } = item;
	return typeof label === 'string' ? label : (label?.label ?? '');
}

async function shown({ results }: Desk): Promise<readonly (readonly [row: string, ...below: readonly string[]])[]> {
	const rows = await results.tree.roots(never);
	return Promise.all(
		rows.map(async (row) => [
			`${labelOf(row)} ${String(row.item.description ?? '')}`.trim(),
			...((await row.children?.(never)) ?? []).map((line) => `${labelOf(line)} ${String(line.item.description)}`),
		]),
	);
}

suite('repository search', () => {
	setup(resetStub);

	test('shows results by file and line, and the query, counts and place beside the view name', async () => {
		const all = desk(
			worldOf({ 'b.c': 'int main;\n\tint other;\n', src: { 'a.c': 'int' }, 'x.bin': new Uint8Array([0, 1]) }),
		);
		await search(all, 'int');
		assert.deepEqual(await shown(all), [
			['b.c 2', 'int main; 1', 'int other; 2'],
			['a.c 1 · src', 'int 1'],
			['1 binary file skipped.'],
		]);
		assert.equal(all.results.tree.note?.text(), '"int" · 3 lines in 2 files · ~alice/quill · main');
		assert.deepEqual(
			[stubbed.contexts.get('forge.search.active'), stubbed.contexts.get('forge.search.running')],
			[true, false],
		);
		assert.ok(stubbed.executed.includes('forge.search.focus'));
	});

	test('skips entries that the forge leaves out, and says so', async () => {
		const fake = worldOf({ 'a.c': 'int' });
		fake.world.before = (call) => {
			const known = [...fake.world.trees.values()].find(({ id }) => call.endsWith(id));
			if (call.startsWith('treeById') && known) {
				throw new ForgeError({ kind: 'incomplete', known });
			}
		};
		const all = desk(fake);
		await search(all, 'int');
		assert.deepEqual(await shown(all), [['a.c 1', 'int 1']]);
		assert.deepEqual(stubbed.shown, [
			'Not all files are known here, so some are not searched. Clone the repository to search all.',
		]);
	});

	test('shows the query as the user typed it, truncated when it is long', async () => {
		const all = desk(worldOf({ 'a.c': 'iOS\n' }));
		await search(all, 'iOS');
		assert.equal(all.results.tree.note?.text(), '"iOS" · 1 line in 1 file · ~alice/quill · main');
		await search(all, 'x'.repeat(200));
		assert.match(all.results.tree.note?.text() ?? '', /^"x{30}…" · 0 lines in 0 files/);
	});

	test('a line opens the file at its line and column', async () => {
		const all = desk(worldOf({ 'a.c': 'x\n  needle' }));
		await search(all, 'needle');
		const [file] = await all.results.tree.roots(never);
		const [line] = (await file?.children?.(never)) ?? [];
		assert.equal(line?.item.command?.command, 'vscode.open');
		const given: readonly unknown[] = line?.item.command?.arguments ?? [];
		const [uri, options] = given;
		assert.match(String(uri), /^forge:\/\/alice\.sample\/~alice\/quill@main\/a\.c$/);
		assert.deepEqual(JSON.parse(JSON.stringify(options)), {
			selection: { start: { line: 1, character: 2 }, end: { line: 1, character: 8 }, startLine: 1 },
			preserveFocus: true,
			preview: true,
		});
		const at = { ref: 'main', path: 'a.c' };
		const subject = { kind: 'file', connectionKey: 'alice.sample', ref: { owner: '~alice', name: 'quill' }, at };
		assert.deepEqual([file?.subject, line.subject], [subject, { ...subject, lines: { first: 2, last: 2 } }]);
	});

	test('reports when nothing matches, and when no file fits the pattern', async () => {
		const all = desk(worldOf({ 'a.c': 'x' }));
		await search(all, 'needle');
		assert.deepEqual(await shown(all), [['No results in 1 file.']]);
		const running = all.run('forge.search.again');
		const first = await box();
		stubbed.answers.push('*.md');
		first.press('Only Some Files…');
		const second = await box();
		assert.equal(second.value, 'needle');
		assert.equal(second.prompt, 'Only in: *.md');
		second.accept();
		await running;
		assert.match(stubbed.shown.join(), /No files match \*\.md/);
	});

	test('asks before many requests, and reads nothing without consent', async () => {
		const folder = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, `x ${at}`]));
		const all = desk(worldOf(folder));
		await assert.rejects(search(all, 'x'), isAbort);
		assert.match(stubbed.shown.join(), /Search 201 files of ~alice\/quill\?/);
		assert.ok(!all.fake.world.calls.some((call) => call.startsWith('blob')));
		stubbed.answers.push('Search');
		await search(all, 'x');
		assert.equal(all.results.shown()?.search.hits.length, 201);
		const calls = all.fake.world.calls.length;
		const questions = stubbed.shown.length;
		await search(all, 'x 1');
		assert.deepEqual([all.fake.world.calls.length, stubbed.shown.length], [calls, questions]);
	});

	test('does not count files on the disk as requests', async () => {
		const fake = worldOf(Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`f${at}`, `x ${at}`])));
		const objects = objectsInMemory();
		for (const [id, { bytes }] of [...fake.world.blobs].slice(0, 49)) {
			objects.keep('blob', id, { aboutBytes: bytes.byteLength, bytes: () => bytes });
		}
		await assert.rejects(search(desk(fake, {}, { objects }), 'x'), isAbort);
		assert.match(stubbed.shown.join(), /Search 250 files of/);
		const [id, { bytes }] = [...fake.world.blobs].at(-1) ?? ['', { bytes: new Uint8Array() }];
		objects.keep('blob', id, { aboutBytes: bytes.byteLength, bytes: () => bytes });
		const questions = stubbed.shown.length;
		const all = desk(fake, {}, { objects });
		await search(all, 'x');
		assert.deepEqual([all.results.shown()?.search.hits.length, stubbed.shown.length], [250, questions]);
	});

	test('can search only the folders already loaded', async () => {
		const folder = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at}`, { file: `x ${at}` }]));
		const all = desk(worldOf(folder));
		all.fake.world.before = () => new Promise(setImmediate);
		stubbed.answers.push('Search Only Loaded Files');
		await search(all, 'x');
		const found = all.results.shown()?.search.hits.length ?? 0;
		assert.match(stubbed.asked.join(), /folders loaded, at least \d+ more to load/);
		assert.equal(found, 200);
	});

	test('keeps the typed text, and shows its fault under the box', async () => {
		const all = desk();
		const running = all.run('forge.repositories.search');
		const first = await box();
		first.press('Use regular expression');
		first.type('(');
		assert.match(first.validationMessage ?? '', /^The regular expression is invalid: .*group/);
		first.accept();
		assert.ok(first.isShown);
		first.hide();
		await assert.rejects(running, isAbort);
		const again = all.run('forge.repositories.search');
		const second = await box();
		assert.equal(second.value, '(');
		assert.equal(second.buttons.find(({ tooltip }) => tooltip === 'Use regular expression')?.toggle?.checked, true);
		second.press('Use regular expression');
		assert.equal(second.validationMessage, undefined);
		second.hide();
		await assert.rejects(again, isAbort);
	});

	/** A local clone with these files at `main`. They may differ from the forge. */
	function cloneWith(files: Readonly<Record<string, string>>, changes: Partial<CloneToSearch> = {}): CloneToSearch {
		const listed = Object.entries(files).map(([path, text], at) => ({
			path,
			id: `${at}`.repeat(40),
			isLink: false,
			sizeBytes: text.length,
		}));
		return {
			folder: standFor<Uri>({ scheme: 'file', path: '/clones/quill', fsPath: '/clones/quill' }),
			has: (commit) => Promise.resolve(commit === makeCommit(1).id),
			async *files() {
				yield listed;
			},
			blobs: () => async (id) => Buffer.from(files[listed.find((file) => file.id === id)?.path ?? ''] ?? ''),
			...changes,
		};
	}

	function offered(): readonly string[] {
		return stubbed.offered.map(({ label, detail }) => `${label} ${detail ?? ''}`.trim());
	}

	test('reads a clone that has the commit instead of the forge, and its lines open the same files', async () => {
		const clone = cloneWith({ 'src/a.c': 'int main;', 'src/b.c': 'x', '../out': 'main', 'top.c': 'main' });
		const all = desk(worldOf({ src: { 'a.c': 'int main;' } }), {
			cloneOf: () => Promise.resolve(clone),
			placeOf: (_, signal) => {
				signal.throwIfAborted();
				const where = wholeQuill(repositoryConnection(fakeStore(all.fake)));
				return Promise.resolve({ ...where, at: { ref: 'main', path: 'src' } });
			},
		});
		stubbed.answers.push('At main, from the clone quill');
		await search(all, 'main');
		assert.deepEqual(offered(), [
			`At main, from the clone quill Commit ${makeCommit(1).id.slice(0, 7)} as it was committed. Sends no requests to the forge.`,
			'In the working tree of the clone quill Current files on this computer, with the search of the editor. Sends no requests to the forge.',
			'On the forge, at main',
		]);
		assert.deepEqual(await shown(all), [['a.c 1 · src', 'int main; 1']]);
		assert.equal(
			all.results.tree.note?.text(),
			'"main" · 1 line in 1 file · ~alice/quill/src · main · from the clone quill',
		);
		const [file] = await all.results.tree.roots(never);
		assert.match(String(file?.item.resourceUri), /^forge:\/\/alice\.sample\/~alice\/quill@main\/src\/a\.c$/);
		assert.ok(!all.fake.world.calls.some((call) => /^(?:blob|tree)/.test(call)), all.fake.world.calls.join());
	});

	test('does not read a clone without the commit, and says so', async () => {
		const all = desk(worldOf({ 'a.c': 'main' }), {
			cloneOf: () => Promise.resolve(cloneWith({}, { has: () => Promise.resolve(false) })),
		});
		stubbed.answers.push('On the forge, at main');
		await search(all, 'main');
		assert.deepEqual(offered(), [
			'In the working tree of the clone quill Current files on this computer, with the search of the editor. Sends no requests to the forge.',
			`On the forge, at main The clone does not have commit ${makeCommit(1).id.slice(0, 7)}.`,
		]);
		assert.deepEqual(await shown(all), [['a.c 1', 'main 1']]);
	});

	test('offers the other places when git cannot run in the clone', async () => {
		const refused = new GitFailure({ kind: 'notTrusted' });
		const all = desk(worldOf({ 'a.c': 'main' }), {
			cloneOf: () => Promise.resolve(cloneWith({}, { has: () => Promise.reject(refused) })),
		});
		stubbed.answers.push('On the forge, at main');
		await search(all, 'main');
		assert.equal(offered().length, 2);
		assert.equal(all.results.shown()?.search.hits.length, 1);
	});

	test('reports failures in a clone in words of their own', async () => {
		const failed = new GitFailure({ kind: 'failed', program: 'git' });
		const listing = cloneWith(
			{},
			{
				// oxlint-disable-next-line require-yield -- it fails before
				async *files() {
					throw failed;
				},
			},
		);
		const reading = cloneWith({ 'a.c': 'main' }, { blobs: () => () => Promise.reject(failed) });
		const lacking = cloneWith({ 'a.c': 'main' }, { blobs: () => () => Promise.resolve(undefined) });
		let clone = listing;
		const all = desk(worldOf({ 'a.c': 'main' }), { cloneOf: () => Promise.resolve(clone) });
		const searchCommit = (): Promise<void> => {
			stubbed.answers.push('At main, from the clone quill');
			return search(all, 'main');
		};
		await searchCommit();
		assert.match(stubbed.shown.at(-1) ?? '', /^The program git failed/);
		clone = reading;
		await searchCommit();
		assert.deepEqual(await shown(all), [['The program git failed. See the log for details. 1 file was not searched.']]);
		clone = lacking;
		await searchCommit();
		assert.deepEqual(await shown(all), [['No results in 1 file.'], ['1 file could not be loaded.']]);
	});

	test('the editor itself searches the working tree of an open clone', async () => {
		const all = desk(quillWorld(), { cloneOf: () => Promise.resolve(cloneWith({})) });
		stubbed.answers.push('In the working tree of the clone quill');
		await search(all, 'main');
		assert.equal(stubbed.executed.at(-1), 'workbench.action.findInFiles');
		assert.deepEqual(stubbed.passed.at(-1), {
			query: 'main',
			isRegex: false,
			isCaseSensitive: false,
			matchWholeWord: false,
			filesToInclude: '/clones/quill',
			filesToExclude: '',
			triggerSearch: true,
		});
		assert.ok(!all.fake.world.calls.some((call) => call.startsWith('blob')));
	});

	test('passes any folder name, and patterns with braces, to the editor', async () => {
		const path = '/old, new/[work]/{a}/quill';
		const folder = standFor<Uri>({ scheme: 'file', path, fsPath: path });
		const all = desk(quillWorld(), { cloneOf: () => Promise.resolve(cloneWith({}, { folder })) });
		stubbed.answers.push('In the working tree of the clone quill');
		const running = all.run('forge.repositories.search');
		const first = await box();
		stubbed.answers.push('{lib,src}/*.c, ./a.c, !test, !/gen, !./a/b');
		first.press('Only Some Files…');
		const second = await box();
		second.type('main');
		second.accept();
		await running;
		const { filesToInclude, filesToExclude } = v.parse(
			v.object({ filesToInclude: v.string(), filesToExclude: v.string() }),
			stubbed.passed.at(-1),
		);
		const root = '/old[,] new/[[]work]/[{]a[}]/quill';
		assert.deepEqual([filesToInclude, filesToExclude], [`${root}/**/{lib,src}/*.c,${root}/a.c`, 'test,gen,a/b']);
	});

	test('clears results, drops them with their account, and offers them as text', async () => {
		const all = desk(worldOf({ 'a\u202E.c': 'needle \u202E here' }));
		await search(all, 'needle');
		assert.equal(
			all.results.text(),
			'Search for "needle" in ~alice/quill · main\n1 line in 1 file\n\na⟨U+202E⟩.c:1: needle ⟨U+202E⟩ here\n',
		);
		await all.run('forge.search.clear');
		assert.deepEqual([await shown(all), all.results.text()], [[], undefined]);
		assert.equal(stubbed.contexts.get('forge.search.active'), false);
		await search(all, 'needle');
		all.connections.replace();
		assert.equal(all.results.shown(), undefined);
	});
});

suite('row of a matching line', () => {
	test('marks matches at their place after it rewrites blanks and hidden characters', () => {
		const text = '\t\u202Ea needle\tand needle';
		const found = lineLabel(
			partial({
				text,
				ranges: [
					[4, 10],
					[15, 21],
				],
			}),
		);
		assert.equal(found.label, '⟨U+202E⟩a needle and needle');
		assert.deepEqual(
			found.highlights.map(([start, end]) => found.label.slice(start, end)),
			['needle', 'needle'],
		);
	});

	test('keeps a match of leading blanks', () => {
		const found = lineLabel(partial({ text: '   x', ranges: [[1, 3]] }));
		assert.deepEqual([found.label, found.highlights], ['  x', [[0, 2]]]);
	});
});
