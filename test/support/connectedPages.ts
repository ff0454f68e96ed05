import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PageContent, PageHost, PageLink } from '../../src/editor/pages/pageHost.ts';
import type { AnyHandlers, Protocol } from '../../src/pages/protocol/pageProtocol.ts';

/** An opened page. */
export interface ConnectedHere {
	readonly content: { readonly key: string; readonly subject: unknown };
	readonly handlers: AnyHandlers;
	readonly told: (readonly [string, unknown])[];
	readonly close: () => void;
}

/** A page host without a display: tests drive its pages and read their messages. */
export interface ConnectedPages extends PageHost {
	readonly pages: ConnectedHere[];
	/** Page visibility and window focus. */
	readonly window: { isPageVisible: boolean; isFocused: boolean };
}

export function connectedPages(): ConnectedPages {
	const pages: ConnectedHere[] = [];
	const window = { isPageVisible: true, isFocused: true };
	const links = new Map<string, PageLink<Protocol>>();
	const wanted = new Emitter<number>();
	function open<P extends Protocol>(content: PageContent<P>, entry?: number): PageLink<P> {
		const known = links.get(content.key);
		if (known) {
			if (entry !== undefined) {
				wanted.fire(entry);
			}
			return known;
		}
		const told: (readonly [string, unknown])[] = [];
		const owned = new Disposables();
		const link: PageLink<Protocol> = {
			tell: (name, value) => void told.push([name, value]),
			setTitle: () => undefined,
			mark: () => undefined,
			become: () => undefined,
			close: () => undefined,
			signal: new AbortController().signal,
			owned,
			isWatched: () => window.isPageVisible && window.isFocused,
			isVisible: () => window.isPageVisible,
			entry,
			onDidWant: wanted.event,
			onDidChangeWatched: new Emitter<void>().event,
			onDidShow: new Emitter<void>().event,
		};
		links.set(content.key, link);
		const { handlers } = content.connect(link);
		pages.push({ content, handlers, told, close: () => (links.delete(content.key), owned.dispose()) });
		return link;
	}
	return {
		pages,
		window,
		open,
		restore: (_, content) => open(content),
		inFront: () => pages.at(-1)?.content.subject,
		front: () => links.get(pages.at(-1)?.content.key ?? ''),
		dispose: () => undefined,
	};
}
