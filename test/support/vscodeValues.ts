import { fieldsOf } from '../../src/base/lenientJson.ts';
import { holdsLabel } from './labelInName.ts';
import { stubbedDocuments, untitledDocument, WorkspaceEdit, type StubbedDocument } from './stubbedDocuments.ts';
import {
	CompletionItem,
	CompletionItemKind,
	CompletionList,
	decorationType,
	Diagnostic,
	diagnosticCollection,
	DiagnosticSeverity,
	DocumentLink,
	Hover,
	resetText,
} from './stubbedText.ts';
import { resetFront, stubbedFront, type StubbedFront } from './stubbedFront.ts';
import { resetWorkspace, stubbedWorkspace, type StubbedFolder } from './stubbedWorkspace.ts';

/* Plain values of the editor's API. See vscodeStub.ts. */

interface StubbedWord {
	readonly text: string;
	readonly accessibilityInformation: { readonly label: string; readonly role?: string } | undefined;
}

interface Stubbed {
	readonly opened: string[];
	/** Local addresses that the code made reachable for the user's browser. */
	readonly reached: string[];
	/** Their external forms, in order; by default unchanged. */
	readonly reachableAs: string[];
	readonly copied: string[];
	readonly shown: string[];
	/** The warnings among `shown`. */
	readonly warned: string[];
	/** Current status bar messages. */
	readonly passing: StubbedWord[];
	/** Where the last box for folders began. */
	boxFolder: string | undefined;
	/** Buttons of notices and questions, in order. */
	readonly buttons: (readonly string[])[];
	/** Detail texts of modal questions. */
	readonly details: string[];
	/** Initial values of input boxes that have one. */
	readonly prefilled: string[];
	/** Prompts of input boxes. */
	readonly prompts: string[];
	readonly executed: string[];
	/** Paths of deleted files. */
	readonly deleted: string[];
	/** Titles of questions, in order. */
	readonly asked: string[];
	/** Answers to the next questions: a label, an input or a button; for a multi-select, all labels, one per line. */
	readonly answers: (string | undefined)[];
	/** Late answers to the next notices, before `answers`. */
	readonly laterAnswers: Promise<string>[];
	/** Late answers to the next lists, before `answers`. */
	readonly laterPicks: Promise<string>[];
	/** Late paths for the next save dialogs. */
	readonly laterPlaces: Promise<string>[];
	/** Late answers to the next error notices. */
	readonly laterErrors: Promise<string>[];
	/** Placeholders of shown lists. */
	readonly hints: string[];
	/** Rows of the last shown list. */
	readonly offered: Row[];
	/** Work with visible progress, and its cancel function. `cancelAnnounced` calls it. */
	readonly announced: Set<{ readonly title: string; readonly cancel: () => void }>;
	readonly panels: StubbedPanel[];
	/** Column of the active group. */
	viewColumn: number;
	/** Opened quick picks, in order. */
	readonly boxes: StubbedBox[];
	/** First arguments of commands, in the order of `executed`. */
	readonly passed: unknown[];
	/** Further arguments. */
	readonly passedMore: (readonly unknown[])[];
	/** Opened input boxes, in order. */
	readonly lines: StubbedBox[];
	/** Providers of decorations. */
	readonly decorations: unknown[];
	/** The editor's context keys. */
	readonly contexts: Map<string, unknown>;
	/** Simulates a command's round trip to the editor; immediate by default. */
	roundTrip: (() => Promise<void>) | undefined;
	/** Written files: path and text. */
	readonly written: (readonly [path: string, text: string])[];
	/** The user's settings, by full name. */
	readonly settings: Map<string, unknown>;
	/** Workspace settings by full name, and folder settings by URI and full name. */
	readonly workspaceSettings: Map<string, unknown>;
	/** Shown documents with options. */
	readonly documents: (readonly [document: unknown, options: unknown])[];
	/** Log lines. */
	readonly logged: string[];
}

/** Answer for a list with checkboxes that the user closes. */
export const closed = '(closed)';

/** Answer for a box that stays open until its token closes it. */
export const stillOpen = '(still open)';

/** Records calls of the stub, and holds its answers, for tests. */
export const stubbed: Stubbed = {
	opened: [],
	reached: [],
	reachableAs: [],
	copied: [],
	shown: [],
	passing: [],
	warned: [],
	boxFolder: undefined,
	buttons: [],
	details: [],
	prefilled: [],
	prompts: [],
	executed: [],
	deleted: [],
	asked: [],
	answers: [],
	laterAnswers: [],
	laterPicks: [],
	laterPlaces: [],
	laterErrors: [],
	hints: [],
	offered: [],
	announced: new Set(),
	panels: [],
	viewColumn: 1,
	boxes: [],
	passed: [],
	passedMore: [],
	lines: [],
	decorations: [],
	contexts: new Map(),
	roundTrip: undefined,
	written: [],
	settings: new Map(),
	workspaceSettings: new Map(),
	documents: [],
	logged: [],
};

function tellNotice(message: string, rest: readonly unknown[]): void {
	stubbed.shown.push(message);
	stubbed.buttons.push(rest.filter((each) => typeof each === 'string'));
	const [options] = rest;
	if (typeof options === 'object' && options !== null && 'detail' in options) {
		stubbed.details.push(String(options.detail));
	}
}

/** A status bar message that disappears later. */
class PassingWord implements StubbedWord {
	text = '';
	accessibilityInformation: StubbedWord['accessibilityInformation'];

	show(): void {
		stubbed.shown.push(this.text);
		stubbed.passing.push(this);
	}

	/** The editor identifies items by name, so disposing of any removes the current one. */
	dispose(): void {
		stubbed.passing.length = 0;
	}
}

/** Resets everything; for `setup`. */
export function resetStub(): void {
	for (const list of [
		stubbed.opened,
		stubbed.copied,
		stubbed.shown,
		stubbed.executed,
		stubbed.deleted,
		stubbed.asked,
	]) {
		list.length = 0;
	}
	stubbed.reached.length = 0;
	stubbed.reachableAs.length = 0;
	stubbed.passing.length = 0;
	stubbed.warned.length = 0;
	stubbed.buttons.length = 0;
	stubbed.details.length = 0;
	stubbed.prefilled.length = 0;
	stubbed.prompts.length = 0;
	stubbed.answers.length = 0;
	stubbed.laterAnswers.length = 0;
	stubbed.laterPicks.length = 0;
	stubbed.laterPlaces.length = 0;
	stubbed.laterErrors.length = 0;
	stubbed.hints.length = 0;
	stubbed.offered.length = 0;
	stubbed.announced.clear();
	stubbed.panels.length = 0;
	stubbed.viewColumn = 1;
	stubbed.boxes.length = 0;
	settingListeners.clear();
	stubbed.passed.length = 0;
	stubbed.passedMore.length = 0;
	stubbed.lines.length = 0;
	stubbed.decorations.length = 0;
	stubbed.contexts.clear();
	stubbed.roundTrip = undefined;
	stubbed.written.length = 0;
	stubbed.settings.clear();
	stubbed.workspaceSettings.clear();
	stubbed.documents.length = 0;
	stubbed.logged.length = 0;
	stubbedDocuments.open.length = 0;
	resetFront();
	stubbedDocuments.listeners.clear();
	stubbedDocuments.savingListeners.clear();
	stubbedDocuments.savedListeners.clear();
	stubbedTabs.length = 0;
	resetWorkspace();
	resetText();
	visibleListeners.clear();
	windowListeners.clear();
	openListeners.clear();
	closeListeners.clear();
	window.visibleTextEditors.length = 0;
	provided.clear();
	stubbedThreads.clear();
}

export const l10n = {
	t: (message: string, ...args: readonly (string | number)[]): string =>
		args.length === 0
			? message
			: message.replaceAll(/\{(\d)\}/g, (place, at: string) => String(args[Number(at)] ?? place)),
};

export const env = {
	language: 'en',
	machineId: 'this-computer',
	/** No editor is there. */
	appRoot: '/no-editor',
	uriScheme: 'vscode',
	uiKind: 1,
	clipboard: { writeText: async (text: string): Promise<void> => void stubbed.copied.push(text) },
	asExternalUri: async (uri: URL): Promise<URL> => {
		stubbed.reached.push(uri.href);
		return new URL(stubbed.reachableAs.shift() ?? uri.href);
	},
	/** The editor parses and re-escapes a Uri, but opens a string unchanged. */
	openExternal: async (address: string | { toString(): string }): Promise<boolean> =>
		stubbed.opened.push(typeof address === 'string' ? address : encodeURI(decodeURIComponent(address.toString()))) > 0,
};

interface UriParts {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
	readonly query?: string;
}

type FilePath = UriParts & { readonly fsPath: string };

export const Uri = {
	/** Any object with the parts of a URI is one. */
	[Symbol.hasInstance]: (value: unknown): boolean =>
		typeof value === 'object' && value !== null && 'scheme' in value && 'path' in value,
	from: ({ query = '', ...parts }: UriParts): Required<UriParts> & { toString(): string } => ({
		...parts,
		query,
		toString: () => `${parts.scheme}://${parts.authority}${parts.path}${query === '' ? '' : `?${query}`}`,
	}),
	parse(text: string): URL | UriParts {
		const [, scheme, authority = '', path = '', query] =
			/^(forge-[a-z]+):\/\/([^/]*)([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
		return scheme === undefined ? new URL(text) : Uri.from({ scheme, authority, path, query: query ?? '' });
	},
	file: (path: string): FilePath => ({
		scheme: 'file',
		authority: '',
		path,
		query: '',
		fsPath: path,
	}),
	joinPath: (base: URL | FilePath, ...path: readonly string[]): URL | FilePath =>
		'fsPath' in base ? Uri.file([base.fsPath, ...path].join('/')) : new URL(path.join('/'), `${base.href}/`),
};

interface Row {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
	readonly picked?: boolean;
	readonly alwaysShow?: boolean;
	readonly iconPath?: unknown;
}

interface Picking {
	readonly title: string;
	readonly placeHolder?: string;
	readonly canPickMany?: boolean;
}

interface Typing {
	readonly title?: string;
	readonly value?: string;
	readonly prompt?: string;
	readonly validateInput?: (value: string) => string | undefined;
}

interface Progress {
	report(value: unknown): void;
}

interface Token {
	onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Nobody cancels, unless the test calls the entry in `stubbed.announced`. */
function stubbedToken(title: string): Token {
	return {
		onCancellationRequested(cancel) {
			const announced = { title, cancel };
			stubbed.announced.add(announced);
			return { dispose: () => void stubbed.announced.delete(announced) };
		},
	};
}

/** The chosen row; text before a tab is the filter typed first. */
function answerInList(answer: string | undefined): { readonly typed: string; readonly label: string | undefined } {
	const [first, second] = answer?.split('\t') ?? [];
	return second === undefined ? { typed: '', label: first } : { typed: first ?? '', label: second };
}

const windowListeners = new Set<Listener<unknown>>();
const visibleListeners = new Set<Listener<readonly unknown[]>>();

function log(line: string): void {
	stubbed.logged.push(line);
}

export const window = {
	get activeTextEditor(): unknown {
		return stubbedFront.editor;
	},
	set activeTextEditor(editor: StubbedFront['editor']) {
		stubbedFront.editor = editor;
	},
	onDidChangeActiveTextEditor: listening(stubbedFront.listeners),
	onDidChangeTextEditorSelection: listening(stubbedFront.selections),
	createOutputChannel: () => ({ debug: log, info: log, warn: log, error: log, show() {}, dispose() {} }),
	state: { focused: true },
	onDidChangeWindowState: listening(windowListeners),
	onDidChangeVisibleTextEditors: listening(visibleListeners),
	createTextEditorDecorationType: decorationType,
	registerTerminalLinkProvider: (provider: unknown): { dispose(): void } => provide('terminals', provider),
	async showQuickPick(
		rows: readonly Row[] | Promise<readonly Row[]>,
		{ title, placeHolder, canPickMany = false }: Picking,
	): Promise<Row | readonly Row[] | undefined> {
		stubbed.asked.push(title);
		stubbed.hints.push(placeHolder ?? '');
		const answer = await (stubbed.laterPicks.shift() ?? stubbed.answers.shift());
		stubbed.offered.splice(0, Number.POSITIVE_INFINITY, ...(await rows));
		if (!canPickMany) {
			return stubbed.offered.find(({ label }) => label === answerInList(answer).label);
		}
		const ticked = answer?.split('\n');
		return ticked && stubbed.offered.filter(({ label }) => ticked.includes(label));
	},
	createQuickPick(): StubbedBox {
		const box = new StubbedBox();
		stubbed.boxes.push(box);
		return box;
	},
	createInputBox(): StubbedBox {
		const box = new StubbedBox();
		stubbed.lines.push(box);
		return box;
	},
	async showInputBox(
		{ title = '', value, prompt, validateInput }: Typing,
		token?: CancellationTokenSource['token'],
	): Promise<string | undefined> {
		stubbed.asked.push(title);
		stubbed.prompts.push(prompt ?? '');
		if (value !== undefined) {
			stubbed.prefilled.push(value);
		}
		if (token && stubbed.answers[0] === stillOpen) {
			await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
			stubbed.answers.shift();
			return undefined;
		}
		const answer = stubbed.answers.shift();
		const complaint = answer === undefined ? undefined : validateInput?.(answer);
		if (complaint !== undefined) {
			stubbed.shown.push(complaint);
			return undefined;
		}
		return answer;
	},
	async showInformationMessage(message: string, ...rest: readonly unknown[]): Promise<string | undefined> {
		tellNotice(message, rest);
		return stubbed.laterAnswers.shift() ?? stubbed.answers.shift();
	},
	async showWarningMessage(message: string, ...rest: readonly unknown[]): Promise<string | undefined> {
		tellNotice(message, rest);
		stubbed.warned.push(message);
		return stubbed.laterAnswers.shift() ?? stubbed.answers.shift();
	},
	async showErrorMessage(message: string, ...rest: readonly unknown[]): Promise<string | undefined> {
		tellNotice(message, rest);
		return stubbed.laterErrors.shift() ?? stubbed.answers.shift();
	},
	/** The answer is a path. */
	async showSaveDialog({ title = '' }: Typing): Promise<(UriParts & { readonly fsPath: string }) | undefined> {
		stubbed.asked.push(title);
		const path = await (stubbed.laterPlaces.shift() ?? stubbed.answers.shift());
		const scheme = /^([a-z-]{2,}):\/\//.exec(path ?? '')?.[1] ?? 'file';
		return path === undefined ? undefined : { scheme, authority: '', path, fsPath: path };
	},
	/** The answer is a path. */
	async showOpenDialog({
		title = '',
		defaultUri,
	}: Typing & { readonly defaultUri?: { readonly fsPath: string } }): Promise<
		readonly (UriParts & { readonly fsPath: string })[] | undefined
	> {
		stubbed.asked.push(title);
		stubbed.boxFolder = defaultUri?.fsPath;
		const path = stubbed.answers.shift();
		return path === undefined ? undefined : [Uri.file(path)];
	},
	registerFileDecorationProvider(provider: unknown): { dispose(): void } {
		stubbed.decorations.push(provider);
		return { dispose: () => undefined };
	},
	async showTextDocument(document: unknown, options?: unknown): Promise<void> {
		stubbed.documents.push([document, options]);
	},
	visibleTextEditors: [] as unknown[],
	createStatusBarItem: (id: string): object => (id === 'forge.passing' ? new PassingWord() : stubbedWorkspace.status),
	tabGroups: {
		get all(): readonly { readonly tabs: readonly StubbedTab[]; readonly viewColumn: number }[] {
			return [{ tabs: stubbedTabs, viewColumn: stubbed.viewColumn }];
		},
		get activeTabGroup(): { readonly activeTab: StubbedTab | undefined; readonly viewColumn: number } {
			return { activeTab: stubbedTabs.find(({ isActive }) => isActive), viewColumn: stubbed.viewColumn };
		},
		onDidChangeTabs: listening(stubbedWorkspace.listeners),
		onDidChangeTabGroups: listening(stubbedWorkspace.listeners),
		async close(tabs: readonly StubbedTab[]): Promise<boolean> {
			const others = stubbedTabs.filter((tab) => !tabs.includes(tab));
			stubbedTabs.splice(0, stubbedTabs.length, ...others);
			return true;
		},
	},
	withProgress: (
		{ title }: { readonly title: string },
		work: (progress: Progress, token: Token) => Promise<unknown>,
	): Promise<unknown> => work({ report: () => undefined }, stubbedToken(title)),
	createWebviewPanel(type: string, title: string, place: { readonly preserveFocus: boolean }): StubbedPanel {
		const panel = new StubbedPanel(type, title);
		panel.viewColumn = stubbed.viewColumn;
		panel.hasTakenFocus = !place.preserveFocus;
		stubbed.panels.push(panel);
		return panel;
	},
};

const registeredCommands = new Map<string, () => unknown>();

export const commands = {
	/** Only the last command of each name runs: a test may register one twice. */
	registerCommand(command: string, handler: () => unknown): { dispose: () => void } {
		registeredCommands.set(command, handler);
		return { dispose: () => registeredCommands.delete(command) };
	},
	async executeCommand(command: string, ...[name, value, ...more]: readonly unknown[]): Promise<void> {
		const registered = registeredCommands.get(command);
		if (registered) {
			await registered();
			return;
		}
		if (stubbed.roundTrip) {
			await stubbed.roundTrip();
		}
		if (command === 'setContext') {
			stubbed.contexts.set(String(name), value);
		} else {
			stubbed.executed.push(command);
			stubbed.passed.push(name);
			stubbed.passedMore.push(value === undefined ? more : [value, ...more]);
		}
	},
};

const openListeners = new Set<Listener<unknown>>();
const closeListeners = new Set<Listener<unknown>>();

interface StubbedConfiguration {
	get(key: string): unknown;
	inspect(key: string): {
		readonly globalValue: unknown;
		readonly workspaceValue: unknown;
		readonly workspaceFolderValue: unknown;
	};
	update(key: string, value: unknown, target?: boolean | number): Promise<void>;
}

const settingListeners = new Set<Listener<{ affectsConfiguration(name: string): boolean }>>();

export const workspace = {
	decode: async (bytes: Uint8Array): Promise<string> => new TextDecoder().decode(bytes),
	get workspaceFolders(): readonly StubbedFolder[] | undefined {
		return stubbedWorkspace.folders.length === 0 ? undefined : stubbedWorkspace.folders;
	},
	get workspaceFile(): string | undefined {
		return stubbedWorkspace.isOfSeveralFolders ? 'untitled:workspace' : undefined;
	},
	updateWorkspaceFolders(start: number, count: number, ...added: readonly Omit<StubbedFolder, 'index'>[]): boolean {
		stubbedWorkspace.folders.splice(start, count, ...added.map((each) => ({ ...each, index: start })));
		return true;
	},
	onDidChangeWorkspaceFolders: listening(stubbedWorkspace.listeners),
	asRelativePath: ({ path }: { readonly path: string }): string => path,
	onDidChangeConfiguration: listening(settingListeners),
	/** The nearest value wins, as in the editor: the folder at `scope`, then the workspace, then the user. */
	getConfiguration(section = '', scope?: { toString(): string }): StubbedConfiguration {
		const nameOf = (key: string): string => (section === '' ? key : `${section}.${key}`);
		const inFolder = (key: string): string => `${scope?.toString() ?? ''} ${nameOf(key)}`;
		const inspect: StubbedConfiguration['inspect'] = (key) => ({
			globalValue: stubbed.settings.get(nameOf(key)),
			workspaceValue: stubbed.workspaceSettings.get(nameOf(key)),
			workspaceFolderValue: stubbed.workspaceSettings.get(inFolder(key)),
		});
		return {
			inspect,
			get(key) {
				const { globalValue, workspaceValue, workspaceFolderValue } = inspect(key);
				return workspaceFolderValue ?? workspaceValue ?? globalValue;
			},
			async update(key, value, target = true) {
				const isOfUser = target === true || target === ConfigurationTarget.Global;
				const name = target === ConfigurationTarget.WorkspaceFolder ? inFolder(key) : nameOf(key);
				const settings = isOfUser ? stubbed.settings : stubbed.workspaceSettings;
				void (value === undefined ? settings.delete(name) : settings.set(name, value));
				changeSetting(nameOf(key));
			},
		};
	},
	get textDocuments(): readonly StubbedDocument[] {
		return stubbedDocuments.open;
	},
	isTrusted: true,
	onDidGrantWorkspaceTrust: () => ({ dispose: () => undefined }),
	getWorkspaceFolder: (): undefined => undefined,
	/** Read-only file systems by scheme. */
	fileSystems: new Map<string, { readFile(uri: unknown): Promise<Uint8Array> }>(),
	registerFileSystemProvider(
		scheme: string,
		provider: { readFile(uri: unknown): Promise<Uint8Array> },
	): { dispose(): void } {
		workspace.fileSystems.set(scheme, provider);
		return { dispose: () => void workspace.fileSystems.delete(scheme) };
	},
	onDidOpenTextDocument: listening(openListeners),
	onDidCloseTextDocument: listening(closeListeners),
	fs: {
		async delete({ path }: { readonly path: string }) {
			stubbed.deleted.push(path);
		},
		async writeFile({ path }: { readonly path: string }, content: Uint8Array): Promise<void> {
			stubbed.written.push([path, new TextDecoder().decode(content)]);
		},
	},
	onDidChangeTextDocument: listening(stubbedDocuments.listeners),
	onWillSaveTextDocument: listening(stubbedDocuments.savingListeners),
	onDidSaveTextDocument: listening(stubbedDocuments.savedListeners),
	/** Gets a URI, or the text of a new document. */
	async openTextDocument(uri: { toString(): string; readonly content?: string }): Promise<StubbedDocument> {
		if (uri.content !== undefined) {
			const document = untitledDocument({ toString: () => 'untitled:new' });
			document.insert?.(uri.content);
			return document;
		}
		const found = stubbedDocuments.open.find((each) => each.uri.toString() === uri.toString());
		if (!found && !uri.toString().startsWith('untitled:')) {
			throw new Error(`${uri.toString()} is not open`);
		}
		return found ?? untitledDocument(uri);
	},
	/** The editor applies edits later. */
	async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
		await Promise.resolve();
		edit.apply();
		return true;
	},
};

export {
	CompletionItem,
	CompletionItemKind,
	CompletionList,
	Diagnostic,
	DiagnosticSeverity,
	DocumentLink,
	Hover,
	WorkspaceEdit,
};

/** A comment of a thread. */
export interface StubbedComment {
	readonly author: { readonly name: string };
	body: MarkdownString;
	mode: number;
	readonly label?: string;
	readonly contextValue?: string;
	readonly timestamp?: Date;
}

/** A thread of comments in a document. */
export interface StubbedThread {
	readonly uri: { toString(): string };
	readonly range: Range;
	comments: readonly StubbedComment[];
	collapsibleState: number | undefined;
	canReply: boolean | undefined;
	label: string | undefined;
	state: number | undefined;
	dispose(): void;
}

/** Visible threads, in order of creation. */
export const stubbedThreads = new Set<StubbedThread>();

export const comments = {
	createCommentController: () => ({
		createCommentThread(uri: StubbedThread['uri'], range: Range, said: StubbedThread['comments']): StubbedThread {
			const thread: StubbedThread = {
				uri,
				range,
				comments: said,
				collapsibleState: undefined,
				canReply: undefined,
				label: undefined,
				state: undefined,
				dispose: () => void stubbedThreads.delete(thread),
			};
			stubbedThreads.add(thread);
			return thread;
		},
		dispose: () => stubbedThreads.clear(),
	}),
};

export const TextEditorRevealType = { InCenter: 1 } as const;
export const CommentMode = { Editing: 0, Preview: 1 } as const;
export const CommentThreadState = { Unresolved: 0, Resolved: 1 } as const;
export const CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 } as const;

/** Events as the editor has them. */
export class EventEmitter<T> {
	readonly #listeners = new Set<Listener<T>>();
	readonly event = listening(this.#listeners);

	fire(value: T): void {
		this.#listeners.forEach((listener) => listener(value));
	}

	dispose(): void {
		this.#listeners.clear();
	}
}

/** Error of file systems. */
export class CancellationTokenSource {
	readonly #fired = new EventEmitter<undefined>();
	readonly token = { isCancellationRequested: false, onCancellationRequested: this.#fired.event };
	cancel(): void {
		this.token.isCancellationRequested = true;
		this.#fired.fire(undefined);
	}
	dispose(): void {
		this.#fired.dispose();
	}
}

export class FileSystemError extends Error {
	readonly code: string;
	constructor(message: unknown, code = 'Unknown') {
		super(String(message));
		this.code = code;
	}
	static readonly Unavailable = (message: unknown): FileSystemError => new FileSystemError(message, 'Unavailable');
	static readonly NoPermissions = (message: unknown): FileSystemError => new FileSystemError(message, 'NoPermissions');
	static readonly FileNotFound = (message: unknown): FileSystemError => new FileSystemError(message, 'FileNotFound');
	static readonly FileIsADirectory = (message: unknown): FileSystemError =>
		new FileSystemError(message, 'FileIsADirectory');
	static readonly FileNotADirectory = (message: unknown): FileSystemError =>
		new FileSystemError(message, 'FileNotADirectory');
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;

export class Disposable {
	readonly dispose: () => void;
	constructor(dispose: () => void) {
		this.dispose = dispose;
	}
}

interface StubbedTab {
	readonly label: string;
	readonly input: unknown;
	readonly isActive?: boolean;
	readonly isPreview?: boolean;
	readonly isPinned?: boolean;
	readonly group?: { readonly viewColumn: number };
}

/** All tabs, in one group. */
export const stubbedTabs: StubbedTab[] = [];

/** Input of a webview tab. */
export class TabInputWebview {
	readonly viewType: string;
	constructor(viewType: string) {
		this.viewType = viewType;
	}
}

/** Input of a text tab. */
export class TabInputText {
	readonly uri: unknown;
	constructor(uri: unknown) {
		this.uri = uri;
	}
}

/** Input of a custom editor tab. */
export class TabInputCustom extends TabInputText {}

/** Input of a diff tab. */
export class TabInputTextDiff {
	readonly original: unknown;
	readonly modified: unknown;
	constructor(original: unknown, modified: unknown) {
		this.original = original;
		this.modified = modified;
	}
}

/** The window gains or loses focus. */
export function focusWindow(focused: boolean): void {
	window.state.focused = focused;
	windowListeners.forEach((listener) => listener(window.state));
}

/** Changes the active editors. */
export function showEditors(...editors: readonly unknown[]): void {
	window.visibleTextEditors.splice(0, Number.POSITIVE_INFINITY, ...editors);
	visibleListeners.forEach((listener) => listener(editors));
}

/** Opens or closes a document. */
export function openDocument(document: unknown): void {
	openListeners.forEach((listener) => listener(document));
}

export function closeDocument(document: unknown): void {
	closeListeners.forEach((listener) => listener(document));
}

/** Changes a setting, such as `forge.folder`. */
export function changeSetting(name: string): void {
	const affectsConfiguration = (asked: string): boolean => name === asked || name.startsWith(`${asked}.`);
	settingListeners.forEach((listener) => listener({ affectsConfiguration }));
}

/** Registered providers, by kind. */
export const provided = new Map<string, unknown>();

function provide(what: string, provider: unknown): { dispose(): void } {
	provided.set(what, provider);
	return { dispose: () => void (provided.get(what) === provider && provided.delete(what)) };
}

export const extensions = { getExtension: (): undefined => undefined };

export const languages = {
	createLanguageStatusItem: (): unknown => Object.assign(stubbedFront.status, { dispose() {} }),
	createDiagnosticCollection: diagnosticCollection,
	getDiagnostics: (): readonly Diagnostic[] => [],
	setTextDocumentLanguage: async (document: StubbedDocument, languageId: string): Promise<StubbedDocument> =>
		Object.assign(document, { languageId }),
	registerDocumentLinkProvider: (_: unknown, provider: unknown): { dispose(): void } => provide('links', provider),
	registerCodeLensProvider: (_: unknown, provider: unknown): { dispose(): void } => provide('lenses', provider),
	registerHoverProvider: (_: unknown, provider: unknown): { dispose(): void } => provide('hovers', provider),
	registerCompletionItemProvider: (_: unknown, provider: unknown): { dispose(): void } =>
		provide('completions', provider),
};

export const lm = {
	registerTool: (name: string, provider: unknown): { dispose(): void } => provide(name, provider),
};

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const LanguageStatusSeverity = { Information: 0, Warning: 1, Error: 2 } as const;
export const StatusBarAlignment = { Left: 1 } as const;
export const UIKind = { Desktop: 1, Web: 2 } as const;
export const QuickInputButtonLocation = { Title: 1, Inline: 2, Input: 3 } as const;
export const ProgressLocation = { Notification: 15 } as const;
export const QuickInputButtons = { Back: { tooltip: 'Back' } } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ViewColumn = { Active: -1 } as const;

type Listener<T> = (value: T) => void;

interface Button {
	readonly tooltip?: string;
	readonly toggle?: { checked: boolean };
}

/** A quick pick; by default its first row is active. */
export class StubbedBox {
	value = '';
	title = '';
	placeholder = '';
	prompt = '';
	ignoreFocusOut = false;
	password = false;
	busy = false;
	enabled = true;
	isShown = false;
	items: readonly Row[] = [];
	selectedItems: readonly Row[] = [];
	activeItems: readonly Row[] = [];
	canSelectMany = false;
	readonly #values = new Set<Listener<string>>();
	readonly #accepts = new Set<Listener<void>>();
	readonly #hides = new Set<Listener<void>>();
	readonly onDidChangeValue = listening(this.#values);
	readonly onDidAccept = listening(this.#accepts);
	readonly onDidHide = listening(this.#hides);
	readonly #buttons = new Set<Listener<Button>>();
	readonly onDidTriggerButton = listening(this.#buttons);
	readonly #rowButtons = new Set<Listener<{ readonly item: Row }>>();
	readonly onDidTriggerItemButton = listening(this.#rowButtons);
	buttons: readonly Button[] = [];
	validationMessage: string | undefined;

	/** The user presses a button. */
	press(tooltip: string): void {
		const button = this.buttons.find((each) => each.tooltip === tooltip);
		if (button?.toggle) {
			button.toggle.checked = !button.toggle.checked;
		}
		this.#buttons.forEach((listener) => button && listener(button));
	}

	/** The user presses a button of a row. */
	pressRow(label: string): void {
		const item = this.items.find((row) => row.label === label);
		this.#rowButtons.forEach((listener) => item && listener({ item }));
	}

	/**
	 * Checkboxes stay as shown, unless the next answer names rows, one per line: `-` before a label unchecks it, and text
	 * before a tab is typed first.
	 */
	#tick(): void {
		stubbed.asked.push(this.title);
		stubbed.hints.push(this.placeholder);
		stubbed.offered.splice(0, Number.POSITIVE_INFINITY, ...this.items);
		const [answer] = stubbed.answers;
		const { typed, label = '' } = answerInList(answer);
		const lines = label.split('\n').filter((line) => line !== '');
		const named = (line: string): Row | undefined =>
			this.items.find((row) => row.label === line || `-${row.label}` === line);
		const isMeant = answer === closed || (answer !== undefined && lines.every((line) => named(line) !== undefined));
		if (isMeant) {
			stubbed.answers.shift();
		}
		// The caller adds its listeners after this function returns.
		queueMicrotask(() => {
			if (answer === closed) {
				return this.hide();
			}
			if (isMeant && typed !== '') {
				this.type(typed);
			}
			for (const line of isMeant ? lines : []) {
				const row = named(line);
				const others = this.selectedItems.filter((each) => each !== row);
				this.selectedItems = row?.label === line ? [...others, row] : others;
			}
			this.#accepts.forEach((listener) => listener());
		});
	}

	show(): void {
		this.isShown = true;
		if (this.canSelectMany) {
			return this.#tick();
		}
		const { typed, label } = answerInList(stubbed.answers[0]);
		// Typing may add the row.
		const isThere = typed !== '' || this.items.some((row) => row.label === label);
		// Without handlers for typing or buttons, this is a plain list or a question, whose placeholder equals its
		// title. Such a box closes without an answer.
		const isQuestion = this.placeholder === this.title && this.title !== '';
		if (isThere || isQuestion || this.#values.size + this.#rowButtons.size + this.#buttons.size === 0) {
			stubbed.asked.push(this.title);
			stubbed.hints.push(this.placeholder);
			stubbed.offered.splice(0, Number.POSITIVE_INFINITY, ...this.items);
			stubbed.prefilled.push(...(this.value === '' ? [] : [this.value]));
			stubbed.answers.shift();
			// The caller adds its listeners after this function returns.
			queueMicrotask(() => {
				if (!isThere) {
					this.hide();
					return;
				}
				if (typed !== '') {
					this.type(typed);
					stubbed.offered.splice(0, Number.POSITIVE_INFINITY, ...this.items);
				}
				this.accept(label);
			});
		}
	}

	/** The user replaces the text. */
	type(text: string): void {
		this.value = text;
		this.#values.forEach((listener) => listener(text));
	}

	/** The user presses Enter on a row, by default the first. */
	accept(label?: string): void {
		const chosen =
			label === undefined ? this.items[0] : this.items.find((row) => row.label === label || row.description === label);
		this.selectedItems = chosen ? [chosen] : [];
		this.#accepts.forEach((listener) => listener());
	}

	/** The user presses Escape. */
	hide(): void {
		this.isShown = false;
		this.#hides.forEach((listener) => listener());
	}

	dispose(): void {
		this.isShown = false;
	}
}

function listening<T>(listeners: Set<Listener<T>>): (listener: Listener<T>) => { dispose(): void } {
	return (listener) => {
		// Separate entries, so that one listener can subscribe to two events.
		const entry: Listener<T> = (value) => listener(value);
		listeners.add(entry);
		return { dispose: () => void listeners.delete(entry) };
	};
}

/** A panel that records calls. */
export class StubbedPanel {
	readonly type: string;
	readonly viewType: string;
	title: string;
	viewColumn = 1;
	reveals = 0;
	/** True if its last `reveal` took the focus. */
	hasTakenFocus = false;
	isDisposed = false;
	active = false;
	visible = true;
	readonly #views = new Set<Listener<void>>();
	readonly #messages = new Set<Listener<unknown>>();
	readonly #disposals = new Set<Listener<void>>();
	readonly posted: unknown[] = [];
	readonly webview = {
		html: '',
		options: {},
		cspSource: 'https://source.test',
		asWebviewUri: (uri: unknown): unknown => uri,
		postMessage: async (message: unknown): Promise<boolean> => this.posted.push(message) > 0,
		onDidReceiveMessage: (listener: Listener<unknown>): { dispose(): void } => {
			this.#messages.add(listener);
			return { dispose: () => void this.#messages.delete(listener) };
		},
	};

	constructor(type: string, title: string) {
		this.type = type;
		this.viewType = type;
		this.title = title;
	}

	/** The page sends a message. */
	say(message: unknown): void {
		this.#messages.forEach((listener) => listener(message));
	}

	onDidDispose(listener: Listener<void>): { dispose(): void } {
		this.#disposals.add(listener);
		return { dispose: () => void this.#disposals.delete(listener) };
	}

	onDidChangeViewState(listener: Listener<void>): { dispose(): void } {
		this.#views.add(listener);
		return { dispose: () => void this.#views.delete(listener) };
	}

	/** Hides or shows the page. */
	setVisible(visible: boolean): void {
		this.visible = visible;
		this.#views.forEach((listener) => listener());
	}

	reveal(_: unknown, preserveFocus?: boolean): void {
		this.reveals += 1;
		this.hasTakenFocus = !preserveFocus;
	}

	dispose(): void {
		if (!this.isDisposed) {
			this.isDisposed = true;
			this.#disposals.forEach((listener) => listener());
		}
	}
}

/** A part of a response to a language model. */
export class LanguageModelTextPart {
	readonly value: string;
	constructor(value: string) {
		this.value = value;
	}
}

export class LanguageModelToolResult {
	readonly content: readonly unknown[];
	constructor(content: readonly unknown[]) {
		this.content = content;
	}
}

export class CancellationError extends Error {}

export const CodeActionKind = { QuickFix: 'quickfix' } as const;

/** A code action. */
export class CodeAction {
	readonly title: string;
	readonly kind: string;
	constructor(title: string, kind: string) {
		this.title = title;
		this.kind = kind;
	}
}

/** A decoration of a row. */
export class FileDecoration {
	readonly badge: string | undefined;
	readonly tooltip: string | undefined;
	constructor(badge?: string, tooltip?: string) {
		this.badge = badge;
		this.tooltip = tooltip;
	}
}

export class ThemeColor {
	readonly id: string;
	constructor(id: string) {
		this.id = id;
	}
}

export class ThemeIcon {
	static readonly File = new ThemeIcon('file');
	static readonly Folder = new ThemeIcon('folder');
	readonly id: string;
	readonly color: ThemeColor | undefined;
	constructor(id: string, color?: ThemeColor) {
		this.id = id;
		this.color = color;
	}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 } as const;

/** A tree item. Throws if the accessible name lacks the label. */
export class TreeItem {
	readonly label: string;
	readonly collapsibleState: number;
	#spoken: { readonly label: string } | undefined;
	constructor(label: string, collapsibleState: number) {
		this.label = label;
		this.collapsibleState = collapsibleState;
	}

	get accessibilityInformation(): { readonly label: string } | undefined {
		return this.#spoken;
	}

	set accessibilityInformation(spoken: { readonly label: string } | undefined) {
		const label: unknown = this.label;
		const shown = typeof label === 'string' ? label : String(fieldsOf(label)['label']);
		if (spoken && !holdsLabel(spoken.label, shown)) {
			throw new Error(`The name of a row does not hold its label: "${spoken.label}", "${shown}"`);
		}
		this.#spoken = spoken;
	}
}

export class MarkdownString {
	readonly value: string;
	isTrusted: boolean | undefined;
	supportHtml: boolean | undefined;
	supportThemeIcons: boolean | undefined;
	constructor(value: string) {
		this.value = value;
	}
}

export class Position {
	readonly line: number;
	readonly character: number;
	constructor(line: number, character: number) {
		this.line = line;
		this.character = character;
	}
}

export class Range {
	readonly startLine: number;
	readonly start: Position;
	readonly end: Position | undefined;
	constructor(start: number | Position, end: number | Position = 0, endLine?: number, endCharacter = 0) {
		this.start = typeof start === 'number' ? new Position(start, typeof end === 'number' ? end : 0) : start;
		this.end =
			typeof end === 'number' ? (endLine === undefined ? undefined : new Position(endLine, endCharacter)) : end;
		this.startLine = this.start.line;
	}
}

export class Selection {
	readonly anchor: Position;
	readonly active: Position;
	constructor(line: number, character: number, activeLine: number, activeCharacter: number) {
		this.anchor = new Position(line, character);
		this.active = new Position(activeLine, activeCharacter);
	}
}

/** A code lens. */
export class CodeLens {
	readonly range: unknown;
	readonly command: unknown;
	constructor(range: unknown, command?: unknown) {
		this.range = range;
		this.command = command;
	}
}
