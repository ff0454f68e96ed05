import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { connectionKey, hostDialect } from './sampleHost.ts';

/** A patchset of the sample world with whole files. */
const patchset = { kind: 'patchset', connectionKey, ref: { list: { owner: '~alice', name: 'lantern-devel' }, id: 34 } };

/** Open proposed files, whole. */
function wholeProposed(): readonly vscode.TextDocument[] {
	return vscode.workspace.textDocuments.filter(({ uri }) => uri.query.includes('"show":"wholeAfter"'));
}

suite(`${hostDialect()}: suggesting a change in the editor`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	test('the user edits a copy next to the proposed file, and the review contains the difference as a fix-up', async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.patchsets.openDiff', patchset);
		await eventually(async () => wholeProposed().length > 0, true);
		const [proposed] = wholeProposed();
		assert.ok(proposed);
		await vscode.commands.executeCommand('forge.review.suggestChange', proposed.uri);
		await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme, 'forge-suggestion');
		const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		assert.ok(input instanceof vscode.TabInputTextDiff);
		assert.equal(input.original.toString(), proposed.uri.toString());
		const editor = vscode.window.activeTextEditor;
		assert.ok(editor);
		const { document } = editor;
		assert.deepEqual([document.getText(), document.languageId], [proposed.getText(), proposed.languageId]);
		await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'what somebody suggests\n'));
		await vscode.commands.executeCommand('forge.review.addSuggestions');
		await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme === 'forge-suggestion', false);
		await vscode.commands.executeCommand('forge.review.preview', patchset);
		await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme, 'forge-review');
		const [review, language] = [
			vscode.window.activeTextEditor?.document.getText().split('\n') ?? [],
			() => vscode.window.activeTextEditor?.document.languageId,
		];
		await eventually(async () => language(), 'forge-mail');
		assert.ok(review.includes('Suggested change:'), review.join('\n'));
		assert.ok(review.includes('    +what somebody suggests'), review.join('\n'));
		assert.ok(review.includes(`     ${proposed.lineAt(0).text}`), review.join('\n'));
	});

	test('the next copy of the file starts without a previously added change', async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.patchsets.openDiff', patchset);
		await eventually(async () => wholeProposed().length > 0, true);
		const [proposed] = wholeProposed();
		await vscode.commands.executeCommand('forge.review.suggestChange', proposed?.uri);
		await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme, 'forge-suggestion');
		// The editor may still have the previous document, and reads it again.
		await eventually(async () => vscode.window.activeTextEditor?.document.getText(), proposed?.getText());
	});

	test('an added change does not return through the editor’s auto save', async function () {
		this.timeout(60_000);
		const files = vscode.workspace.getConfiguration('files');
		await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
		await files.update('autoSaveDelay', 1, vscode.ConfigurationTarget.Global);
		const copyText = (): string | undefined => {
			const document = vscode.window.activeTextEditor?.document;
			return document?.uri.scheme === 'forge-suggestion' ? document.getText() : undefined;
		};
		let isSaving = false;
		const listening = vscode.workspace.onWillSaveTextDocument((event) => {
			if (event.document.uri.scheme === 'forge-suggestion') {
				isSaving = true;
				// Another extension may delay the save; the editor stops waiting after 1.75 s.
				event.waitUntil(new Promise(() => undefined));
			}
		});
		try {
			await vscode.commands.executeCommand('forge.patchsets.openDiff', patchset);
			await eventually(async () => wholeProposed().length > 0, true);
			const [proposed] = wholeProposed();
			await vscode.commands.executeCommand('forge.review.suggestChange', proposed?.uri);
			await eventually(async () => copyText(), proposed?.getText());
			await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(1, 0), 'saved late\n'));
			await eventually(async () => isSaving, true);
			await vscode.commands.executeCommand('forge.review.addSuggestions');
			listening.dispose();
			await eventually(async () => copyText(), undefined);
			await vscode.commands.executeCommand('forge.review.suggestChange', proposed?.uri);
			await eventually(async () => copyText(), proposed?.getText());
		} finally {
			listening.dispose();
			await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
			await files.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
		}
	});
});
