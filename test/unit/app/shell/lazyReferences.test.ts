import '../../../support/vscodeStub.ts';
import { fake } from '../../../support/fake.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Desk } from '../../../../src/editor/desk.ts';
import { standFor } from '../../../support/standFor.ts';
import { changeSetting, provided, resetStub } from '../../../support/vscodeValues.ts';

const { lazyReferences, lazyTools } = await import('../../../../src/app/shell/shell.ts');

interface Shell {
	readonly context: vscode.ExtensionContext;
	readonly stored: Map<string, unknown>;
	readonly workspace: Map<string, unknown>;
	readonly secrets: Emitter<void>;
	/** The number of desk requests. */
	readonly opened: { count: number };
	readonly desk: () => Promise<Desk>;
}

function shell(): Shell {
	const [stored, workspace] = [new Map<string, unknown>(), new Map<string, unknown>()];
	const secrets = new Emitter<void>();
	const opened = { count: 0 };
	const links = { provideDocumentLinks: () => ['a link'] };
	const manifest = {
		contributes: { languageModelTools: [{ name: 'forge_getTicket' }] },
	};
	return {
		context: standFor<vscode.ExtensionContext>({
			globalState: { get: (key: string) => stored.get(key) },
			workspaceState: { get: (key: string) => workspace.get(key) },
			secrets: { onDidChange: secrets.event },
			extension: { packageJSON: manifest },
		}),
		stored,
		workspace,
		secrets,
		opened,
		async desk() {
			opened.count += 1;
			return standFor<Desk>({
				references: async () => ({ links }),
				tool: async (name: string) => ({ invoke: () => (name === 'forge_getTicket' ? 'a ticket' : undefined) }),
			});
		},
	};
}

async function linksOf(text: string): Promise<unknown> {
	const provider = standFor<vscode.DocumentLinkProvider>(provided.get('links'));
	const document = standFor<vscode.TextDocument>({ getText: () => text });
	return provider.provideDocumentLinks(document, standFor<vscode.CancellationToken>({}));
}

suite('references before the desk opens', () => {
	setup(resetStub);

	test('without an account, registers and opens nothing', () => {
		const { context, desk, opened, workspace } = shell();
		workspace.set('forge.work', []);
		lazyReferences(context, desk);
		assert.deepEqual([provided.size, opened.count], [0, 0]);
	});

	test('a text without a reference opens nothing', async () => {
		const { context, desk, opened, stored } = shell();
		stored.set('forge.signedIn', true);
		lazyReferences(context, desk);
		assert.deepEqual([...provided.keys()].toSorted(), ['completions', 'hovers', 'links', 'terminals']);
		for (const text of ['# Heading\n', 'a { color: #fff }', 'home is ~', '#0']) {
			assert.equal(await linksOf(text), undefined, text);
		}
		assert.equal(opened.count, 0);
		assert.deepEqual(await linksOf('see #12'), ['a link']);
		assert.deepEqual(await linksOf('https://todo.forge.test/~alice/x/1'), ['a link']);
		assert.equal(opened.count, 2);
	});

	test('work started here opens the desk, for its trailer', () => {
		const { context, desk, opened, stored, workspace } = shell();
		stored.set('forge.signedIn', true);
		workspace.set('forge.work', []);
		lazyReferences(context, desk);
		assert.equal(opened.count, 1);
	});

	test('signing in registers, here and in another window, and signing out unregisters', async () => {
		const { context, desk, opened, stored, secrets } = shell();
		const references = lazyReferences(context, desk);
		secrets.fire();
		assert.equal(provided.size, 4);
		assert.equal(await linksOf('see #12'), undefined);
		assert.equal(opened.count, 0);
		const accounts = new Emitter<void>();
		references.follow(fake<Desk>({ onDidChangeAccounts: accounts.event }));
		accounts.fire();
		assert.equal(provided.size, 0);
		stored.set('forge.signedIn', true);
		accounts.fire();
		assert.equal(provided.size, 4);
		references.dispose();
		assert.equal(provided.size, 0);
	});

	test('links are redrawn after the user links a folder', () => {
		const { context, desk, stored } = shell();
		changeSetting('forge.folder');
		stored.set('forge.signedIn', true);
		const references = lazyReferences(context, desk);
		const before = provided.get('links');
		changeSetting('editor.fontSize');
		assert.equal(provided.get('links'), before);
		changeSetting('forge.folder');
		assert.ok(provided.has('links'));
		assert.notEqual(provided.get('links'), before);
		references.dispose();
		changeSetting('forge.folder');
		assert.equal(provided.size, 0);
	});

	test('a tool opens the desk when a model uses it', async () => {
		const { context, desk, opened } = shell();
		lazyTools(context, desk);
		assert.equal(opened.count, 0);
		const tool = standFor<vscode.LanguageModelTool<unknown>>(provided.get('forge_getTicket'));
		const options = standFor<vscode.LanguageModelToolInvocationOptions<unknown>>({});
		assert.equal(await tool.invoke(options, standFor<vscode.CancellationToken>({})), 'a ticket');
		assert.equal(opened.count, 1);
	});
});
