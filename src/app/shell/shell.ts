import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';
import { forEachView, viewIds, type ViewId } from '../../commands/viewIds.ts';
import { problemOrigin } from '../../editor/ask/problemOrigin.ts';
import { panelTypes, type Desk, type Views } from '../../editor/desk.ts';
import { applyingKey, continueKey, signedInKey, workKey } from '../../editor/names/storageKeys.ts';
import type { TreeNode } from '../../editor/trees/treeNode.ts';
import type { ToolName } from '../../editor/models/toolNames.ts';
import type { References } from '../../editor/links/references.ts';
import { languageFamilies } from '../../engine/text/commentSpans.ts';

/** Markers in comments. Only a quick test; the desk parses the line. */
const marker = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/** Our own documents need no tickets. */
const ours = new Set([
	'forge-new',
	'forge-description',
	'forge-mail',
	'forge-reply',
	'forge-suggestion',
	'forge-review',
	'forge-versions',
	'forge-series',
	'output',
	'search-editor',
]);

/** Idle time before the desk loads. */
const idleMs = 5000;

/** Maximum restarts of the wait, for users who never pause. */
const mostWaits = 12;

/** Mailboxes dropped onto the lists. */
const mailboxDrop: vscode.TreeDragAndDropController<TreeNode> = {
	dragMimeTypes: [],
	dropMimeTypes: ['text/uri-list'],
	async handleDrop(_, dropped) {
		const text = (await dropped.get('text/uri-list')?.asString()) ?? '';
		for (const line of text.split(/\r?\n/).filter((each) => /^(?:file|vscode-remote):/.test(each))) {
			await vscode.commands.executeCommand('forge.openMailbox', vscode.Uri.parse(line));
		}
	},
};

/** Loads and starts the rest of the program. */
export type OpenDesk = (context: vscode.ExtensionContext, views: Views) => Promise<Desk>;

/**
 * Registers all contributions without loading the desk; the first use loads it. For signed-in users, the desk also
 * loads when the window is idle. The context's subscriptions own everything.
 */
export function openShell(context: vscode.ExtensionContext, openDesk: OpenDesk, after: After): void {
	const owned = context.subscriptions;
	let opening: Promise<Desk> | undefined;

	const trees = forEachView((id) => lazyTree(id, desk));
	const views: Views = forEachView((id) =>
		vscode.window.createTreeView(id, {
			treeDataProvider: trees[id],
			showCollapseAll: id !== 'forge.history' && id !== 'forge.outbox',
			canSelectMany: id === 'forge.inbox' || id === 'forge.outbox' || id === 'forge.tickets' || id === 'forge.lists',
			...(id === 'forge.lists' ? { dragAndDropController: mailboxDrop } : {}),
			// Viewed marks depend on file identities, also of other versions.
			manageCheckboxStateManually: true,
		}),
	);
	const files = fileSystems.map(({ schemes, of }) => ({ schemes, of, files: lazyFiles(of, desk) }));
	const sessions = lazySessions(desk);
	const references = lazyReferences(context, desk);
	const registered = [
		...Object.values(trees),
		...Object.values(views),
		...files.flatMap(({ schemes, of, files: provider }) => [
			provider,
			...schemes.map((scheme) =>
				vscode.workspace.registerFileSystemProvider(scheme, provider, {
					isCaseSensitive: true,
					isReadonly: of !== 'drafts',
				}),
			),
		]),
		sessions,
		references,
		...lazyTools(context, desk),
		startWhenIdle(context, desk, after, onDidUse),
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
	];
	for (const each of registered) {
		owned.push(each);
	}
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

	function desk(): Promise<Desk> {
		opening ??= openDesk(context, views).then(adopt, (error: unknown) => {
			opening = undefined; // The next use tries again.
			throw error;
		});
		return opening;
	}

	function adopt(opened: Desk): Desk {
		owned.push(opened);
		for (const id of viewIds) {
			trees[id].follow(opened.trees[id]);
		}
		files.forEach(({ of, files: provider }) => provider.follow(opened[of]));
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
	const {
		contributes,
	}: {
		readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
	} = extension.packageJSON;
	return contributes.commands.map(({ command }) => command);
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

/** A provider of the shell that forwards the events of the real one. */
interface Lazy<Real> extends vscode.Disposable {
	follow(real: Real): void;
}

/** The desk's file systems with their schemes. */
const fileSystems = [
	{ of: 'files', schemes: ['forge'] },
	{ of: 'mails', schemes: ['forge-mail'] },
	{ of: 'patches', schemes: ['forge-patch'] },
	{ of: 'versions', schemes: ['forge-versions'] },
	{ of: 'previews', schemes: ['forge-review'] },
	{ of: 'series', schemes: ['forge-series'] },
	{ of: 'drafts', schemes: ['forge-new', 'forge-description', 'forge-reply', 'forge-suggestion'] },
] as const;

/** File system; loads the desk on first use. Drafts can be written; everything else is refused. */
function lazyFiles(
	of: (typeof fileSystems)[number]['of'],
	context: () => Promise<Desk>,
): vscode.FileSystemProvider & Lazy<vscode.FileSystemProvider> {
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	return {
		onDidChangeFile: changed.event,
		follow: (files) => void files.onDidChangeFile((changes) => changed.fire(changes)),
		// The desk fires change events without a watcher.
		watch: () => ({ dispose: () => undefined }),
		stat: (uri) => context().then((opened) => opened[of].stat(uri)),
		readDirectory: (uri) => context().then((opened) => opened[of].readDirectory(uri)),
		readFile: (uri) => context().then((opened) => opened[of].readFile(uri)),
		writeFile: (uri, ...written) =>
			of === 'drafts' ? context().then(({ drafts }) => drafts.writeFile(uri, ...written)) : refuse(uri),
		createDirectory: refuse,
		delete: refuse,
		rename: refuse,
		dispose: () => changed.dispose(),
	};
}

/** Authentication provider; loads the desk on first use. */
function lazySessions(
	context: () => Promise<Desk>,
): vscode.AuthenticationProvider & Lazy<vscode.AuthenticationProvider> {
	const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
	return {
		onDidChangeSessions: changed.event,
		follow: (sessions) => void sessions.onDidChangeSessions((change) => changed.fire(change)),
		getSessions: (scopes, options) => context().then(({ sessions }) => sessions.getSessions(scopes, options)),
		createSession: (scopes, options) => context().then(({ sessions }) => sessions.createSession(scopes, options)),
		removeSession: (id) => context().then(({ sessions }) => sessions.removeSession(id)),
		dispose: () => changed.dispose(),
	};
}

/** Tree of a view; loads the desk when the view is visible. Closures, because a class costs several times as much. */
function lazyTree(
	id: ViewId,
	context: () => Promise<Desk>,
): vscode.TreeDataProvider<TreeNode> & Lazy<vscode.TreeDataProvider<TreeNode>> {
	const changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined | void | null>();
	let tree: vscode.TreeDataProvider<TreeNode> | undefined;
	const turn = rowTurns();
	// Nodes exist only after the desk has loaded.
	const itemOf = (node: TreeNode): vscode.TreeItem | Thenable<vscode.TreeItem> => tree?.getTreeItem(node) ?? node.item;
	return {
		onDidChangeTreeData: changed.event,
		follow(real) {
			tree = real;
			real.onDidChangeTreeData?.((node) => changed.fire(node));
		},
		getChildren: (node) => context().then(({ trees }) => trees[id].getChildren(node)),
		getTreeItem: (node) => turn()?.then(() => itemOf(node)) ?? itemOf(node),
		getParent: (node) => tree?.getParent?.(node) ?? node.parent,
		resolveTreeItem: (item, node, token) => tree?.resolveTreeItem?.(item, node, token) ?? item,
		dispose: () => changed.dispose(),
	};
}

/** The editor asks for all rows of a list in one turn, and its own work on each takes longer than ours. */
const rowsPerTurn = 50;

/** The later turn of a row; `undefined` for the current one. Keeps the extension host responsive below long lists. */
export function rowTurns(): () => Promise<void> | undefined {
	let rows = 0;
	let latest: Promise<void> | undefined;
	return () => {
		if (rows === 0) {
			latest = undefined;
			setImmediate(() => (rows = 0));
		} else if (rows % rowsPerTurn === 0) {
			latest = (latest ?? Promise.resolve()).then(() => new Promise((resolve) => void setImmediate(resolve)));
		}
		rows += 1;
		return latest;
	};
}

/** Injectable timer: runs `work` once after `delayMs`, unless disposed before. */
export type After = (delayMs: number, work: () => void) => vscode.Disposable;

/** Calls `listener` on each use of the window, until disposed. */
export type OnDidUse = (listener: () => void) => vscode.Disposable;

/**
 * Loads the desk in the background, so that the inbox fills: after five idle seconds, or a minute after startup. A
 * no-op if the desk is loaded already. Starts no timer without a signed-in user.
 */
export function startWhenIdle(
	{ globalState }: Pick<vscode.ExtensionContext, 'globalState'>,
	context: () => Promise<Desk>,
	after: After,
	onDidUse: OnDidUse,
): vscode.Disposable {
	if (globalState.get(signedInKey) !== true) {
		return { dispose: () => undefined };
	}
	let isUsed = false;
	let waits = 0;
	let timer = wait();
	// A flag, because a timer per keystroke would cost more.
	const watching = onDidUse(() => (isUsed = true));

	function wait(): vscode.Disposable {
		waits += 1;
		isUsed = false;
		return after(idleMs, () => {
			if (isUsed && waits < mostWaits) {
				timer = wait();
				return;
			}
			watching.dispose();
			context().catch(() => undefined); // The next use tries again and reports the error.
		});
	}

	return {
		dispose() {
			timer.dispose();
			watching.dispose();
		},
	};
}

/** Quick fixes "New Ticket from This Problem…" and "…from this comment…". Tests one line and loads nothing. */
export function workActions(): vscode.CodeActionProvider {
	return {
		provideCodeActions(document, { start, end }, { diagnostics }) {
			const { uri, lineCount } = document;
			if (ours.has(uri.scheme) || start.line >= lineCount) {
				return [];
			}
			const { line } = start;
			const [problem] = diagnostics;
			const isTodo = line === end.line && marker.test(document.lineAt(line).text);
			return [
				...(problem
					? [
							action(
								vscode.l10n.t('New Ticket from This Problem…'),
								uri,
								problem.range.start.line,
								aboutProblem(problem),
							),
						]
					: []),
				...(isTodo ? [action(vscode.l10n.t('New Ticket from This Comment…'), uri, line, {})] : []),
			];
		},
	};
}

/** Message and source of a diagnostic. */
interface AboutProblem {
	readonly problem?: string;
	readonly origin?: string;
}

function aboutProblem(problem: vscode.Diagnostic): AboutProblem {
	const origin = problemOrigin(problem);
	return { problem: problem.message, ...(origin === undefined ? {} : { origin }) };
}

function action(title: string, uri: vscode.Uri, line: number, about: AboutProblem): vscode.CodeAction {
	const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	const subject = { kind: 'here', uri: uri.toString(), line, ...about };
	made.command = { title, command: 'forge.tickets.newFromHere', arguments: [subject] };
	return made;
}

/** Languages whose comments may name tickets, and texts that may name them anywhere. */
const languages = ['markdown', 'git-commit', 'scminput', ...languageFamilies.keys()];

/** Possible ticket references. A quick test, so that most texts don't load the desk. */
const mayName = /#[1-9]|\/(?:~|%7e)[a-z_]/i;

/**
 * Registers providers for visible texts. They run unasked, so they load the desk only when signed in and only for a
 * possible reference. Registers nothing while signed out.
 */
export function lazyReferences(context: vscode.ExtensionContext, desk: () => Promise<Desk>) {
	const { globalState, secrets, workspaceState } = context;
	let registered: readonly vscode.Disposable[] = [];
	const isSignedIn = (): boolean => globalState.get(signedInKey) === true;
	const real = async (): Promise<References> => (await desk()).references();
	const realFor = async (text: string): Promise<References | undefined> =>
		isSignedIn() && mayName.test(text) ? real() : undefined;

	// Registering again makes the editor query open texts again.
	function register(): void {
		unregister();
		registered = isSignedIn() ? registrations(real, realFor) : [];
	}

	function unregister(): void {
		registered.forEach((each) => void each.dispose());
		registered = [];
	}

	// A sign-in in another window fires only the secrets event, slightly before the storage has the flag.
	const listening = secrets.onDidChange(() => {
		registered = registered.length === 0 ? registrations(real, realFor) : registered;
	});
	// The meaning of #12 in a folder changed, so visible links may be stale.
	const correcting = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration('forge.folder') && registered.length > 0) {
			register();
		}
	});
	register();
	if (isSignedIn() && workspaceState.get(workKey) !== undefined) {
		// The commit message box needs the trailer of work started here.
		desk().catch(() => undefined); // The next use tries again and reports the error.
	}
	let following: vscode.Disposable | undefined;
	return {
		/** Subscribes to account changes of the loaded desk. */
		follow(opened: Desk) {
			following = opened.onDidChangeAccounts(register);
		},
		dispose() {
			listening.dispose();
			correcting.dispose();
			following?.dispose();
			unregister();
		},
	};
}

/** `realFor`: `undefined` without a possible reference. */
function registrations(
	real: () => Promise<References>,
	realFor: (text: string) => Promise<References | undefined>,
): readonly vscode.Disposable[] {
	return [
		vscode.languages.registerDocumentLinkProvider(languages, {
			provideDocumentLinks: async (document, token) =>
				(await realFor(document.getText()))?.links.provideDocumentLinks(document, token),
		}),
		vscode.languages.registerHoverProvider(languages, {
			provideHover: async (document, position, token) =>
				(await realFor(document.lineAt(position).text))?.hovers.provideHover(document, position, token),
		}),
		vscode.languages.registerCompletionItemProvider(
			languages,
			{
				provideCompletionItems: async (document, position, token, how) =>
					mayBegin(document, position)
						? (await real()).completions.provideCompletionItems(document, position, token, how)
						: undefined,
				resolveCompletionItem: async (item, token) => (await real()).completions.resolveCompletionItem?.(item, token),
			},
			'#',
			' ',
		),
		vscode.window.registerTerminalLinkProvider({
			provideTerminalLinks: async (line, token) =>
				(await realFor(line.line))?.terminals.provideTerminalLinks(line, token) ?? [],
			handleTerminalLink: async (link) => (await real()).terminals.handleTerminalLink(link),
		}),
	];
}

/** After a `#`, or in a commit message line that may become a trailer. */
function mayBegin(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
	const before = document.lineAt(line).text.slice(0, character);
	return (
		/(?<![^\s(])#[^\s#]{0,60}$/.test(before) ||
		(/^(?:git-commit|scminput)$/.test(document.languageId) && /^[A-Za-z]{1,10}(?::[ \t]*\S*)?$/.test(before))
	);
}

/** Language model tools from the manifest; each loads the desk on use. */
export function lazyTools({ extension }: vscode.ExtensionContext, context: () => Promise<Desk>): vscode.Disposable[] {
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- our own manifest; a unit test compares it with the list
	const {
		contributes,
	}: {
		readonly contributes: { readonly languageModelTools: readonly { readonly name: ToolName }[] };
	} = extension.packageJSON;
	return contributes.languageModelTools.map(({ name }) => {
		const tool = async (): Promise<vscode.LanguageModelTool<unknown>> => (await context()).tool(name);
		return vscode.lm.registerTool<unknown>(name, {
			prepareInvocation: async (options, token) => (await tool()).prepareInvocation?.(options, token),
			invoke: async (options, token) => (await tool()).invoke(options, token),
		});
	});
}
