import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { addressOfLink } from '../../src/editor/links/editorLink.ts';
import { placeOfUri, uriOfPlace } from '../../src/features/repositories/subjects/place.ts';
import { connectionKey, folder, git, hostDialect, repository, tracker, useSampleFolder } from './sampleHost.ts';

/** The repository has the tracker's name. */
const lantern = tracker;
const slashes = 'feature/editorconfig/globs';

async function showRemote(path: string, revision: string, selection: vscode.Selection): Promise<vscode.TextEditor> {
	const uri = uriOfPlace({ kind: 'entry', connectionKey, ref: lantern, at: { ref: revision, path } });
	return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { selection });
}

async function permalink(): Promise<string> {
	await vscode.commands.executeCommand('forge.repositories.copyPermalink');
	return vscode.env.clipboard.readText();
}

/** Pastes an address into Go to, and opens the result. */
async function paste(address: string): Promise<vscode.TextEditor> {
	const going = { isOver: false };
	const gone = Promise.resolve(vscode.commands.executeCommand('forge.goTo', address)).finally(() => {
		going.isOver = true;
	});
	// No event reports an open box; until then the key has no effect.
	while (!going.isOver) {
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
	}
	await gone;
	const editor = vscode.window.activeTextEditor;
	assert.ok(editor);
	return editor;
}

function selectedText({ document, selection }: vscode.TextEditor): string {
	return document.getText(selection);
}

suite(`${hostDialect()}: links to the forge and back`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await useSampleFolder();
	});

	test('a permalink of selected remote lines leads back to these lines at that commit', async () => {
		const shown = await showRemote('README.md', slashes, new vscode.Selection(0, 2, 2, 3));
		const address = await permalink();
		assert.match(address, /\/~alice\/lantern\/tree\/[0-9a-f]{40}\/item\/README\.md#L1-3$/);
		const expected = shown.document.getText(new vscode.Range(0, 0, 2, Number.MAX_SAFE_INTEGER));
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const back = await paste(address);
		const place = placeOfUri(back.document.uri);
		assert.ok(place?.kind === 'entry' && address.includes(place.at.ref));
		assert.deepEqual([place.ref, place.at.path], [lantern, 'README.md']);
		assert.equal(selectedText(back), expected);
		assert.equal(await permalink(), address);
	}).timeout(60_000);

	test('an address with a slash in its reference opens at its lines, or at the last line beyond the end', async () => {
		await showRemote('README.md', slashes, new vscode.Selection(0, 0, 0, 0));
		await vscode.commands.executeCommand('forge.copyLink');
		const address = await vscode.env.clipboard.readText();
		assert.ok(address.endsWith(`/~alice/lantern/tree/${slashes}/item/README.md`), address);
		const back = await paste(`${address}#L3-4`);
		assert.equal(placeOfUri(back.document.uri)?.kind, 'entry');
		assert.deepEqual([back.selection.start.line, back.selection.end.line], [2, 3]);
		const beyond = await paste(`${address}#L99999`);
		assert.equal(beyond.selection.end.line, beyond.document.lineCount - 1);
	}).timeout(60_000);

	test('a permalink of a clone leads to the same lines on the forge', async () => {
		const before = git('symbolic-ref', '--short', 'HEAD').trim();
		git('fetch', '-q', 'origin', 'master');
		git('checkout', '-q', '--detach', 'FETCH_HEAD');
		try {
			const commit = git('rev-parse', 'HEAD').trim();
			await headIs(commit);
			const file = vscode.Uri.file(join(folder(), 'README.md'));
			const local = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), {
				selection: new vscode.Selection(2, 0, 4, 1),
			});
			const expected = local.document.getText(new vscode.Range(2, 0, 4, Number.MAX_SAFE_INTEGER));
			const address = await permalink();
			assert.ok(address.endsWith(`/~alice/lantern/tree/${commit}/item/README.md#L3-5`), address);
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			const back = await paste(address);
			assert.equal(back.document.uri.scheme, 'forge');
			assert.equal(selectedText(back), expected);
		} finally {
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			git('checkout', '-q', before);
		}
	}).timeout(60_000);

	test('an unpushed commit has no permalink', async () => {
		await headIs(git('rev-parse', 'HEAD').trim());
		await vscode.env.clipboard.writeText('as before');
		const file = vscode.Uri.file(join(folder(), 'hello.txt'));
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
		assert.equal(await permalink(), 'as before');
	}).timeout(60_000);

	test('a link contains the selected lines, and none for a cursor', async () => {
		await showRemote('README.md', slashes, new vscode.Selection(0, 1, 2, 3));
		await vscode.commands.executeCommand('forge.copyLink');
		const address = await vscode.env.clipboard.readText();
		assert.ok(address.endsWith(`/tree/${slashes}/item/README.md#L1-3`), address);
		await vscode.commands.executeCommand('forge.copyEditorLink');
		const link = vscode.Uri.parse(await vscode.env.clipboard.readText(), true);
		assert.equal(addressOfLink(link)?.href, address);
		await showRemote('README.md', slashes, new vscode.Selection(0, 1, 0, 1));
		await vscode.commands.executeCommand('forge.copyLink');
		assert.ok((await vscode.env.clipboard.readText()).endsWith('/item/README.md'));
	}).timeout(60_000);

	test('a link into the editor survives formatting and parsing by the editor', async () => {
		const file = { kind: 'file', connectionKey, ref: lantern, at: { ref: slashes, path: 'a b/100%/#1?&ü.txt' } };
		await vscode.commands.executeCommand('forge.copyLink', file);
		const address = await vscode.env.clipboard.readText();
		await vscode.commands.executeCommand('forge.copyEditorLink', file);
		const link = await vscode.env.clipboard.readText();
		assert.ok(link.startsWith(`${vscode.env.uriScheme}://forge-desk.forge-desk/open?url=http`), link);
		assert.equal(addressOfLink(vscode.Uri.parse(link, true))?.href, address);
		assert.equal(addressOfLink(vscode.Uri.parse(vscode.Uri.parse(link, true).toString(), true))?.href, address);
	});
});

/** Settles when the editor's git has seen the checkout. */
async function headIs(commit: string): Promise<void> {
	const { state } = await repository();
	if (state.HEAD?.commit !== commit) {
		await new Promise<void>((resolve) => {
			const listening = state.onDidChange(() => {
				if (state.HEAD?.commit === commit) {
					listening.dispose();
					resolve();
				}
			});
		});
	}
}
