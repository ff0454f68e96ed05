import * as vscode from 'vscode';
import type { Connection } from '../../store/connection.ts';
import { livePage, type LivePage, type LivePageParts, type LiveProtocol } from './livePage.ts';
import type { PageLink } from './pageHost.ts';
import { pageStarts } from './pageStarts.ts';
import type { PageTelling } from './pageTelling.ts';

/** News that every page of entries takes. */
interface EntryProtocol<Change> extends LiveProtocol<Change> {
	readonly news: {
		readonly changed: Change;
		/** Requested entry. */
		readonly goTo: number;
	};
}

/** Common fields of a start message. */
export interface EntryStart<Change> {
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	/** Requested entry. */
	readonly entry: number | undefined;
	/** Difference to the start that the page has. */
	readonly change: Change | undefined;
	/** Error as a sentence if nothing could be loaded. */
	readonly failure: string | undefined;
}

export interface EntryPageParts<Start, Change> extends LivePageParts<Change> {
	readonly link: PageLink<EntryProtocol<Change>>;
	/** Entry to scroll to. */
	readonly entry: number | undefined;
	/** Whether there is something to show without waiting. */
	readonly isKnown: (connection: Connection) => boolean;
	/** Reads until the page has something to show. */
	readonly read: (connection: Connection) => Promise<void>;
	/** The page lost its content. */
	readonly forget: () => void;
	readonly start: (start: EntryStart<Change>) => Start;
}

/** A live page of numbered entries, such as comments or mails. Loads while the editor opens it. */
export interface EntryPage<Start> extends Omit<LivePage<unknown>, 'next' | 'publishing'> {
	/** Starts loading and returns known data. */
	open(): Start | undefined;
	/** Data for the start with this `number`. Never rejects: the page needs its texts even to show an error. */
	start(number: number): Promise<Start>;
	/** Loads, or joins a running load; then the content is available. */
	load(): Promise<void>;
	/** Brings an entry into view. */
	goTo(entry: number): void;
	/** Requested entry. */
	entry(): number | undefined;
}

/** Numbers starts, and scrolls a listening page to the requested entry. */
export function entryPage<Start extends { readonly failure: string | undefined }, Change>({
	entry,
	isKnown,
	read,
	forget,
	start,
	...parts
}: EntryPageParts<Start, Change>): EntryPage<Start> {
	const { link } = parts;
	const page = livePage(parts);
	const { publishing, pause } = page;
	const target = pageTarget(
		entry,
		publishing,
		() => link.isVisible(),
		(place) => link.tell('goTo', place),
	);
	const startWith = (number: number, what: Pick<EntryStart<Change>, 'change' | 'failure'>): Start =>
		start({ number, locale: vscode.env.language, entry: target.now(), ...what });
	const starts = pageStarts({
		async read() {
			const connection = page.connection();
			page.follow(connection);
			await read(connection);
		},
		forget,
		start: (number) => startWith(number, { change: page.next().change, failure: undefined }),
		failed(number, error) {
			page.log(error);
			return startWith(number, { change: undefined, failure: page.explain(error) });
		},
		telling: publishing,
		listens: () => target.listens(),
		pause,
	});
	return {
		...page,
		open() {
			const connection = page.known();
			if (!connection) {
				return undefined;
			}
			starts.begin();
			return isKnown(connection) ? starts.first() : undefined;
		},
		async start(number) {
			const answered = await starts.answer(number);
			if (answered.failure === undefined) {
				target.reached();
			}
			return answered;
		},
		load: () => starts.load(),
		goTo: (place) => target.goTo(place),
		entry: () => target.now(),
	};
}

/**
 * Pending scroll target: part of the page's next start, or a message to a running page. `first`: initial target.
 * `isVisible`: hidden pages receive no messages and ask again when shown.
 */
function pageTarget(
	first: number | undefined,
	telling: Pick<PageTelling, 'isListening'>,
	isVisible: () => boolean,
	tell: (place: number) => void,
) {
	let wanted = first;

	function listens(): void {
		if (wanted === undefined || !telling.isListening()) {
			return;
		}
		tell(wanted);
		if (isVisible()) {
			wanted = undefined;
		}
	}

	return {
		/** Where the next start leads. */
		now: () => wanted,
		/** Requests this entry. */
		goTo(place: number) {
			wanted = place;
			listens();
		},
		/** The page listens now. */
		listens,
		/** A start has led there; a page that has gone there does not go again. */
		reached() {
			wanted = undefined;
		},
	};
}
