import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketsDesk } from '../../../../../src/features/tickets/desk/ticketsDesk.ts';
import type * as vscode from 'vscode';
import type { FolderBelongs } from '../../../../../src/editor/git/folderMapping.ts';
import type { FindGit } from '../../../../../src/editor/git/gitApi.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { fakeGit, fakeRepository, uriAt } from '../../../../support/fakeGit.ts';
import { fakeIndex } from '../../../../support/fakeIndex.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetWorkspace, stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { showFolders } = await import('../../../../../src/features/tickets/work/showFolders.ts');
const { hostedNameOf, readFolderSetting, writeFolderSetting } =
	await import('../../../../../src/features/tickets/work/folderSetting.ts');

const never = new AbortController().signal;
const aborted = { name: 'AbortError' };
const code = uriAt('/code');
const found = { connectionKey: 'sample-alice' } as const;
const belongs: FolderBelongs = {
	root: code,
	tracker: { ...found, ref: { owner: '~alice', name: 'lantern' }, foundBy: { kind: 'sameName' } },
	list: undefined,
	repository: {
		...found,
		ref: { owner: '~alice', name: 'lantern' },
		foundBy: { kind: 'remote', name: 'origin' },
		root: code,
		head: undefined,
		isPushed: false,
	},
};

interface Shown {
	readonly folders?: readonly ReturnType<typeof uriAt>[];
	readonly git?: FindGit;
}

/** Shows the folders; the setting comes back. */
async function show({ folders = [code], git = fakeGit() }: Shown = {}): Promise<unknown> {
	resetWorkspace();
	stubbedWorkspace.folders.push(...folders.map((uri, index) => ({ uri, name: uri.path, index })));
	const index = fakeIndex();
	await showFolders(
		fake<TicketsDesk>({
			connections: fakeConnections(
				fakeConnection(fakeTrackers().api, '~alice', keptNames('~alice/lantern', '~bob/quill'), index),
			),
			folders: { of: async () => belongs },
			findGit: git,
		}),
		never,
	);
	return stubbed.workspaceSettings.get('forge.folder');
}

suite('what the folders belong to', () => {
	setup(() => resetStub());

	const remote = standFor<vscode.Uri>({ scheme: 'forge', authority: 'alice.sample', path: '/~alice/quill@main' });

	test('of a remote folder are shown as read-only, and nothing is asked for or written there', async () => {
		stubbed.answers.push('Tracker: ~alice/lantern', '~bob/quill');
		assert.equal(await show({ folders: [remote] }), undefined);
		assert.deepEqual(stubbed.asked, ['Tracker, list and repository of these folders']);
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description),
			['guessed: it has the name of the repository · read-only', 'read-only', 'from the git remote origin · read-only'],
		);
		assert.deepEqual(stubbed.shown, ['A remote folder is read-only.']);
	});

	test('can be put right for the folders beside a remote one', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ folders: [remote, code], git: async () => undefined }), aborted);
		assert.match(stubbed.asked[0] ?? '', /^Git is disabled/);
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description?.endsWith('read-only')),
			[true, true, true, false, false, false],
		);
	});

	test('is listed with how each part was found', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ git: fakeGit(fakeRepository()) }), aborted);
		assert.deepEqual(stubbed.asked, ['Choose one to change']);
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['Tracker: ~alice/lantern', 'guessed: it has the name of the repository'],
				['List: not configured', ''],
				['Repository: ~alice/lantern', 'from the git remote origin'],
			],
		);
	});

	test('names the folder where there are several', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ folders: [code, uriAt('/website')] }), aborted);
		assert.equal(stubbed.offered.length, 6);
		assert.ok(stubbed.offered.slice(0, 3).every(({ description }) => description?.endsWith('/code')));
		assert.ok(stubbed.offered.slice(3).every(({ description }) => description?.endsWith('/website')));
	});

	test('is put right by choosing a tracker that is known', async () => {
		stubbed.answers.push('Tracker: ~alice/lantern', '~bob/quill');
		assert.deepEqual(await show(), { tracker: '~bob/quill' });
		assert.equal(stubbed.shown.length, 1);
	});

	test('is put right by typing a name, which begins with what holds now', async () => {
		stubbed.answers.push('Repository: ~alice/lantern', 'Enter a Name…', ' ~bob/x.c ');
		assert.deepEqual(await show(), { repository: '~bob/x.c' });
		assert.deepEqual(stubbed.prefilled, ['~alice/lantern']);
		// A list has no known names to choose from.
		stubbed.answers.push('List: not configured', undefined);
		await assert.rejects(show(), aborted);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Enter a Name…', 'Detect from git'],
		);
	});

	test('takes a name that was typed into the list, and begins the box with any other text', async () => {
		stubbed.answers.push('Repository: ~alice/lantern', '~bob/x.c\tEnter a Name…');
		assert.deepEqual(await show(), { repository: '~bob/x.c' });
		stubbed.answers.push('Repository: ~alice/lantern', 'x.c\tEnter a Name…', '~bob/x.c');
		assert.deepEqual(await show(), { repository: '~bob/x.c' });
		assert.deepEqual(stubbed.prefilled, ['x.c']);
	});

	test('takes no name that is none, and says how one is written', async () => {
		stubbed.answers.push('List: not configured', 'Enter a Name…', 'devel');
		await assert.rejects(show(), aborted);
		assert.match(stubbed.shown.join('\n'), /~owner\/name/);
	});

	test('is again what git tells once that is chosen', async () => {
		stubbed.workspaceSettings.set('forge.folder', { tracker: '~alice/lantern', list: '~alice/devel' });
		stubbed.answers.push('Tracker: ~alice/lantern', 'Detect from git');
		assert.deepEqual(await show(), { list: '~alice/devel' });
	});

	test('says so where git is off, and where no folder is open', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ git: async () => undefined }), aborted);
		assert.match(stubbed.asked[0] ?? '', /^Git is disabled/);
		assert.equal(await show({ folders: [] }), undefined);
		assert.equal(stubbed.shown.length, 1);
		assert.equal(stubbed.asked.length, 1);
	});
});

suite('the setting of a folder', () => {
	setup(() => resetStub());

	const open = (...paths: readonly string[]): void =>
		void stubbedWorkspace.folders.push(...paths.map((path, index) => ({ uri: uriAt(path), name: path, index })));

	test('is read part by part; what is not well formed counts as not said', () => {
		assert.deepEqual(readFolderSetting(code), { tracker: undefined, list: undefined, repository: undefined });
		stubbed.workspaceSettings.set('forge.folder', { tracker: ' ~alice/lantern ', list: 'devel', repository: 7 });
		assert.deepEqual(readFolderSetting(code), {
			tracker: { owner: '~alice', name: 'lantern' },
			list: undefined,
			repository: undefined,
		});
		stubbed.workspaceSettings.set('forge.folder', 'nonsense');
		assert.equal(readFolderSetting(code).tracker, undefined);
		for (const text of ['~alice/..', '~alice/', 'alice/lantern', '~alice/a/b', '~alice/a b', undefined]) {
			assert.equal(hostedNameOf(text), undefined, text);
		}
	});

	test('is written part by part into the settings of the workspace, and goes with its last part', async () => {
		open('/code');
		await writeFolderSetting(code, 'tracker', '~alice/lantern');
		await writeFolderSetting(code, 'list', '~alice/devel');
		await writeFolderSetting(code, 'tracker', '~bob/quill');
		assert.deepEqual(stubbed.workspaceSettings.get('forge.folder'), { list: '~alice/devel', tracker: '~bob/quill' });
		await writeFolderSetting(code, 'list', undefined);
		await writeFolderSetting(code, 'tracker', undefined);
		assert.deepEqual([stubbed.workspaceSettings.size, stubbed.settings.size], [0, 0]);
	});

	test('is written for the one folder where there are several', async () => {
		open('/code', '/website');
		await writeFolderSetting(code, 'tracker', '~alice/lantern');
		assert.deepEqual(readFolderSetting(code).tracker, { owner: '~alice', name: 'lantern' });
		assert.equal(readFolderSetting(uriAt('/website')).tracker, undefined);
		assert.equal(stubbed.settings.size, 0);
	});
});
