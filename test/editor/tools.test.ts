import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostDialect } from './sampleHost.ts';

const anyone = '~alice/lantern';
/** A patchset of the sample world with a cover letter. */
const someSeries = 34;

/** Runs a tool like the editor does for a model; returns the model's text. */
async function invoke(name: string, input: object): Promise<string> {
	const source = new vscode.CancellationTokenSource();
	try {
		const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
		return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
	} finally {
		source.dispose();
	}
}

/** The foreign text without its frame. */
function framed(answer: string): readonly string[] {
	assert.match(answer, /^The lines below/m);
	return answer
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(2));
}

/** References of the tickets in a list. */
async function listed(filter: string, limit: number): Promise<readonly string[]> {
	const lines = framed(await invoke('forge_listTickets', { tracker: anyone, filter, limit }));
	return lines.flatMap((line) => /^~alice\/lantern#\d+/.exec(line) ?? []);
}

/** Tools as a model reaches them: the editor checks the input, prepares and invokes. */
suite(`${hostDialect()}: tools for language models in the editor`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
	});

	test('are registered under their names', () => {
		const known = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('forge_'));
		assert.deepEqual(known.toSorted(), ['forge_getPatchset', 'forge_getTicket', 'forge_listTickets', 'forge_readFile']);
	});

	test('list tickets as untrusted text', async () => {
		assert.equal((await listed('status:any', 5)).length, 5);
	});

	test('read a ticket as untrusted text of a bounded length', async () => {
		const one = await invoke('forge_getTicket', { ticket: '~alice/lantern#3' });
		assert.match(framed(one)[0] ?? '', /^~alice\/lantern#3: /);
		assert.ok(new TextEncoder().encode(one).byteLength <= 32 * 1024);
	});

	test('read a patchset as untrusted text of a bounded length', async () => {
		const patchset = await invoke('forge_getPatchset', { patchset: `~alice/lantern-devel/patches/${someSeries}` });
		const lines = framed(patchset);
		assert.match(lines[0] ?? '', /^~alice\/lantern-devel\/patches\/34: fold: nest as deep as you like/);
		assert.ok(lines.includes('status: proposed'), lines.slice(0, 10).join('\n'));
		assert.ok(lines.some((line) => line.startsWith('diff --git ')));
		assert.ok(new TextEncoder().encode(patchset).byteLength <= 32 * 1024);
	});

	test('read lines of a file at a reference as untrusted text', async () => {
		const reference = 'feature/editorconfig/globs';
		const lines = framed(
			await invoke('forge_readFile', { repository: anyone, reference, path: 'README.md', firstLine: 1, lastLine: 2 }),
		);
		assert.match(lines[0] ?? '', /^~alice\/lantern at feature\/editorconfig\/globs, commit [0-9a-f]{40}: README\.md$/);
		assert.match(lines[1] ?? '', /\/~alice\/lantern\/tree\/[0-9a-f]{40}\/item\/README\.md#L1-2$/);
		assert.equal(lines[4], '# Lantern');
		const picture = framed(await invoke('forge_readFile', { repository: anyone, path: 'share/icons/lantern.png' }));
		assert.match(picture.at(-1) ?? '', /^This is a binary file of \d+ bytes/);
	});

	test('reject an input without a repository or path', async () => {
		await assert.rejects(invoke('forge_readFile', { repository: 'lantern', path: 'a' }), /Name the repository/);
		await assert.rejects(invoke('forge_readFile', { repository: anyone, path: '../..' }), /Give the path/);
	});

	test('reject an input without a patchset', async () => {
		await assert.rejects(invoke('forge_getPatchset', { patchset: '34' }), /Name the patchset/);
	});

	test('reject an input without a ticket', async () => {
		await assert.rejects(invoke('forge_getTicket', { ticket: '#3' }), /Name the ticket/);
	});
});
