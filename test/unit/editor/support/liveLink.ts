import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PageLink } from '../../../../src/editor/pages/pageHost.ts';
import type { Protocol } from '../../../../src/pages/protocol/pageProtocol.ts';

/** The host's side of a page that only receives messages, with user actions. */
export interface LiveLink<P extends Protocol> {
	readonly link: PageLink<P>;
	/** Messages to the page. */
	readonly told: unknown[];
	/** Sets the visibility of the page. */
	readonly watch: (isWatched: boolean) => void;
	/** Shows the page. */
	readonly show: () => void;
	/** Reopens the page at this entry. */
	readonly want: (entry: number) => void;
	readonly close: () => void;
}

export function liveLink<P extends Protocol>(entry?: number): LiveLink<P> {
	const told: unknown[] = [];
	const closing = new AbortController();
	const owned = new Disposables();
	const watched = new Emitter<void>();
	const shown = new Emitter<void>();
	const wanted = new Emitter<number>();
	let isSeen = true;
	return {
		told,
		link: {
			tell: (name, value) => void told.push([name, value]),
			setTitle: () => undefined,
			mark: () => undefined,
			become: () => undefined,
			close: () => undefined,
			signal: closing.signal,
			owned,
			isWatched: () => isSeen,
			isVisible: () => isSeen,
			entry,
			onDidWant: wanted.event,
			onDidChangeWatched: watched.event,
			onDidShow: shown.event,
		},
		watch(isWatched) {
			isSeen = isWatched;
			watched.fire();
		},
		show: () => shown.fire(),
		want: (at) => wanted.fire(at),
		close() {
			closing.abort();
			owned.dispose();
		},
	};
}
