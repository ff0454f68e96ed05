import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
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
	await import('../../../../../src/editor/git/folderSetting.ts');

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

/** Shows the folders, and returns the setting. */
async function show({ folders = [code], git = fakeGit() }: Shown = {}): Promise<unknown> {
	resetWorkspace();
	stubbedWorkspace.folders.push(...folders.map((uri, index) => ({ uri, name: uri.path, index })));
	const index = fakeIndex();
	await showFolders(
		fake<TicketsContext>({
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

suite('list of folder mappings', () => {
	setup(() => resetStub());

	const remote = standFor<vscode.Uri>({ scheme: 'forge', authority: 'alice.sample', path: '/~alice/quill@main' });

	test('shows a remote folder as read-only, and asks and writes nothing there', async () => {
		stubbed.answers.push('Tracker: ~alice/lantern', '~bob/quill');
		assert.equal(await show({ folders: [remote] }), undefined);
		assert.deepEqual(stubbed.asked, ['Tracker, list and repository of these folders']);
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description),
			['guessed: it has the name of the repository · read-only', 'read-only', 'from the git remote origin · read-only'],
		);
		assert.deepEqual(stubbed.shown, ['A remote folder is read-only.']);
	});

	test('can change other folders beside a remote one', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ folders: [remote, code], git: async () => undefined }), aborted);
		assert.match(stubbed.asked[0] ?? '', /^Git is disabled/);
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description?.endsWith('read-only')),
			[true, true, true, false, false, false],
		);
	});

	test('shows the source of each part', async () => {
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

	test('names the folder when several are open', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ folders: [code, uriAt('/website')] }), aborted);
		assert.equal(stubbed.offered.length, 6);
		assert.ok(stubbed.offered.slice(0, 3).every(({ description }) => description?.endsWith('/code')));
		assert.ok(stubbed.offered.slice(3).every(({ description }) => description?.endsWith('/website')));
	});

	test('changes the tracker to a known one', async () => {
		stubbed.answers.push('Tracker: ~alice/lantern', '~bob/quill');
		assert.deepEqual(await show(), { tracker: '~bob/quill' });
		assert.equal(stubbed.shown.length, 1);
	});

	test('changes a part to a typed name, and starts from the current one', async () => {
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

	test('accepts a name typed into the list, and starts the input with any other text', async () => {
		stubbed.answers.push('Repository: ~alice/lantern', '~bob/x.c\tEnter a Name…');
		assert.deepEqual(await show(), { repository: '~bob/x.c' });
		stubbed.answers.push('Repository: ~alice/lantern', 'x.c\tEnter a Name…', '~bob/x.c');
		assert.deepEqual(await show(), { repository: '~bob/x.c' });
		assert.deepEqual(stubbed.prefilled, ['x.c']);
	});

	test('rejects an invalid name and explains the format', async () => {
		stubbed.answers.push('List: not configured', 'Enter a Name…', 'devel');
		await assert.rejects(show(), aborted);
		assert.match(stubbed.shown.join('\n'), /~owner\/name/);
	});

	test('returns to the value from git on request', async () => {
		stubbed.workspaceSettings.set('forge.folder', { tracker: '~alice/lantern', list: '~alice/devel' });
		stubbed.answers.push('Tracker: ~alice/lantern', 'Detect from git');
		assert.deepEqual(await show(), { list: '~alice/devel' });
	});

	test('says when git is off, and when no folder is open', async () => {
		stubbed.answers.push(undefined);
		await assert.rejects(show({ git: async () => undefined }), aborted);
		assert.match(stubbed.asked[0] ?? '', /^Git is disabled/);
		assert.equal(await show({ folders: [] }), undefined);
		assert.equal(stubbed.shown.length, 1);
		assert.equal(stubbed.asked.length, 1);
	});
});

suite('folder setting', () => {
	setup(() => resetStub());

	const open = (...paths: readonly string[]): void =>
		void stubbedWorkspace.folders.push(...paths.map((path, index) => ({ uri: uriAt(path), name: path, index })));

	test('reads each part, and ignores malformed ones', () => {
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

	test('writes each part to the workspace settings, and removes the setting with its last part', async () => {
		open('/code');
		await writeFolderSetting(code, 'tracker', '~alice/lantern');
		await writeFolderSetting(code, 'list', '~alice/devel');
		await writeFolderSetting(code, 'tracker', '~bob/quill');
		assert.deepEqual(stubbed.workspaceSettings.get('forge.folder'), { list: '~alice/devel', tracker: '~bob/quill' });
		await writeFolderSetting(code, 'list', undefined);
		await writeFolderSetting(code, 'tracker', undefined);
		assert.deepEqual([stubbed.workspaceSettings.size, stubbed.settings.size], [0, 0]);
	});

	test('writes to the one folder when several are open', async () => {
		open('/code', '/website');
		await writeFolderSetting(code, 'tracker', '~alice/lantern');
		assert.deepEqual(readFolderSetting(code).tracker, { owner: '~alice', name: 'lantern' });
		assert.equal(readFolderSetting(uriAt('/website')).tracker, undefined);
		assert.equal(stubbed.settings.size, 0);
	});
});
