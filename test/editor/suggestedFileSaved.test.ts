import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { connectionKey, hostDialect, open } from './sampleHost.ts';

/** A patchset of the sample world with whole files. */
const patchset = { kind: 'patchset', connectionKey, ref: { list: { owner: '~alice', name: 'lantern-devel' }, id: 34 } };

const files = { trimTrailingWhitespace: true, insertFinalNewline: true, trimFinalNewlines: true } as const;

async function set(section: string, values: Readonly<Record<string, unknown>>): Promise<void> {
	for (const [name, value] of Object.entries(values)) {
		await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
	}
}

const unset = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, undefined>> =>
	Object.fromEntries(Object.keys(values).map((name) => [name, undefined]));

/** Opens a copy of the proposed file, adds trailing spaces to its lines, and waits until the draft is stored. */
async function copyWithBlanks(): Promise<vscode.TextEditor> {
	await vscode.commands.executeCommand('forge.patchsets.openDiff', patchset);
	const wholeProposed = (): vscode.TextDocument | undefined =>
		vscode.workspace.textDocuments.find(({ uri }) => uri.query.includes('"show":"wholeAfter"'));
	await eventually(async () => wholeProposed() !== undefined, true);
	await vscode.commands.executeCommand('forge.review.suggestChange', wholeProposed()?.uri);
	await eventually(async () => vscode.window.activeTextEditor?.document.uri.scheme, 'forge-suggestion');
	const editor = vscode.window.activeTextEditor;
	assert.ok(editor);
	const { document } = editor;
	const end = document.lineAt(document.lineCount - 1).range.end;
	// The document becomes dirty a moment after its text changes.
	let isSaved = false;
	const listening = vscode.workspace.onDidSaveTextDocument((each) => {
		isSaved ||= each === document;
	});
	try {
		await editor.edit((edit) => {
			edit.insert(new vscode.Position(1, 0), 'blanks behind  \n \n');
			edit.insert(end, '\n\n\n');
		});
		await eventually(async () => [isSaved, document.isDirty], [true, false]);
	} finally {
		listening.dispose();
	}
	return editor;
}

/** Each saves the active document. */
const ways: readonly (readonly [name: string, save: () => Thenable<unknown>, autoSave?: string])[] = [
	['"Save"', () => vscode.commands.executeCommand('workbench.action.files.save')],
	['"Save All"', () => vscode.commands.executeCommand('workbench.action.files.saveAll')],
	['leaving it', async () => vscode.window.showTextDocument(await open('left.txt', 'Left'))],
	['leaving it', async () => vscode.window.showTextDocument(await open('left.txt', 'Left')), 'onFocusChange'],
];

suite(`${hostDialect()}: saving a suggested file`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
		await set('files', files);
	});
	suiteTeardown(() => set('files', unset(files)));
	teardown(async () => {
		await set('files', { autoSave: undefined });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	for (const [name, save, autoSave] of ways) {
		test(`keeps every untouched line, by ${name}${autoSave === undefined ? '' : `, with ${autoSave}`}`, async function () {
			this.timeout(60_000);
			await set('files', { autoSave });
			let editor = await copyWithBlanks();
			const { document } = editor;
			const saved: string[] = [];
			const listening = vscode.workspace.onDidSaveTextDocument((each) => {
				if (each === document) {
					saved.push(each.getText());
				}
			});
			try {
				// On a busy machine, a save of ours that ignores the settings may come first, with nothing to undo.
				for (let haveActed = false; !haveActed;) {
					await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'what somebody suggests\n'));
					const typed = document.getText();
					await save();
					await eventually(async () => saved.length > 0, true);
					await eventually(async () => [document.isDirty, document.getText()], [false, typed]);
					haveActed = saved.splice(0).some((text) => !/behind  $/m.test(text));
					editor = haveActed ? editor : await vscode.window.showTextDocument(document, { preview: false });
				}
			} finally {
				listening.dispose();
			}
		});
	}
});
