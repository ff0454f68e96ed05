import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { hostDialect, open, useSampleFolder } from './sampleHost.ts';

const title = 'New Ticket from This Problem…';

async function offered(document: vscode.TextDocument, line: number): Promise<readonly vscode.CodeAction[]> {
	const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
		'vscode.executeCodeActionProvider',
		document.uri,
		new vscode.Range(line, 0, line, 1),
		vscode.CodeActionKind.QuickFix.value,
	);
	return actions.filter((action) => action.title === title);
}

suite(`${hostDialect()}: new tickets from problems`, () => {
	let problems: vscode.DiagnosticCollection;
	suiteSetup(async function () {
		this.timeout(60_000);
		await useSampleFolder();
		problems = vscode.languages.createDiagnosticCollection('lamp');
	});
	suiteTeardown(async () => {
		problems.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	test('are available only on the line of a problem', async () => {
		const document = await open('lamp.py', 'def oil():\n\treturn 1\n\ndef wick():\n\treturn oil\n');
		assert.deepEqual(await offered(document, 1), []);
		problems.set(document.uri, [
			new vscode.Diagnostic(new vscode.Range(1, 0, 1, 9), 'The lamp has no oil\nFill it first'),
		]);
		assert.equal((await offered(document, 1)).length, 1);
		assert.deepEqual(await offered(document, 4), []);
	});

	test('open as a document with the problem’s text, position and code', async () => {
		const document = await open('wick.py', 'one = 1\ntwo = 2\n');
		problems.set(document.uri, [
			new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'The wick is too long\nTrim it first'),
		]);
		const [action] = await offered(document, 1);
		assert.ok(action?.command);
		const subjects: readonly unknown[] = action.command.arguments ?? [];
		await vscode.commands.executeCommand(action.command.command, ...subjects);
		// The editor reports the active editor a moment after it shows it.
		await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme, 'forge-new');
		const shown = vscode.window.activeTextEditor?.document;
		assert.equal(shown?.languageId, 'markdown');
		const text = shown.getText();
		assert.match(text, /^The wick is too long\n\n```\nThe wick is too long\nTrim it first\n```\n/);
		assert.match(text, /wick\.py/);
		assert.match(text, /```python\none = 1\ntwo = 2\n```/);
		// A tab that 0.1.0 left open has the name of the draft in its path.
		const { uri } = shown;
		const named: unknown = JSON.parse(uri.query);
		assert.ok(typeof named === 'object' && named !== null && 'name' in named);
		const [, , owner, tracker, title] = uri.path.split('/');
		const path = `/.forge-new/${owner}/${tracker}/${String(named.name)}/${title}`;
		const earlier = await vscode.workspace.openTextDocument(uri.with({ path, query: '' }));
		assert.deepEqual([earlier.languageId, earlier.getText()], ['markdown', text]);
	});

	test('messages have the language of mails, at the URIs of this version and of 0.1.0', async () => {
		const at = (path: string, query = '') =>
			vscode.Uri.from({ scheme: 'forge-reply', authority: 'sample-alice', path, query });
		for (const uri of [
			at('/Forge Mail/~alice/quill-devel/New message to quill-devel', '{"name":"a1"}'),
			at('/.forge-reply/~alice/quill-devel/new/a1/New message to quill-devel'),
		]) {
			assert.equal((await vscode.workspace.openTextDocument(uri)).languageId, 'forge-mail');
		}
	});
});
