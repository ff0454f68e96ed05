import { isSameValue } from '../base/isSameValue.ts';
import { HostLink } from './hostLink.ts';
import type { FromHost, Protocol } from './protocol/pageProtocol.ts';
import { fieldsOf } from '../base/lenientJson.ts';

/** The editor's webview API. */
interface EditorApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The page's link to its host, and its saved state. */
export type Host<P extends Protocol> = ReturnType<typeof connectHost<P>>;

/** Call it once: the editor hands out its API only once. */
export function connectHost<P extends Protocol>() {
	const editor = acquireVsCodeApi();
	const link = new HostLink<P>(
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
		(message) => editor.postMessage({ ...message, life }),
		Math.floor(Math.random() * 2 ** 40),
	);
	window.addEventListener('message', ({ data, origin }: MessageEvent<FromHost>) => {
		// Any frame of the window can post here. The editor posts from the page's own origin. It hides `window.parent`,
		// so no check can compare the source with the outer frame.
		if (origin === window.origin) {
			link.receive(data);
		}
	});
	const root = document.querySelector<HTMLElement>('#page') ?? document.body;
	const life = Number(root.dataset['life']);
	window.addEventListener('focus', () => {
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
		editor.postMessage({ kind: 'focus', life });
	});
	let isTyping = false;
	for (const kind of ['focusin', 'focusout'] as const) {
		document.addEventListener(kind, ({ target, relatedTarget }) => {
			const now = kind === 'focusin' ? target : relatedTarget;
			const isText = now instanceof HTMLElement && now.matches('textarea, input:not([type=checkbox], [type=radio])');
			if (isText !== isTyping) {
				isTyping = isText;
				// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
				editor.postMessage({ kind: 'typing', isTyping, life });
			}
		});
	}
	const subject: unknown = JSON.parse(root.dataset['subject'] ?? 'null');
	const before = fieldsOf(editor.getState());
	const start = document.querySelector('#start')?.textContent;
	return {
		link,
		/** Delivers the data embedded in the page. Call it once, after adding all listeners. */
		begin() {
			if (start !== undefined) {
				const data: unknown = JSON.parse(start);
				window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
			}
		},
		/** Root element of the page. */
		root,
		/** State saved before a reload. A tab can switch to another page, and that page must not get the old state. */
		kept: isSameValue(before['subject'], subject) ? before : undefined,
		/** Saves state over a reload, together with the page's subject. */
		keep: (state: Readonly<Record<string, unknown>>) => editor.setState({ subject, ...state }),
	};
}
