import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { KeptNames } from '../../../../src/store/shared/keptNames.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import {
	fakeStore,
	idOf,
	makeRepository,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { stubbedWorkspace } from '../../../support/stubbedWorkspace.ts';
import { Position, Range, resetStub, stubbed } from '../../../support/vscodeValues.ts';
import type {
	ChosenFile,
	RepositoriesContext,
} from '../../../../src/features/repositories/parts/repositoriesContext.ts';
import type { PageHost } from '../../../../src/editor/pages/pageHost.ts';
import { fake as partial } from '../../../support/fake.ts';

const { askForLink, repositoryCommands } = await import('../../../../src/features/repositories/repositoriesFeature.ts');
const { askSearchPlace } = await import('../../../../src/features/repositories/questions/repositoryTarget.ts');
const { uriOfPlace } = await import('../../../../src/features/repositories/subjects/place.ts');

const never = new AbortController().signal;
const readme = { kind: 'file', connectionKey: 'alice.sample', ref: quill, at: { ref: 'main', path: 'README.md' } };

interface Desk {
	readonly fake: FakeRepositories;
	readonly followed: KeptNames;
	readonly parts: RepositoriesContext;
	/** Paths of files reported as too large. */
	readonly tooLarge: readonly string[];
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
	/** Subject of the page in front. */
	front: unknown;
}

function desk(chosen: ChosenFile = { path: 'README.md', line: undefined, column: undefined }): Desk {
	const fake = quillWorld();
	fake.world.repositories.push(makeRepository('pen', { owner: { canonicalName: '~bob', name: 'bob' } }));
	const followed = keptNames();
	const tooLarge: string[] = [];
	const parts = partial<RepositoriesContext>({
		connections: repositoryConnections(repositoryConnection(fakeStore(fake, { followed }))),
		ready: () => Promise.resolve(),
		problems: quietProblems,
		clock: fakeClock(),
		askFile: () => Promise.resolve(chosen),
		tooLarge: (uri) => void tooLarge.push(uri.path),
		pages: partial<PageHost>({ inFront: () => made.front }),
	});
	const table = repositoryCommands(parts);
	const made: Desk = {
		front: undefined,
		fake,
		followed,
		parts,
		tooLarge,
		run: async (command, subject) => table[command]?.(subject, never, subject === undefined ? [] : [subject]),
	};
	return made;
}

/** Closes the list that a command opens. */
async function closingTheBox(running: Promise<void>): Promise<void> {
	while (stubbed.boxes.length === 0) {
		await new Promise((resolve) => void setImmediate(resolve));
	}
	stubbed.boxes.at(-1)?.hide();
	return running;
}

suite('repository commands', () => {
	setup(resetStub);

	test('follow accepts a URL, and unfollow asks for a followed repository', async () => {
		const { run, followed } = desk();
		stubbed.answers.push('https://git.forge.test/~bob/pen/log');
		await run('forge.repositories.follow');
		assert.deepEqual(followed.all(), ['~bob/pen']);
		stubbed.answers.push('~bob/pen');
		await run('forge.repositories.unfollow');
		assert.deepEqual(followed.all(), []);
	});

	test('use the page in front when they run from the palette', async () => {
		const window = desk();
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.repositories.copyCloneAddress'), isAbort);
		window.front = { kind: 'repository', connectionKey: 'alice.sample', ref: { owner: '~bob', name: 'pen' } };
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.repositories.copyCloneAddress'), isAbort);
		assert.deepEqual(stubbed.asked, ['Choose a URL of quill to copy', 'Choose a URL of pen to copy']);
	});

	test('copy the clone URL for the chosen protocol', async () => {
		const { run } = desk();
		stubbed.answers.push('SSH, to read and write');
		await run('forge.repositories.copyCloneAddress', { kind: 'repository', connectionKey: 'alice.sample', ref: quill });
		assert.deepEqual(stubbed.asked, ['Choose a URL of quill to copy']);
		assert.deepEqual([stubbed.copied, stubbed.shown], [['git@git.forge.test:~alice/quill'], ['Copied']]);
	});

	test('report a repository without a clone URL', async () => {
		const { run } = desk();
		const ref = { ...quill, name: 'two words' };
		await run('forge.repositories.copyCloneAddress', { kind: 'repository', connectionKey: 'alice.sample', ref });
		assert.deepEqual([stubbed.copied, stubbed.shown], [[], ['two words has no clone URL.']]);
	});

	test('reject an invalid repository before any request', async () => {
		const { run, fake } = desk();
		stubbed.answers.push('https://elsewhere.test/~bob/pen');
		await assert.rejects(run('forge.repositories.follow'), isAbort);
		assert.match(stubbed.shown.join(), /Write ~owner\/name/);
		assert.deepEqual(fake.world.calls, []);
	});

	test('refuse to follow the user’s own repository, with the reason', async () => {
		const { run, followed } = desk();
		stubbed.answers.push('~alice/quill', undefined);
		await run('forge.repositories.follow');
		assert.deepEqual(followed.all(), []);
		assert.match(stubbed.shown.join(), /already in the view/);
	});

	test('read a file before they open it, and open nothing after a failure', async () => {
		const { run, fake } = desk();
		await run('forge.repositories.openFile', readme);
		assert.deepEqual(stubbed.executed, ['vscode.open']);
		resetStub();
		const other = desk();
		other.fake.world.before = (call) => {
			if (call.startsWith('blobById')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(other.run('forge.repositories.openFile', readme), isForgeError);
		assert.deepEqual(stubbed.executed, []);
		assert.ok(fake.world.calls.some((call) => call.startsWith('blobById')));
	});

	test('report a file that is too large, and open no editor', async () => {
		const { run, fake, tooLarge } = desk();
		fake.world.before = (call) => {
			if (call.startsWith('blobById')) {
				throw new ForgeError({ kind: 'tooLarge', limitBytes: 1 });
			}
		};
		await run('forge.repositories.openFile', readme);
		assert.equal(tooLarge.length, 1);
		assert.match(tooLarge[0] ?? '', /README\.md$/);
		assert.deepEqual(stubbed.executed, []);
	});

	test('open a file at the typed line', async () => {
		for (const [chosen, position] of [
			[{ path: 'src/main.c', line: 3, column: 2 }, new Position(2, 1)],
			[{ path: 'src/main.c', line: 7, column: undefined }, new Position(6, 0)],
		] as const) {
			const { run } = desk(chosen);
			await run('forge.repositories.openFile', {
				kind: 'reference',
				connectionKey: 'alice.sample',
				ref: quill,
				revision: 'main',
			});
			assert.deepEqual(stubbed.passedMore.at(-1), [{ selection: new Range(position, position) }]);
			assert.match(String(stubbed.passed.at(-1)), /src\/main\.c$/);
		}
	});

	test('use the open folder, and ask when there are none or several', async () => {
		const { parts, run } = desk();
		const open = (name: string): void => {
			const uri = uriOfPlace({ kind: 'entry', connectionKey: 'alice.sample', ref: { ...quill, name }, at });
			stubbedWorkspace.folders.push({ index: 0, name, uri });
		};
		const at = { ref: 'main', path: '' };
		open('quill');
		await run('forge.repositories.openFile');
		assert.match(String(stubbed.passed.at(-1)), /\/quill@main\/README\.md$/);
		assert.deepEqual((await askSearchPlace(parts, undefined, never)).at, at);
		assert.deepEqual(stubbed.asked, []);
		open('pen');
		stubbed.answers.push('main', 'main');
		await run('forge.repositories.openFile');
		await askSearchPlace(parts, undefined, never);
		assert.equal(stubbed.asked.length, 2);
	});

	test('search in the repository or commit of the page in front, without a question for the repository', async () => {
		const made = desk();
		const of = { connectionKey: 'alice.sample', ref: quill };
		made.front = { kind: 'commit', ...of, id: idOf(3) };
		const place = await askSearchPlace(made.parts, undefined, never);
		assert.deepEqual([place.ref, place.at, stubbed.asked], [quill, { ref: idOf(3), path: '' }, []]);
		made.front = { kind: 'repository', ...of };
		stubbed.answers.push('main');
		const chosen = await askSearchPlace(made.parts, undefined, never);
		assert.deepEqual([chosen.ref, chosen.at], [quill, { ref: 'main', path: '' }]);
		assert.deepEqual(stubbed.asked, ['Choose a branch or tag of quill']);
	});

	test('offer more commits, and any commit id', async () => {
		const { parts, fake } = desk();
		stubbed.answers.push('A commit…', 'main', 'Show More', 'Enter a Commit ID…', idOf(3));
		assert.equal(await askForLink(parts, never), `https://git.forge.test/~alice/quill/commit/${idOf(3)}`);
		assert.deepEqual(stubbed.asked.slice(1), [
			'Choose a branch or tag of quill',
			'Choose a commit of main',
			'Choose a commit of main',
			'Name or commit id',
		]);
		assert.ok(fake.world.calls.includes(`log ~alice/quill ${idOf(3)} 0`));
	});

	test('keep the text typed into the list of commits when they read on', async () => {
		const { parts } = desk();
		stubbed.answers.push('A commit…', 'main', 'fix\tShow More');
		await assert.rejects(askForLink(parts, never), isAbort);
		assert.deepEqual(stubbed.prefilled, ['fix']);
	});

	test('accept a commit id typed into the list, and start the input with any other text', async () => {
		const { parts } = desk();
		stubbed.answers.push('A commit…', 'main', `${idOf(3)}\tEnter a Commit ID…`);
		assert.equal(await askForLink(parts, never), `https://git.forge.test/~alice/quill/commit/${idOf(3)}`);
		assert.equal(stubbed.asked.at(-1), 'Choose a commit of main');
		stubbed.answers.push('A commit…', 'main', 'fix\tEnter a Commit ID…', idOf(3));
		assert.equal(await askForLink(parts, never), `https://git.forge.test/~alice/quill/commit/${idOf(3)}`);
		assert.deepEqual(stubbed.prefilled, ['fix']);
	});

	test('offer a complete commit id as a row, whatever else contains it', async () => {
		const { parts } = desk();
		stubbed.answers.push('A commit…', 'main', `${idOf(3)}\t${idOf(3)}`);
		assert.equal(await askForLink(parts, never), `https://git.forge.test/~alice/quill/commit/${idOf(3)}`);
		assert.equal(stubbed.asked.at(-1), 'Choose a commit of main');
	});

	test('report an unknown commit id in the list, which keeps the text', async () => {
		const { parts } = desk();
		const gone = 'f'.repeat(40);
		stubbed.answers.push('A commit…', 'main', `${gone}\t${gone}`, 'Enter a Commit ID…', idOf(3));
		assert.equal(await askForLink(parts, never), `https://git.forge.test/~alice/quill/commit/${idOf(3)}`);
		assert.deepEqual(stubbed.asked.slice(-3), [
			'Choose a commit of main',
			`quill has no revision named ${gone}`,
			'Name or commit id',
		]);
		assert.equal(stubbed.prefilled[0], gone);
	});

	test('open a folder at the current commit of its branch, not at an earlier one', async () => {
		const { parts, fake, run } = desk();
		const [connection] = parts.connections.all();
		await connection?.repositories.folders.standing(quill, 'main', never);
		const { id } = fake.world.commit(quill, 'main', fake.world.grow({ 'README.md': 'Anew' }));
		await run('forge.repositories.mount', {
			kind: 'reference',
			connectionKey: 'alice.sample',
			ref: quill,
			revision: 'main',
		});
		assert.equal(connection?.repositories.folders.knownPinned(quill, 'main')?.commit.id, id);
	});

	test('end silently when the user closes a question', async () => {
		const { run } = desk();
		await assert.rejects(closingTheBox(run('forge.repositories.mount')), isAbort);
		assert.deepEqual([stubbed.shown, stubbed.executed], [[], []]);
	});

	test('ask for the target of a link step by step', async () => {
		const { parts } = desk();
		stubbed.answers.push('A branch or tag…', 'feature/x');
		assert.equal(await askForLink(parts, never), 'https://git.forge.test/~alice/quill/tree/feature/x');
		stubbed.answers.push('The repository');
		assert.equal(await askForLink(parts, never), 'https://git.forge.test/~alice/quill');
	});

	test('fail for a row of a removed account', async () => {
		const { run } = desk();
		await assert.rejects(run('forge.repositories.openFile', { ...readme, connectionKey: 'gone' }), isForgeError);
	});
});
