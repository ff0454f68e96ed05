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

/** The newest open ticket. */
async function openTicket(): Promise<string> {
	const [ticket] = await listed('status:open', 1);
	assert.ok(ticket);
	return ticket;
}

/**
 * Tools as a model reaches them: the editor checks the input, prepares and invokes. During tests the editor shows no
 * confirmations and assumes yes; test/unit/features/tickets/models covers their texts.
 */
suite(`${hostDialect()}: tools for language models in the editor`, () => {
	suiteSetup(async function () {
		this.timeout(60_000);
		await vscode.commands.executeCommand('forge.sample.start');
	});

	test('are registered under their names', () => {
		const known = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('forge_'));
		assert.deepEqual(known.toSorted(), [
			'forge_addDraftComment',
			'forge_commentOnTicket',
			'forge_getPatchset',
			'forge_getThread',
			'forge_getTicket',
			'forge_listFolder',
			'forge_listTickets',
			'forge_readFile',
			'forge_readInbox',
			'forge_resolveTicket',
		]);
	});

	test('list tickets as untrusted text', async () => {
		assert.equal((await listed('status:any', 5)).length, 5);
	});

	test('read the inbox as untrusted text', async () => {
		assert.match(framed(await invoke('forge_readInbox', {}))[0] ?? '', /^\d+ unread entries, /);
	});

	test('read a ticket as untrusted text of a bounded length', async () => {
		const one = await invoke('forge_getTicket', { ticket: '~alice/lantern#3' });
		assert.match(framed(one)[0] ?? '', /^~alice\/lantern#3: /);
		assert.ok(new TextEncoder().encode(one).byteLength <= 32 * 1024);
	});

	test('read a patchset and its thread as untrusted text of a bounded length', async () => {
		const patchset = await invoke('forge_getPatchset', { patchset: `~alice/lantern-devel/patches/${someSeries}` });
		const lines = framed(patchset);
		assert.match(lines[0] ?? '', /^~alice\/lantern-devel\/patches\/34: fold: nest as deep as you like/);
		assert.ok(lines.includes('status: proposed'), lines.slice(0, 10).join('\n'));
		assert.ok(lines.some((line) => line.startsWith('diff --git ')));
		assert.ok(new TextEncoder().encode(patchset).byteLength <= 32 * 1024);
		const [, cover = ''] = lines.map((line) => /^message-id: (<.+>)$/.exec(line) ?? []).find(([found]) => found) ?? [];
		const thread = framed(await invoke('forge_getThread', { thread: `~alice/lantern-devel/${cover}` }));
		assert.match(thread[0] ?? '', /^Thread in ~alice\/lantern-devel of \d+ mails/);
		assert.ok(thread.includes(`message-id: ${cover}`));
		assert.ok(!thread.some((line) => line.startsWith('diff --git ')));
	});

	test('add a draft comment on a line of a patch, and name the valid lines otherwise', async () => {
		const patchset = `~alice/lantern-devel/patches/${someSeries}`;
		const lines = framed(await invoke('forge_getPatchset', { patchset }));
		const [, file = ''] = lines.map((line) => /^\+\+\+ b\/(\S+)$/.exec(line) ?? []).find(([found]) => found) ?? [];
		const [, first = ''] = lines.map((line) => /^@@ -\S+ \+(\d+)/.exec(line) ?? []).find(([found]) => found) ?? [];
		const where = { patchset, patch: 1, file, line: Number(first) };
		assert.equal(
			await invoke('forge_addDraftComment', { ...where, text: 'Is this tested?' }),
			'Kept as a draft comment. Nothing was sent: the person reads, changes and sends drafts.',
		);
		const elsewhere = invoke('forge_addDraftComment', { ...where, line: 999_999, text: 'Is this tested?' });
		await assert.rejects(elsewhere, new RegExp(`does not show line 999999 .*: ${first}-`));
	});

	test('list a folder and read lines of a file at a reference as untrusted text', async () => {
		const folder = framed(await invoke('forge_listFolder', { repository: anyone, path: 'lib' }));
		assert.match(folder[0] ?? '', /^~alice\/lantern at the default branch, commit [0-9a-f]{40}: lib$/);
		assert.ok(
			folder.some((line) => line.startsWith('submodule wick ')),
			folder.join('\n'),
		);
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
		await assert.rejects(invoke('forge_listFolder', { repository: anyone, path: '../..' }), /Give the path/);
	});

	test('reject an input without a patchset or thread', async () => {
		await assert.rejects(invoke('forge_getPatchset', { patchset: '34' }), /Name the patchset/);
		await assert.rejects(invoke('forge_getThread', { thread: '~alice/lantern-devel' }), /Name a mail of the thread/);
	});

	test('reject an input without a ticket, and writing tools do so before any confirmation or request', async () => {
		await assert.rejects(invoke('forge_getTicket', { ticket: '#3' }), /Name the ticket/);
		await assert.rejects(invoke('forge_commentOnTicket', { ticket: '#3', text: 'Words' }), /Name the ticket/);
		await assert.rejects(invoke('forge_resolveTicket', { ticket: '#3', resolution: 'fixed' }), /Name the ticket/);
	});

	test('comment on a ticket once, and the forge then has the comment', async () => {
		const ticket = await openTicket();
		const text = 'The model has looked *at it*.';
		assert.match(await invoke('forge_commentOnTicket', { ticket, text }), /^\| Done\. /m);
		const lines = framed(await invoke('forge_getTicket', { ticket }));
		assert.equal(lines.filter((line) => line === text).length, 1);
	});

	test('resolve a ticket with a comment, and the forge then has both', async () => {
		const ticket = await openTicket();
		const comment = 'Nothing is left to do.';
		const told = await invoke('forge_resolveTicket', { ticket, resolution: 'implemented', comment });
		assert.ok(framed(told).includes(`Done. ${ticket} is now resolved (implemented).`), told);
		const lines = framed(await invoke('forge_getTicket', { ticket }));
		assert.ok(lines.includes('status: resolved (implemented)'), lines.join('\n'));
		assert.equal(lines.filter((line) => line === comment).length, 1);
		assert.notEqual(await openTicket(), ticket);
	});
});
