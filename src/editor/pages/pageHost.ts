import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import {
	answer,
	isAsk,
	isFocus,
	isOfOtherLife,
	typingIn,
	type Become,
	type FromHost,
	type Handlers,
	type Protocol,
} from '../../pages/protocol/pageProtocol.ts';
import { visible, visibleLine } from '../../engine/text/visible.ts';
import { pageHtml, type PageFile } from './pageHtml.ts';
import type { PanelType } from '../desk.ts';
import type { Problems } from '../ask/problems.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { CommandTable } from '../commands/feature.ts';
import { isRecord } from '../commands/subjects.ts';
import { doubleClickMs, leavesKeyboard } from '../documents/showDocument.ts';

/** The host's end of one open page. */
export interface PageLink<P extends Protocol> {
	/** Sends news. A hidden page misses it harmlessly and asks again when shown. */
	tell<Name extends keyof P['news'] & string>(name: Name, value: P['news'][Name]): void;
	setTitle(title: string): void;
	/** Makes this part of the page the subject of commands without argument. */
	mark(subject: unknown): void;
	/** Closes the page; its signal is then aborted. */
	close(): void;
	/** Replaces the page's content in place without taking the focus. Ends this link as if the page had closed. */
	become<Q extends Protocol>(content: PageContent<Q>): void;
	/** Aborts when the page closes. */
	readonly signal: AbortSignal;
	/** Disposed when the page closes. */
	readonly owned: Disposables;
	/** True for a visible page, even in an inactive window; such a page receives messages. */
	isVisible(): boolean;
	/** True for a visible page in the active window. */
	isWatched(): boolean;
	readonly onDidChangeWatched: Event<void>;
	/** Entry requested at the opening, such as a comment or a mail. */
	readonly entry: number | undefined;
	/** The user opened the page again, at this entry. */
	readonly onDidWant: Event<number>;
	/** The page became visible, or the user opened it again. */
	readonly onDidShow: Event<void>;
}

/** Host side of an open page. */
export interface ConnectedPage<P extends Protocol> {
	readonly handlers: Handlers<P>;
	/** Initial `start` message, embedded in the page; `undefined` if nothing is known yet. */
	readonly start: P['news']['start'] | undefined;
}

/** Subject and content of a page. */
export interface PageContent<P extends Protocol> {
	readonly type: PanelType;
	/** One page per key; opening it again brings it to the front. */
	readonly key: string;
	readonly title: string;
	/** Codicon of the tab. */
	readonly icon: string;
	/** Plain JSON with the page's subject. The page keeps it over a reload. */
	readonly subject: unknown;
	/** File names: of the script in `dist/pages`, and of the styles in `media`. */
	readonly script: string;
	readonly styles: readonly string[];
	/** Requests that show real work in the page; afterwards no other page replaces it. */
	readonly keptOpenBy: readonly (keyof P['requests'])[];
	connect(page: PageLink<P>): ConnectedPage<P>;
}

/**
 * Opens and restores pages. Like the editor's previews, each type has one preview page. The next page of the type
 * replaces it, unless the user kept it open, pinned it, moved it to another group, or opened it twice in a row.
 * Disposing the host leaves the panels to the window.
 */
export interface PageHost extends Disposable {
	/**
	 * The link of the page that is now in front. It takes the keyboard, unless a selected row opens it. `entry`: shown
	 * first, also by a page that is open already.
	 */
	open<P extends Protocol>(content: PageContent<P>, entry?: number): PageLink<P>;
	/** Fills a panel after a window reload. */
	restore<P extends Protocol>(panel: vscode.WebviewPanel, content: PageContent<P>): PageLink<P>;
	/** The marked part of the page in front, else the page's own subject; `undefined` when no page is in front. */
	inFront(): unknown;
	/** The link of the page in front if it has this type. */
	front<P extends Protocol>(type: PanelType): PageLink<P> | undefined;
}

/** All pages of a window. */
export type WindowPages = ReturnType<typeof pageHost>;

/** A page that was in front. */
export interface RecentPage {
	readonly subject: unknown;
	readonly title: string;
	readonly icon: string;
}

/** A page in its panel, with its link. */
interface OpenPage extends PageLink<Protocol> {
	readonly type: PanelType;
	readonly key: string;
	readonly panel: vscode.WebviewPanel;
	/** `undefined` once the page stays. */
	preview: Preview | undefined;
	/** The marked part of the page, at first what all of the page is about. */
	subject: unknown;
	readonly wanted: Emitter<number>;
	readonly shown: Emitter<void>;
	/** Remembers that the page is in front. */
	readonly noteInFront: () => void;
	document: PanelDocument | undefined;
	/** Ends the page without its panel. */
	readonly leave: () => void;
}

/** The document in a panel. Once its script runs, it can show further pages of the same script. */
interface PanelDocument {
	readonly script: string;
	/** The page in its HTML. */
	readonly life: number;
	isRunning: boolean;
}

/** Place and time of a replaceable page. */
interface Preview {
	readonly column: vscode.ViewColumn | undefined;
	readonly openedMs: number;
}

const mostRecent = 30;

/** Pages may load scripts from `dist/pages` and styles from `media`, and nothing from anywhere else. */
export function pageHost({
	extensionUri,
	problems,
	nonce,
	read,
	hasPreviews,
	clock,
}: {
	readonly extensionUri: vscode.Uri;
	readonly problems: Problems;
	/** Fresh unguessable text for every page. */
	readonly nonce: () => string;
	/** Reads a file of the extension. */
	readonly read: (file: vscode.Uri) => Promise<string>;
	/** True if the editor uses previews. */
	readonly hasPreviews: () => boolean;
	readonly clock: Clock;
}) {
	const open = new Map<string, OpenPage>();
	/** The latest last. */
	const recent = new Map<string, RecentPage>();
	const focused = new Emitter<void>();
	const changedInFront = new Emitter<void>();
	const roots = ['dist/pages', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
	const webview: vscode.WebviewOptions = { enableScripts: true, enableForms: false, localResourceRoots: roots };
	const fileTexts = new Map<string, string | undefined>();
	let lives = 0;
	/** The page whose text box has the keyboard. */
	let typing: OpenPage | undefined;

	/** Shows a page in a panel. It lives until the panel closes or shows another page. */
	function show<P extends Protocol>(
		panel: vscode.WebviewPanel,
		content: PageContent<P>,
		preview: Preview | undefined,
		entry?: number,
		document?: PanelDocument,
	): PageLink<P> {
		const { type, subject, icon } = content;
		const key = keyOf(content);
		const owned = new Disposables();
		const abort = new AbortController();
		const { signal } = abort;
		const watched = owned.add(new Emitter<void>());
		const shown = owned.add(new Emitter<void>());
		const wanted = owned.add(new Emitter<number>());
		const page: OpenPage = {
			type,
			key,
			panel,
			preview,
			subject,
			wanted,
			shown,
			document,
			noteInFront() {
				recent.delete(key);
				recent.set(key, { subject, title: panel.title, icon });
				for (const oldest of [...recent.keys()].slice(0, Math.max(0, recent.size - mostRecent))) {
					recent.delete(oldest);
				}
				changedInFront.fire();
			},
			leave() {
				if (open.get(key) === page) {
					open.delete(key);
				}
				tellTyping(page, false);
				abort.abort();
				owned.dispose();
			},
			tell: (name, value) => post(panel, { kind: 'news', name, value }),
			setTitle(title) {
				if (!signal.aborted) {
					panel.title = visible(title);
					if (panel.active) {
						page.noteInFront();
					}
				}
			},
			mark: (part) => void (page.subject = part),
			close: () => void panel.dispose(),
			become(next) {
				if (!signal.aborted) {
					replace(page, next);
				}
			},
			signal,
			owned,
			isVisible: () => panel.visible,
			isWatched: () => panel.visible && vscode.window.state.focused,
			onDidChangeWatched: watched.event,
			entry,
			onDidWant: wanted.event,
			onDidShow: shown.event,
		};
		let wasVisible = panel.visible;
		owned.add(
			panel.onDidChangeViewState(() => {
				watched.fire();
				changedInFront.fire();
				if (panel.active) {
					page.noteInFront();
				}
				if (panel.visible && !wasVisible) {
					shown.fire();
				}
				wasVisible = panel.visible;
			}),
		);
		owned.add(vscode.window.onDidChangeWindowState(() => watched.fire()));
		open.get(key)?.panel.dispose();
		open.set(key, page);
		load(page, content);
		return page;
	}

	/** Connects the page to its content and fills the panel. */
	function load<P extends Protocol>(page: OpenPage, content: PageContent<P>): void {
		const { panel, owned, signal } = page;
		const { script, styles, subject, title, icon, keptOpenBy } = content;
		const { handlers, start } = content.connect(page);
		const startNews: FromHost | undefined =
			start === undefined ? undefined : { kind: 'news', name: 'start', value: start };
		lives += 1;
		const life = lives;

		function write(): void {
			page.document = { script, life, isRunning: false };
			panel.webview.html = pageHtml({
				nonce: nonce(),
				styleSource: panel.webview.cspSource,
				script: file(panel.webview, 'dist', 'pages', script),
				styles: styles.map((style) => file(panel.webview, 'media', style)),
				language: vscode.env.language,
				title,
				subject,
				life,
				start: startNews,
			});
		}

		owned.add(
			panel.webview.onDidReceiveMessage(async (message: unknown) => {
				const { document } = page;
				if (document && isAsk(message, 'load') && !isOfOtherLife(message, document.life)) {
					if (document.life !== life && document.isRunning) {
						// The editor has loaded the document again, and its HTML contains an earlier page.
						write();
					}
					document.isRunning = true;
				}
				if (isOfOtherLife(message, life)) {
					// A late message of the previous page.
					return;
				}
				if (isFocus(message)) {
					focused.fire();
				}
				tellTyping(page, typingIn(message) ?? typing === page);
				if (keptOpenBy.some((name) => isAsk(message, String(name)))) {
					page.preview = undefined;
				}
				const reply = await answer(handlers, message, (error) => {
					if (isAbort(error)) {
						return vscode.l10n.t('Cancelled.');
					}
					problems.log(error);
					return visible(problems.explain(error).message);
				});
				if (reply && !signal.aborted) {
					post(panel, reply);
				}
			}),
		);
		owned.add(panel.onDidDispose(page.leave));
		panel.title = visible(title);
		panel.iconPath = new vscode.ThemeIcon(icon);
		if (panel.active) {
			page.noteInFront();
		}
		owned.add(
			panel.onDidChangeViewState(() => {
				if (!panel.visible && page.document?.life !== life) {
					// The editor loads the document again when the panel comes into view.
					write();
				}
			}),
		);
		if (page.document?.isRunning === true && page.document.script === script && panel.visible) {
			post(panel, { kind: 'become', life, title, subject, start: startNews });
			return;
		}
		panel.webview.options = webview;
		write();
	}

	/** Shows other content in the panel of a page. */
	function replace<P extends Protocol>(page: OpenPage, content: PageContent<P>, entry?: number): PageLink<P> {
		page.leave();
		return show(page.panel, content, page.preview, entry, page.document);
	}

	/** Chords that leave a page do nothing in its text boxes. */
	function tellTyping(page: OpenPage, isTyping: boolean): void {
		if (isTyping !== (typing === page)) {
			typing = isTyping ? page : undefined;
			void vscode.commands.executeCommand('setContext', 'forge.page.typing', isTyping);
		}
	}

	/**
	 * Page files as text, if loaded: a page with embedded files appears sooner than one that fetches them through the
	 * editor. A miss starts a load for the next page.
	 */
	function file(from: vscode.Webview, ...path: readonly string[]): PageFile {
		const uri = vscode.Uri.joinPath(extensionUri, ...path);
		const key = uri.toString();
		if (!fileTexts.has(key)) {
			fileTexts.set(key, undefined);
			read(uri).then(
				(text) => fileTexts.set(key, text),
				() => fileTexts.delete(key),
			);
		}
		const text = fileTexts.get(key);
		return text === undefined
			? { kind: 'address', address: from.asWebviewUri(uri).toString() }
			: { kind: 'text', text };
	}

	const pageInFront = (): OpenPage | undefined => Array.from(open.values()).find(({ panel }) => panel.active);

	const host: PageHost = {
		open(content, entry) {
			const preserveFocus = leavesKeyboard();
			const known = open.get(keyOf(content));
			if (known) {
				// A second opening within the time limit keeps the page; a later one counts as a first click.
				const openedMs = clock.nowMs();
				const { preview } = known;
				known.preview = preview && openedMs - preview.openedMs > doubleClickMs ? { ...preview, openedMs } : undefined;
				if (entry !== undefined) {
					known.wanted.fire(entry);
				}
				known.panel.reveal(undefined, preserveFocus);
				known.shown.fire();
				known.noteInFront();
				return known;
			}
			const column = vscode.window.activeTextEditor?.viewColumn ?? vscode.window.tabGroups.activeTabGroup.viewColumn;
			const preview = hasPreviews() ? { column, openedMs: clock.nowMs() } : undefined;
			const replaced = Array.from(open.values()).find(
				(page) =>
					preview &&
					page.type === content.type &&
					page.preview?.column === column &&
					page.panel.viewColumn === column &&
					!isPinned(page.panel),
			);
			if (replaced) {
				replaced.preview = preview;
				const link = replace(replaced, content, entry);
				replaced.panel.reveal(undefined, preserveFocus);
				return link;
			}
			const place = { viewColumn: column, preserveFocus };
			const panel = vscode.window.createWebviewPanel(content.type, content.title, place, webview);
			return show(panel, content, preview, entry);
		},
		// Use the title that the editor kept; the content may be unknown.
		restore: (panel, content) =>
			show(panel, panel.title === '' ? content : { ...content, title: panel.title }, undefined),
		inFront: () => pageInFront()?.subject,
		front(type) {
			const page = pageInFront();
			return page?.type === type ? page : undefined;
		},
		dispose() {
			[...open.values()].forEach(({ leave }) => leave());
		},
	};
	return {
		...host,
		/** A page took the keyboard. */
		onDidFocus: focused.event,
		/** Another page may be in front, or none. */
		onDidChangeInFront: changedInFront.event,
		/** The pages that were in front, open or closed, the latest first. */
		recent: (): readonly RecentPage[] => [...recent.values()].toReversed(),
		/** Keeps the active page when others open. Returns its title; `undefined` without an active page. */
		keepInFront(): string | undefined {
			const page = pageInFront();
			if (page) {
				page.preview = undefined;
			}
			return page?.panel.title;
		},
	};
}

/** One page per key; a key is unique within its type. */
function keyOf<P extends Protocol>({ type, key }: PageContent<P>): string {
	return `${type} ${key}`;
}

/** True if the user pinned the page's tab; the panel lacks this state. */
function isPinned({ viewType, title, viewColumn }: vscode.WebviewPanel): boolean {
	return vscode.window.tabGroups.all.some(
		(group) =>
			group.viewColumn === viewColumn &&
			group.tabs.some(
				({ input, label, isPinned: isIt }) =>
					isIt && label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
			),
	);
}

function post(panel: vscode.WebviewPanel, message: FromHost | Become): void {
	// `false` means that the page is hidden or gone; it asks again when shown.
	// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
	void panel.webview.postMessage(message);
}

/** Keeps the active page open and names it in a message, because its tab looks unchanged. */
export function keepPageCommand(pages: WindowPages): CommandTable {
	return {
		'forge.keepPage': async () => {
			const title = pages.keepInFront();
			tellBriefly(
				title === undefined
					? vscode.l10n.t('No Forge Desk page is open.')
					: vscode.l10n.t('Kept open: {0}', visibleLine(title)),
			);
		},
	};
}

/** Fills a page after a reload; `state` is the page's stored state. */
export type RestorePage = (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;

/** Stored state is untrusted: closes a page if `subjectOf` rejects it. */
export function restorePage<Subject>(
	subjectOf: (kept: unknown) => Subject | undefined,
	fill: (panel: vscode.WebviewPanel, subject: Subject) => void,
): RestorePage {
	return async (panel, state) => {
		const subject = subjectOf(isRecord(state) ? state['subject'] : undefined);
		if (subject === undefined) {
			panel.dispose();
		} else {
			fill(panel, subject);
		}
		await Promise.resolve();
	};
}
