import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { FolderBelongs } from '../../../../../src/editor/git/folderMapping.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetWorkspace, stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { openBelonging } = await import('../../../../../src/features/repositories/clones/openCounterpart.ts');

const connectionKey = 'sample-alice';
const quill = { owner: '~alice', name: 'quill' };
const remote = standFor<vscode.Uri>({ scheme: 'forge', authority: connectionKey, path: '/~alice/quill@main' });

function belongsTo(root: vscode.Uri, tracker: boolean): FolderBelongs {
	const found = { ref: quill, connectionKey, foundBy: { kind: 'address' } } as const;
	return {
		root,
		repository: { ...found, root, head: undefined, isPushed: true },
		tracker: tracker ? found : undefined,
		list: undefined,
	};
}

interface World {
	readonly kind: 'tracker' | 'list';
	readonly folder: vscode.Uri;
	readonly tracker?: boolean;
	/** Names of the lists on the forge, or its failure. */
	readonly lists?: readonly string[] | Problem;
}

/** Runs the command in a window with this folder and nothing in front. Returns the requested lists. */
async function open({ kind, folder, tracker = false, lists = [] }: World): Promise<readonly string[]> {
	stubbedWorkspace.folders.push({ uri: folder, name: 'quill', index: 0 });
	const asked: string[] = [];
	const list = async ({ owner, name }: ListRef): Promise<void> => {
		asked.push(`${owner}/${name}`);
		if ('kind' in lists || !lists.includes(name)) {
			throw new ForgeError('kind' in lists ? lists : { kind: 'notFound' });
		}
	};
	const connections = fakeConnections(standFor<Connection>({ key: connectionKey, lists: { list } }));
	const folderOf = async (uri: vscode.Uri): Promise<FolderBelongs> => belongsTo(uri, tracker);
	await openBelonging(connections, folderOf, kind, undefined, new AbortController().signal);
	return asked;
}

suite('tracker and list of a folder', () => {
	setup(() => {
		resetStub();
		resetWorkspace();
	});
	teardown(resetWorkspace);

	test('open for a remote folder, whose URL names the repository', async () => {
		await open({ kind: 'tracker', folder: remote, tracker: true });
		assert.deepEqual(stubbed.executed, ['forge.trackers.show']);
		assert.deepEqual(stubbed.passed, [{ kind: 'tracker', connectionKey, ref: quill }]);
	});

	test('the list has the name of the repository, with or without -devel, and must exist on the forge', async () => {
		for (const [lists, asked] of [
			[['quill'], ['~alice/quill']],
			[['quill-devel'], ['~alice/quill', '~alice/quill-devel']],
		] as const) {
			resetWorkspace();
			assert.deepEqual(await open({ kind: 'list', folder: remote, lists }), asked);
			assert.deepEqual(stubbed.passed.at(-1), {
				kind: 'list',
				connectionKey,
				ref: { owner: '~alice', name: lists[0] },
			});
		}
		assert.deepEqual(stubbed.executed, ['forge.lists.show', 'forge.lists.show']);
	});

	test('a message names the missing list or tracker, and for a local folder says how to configure it', async () => {
		stubbed.answers.push(undefined, undefined, undefined);
		await open({ kind: 'list', folder: remote });
		resetWorkspace();
		await open({ kind: 'tracker', folder: remote });
		resetWorkspace();
		await open({ kind: 'list', folder: uriAt('/code') });
		assert.deepEqual(stubbed.executed, []);
		assert.deepEqual(stubbed.shown, [
			'No list with the name of ~alice/quill was found. Open it in the Lists view.',
			'No tracker with the name of ~alice/quill was found. Open it in the Tickets view.',
			"This folder isn't linked to a list yet. Configure it, or set sendemail.to in git.",
		]);
	});

	test('an unreachable forge does not count as a forge without the list', async () => {
		const lists: Problem = { kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' };
		await assert.rejects(open({ kind: 'list', folder: remote, lists }), { problem: lists });
		assert.deepEqual(stubbed.shown, []);
	});
});
