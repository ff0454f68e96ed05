import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '../../../../src/base/abort.ts';
import type { CommandId } from '../../../../src/editor/commandIds.ts';
import { ForgeError, isForgeError } from '../../../../src/forge/forgeError.ts';
import type { RepositoriesParts } from '../../../../src/features/repositories/repositoriesParts.ts';
import type { KeptNames } from '../../../../src/state/keptNames.ts';
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
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { askForLink, repositoryCommands } = await import('../../../../src/features/repositories/repositoryCommands.ts');

const never = new AbortController().signal;
const readme = { kind: 'file', connectionKey: 'alice.sample', ref: quill, at: { ref: 'main', path: 'README.md' } };

interface Desk {
	readonly fake: FakeRepositories;
	readonly followed: KeptNames;
	readonly parts: RepositoriesParts;
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
}

function desk(): Desk {
	const fake = quillWorld();
	fake.world.repositories.push(makeRepository('pen', { owner: { canonicalName: '~bob', name: 'bob' } }));
	const followed = keptNames();
	const parts: RepositoriesParts = {
		connections: repositoryConnections(repositoryConnection(fakeStore(fake, { followed }))),
		ready: () => Promise.resolve(),
		problems: quietProblems,
		clock: fakeClock(),
	};
	const table = repositoryCommands(parts);
	return {
		fake,
		followed,
		parts,
		run: async (command, subject) => table[command]?.(subject, never, subject === undefined ? [] : [subject]),
	};
}

suite('commands on repositories', () => {
	setup(resetStub);

	test('following takes an address, and unfollowing asks for one of the followed', async () => {
		const { run, followed } = desk();
		stubbed.answers.push('https://git.forge.test/~bob/pen/log');
		await run('forge.repositories.follow');
		assert.deepEqual(followed.all(), ['~bob/pen']);
		stubbed.answers.push('~bob/pen');
		await run('forge.repositories.unfollow');
		assert.deepEqual(followed.all(), []);
	});

	test('what is no repository of this forge is told before anything is asked of it', async () => {
		const { run, fake } = desk();
		stubbed.answers.push('https://elsewhere.test/~bob/pen');
		await assert.rejects(run('forge.repositories.follow'), isAbort);
		assert.match(stubbed.shown.join(), /Write ~owner\/name/);
		assert.deepEqual(fake.world.calls, []);
	});

	test('one’s own repository needs no following, and that is said', async () => {
		const { run, followed } = desk();
		stubbed.answers.push('~alice/quill', undefined);
		await run('forge.repositories.follow');
		assert.deepEqual(followed.all(), []);
		assert.match(stubbed.shown.join(), /already in the view/);
	});

	test('a file is read before it is opened, so that a failure can be told', async () => {
		const { run, fake } = desk();
		await run('forge.repositories.openFile', readme);
		assert.deepEqual(stubbed.executed, ['vscode.open']);
		resetStub();
		const other = desk();
		other.fake.world.before = (call) => {
			if (call.startsWith('blobById')) {
				throw new ForgeError({ kind: 'tooLarge', limitBytes: 1 });
			}
		};
		await assert.rejects(other.run('forge.repositories.openFile', readme), isForgeError);
		assert.deepEqual(stubbed.executed, []);
		assert.ok(fake.world.calls.some((call) => call.startsWith('blobById')));
	});

	test('from the palette a commit is asked for, with the way to more and to any id', async () => {
		const { run, fake } = desk();
		stubbed.answers.push('main', 'Show more', 'Enter a commit id…', idOf(3));
		await run('forge.repositories.openCommit');
		assert.deepEqual(stubbed.asked, [
			'Choose a branch or tag of quill',
			'Choose a commit of main',
			'Choose a commit of main',
			'Name or commit id',
		]);
		assert.ok(fake.world.calls.includes(`log ~alice/quill ${idOf(3)} 0`));
		assert.deepEqual(stubbed.executed, ['vscode.open']);
	});

	test('a closed question ends the command without a word', async () => {
		const { run } = desk();
		stubbed.answers.push('main', undefined);
		await assert.rejects(run('forge.repositories.openCommit'), isAbort);
		assert.deepEqual([stubbed.shown, stubbed.executed], [[], []]);
	});

	test('what the address is wanted of is asked step by step', async () => {
		const { parts } = desk();
		stubbed.answers.push('A branch or tag…', 'feature/x');
		assert.equal(await askForLink(parts, never), 'https://git.forge.test/~alice/quill/tree/feature/x');
		stubbed.answers.push('The repository');
		assert.equal(await askForLink(parts, never), 'https://git.forge.test/~alice/quill');
	});

	test('a row of an account that is gone says so', async () => {
		const { run } = desk();
		await assert.rejects(run('forge.repositories.openFile', { ...readme, connectionKey: 'gone' }), isForgeError);
	});
});
