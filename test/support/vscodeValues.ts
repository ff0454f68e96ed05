/* Those parts of the editor's interface that are plain values. See vscodeStub.ts. */

interface Stubbed {
	readonly opened: string[];
	readonly copied: string[];
	readonly shown: string[];
	readonly executed: string[];
	/** Titles of the questions that were asked, in order. */
	readonly asked: string[];
	/** Answers to the coming questions. A string is a row's label, a typed line or a button. */
	readonly answers: (string | undefined)[];
	readonly panels: StubbedPanel[];
	/** The editor's context keys. */
	readonly contexts: Map<string, unknown>;
}

/** What the stub was asked to do and what it is to answer, for tests to look at and fill. */
export const stubbed: Stubbed = {
	opened: [],
	copied: [],
	shown: [],
	executed: [],
	asked: [],
	answers: [],
	panels: [],
	contexts: new Map(),
};

/** Forgets everything; for `setup`. */
export function resetStub(): void {
	for (const list of [stubbed.opened, stubbed.copied, stubbed.shown, stubbed.executed, stubbed.asked]) {
		list.length = 0;
	}
	stubbed.answers.length = 0;
	stubbed.panels.length = 0;
	stubbed.contexts.clear();
}

export const l10n = {
	t: (message: string, ...args: readonly (string | number)[]): string =>
		args.length === 0
			? message
			: message.replaceAll(/\{(\d)\}/g, (place, at: string) => String(args[Number(at)] ?? place)),
};

export const env = {
	language: 'en',
	clipboard: { writeText: async (text: string): Promise<void> => void stubbed.copied.push(text) },
	openExternal: async (uri: { toString(): string }): Promise<boolean> => stubbed.opened.push(uri.toString()) > 0,
};

interface UriParts {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
}

export const Uri = {
	from: (parts: UriParts): UriParts & { toString(): string } => ({
		...parts,
		toString: () => `${parts.scheme}://${parts.authority}${parts.path}`,
	}),
	parse: (text: string): URL => new URL(text),
	joinPath: (base: URL, ...path: readonly string[]): URL => new URL(path.join('/'), `${base.href}/`),
};

interface Row {
	readonly label: string;
}

interface Typing {
	readonly title?: string;
	readonly validateInput?: (value: string) => string | undefined;
}

export const window = {
	activeTextEditor: undefined,
	async showQuickPick(
		rows: readonly Row[] | Promise<readonly Row[]>,
		{ title }: { readonly title: string },
	): Promise<Row | undefined> {
		stubbed.asked.push(title);
		const answer = stubbed.answers.shift();
		return (await rows).find(({ label }) => label === answer);
	},
	async showInputBox({ title = '', validateInput }: Typing): Promise<string | undefined> {
		stubbed.asked.push(title);
		const answer = stubbed.answers.shift();
		const complaint = answer === undefined ? undefined : validateInput?.(answer);
		if (complaint !== undefined) {
			stubbed.shown.push(complaint);
			return undefined;
		}
		return answer;
	},
	async showInformationMessage(message: string): Promise<string | undefined> {
		stubbed.shown.push(message);
		return stubbed.answers.shift();
	},
	async showErrorMessage(message: string): Promise<string | undefined> {
		stubbed.shown.push(message);
		return stubbed.answers.shift();
	},
	setStatusBarMessage: (message: string): void => void stubbed.shown.push(message),
	withProgress: (_: unknown, work: () => Promise<unknown>): Promise<unknown> => work(),
	createWebviewPanel(type: string, title: string): StubbedPanel {
		const panel = new StubbedPanel(type, title);
		stubbed.panels.push(panel);
		return panel;
	},
};

export const commands = {
	async executeCommand(command: string, ...[name, value]: readonly unknown[]): Promise<void> {
		if (command === 'setContext') {
			stubbed.contexts.set(String(name), value);
		} else {
			stubbed.executed.push(command);
		}
	},
};

export const ProgressLocation = { Notification: 15 } as const;
export const ViewColumn = { Active: -1 } as const;

type Listener<T> = (value: T) => void;

/** A panel that remembers what was done with it. */
export class StubbedPanel {
	readonly type: string;
	title: string;
	reveals = 0;
	isDisposed = false;
	active = false;
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
		this.title = title;
	}

	/** The page says something. */
	say(message: unknown): void {
		this.#messages.forEach((listener) => listener(message));
	}

	onDidDispose(listener: Listener<void>): { dispose(): void } {
		this.#disposals.add(listener);
		return { dispose: () => void this.#disposals.delete(listener) };
	}

	reveal(): void {
		this.reveals += 1;
	}

	dispose(): void {
		if (!this.isDisposed) {
			this.isDisposed = true;
			this.#disposals.forEach((listener) => listener());
		}
	}
}

export class ThemeColor {
	readonly id: string;
	constructor(id: string) {
		this.id = id;
	}
}

export class ThemeIcon {
	readonly id: string;
	readonly color: ThemeColor | undefined;
	constructor(id: string, color?: ThemeColor) {
		this.id = id;
		this.color = color;
	}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class TreeItem {
	readonly label: string;
	readonly collapsibleState: number;
	constructor(label: string, collapsibleState: number) {
		this.label = label;
		this.collapsibleState = collapsibleState;
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
