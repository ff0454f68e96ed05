import * as vscode from 'vscode';
import type { CommandId } from '../commands/table.ts';
import { panelTypes, type Desk, type Views } from '../editor/desk.ts';
import { applyingKey, continueKey } from '../editor/names/storageKeys.ts';
import type { TreeNode } from '../editor/trees/treeNode.ts';
import type { ViewId } from '../commands/viewIds.ts';
import { lazyDrafts } from './lazyDrafts.ts';
import { lazyFiles } from './lazyFiles.ts';
import { lazyReferences, lazyTools } from './lazyReferences.ts';
import { lazySessions } from './lazySessions.ts';
import { lazyTree, type LazyTree } from './lazyTree.ts';
import { startWhenIdle, type After } from './startWhenIdle.ts';
import { workActions } from './workActions.ts';

/** Loads and starts the rest of the program. */
export type OpenDesk = (context: vscode.ExtensionContext, views: Views) => Promise<Desk>;

/**
 * Registers all contributions without loading the desk; the first use loads it. For signed-in users, the desk also
 * loads when the window is idle. The context's subscriptions own everything.
 */
export function openShell(context: vscode.ExtensionContext, openDesk: OpenDesk, after: After): void {
	const owned = context.subscriptions;
	let opening: Promise<Desk> | undefined;

	const trees = {
		inbox: tree('forge.inbox'),
		tickets: tree('forge.tickets'),
		lists: tree('forge.lists'),
		repositories: tree('forge.repositories'),
		search: tree('forge.search'),
		history: tree('forge.history'),
	};
	const views: Views = {
		'forge.inbox': view('forge.inbox', trees.inbox),
		'forge.tickets': view('forge.tickets', trees.tickets),
		'forge.lists': view('forge.lists', trees.lists),
		'forge.repositories': view('forge.repositories', trees.repositories),
		'forge.search': view('forge.search', trees.search),
		'forge.history': view('forge.history', trees.history),
	};
	const files = lazyFiles('files', desk);
	const mails = lazyFiles('mails', desk);
	const patches = lazyFiles('patches', desk);
	const versions = lazyFiles('versions', desk);
	const previews = lazyFiles('previews', desk);
	const series = lazyFiles('series', desk);
	const drafts = lazyDrafts(desk);
	const sessions = lazySessions(desk);
	const references = lazyReferences(context, desk);
	owned.push(
		files,
		mails,
		patches,
		versions,
		previews,
		series,
		drafts,
		sessions,
		references,
		...lazyTools(context, desk),
		startWhenIdle(context, desk, after, onDidUse),
		vscode.workspace.registerFileSystemProvider('forge', files, { isCaseSensitive: true, isReadonly: true }),
		vscode.workspace.registerFileSystemProvider('forge-mail', mails, { isCaseSensitive: true, isReadonly: true }),
		vscode.workspace.registerFileSystemProvider('forge-patch', patches, { isCaseSensitive: true, isReadonly: true }),
		vscode.workspace.registerFileSystemProvider('forge-versions', versions, {
			isCaseSensitive: true,
			isReadonly: true,
		}),
		vscode.workspace.registerFileSystemProvider('forge-review', previews, { isCaseSensitive: true, isReadonly: true }),
		vscode.workspace.registerFileSystemProvider('forge-series', series, { isCaseSensitive: true, isReadonly: true }),
		vscode.workspace.registerFileSystemProvider('forge-new', drafts, { isCaseSensitive: true }),
		vscode.workspace.registerFileSystemProvider('forge-description', drafts, { isCaseSensitive: true }),
		vscode.workspace.registerFileSystemProvider('forge-reply', drafts, { isCaseSensitive: true }),
		vscode.workspace.registerFileSystemProvider('forge-suggestion', drafts, { isCaseSensitive: true }),
		vscode.languages.registerCodeActionsProvider('*', workActions(), {
			providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
		}),
		vscode.window.registerUriHandler({ handleUri: async (link) => (await desk()).openEditorLink(link) }),
		vscode.authentication.registerAuthenticationProvider('forge', 'Forge', sessions, {
			supportsMultipleAccounts: true,
		}),
		...panelTypes.map((type) =>
			vscode.window.registerWebviewPanelSerializer(type, {
				deserializeWebviewPanel: async (panel, state) => (await desk()).restorePanel(type, panel, state),
			}),
		),
	);
	if (context.globalState.get(continueKey) !== undefined || context.workspaceState.get(applyingKey) !== undefined) {
		// A clone opened for a pending action, or an interrupted patchset, needs the desk now.
		desk().catch(() => undefined); // The next use tries again and reports the error.
	}
	for (const id of contributedCommands(context)) {
		owned.push(
			vscode.commands.registerCommand(id, async (subject: unknown, selected: unknown) =>
				(await desk()).run(id, subject, selected),
			),
		);
	}

	function tree(id: ViewId): LazyTree {
		const made = lazyTree(id, desk);
		owned.push(made);
		return made;
	}

	function view(id: ViewId, treeDataProvider: LazyTree): vscode.TreeView<TreeNode> {
		const made = vscode.window.createTreeView(id, {
			treeDataProvider,
			showCollapseAll: id !== 'forge.history',
			canSelectMany: id === 'forge.inbox' || id === 'forge.tickets' || id === 'forge.lists',
			// Viewed marks depend on file identities, also of other versions.
			manageCheckboxStateManually: true,
		});
		owned.push(made);
		return made;
	}

	function desk(): Promise<Desk> {
		opening ??= openDesk(context, views).then(adopt, (error: unknown) => {
			opening = undefined; // The next use tries again.
			throw error;
		});
		return opening;
	}

	function adopt(opened: Desk): Desk {
		owned.push(opened);
		trees.inbox.follow(opened.trees['forge.inbox']);
		trees.tickets.follow(opened.trees['forge.tickets']);
		trees.lists.follow(opened.trees['forge.lists']);
		trees.repositories.follow(opened.trees['forge.repositories']);
		trees.search.follow(opened.trees['forge.search']);
		trees.history.follow(opened.trees['forge.history']);
		files.follow(opened.files);
		previews.follow(opened.previews);
		series.follow(opened.series);
		drafts.follow(opened.drafts);
		sessions.follow(opened.sessions);
		references.follow(opened);
		return opened;
	}
}

/**
 * The manifest's command ids. The editor has the manifest in memory, so this saves loading a list of our own. A unit
 * test proves that they equal the `CommandId` type.
 */
function contributedCommands({ extension }: vscode.ExtensionContext): readonly CommandId[] {
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- our own manifest; a unit test compares it with the list
	const { contributes }: Manifest = extension.packageJSON;
	return contributes.commands.map(({ command }) => command);
}

/** The used part of package.json. */
interface Manifest {
	readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

/** Usage visible to extensions. Program output doesn't count as use. */
function onDidUse(listener: () => void): vscode.Disposable {
	return vscode.Disposable.from(
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (document.uri.scheme !== 'output') {
				listener();
			}
		}),
		vscode.window.onDidChangeActiveTextEditor(listener),
		vscode.window.onDidChangeTextEditorSelection(listener),
		vscode.window.onDidChangeWindowState(listener),
	);
}
