import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { PathIndexes } from '../../../../../src/store/repositories/find/pathIndexes.ts';
import { eagerClock } from '../../../../support/eagerClock.ts';
import { unresting, wholeQuill } from '../../../../support/fakeFind.ts';
import {
	fakeRepositories,
	fakeStore,
	makeCommit,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';
import type {
	ChosenFile,
	RepositoriesContext,
} from '../../../../../src/features/repositories/parts/repositoriesContext.ts';
import { fake as partial } from '../../../../support/fake.ts';

const { fileRows, indexText } = await import('../../../../../src/features/repositories/find/fileRows.ts');
const { goToFile } = await import('../../../../../src/features/repositories/find/findFeature.ts');

const { signal } = new AbortController();

interface Asked {
	readonly fake: FakeRepositories;
	readonly answer: Promise<ChosenFile>;
	readonly box: StubbedBox;
	/** Opens the box again. */
	readonly again: () => Asked;
}

function ask(fake: FakeRepositories = quillWorld(), recent: readonly string[] = []): Asked {
	const connection = repositoryConnection(fakeStore(fake));
	const connections = repositoryConnections(connection);
	const desk = partial<RepositoriesContext>({ problems: quietProblems, clock: eagerClock() });
	const paths = {
		indexes: new PathIndexes(connections, unresting),
		recent: { of: () => recent, dispose: () => undefined },
	};
	function open(): Asked {
		const answer = goToFile(desk, paths, wholeQuill(connection), signal);
		answer.catch(() => undefined);
		return { fake, answer, box: newestBox(), again: open };
	}
	return open();
}

function newestBox(): StubbedBox {
	const box = stubbed.boxes.at(-1);
	assert.ok(box);
	return box;
}

function rows(box: StubbedBox): readonly (string | undefined)[] {
	return box.items.map(({ description }) => description);
}

/** Waits for the rows and the prompt of the box. Both follow with a delay. */
async function until(holds: () => boolean): Promise<void> {
	for (let turn = 0; turn < 2000 && !holds(); turn += 1) {
		await new Promise(setImmediate);
	}
	assert.ok(holds());
}

/** Sibling folders with one file each. */
function manyFolders(count: number): FakeRepositories {
	const fake = fakeRepositories();
	const folders = Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, { [`file${at}`]: `${at}` }]));
	fake.world.roots.set('~alice/quill main', fake.world.grow(folders));
	fake.world.logs.set('~alice/quill main', [makeCommit(1)]);
	fake.world.before = () => new Promise(setImmediate);
	return fake;
}

suite('Go to File box', () => {
	setup(resetStub);

	test('shows all files, then the matches, best first and in our order', async () => {
		const { box, answer } = ask();
		await until(() => box.prompt === '5 files');
		assert.deepEqual(rows(box), ['README.md', 'logo.bin', 'link', 'main.c · src', 'näme with blank.txt · src/deep']);
		// The editor would sort labels that contain the typed text.
		assert.ok(box.items.every(({ label }) => label === ' '));
		box.type('mc');
		await until(() => box.items.length === 1);
		box.accept();
		assert.deepEqual(await answer, { path: 'src/main.c', line: undefined, column: undefined });
	});

	test('uses the singular for one', async () => {
		const { box } = ask(manyFolders(1));
		await until(() => box.prompt === '1 file');
		const at = { entries: [], foldersRead: 1, foldersAhead: 1 };
		assert.equal(indexText({ ...at, standing: { kind: 'reading' } }), 'Loading folders: 0 files in 1 folder so far.');
		assert.equal(
			indexText({ ...at, standing: { kind: 'asking' } }),
			'1 folder loaded, at least 1 more to load, one request each. Searching 0 files.',
		);
		const index = { ...at, standing: { kind: 'asking' } } as const;
		const uriOf = (): never => assert.fail('No file is shown');
		const [more] = fileRows({ found: [], typed: '', path: '', index, uriOf });
		assert.equal(more?.description, 'Load More: at least 1 more folder');
	});

	test('lists recent files first', async () => {
		const { box } = ask(quillWorld(), ['src/main.c']);
		await until(() => box.prompt === '5 files');
		assert.equal(rows(box)[0], 'main.c · src');
	});

	test('goes to a line after the name', async () => {
		const { box, answer } = ask();
		await until(() => box.prompt === '5 files');
		box.type('main:12:3');
		await until(() => box.items.length === 1);
		box.accept();
		assert.deepEqual(await answer, { path: 'src/main.c', line: 12, column: 3 });
	});

	test('Enter before the rows appear takes the best match', async () => {
		const { box, answer } = ask();
		await until(() => box.prompt === '5 files');
		box.type('deep');
		box.selectedItems = box.items.slice(0, 1);
		box.accept();
		assert.equal((await answer).path, 'src/deep/näme with blank.txt');
	});

	test('accepts a complete path before any read', async () => {
		const fake = quillWorld();
		fake.world.before = () => new Promise(() => undefined);
		const { box, answer } = ask(fake);
		box.type('src/main.c');
		box.accept();
		assert.equal((await answer).path, 'src/main.c');
	});

	test('reads a limited number of folders, searches those, and continues on request', async () => {
		const { box, answer, fake, again } = ask(manyFolders(300));
		await until(() => box.prompt.startsWith('201 folders loaded, at least 100 more to load'));
		assert.deepEqual(rows(box).slice(0, 2), ['Load More: at least 100 more folders', 'Search Only in One Folder…']);
		box.type('file150');
		await until(() => rows(box)[0] === 'file150 · d150');
		// The question is the last row now.
		assert.equal(rows(box).at(-2), 'Load More: at least 100 more folders');
		box.accept('Load More: at least 100 more folders');
		await until(() => box.prompt === '300 files');
		box.type('file299');
		await until(() => rows(box)[0] === 'file299 · d299');
		box.accept();
		assert.equal((await answer).path, 'd299/file299');
		const calls = fake.world.calls.length;
		const second = again();
		await until(() => second.box.prompt === '300 files');
		assert.equal(fake.world.calls.length, calls);
		second.box.hide();
	});

	test('can search below one folder only', async () => {
		const { box, answer } = ask(manyFolders(300));
		await until(() => box.prompt.startsWith('201 folders'));
		stubbed.answers.push('d7');
		box.accept('Search Only in One Folder…');
		await until(() => newestBox() !== box && newestBox().prompt === '1 file');
		assert.deepEqual(rows(newestBox()), ['file7 · d7']);
		newestBox().accept();
		assert.equal((await answer).path, 'd7/file7');
	});

	test('closing stops the reads', async () => {
		const { box, answer, fake } = ask(manyFolders(150));
		await until(() => fake.world.calls.length > 20);
		box.hide();
		await assert.rejects(answer, isAbort);
		await new Promise(setImmediate);
		const calls = fake.world.calls.length;
		await new Promise(setImmediate);
		await new Promise(setImmediate);
		assert.equal(fake.world.calls.length, calls);
		assert.ok(calls < 150, `${calls}`);
	});

	test('shows a failure under the box, which stays open', async () => {
		const fake = quillWorld();
		fake.world.before = (call) => {
			if (call.startsWith('treeById')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const { box, answer } = ask(fake);
		await until(() => box.prompt !== '');
		box.type('src/deep/x');
		box.accept();
		assert.equal((await answer).path, 'src/deep/x');
	});
});
