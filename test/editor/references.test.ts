import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { address, connectionKey, folder, git, hostDialect, open, tracker, useSampleFolder } from './sampleHost.ts';

async function linkedTexts(document: vscode.TextDocument): Promise<readonly string[]> {
	const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
		'vscode.executeLinkProvider',
		document.uri,
		100,
	);
	return links.filter(({ target }) => target?.scheme === 'command').map(({ range }) => document.getText(range));
}

async function completions(document: vscode.TextDocument, before: string): Promise<readonly vscode.CompletionItem[]> {
	const at = document.positionAt(document.getText().indexOf(before) + before.length);
	const list = await vscode.commands.executeCommand<vscode.CompletionList>(
		'vscode.executeCompletionItemProvider',
		document.uri,
		at,
	);
	return list.items;
}

function labelOf({ label }: vscode.CompletionItem): string {
	return typeof label === 'string' ? label : label.label;
}

suite(`${hostDialect()}: references in the editor`, () => {
	let ticketAddress = '';
	suiteSetup(async function () {
		this.timeout(60_000);
		await useSampleFolder();
		ticketAddress = await address({ kind: 'ticket', connectionKey, ref: { tracker, id: 3 } });
		git('config', 'sendemail.to', '~alice/lantern-devel@127.0.0.1');
	});

	test('Markdown links short and full references and addresses, and no code', async () => {
		const text = [
			'# 12 is a heading',
			'See #3, (lantern#4), ~alice/website#31 and x#5, but not `#6` or [here](#7).',
			'```',
			'#8',
			'```',
			`<${ticketAddress}#event-1> and nosuch#9`,
		].join('\n');
		const document = await open('notes.md', text);
		assert.deepEqual(await linkedTexts(document), ['#3', 'lantern#4', '~alice/website#31', `${ticketAddress}#event-1`]);
	});

	test('the editor shows no colours for ticket numbers unless the user enables them', () => {
		const drawn = (languageId: string): unknown =>
			vscode.workspace.getConfiguration('editor', { languageId }).get('defaultColorDecorators');
		assert.deepEqual(['markdown', 'git-commit', 'scminput', 'css'].map(drawn), ['never', 'never', 'never', 'auto']);
	});

	test('code links references in comments, and full ones anywhere', async () => {
		const document = await open(
			'main.c',
			'#12\n#define X 3\n/* see #3 and\n * #4 */ int a = 1; // "#5 (#6)\nchar *b = " #7 ~alice/website#31";\n',
		);
		assert.deepEqual(await linkedTexts(document), ['#3', '#4', '#6', '~alice/website#31']);
	});

	test('a link runs our own command with two names and a number', async () => {
		const document = await open('one.md', 'See #3');
		const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
			'vscode.executeLinkProvider',
			document.uri,
			100,
		);
		const ours = links.find(({ target }) => target?.scheme === 'command');
		assert.equal(ours?.target?.path, 'forge.tickets.open');
		assert.deepEqual(JSON.parse(ours.target.query), [{ kind: 'ticket', connectionKey, ref: { tracker, id: 3 } }]);
	});

	test('a card shows the ticket and runs nothing', async () => {
		const document = await open('card.md', 'See #3 there');
		const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
			'vscode.executeHoverProvider',
			document.uri,
			new vscode.Position(0, 5),
		);
		const cards = hovers
			.flatMap(({ contents }) => contents)
			.filter((content) => content instanceof vscode.MarkdownString)
			.filter(({ value }) => value.includes('lantern\\#3'));
		assert.equal(cards.length, 1);
		assert.ok(cards.every(({ isTrusted, supportHtml }) => isTrusted !== true && supportHtml !== true));
		assert.match(cards[0]?.value ?? '', /Submitted by/);
		assert.doesNotMatch(cards[0]?.value ?? '', /command:/);
	});

	test('# suggests the open tickets of the folder’s tracker', async () => {
		const document = await open('offer.md', 'Fix #');
		const items = await completions(document, 'Fix #');
		const ours = items.filter((item) => /^#\d+$/.test(labelOf(item)));
		assert.ok(ours.length > 3);
		assert.ok(
			ours.every(({ filterText, insertText }) => typeof insertText === 'string' && filterText?.startsWith(insertText)),
		);
	});

	test('a commit message suggests trailers in its last paragraph, and the full address after them', async () => {
		mkdirSync(join(folder(), '.git'), { recursive: true });
		const message = await open('.git/COMMIT_EDITMSG', 'Title\n\nFi\n\n# On branch main #3\n');
		assert.equal(message.languageId, 'git-commit');
		const keys = (await completions(message, 'Fi')).map(labelOf);
		assert.ok(keys.includes('Fixes:'));
		const second = await open('.git/MERGE_MSG', 'Title Fi #4\n\nFixes: ');
		const values = await completions(second, 'Fixes: ');
		assert.ok(
			values.some(
				({ insertText }) => typeof insertText === 'string' && /^http.*\/~alice\/lantern\/\d+$/.test(insertText),
			),
		);
		assert.ok(!(await completions(second, 'Title Fi')).some((item) => labelOf(item) === 'Fixes:'));
	});
});
