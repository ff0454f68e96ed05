import { isSameValue } from '../base/isSameValue.ts';
import type { FromHost, Protocol } from '../protocol/channel.ts';
import { HostLink } from '../protocol/hostLink.ts';
import { keptRecord } from './keptRecord.ts';

/** What the editor gives a page. */
interface EditorApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The page's connection to its host, and what it keeps over a reload. */
export interface Host<P extends Protocol> {
	readonly link: HostLink<P>;
	/** Hands out what came with the page itself. To be called once, when everybody listens. */
	begin(): void;
	/** Where the page stands in its document. */
	readonly root: HTMLElement;
	/** What was kept by an earlier life of this page. */
	readonly kept: unknown;
	/** Keeps it over a reload, beside what the page is about. */
	keep(state: Readonly<Record<string, unknown>>): void;
}

/** To be called once: the editor hands its interface out only once. */
export function connectHost<P extends Protocol>(): Host<P> {
	const editor = acquireVsCodeApi();
	const link = new HostLink<P>(
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's method, not the browser's
		(message) => editor.postMessage({ ...message, life }),
		Math.floor(Math.random() * 2 ** 40),
	);
	window.addEventListener('message', ({ data, origin }: MessageEvent<FromHost>) => {
		// Any frame of the window can post here. The editor posts from the page's own origin. It hides `window.parent`, so
		// the source of a message cannot be compared with the frame around the page.
		if (origin === window.origin) {
			link.receive(data);
		}
	});
	const root = document.querySelector<HTMLElement>('#page') ?? document.body;
	const life = Number(root.dataset['life']);
	const subject: unknown = JSON.parse(root.dataset['subject'] ?? 'null');
	const before = keptRecord(editor.getState());
	const start = document.querySelector('#start')?.textContent;
	return {
		link,
		begin() {
			if (start !== undefined) {
				const data: unknown = JSON.parse(start);
				window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
			}
		},
		root,
		// A tab goes from one page to the next, and what the one kept is nothing to the other.
		kept: isSameValue(before['subject'], subject) ? before : undefined,
		keep: (state) => editor.setState({ subject, ...state }),
	};
}
