import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { idOf, makeCommit, quill, quillWorld, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { repositoryDesk, type RepositoryDesk } from '../../../../support/repositoryDesk.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed, stubbedTabs, TabInputText } from '../../../../support/vscodeValues.ts';
import { fake } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { laterFiles } = await import('../../../../../src/features/repositories/places/openPlaces.ts');
const { referenceStatus } = await import('../../../../../src/features/repositories/references/referencesFeature.ts');
const { switchReference } = await import('../../../../../src/features/repositories/references/referencesFeature.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const never = new AbortController().signal;
const connectionKey = 'alice.sample';

function uri(revision: string, path: string): unknown {
	return uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: revision, path } });
}

function openTab(revision: string, path: string, isActive = false): void {
	stubbedTabs.push({
		label: path,
		input: new TabInputText(uri(revision, path)),
		isActive,
		isPreview: false,
		group: { viewColumn: 1 },
	});
}

function openFolder(revision: string): void {
	stubbedWorkspace.folders.push({ uri: uri(revision, ''), name: `quill · ${revision}`, index: 0 });
}

/** `v1.0` has the README and nothing else. */
function world(): FakeRepositories {
	const fake = quillWorld();
	const root = fake.world.grow({ 'README.md': '# Older\n' });
	fake.world.roots.set('~alice/quill v1.0', root);
	fake.world.logs.set('~alice/quill v1.0', [makeCommit(9, { tree: root })]);
	return fake;
}

function opened(): readonly string[] {
	return stubbed.executed.flatMap((command, at) => (command === 'vscode.open' ? [String(stubbed.passed[at])] : []));
}

suite('switching the reference', () => {
	let desk: RepositoryDesk;
	let kept: ReturnType<typeof keptInMemory>;
	setup(() => {
		resetStub();
		desk = repositoryDesk(world());
		kept = keptInMemory();
	});

	function run(subject?: unknown): Promise<void> {
		const { connections } = desk;
		return switchReference(
			fake<RepositoriesContext>({ connections, clock: fakeClock(), laterFilesOf: () => kept }),
			subject,
			never,
		);
	}

	test('shows the file in front at the other reference, in its place', async () => {
		openTab('main', 'README.md', true);
		stubbed.answers.push('v1.0');
		await run();
		assert.deepEqual(opened(), [String(uri('v1.0', 'README.md'))]);
		assert.deepEqual(stubbedTabs, []);
		assert.deepEqual(stubbed.shown, ['Switched to v1.0']);
	});

	test('keeps a file that is missing at the reference, and says so', async () => {
		openTab('main', 'src/main.c', true);
		stubbed.answers.push('v1.0');
		await run();
		assert.deepEqual(opened(), []);
		assert.equal(stubbedTabs.length, 1);
		assert.deepEqual(stubbed.shown, ["src/main.c doesn't exist at v1.0, so it was not switched."]);
	});

	test('replaces the folder in place, and open files with consent', async () => {
		openFolder('main');
		openTab('main', 'README.md', true);
		openTab('main', 'src/main.c');
		openTab('feature/x', 'README.md');
		stubbed.answers.push('v1.0', 'Open Them at v1.0 Too');
		await run();
		assert.deepEqual(
			stubbedWorkspace.folders.map(({ uri: at, name }) => [String(at), name]),
			[[String(uri('v1.0', '')), 'quill · v1.0']],
		);
		assert.deepEqual(opened(), [String(uri('v1.0', 'README.md'))]);
		assert.deepEqual(
			stubbedTabs.map(({ label }) => label),
			['src/main.c', 'README.md'],
		);
	});

	test('can leave open files where they are', async () => {
		openFolder('main');
		openTab('main', 'README.md');
		stubbed.answers.push('v1.0', 'Leave Them at main');
		await run();
		assert.deepEqual(opened(), []);
		assert.equal(String(stubbedWorkspace.folders[0]?.uri), String(uri('v1.0', '')));
	});

	test('a window with a single folder opens the other one, then its files', async () => {
		stubbedWorkspace.isOfSeveralFolders = false;
		openFolder('main');
		openTab('main', 'README.md');
		stubbed.answers.push('v1.0', 'Open Them at v1.0 Too');
		await run();
		assert.deepEqual(stubbed.executed, ['vscode.openFolder']);
		assert.equal(String(stubbed.passed[0]), String(uri('v1.0', '')));

		await laterFiles(kept).open();
		assert.deepEqual(opened(), [], 'the window still has its old folder');
		stubbedWorkspace.folders.length = 0;
		openFolder('v1.0');
		await laterFiles(kept).open();
		await laterFiles(kept).open();
		assert.equal(opened().length, 1);
	});

	test('ignores malformed storage', async () => {
		openFolder('main');
		const folder = String(uri('main', ''));
		for (const text of [
			'nonsense',
			'[]',
			'{"folder":1}',
			JSON.stringify({ folder, uris: ['file:///etc/passwd', 1] }),
		]) {
			await laterFiles(keptInMemory(text)).open();
		}
		assert.deepEqual(opened(), []);
	});

	test('uses the branch of a row, and opens its folder when none is open', async () => {
		openFolder('main');
		await run({ kind: 'reference', connectionKey, ref: quill, revision: 'v1.0' });
		assert.equal(String(stubbedWorkspace.folders[0]?.uri), String(uri('v1.0', '')));
		stubbedWorkspace.folders.length = 0;
		await run({ kind: 'reference', connectionKey, ref: quill, revision: 'v1.0' });
		const wanted: CommandId = 'forge.repositories.mount';
		assert.deepEqual(stubbed.executed, [wanted]);
		assert.deepEqual(stubbed.asked, []);
	});

	test('moves the open branch to its current commit', async () => {
		const fake = world();
		desk = repositoryDesk(fake);
		const { repositories } = desk.connection;
		openFolder('main');
		const before = await repositories.folders.standing(quill, 'main', never);
		repositories.pinned.hold([{ ref: quill, revision: 'main' }]);
		stubbed.answers.push('main', 'main');
		await run();
		assert.deepEqual(stubbed.shown, ['main has not moved']);
		const { id, shortId } = fake.world.commit(quill, 'main', fake.world.grow({ 'README.md': 'Anew' }));
		await run();
		assert.equal(repositories.folders.knownPinned(quill, 'main')?.commit.id, id);
		assert.notEqual(before?.commit.id, id);
		assert.deepEqual(stubbed.shown.slice(1), [`Switched to main at ${shortId}`]);
		assert.deepEqual(stubbed.executed, []);
	});

	test('changes nothing when the reference is unreadable', async () => {
		const fake = world();
		fake.world.before = (call) => {
			if (call.includes('feature/x')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		desk = repositoryDesk(fake);
		openFolder('main');
		openTab('main', 'README.md');
		stubbed.answers.push('feature/x');
		await assert.rejects(run(), { name: 'ForgeError' });
		assert.equal(String(stubbedWorkspace.folders[0]?.uri), String(uri('main', '')));
		assert.equal(stubbedTabs.length, 1);
	});

	test('reports when nothing is open', async () => {
		await assert.rejects(run(), { name: 'AbortError' });
		assert.deepEqual(stubbed.shown, ['No remote folder and no remote file is open.']);
	});
});

suite('reference in the status bar', () => {
	setup(resetStub);

	async function shownAt(revision: string, fake = world()): Promise<typeof stubbedWorkspace.status> {
		stubbedTabs.length = 0;
		openTab(revision, 'README.md', true);
		const { connections, connection } = repositoryDesk(fake);
		const status = referenceStatus(connections);
		await connection.repositories.folders.standing(quill, revision, never);
		await new Promise((resolve) => setImmediate(resolve));
		const shown = { ...stubbedWorkspace.status };
		status.dispose();
		return shown;
	}

	test('shows repository, name and commit, and the commit title in the tooltip', async () => {
		const { text, tooltip, isShown } = await shownAt('main');
		assert.deepEqual([text, isShown], [`$(git-branch) quill: main · ${idOf(120).slice(0, 7)}`, true]);
		assert.match(tooltip?.value ?? '', /alice\\\/quill[^]*main[^]*Change 120/);
		assert.equal((await shownAt(idOf(9))).text, `$(git-commit) quill: ${idOf(9).slice(0, 7)}`);
	});

	test('escapes icons and hidden characters, and truncates long names', async () => {
		const fake = world();
		const name = `$(trash)\u202E${'x'.repeat(100)}`;
		fake.world.logs.set(`~alice/quill ${name}`, [makeCommit(9)]);
		const { text } = await shownAt(name, fake);
		assert.ok(text.startsWith('$(git-branch) quill: $\u2060(trash)⟨U+202E⟩xxx'), text);
		assert.ok(text.length < 80, text);
	});

	test('is hidden without an open file or folder of a repository', () => {
		const { connections } = repositoryDesk(world());
		const status = referenceStatus(connections);
		assert.equal(stubbedWorkspace.status.isShown, false);
		openFolder('main');
		stubbedWorkspace.listeners.forEach((listener) => listener(undefined));
		assert.deepEqual(
			[stubbedWorkspace.status.isShown, stubbedWorkspace.status.text],
			[true, '$(git-branch) quill: main'],
		);
		status.dispose();
	});
});
