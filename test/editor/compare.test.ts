import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { placeOfUri, uriOfPlace, uriOfSide } from '../../src/features/repositories/subjects/place.ts';
import { connectionKey, hostDialect } from './sampleHost.ts';

const within = { connectionKey, ref: { owner: '~alice', name: 'lantern' } };

/** Full ids of a commit and its first parent. */
interface CommitAndParent {
	readonly id: string;
	readonly parent: string;
}

/** A commit with exactly one parent: the second parent of the newest merge. */
async function plainCommit(): Promise<CommitAndParent> {
	const merge = await idsOf('master');
	const id = merge.parents[1];
	assert.ok(id !== undefined);
	const { parents } = await idsOf(id);
	const [parent] = parents;
	assert.ok(parent !== undefined && parents.length === 1);
	return { id, parent };
}

async function idsOf(revision: string): Promise<{ readonly parents: readonly string[] }> {
	const at = uriOfPlace({ kind: 'commit', ...within, id: revision });
	const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(at));
	return { parents: Array.from(text.matchAll(/^Parent: +([0-9a-f]{40})$/gm), ([, id = '']) => id) };
}

/** Resolves when a matching tab is active. */
async function tabInFront(fits: (tab: vscode.Tab) => boolean): Promise<vscode.Tab> {
	for (;;) {
		const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
		if (tab && fits(tab)) {
			return tab;
		}
		await new Promise<void>((resolve) => {
			const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
				listening.dispose();
				resolve();
			});
		});
	}
}

suite(`${hostDialect()}: changes in the editor`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	test('of a commit open in the editor’s own multi-file comparison', async () => {
		const { id } = await plainCommit();
		await vscode.commands.executeCommand('forge.repositories.openChanges', { kind: 'commit', ...within, id });
		const tab = await tabInFront(({ label }) => label.startsWith(id.slice(0, 7)));
		assert.ok(!(tab.input instanceof vscode.TabInputTextDiff) && !(tab.input instanceof vscode.TabInputText));
	});

	test('of one file open both sides, each at its commit', async () => {
		const { id, parent } = await plainCommit();
		const opened = new Promise<string>((resolve) => {
			const listening = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
				const place = uri.query === id ? placeOfUri(uri) : undefined;
				if (place?.kind === 'entry') {
					listening.dispose();
					resolve(place.at.path);
				}
			});
		});
		await vscode.commands.executeCommand('forge.repositories.openChanges', { kind: 'commit', ...within, id });
		const path = await opened;
		const subject = { kind: 'change', ...within, before: parent, after: id, path };
		await vscode.commands.executeCommand('forge.repositories.openChange', subject);
		const { input } = await tabInFront((tab) => tab.input instanceof vscode.TabInputTextDiff);
		assert.ok(input instanceof vscode.TabInputTextDiff);
		const at = (ref: string): string => uriOfSide({ kind: 'entry', ...within, at: { ref, path } }).toString();
		assert.deepEqual([input.original.toString(), input.modified.toString()], [at(parent), at(id)]);
		for (const side of [input.original, input.modified]) {
			const document = await vscode.workspace.openTextDocument(side);
			assert.equal(document.getText(), new TextDecoder().decode(await vscode.workspace.fs.readFile(side)));
		}
	});

	test('between two references open under both names', async () => {
		const { id, parent } = await plainCommit();
		const subject = { kind: 'comparison', ...within, before: parent, after: id };
		await vscode.commands.executeCommand('forge.repositories.compare', subject);
		// The editor adds the number of files.
		await tabInFront(({ label }) => label.startsWith(`${parent.slice(0, 7)} → ${id.slice(0, 7)} (`));
		await vscode.commands.executeCommand('forge.repositories.swapSides');
		await tabInFront(({ label }) => label.startsWith(`${id.slice(0, 7)} → ${parent.slice(0, 7)} (`));
	});
});
