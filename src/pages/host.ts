import { isSameValue } from '../base/isSameValue.ts';
import { HostLink } from './hostLink.ts';
import { endPage, pageEnd } from './pageEnd.ts';
import type { Become, FromHost, Protocol } from './protocol/pageProtocol.ts';
import { fieldsOf } from '../base/lenientJson.ts';

/** The editor's webview API. */
interface EditorApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** A page that follows another one in the same document. */
interface NextPage extends Become {
	readonly editor: EditorApi;
}

/* `esbuild.mjs` wraps the script of each page into this function, so that every page begins with fresh modules. */
declare function startPage(next: NextPage): void;
/** Absent for the first page of a document. */
declare const nextPage: NextPage | undefined;

/** The page's link to its host, and its saved state. */
export type Host<P extends Protocol> = ReturnType<typeof connectHost<P>>;

/** Call it once per page. */
export function connectHost<P extends Protocol>() {
	// The editor hands out its API only once per document.
	const editor = nextPage?.editor ?? acquireVsCodeApi();
	const link = new HostLink<P>(
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
		(message) => editor.postMessage({ ...message, life }),
		Math.floor(Math.random() * 2 ** 40),
	);
	window.addEventListener(
		'message',
		({ data, origin }: MessageEvent<FromHost | Become>) => {
			// Any frame of the window can post here. The editor posts from the page's own origin. It hides `window.parent`,
			// so no check can compare the source with the outer frame.
			if (origin !== window.origin) {
				return;
			}
			if (data.kind === 'become') {
				endPage();
				clearFor(data);
				startPage({ ...data, editor });
			} else {
				link.receive(data);
			}
		},
		{ signal: pageEnd },
	);
	const root = document.querySelector<HTMLElement>('#page') ?? document.body;
	const life = Number(root.dataset['life']);
	window.addEventListener(
		'focus',
		() => {
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
			editor.postMessage({ kind: 'focus', life });
		},
		{ signal: pageEnd },
	);
	let isTyping = false;
	for (const kind of ['focusin', 'focusout'] as const) {
		document.addEventListener(
			kind,
			({ target, relatedTarget }) => {
				const now = kind === 'focusin' ? target : relatedTarget;
				const isText = now instanceof HTMLElement && now.matches('textarea, input:not([type=checkbox], [type=radio])');
				if (isText !== isTyping) {
					isTyping = isText;
					// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
					editor.postMessage({ kind: 'typing', isTyping, life });
				}
			},
			{ signal: pageEnd },
		);
	}
	const subject: unknown = JSON.parse(root.dataset['subject'] ?? 'null');
	const before = fieldsOf(editor.getState());
	const start = nextPage ? nextPage.start : embeddedStart();
	return {
		link,
		/** Delivers the data embedded in the page. Call it once, after adding all listeners. */
		begin() {
			if (start !== undefined) {
				link.receive(start);
			}
		},
		/** Root element of the page. */
		root,
		/** State saved before a reload. A tab can switch to another page, and that page must not get the old state. */
		kept: isSameValue(before['subject'], subject) ? before : undefined,
		/** Saves state over a reload, together with the page's subject. */
		keep(state: Readonly<Record<string, unknown>>) {
			if (!pageEnd.aborted) {
				editor.setState({ subject, ...state });
			}
		},
	};
}

/** The host's data in the HTML of the document. */
function embeddedStart(): FromHost | undefined {
	const text = document.querySelector('#start')?.textContent;
	if (text === undefined) {
		return undefined;
	}
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- written by the host
	const start: FromHost = JSON.parse(text);
	return start;
}

/**
 * Empties the document for the next page. What still runs of this page changes elements that nobody sees. Screen readers
 * hear the title as they would in a document of its own.
 */
function clearFor({ title, subject, life }: Become): void {
	const root = document.createElement('div');
	root.id = 'page';
	root.dataset['subject'] = JSON.stringify(subject);
	root.dataset['life'] = String(life);
	document.querySelector('#page')?.replaceWith(root);
	document.adoptedStyleSheets = [];
	document.title = title;
	document.querySelector('#title')?.replaceChildren(title);
	window.scrollTo(0, 0);
}
