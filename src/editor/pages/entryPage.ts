import * as vscode from 'vscode';
import type { Connection } from '../../state/connection.ts';
import { livePage, type LivePage, type LivePageParts, type LiveProtocol } from './livePage.ts';
import type { PageLink } from './pageHost.ts';
import { pageStarts } from './pageStarts.ts';
import type { PageTelling } from './pageTelling.ts';

/** News that every page of entries takes. */
interface EntryProtocol<Change> extends LiveProtocol<Change> {
	readonly news: {
		readonly changed: Change;
		/** Somebody wants to see this entry. */
		readonly goTo: number;
	};
}

/** What every start of such a page holds. */
export interface EntryStart<Change> {
	readonly number: number;
	/** BCP 47 tag of the editor's language. */
	readonly locale: string;
	/** The entry that somebody wants to see. */
	readonly entry: number | undefined;
	/** What is different from the start that the page has. */
	readonly change: Change | undefined;
	/** Why nothing could be read, as a sentence. */
	readonly failure: string | undefined;
}

/** What one page of entries is made with. */
export interface EntryPageParts<Start, Change> extends LivePageParts<Change> {
	readonly link: PageLink<EntryProtocol<Change>>;
	/** The entry for which the page is opened. */
	readonly entry: number | undefined;
	/** Whether there is something to show without waiting. */
	readonly isKnown: (connection: Connection) => boolean;
	/** Reads until the page has something to show. */
	readonly read: (connection: Connection) => Promise<void>;
	/** The page has forgotten what it was told. */
	readonly forget: () => void;
	readonly start: (start: EntryStart<Change>) => Start;
}

/** A live page of numbered entries, such as comments or mails, that is read while the editor still opens it. */
export interface EntryPage<Start> extends Omit<LivePage<unknown>, 'next' | 'publishing'> {
	/** Begins to read, and answers what is known without. */
	open(): Start | undefined;
	/**
	 * What the page starts with, beyond the start `number` that it has. Never refuses: the page needs its texts above all
	 * to say what failed.
	 */
	start(number: number): Promise<Start>;
	/** Reads unless that is under way; afterwards what the page shows is known. */
	load(): Promise<void>;
	/** Brings an entry into view. */
	goTo(entry: number): void;
	/** The entry that somebody wants to see. */
	entry(): number | undefined;
}

/** Numbers its starts, and leads to the entry that somebody wants to see once the page listens. */
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
	const target = pageTarget(entry, {
		telling: publishing,
		isVisible: () => link.isVisible(),
		tell: (place) => link.tell('goTo', place),
	});
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

/** What a page is told with where to go. */
interface PageTargetParts {
	readonly telling: Pick<PageTelling, 'isListening'>;
	/** One that is hidden hears nothing, and asks anew when it is shown. */
	readonly isVisible: () => boolean;
	readonly tell: (place: number) => void;
}

/** What somebody wants to see on a page: it comes with the page's next start, or is told to a page that is there. */
interface PageTarget {
	/** Where the next start leads. */
	now(): number | undefined;
	/** Somebody wants to see this. */
	goTo(place: number): void;
	/** The page hears from now on. */
	listens(): void;
	/** A start has led there; a page that has gone there does not go again. */
	reached(): void;
}

/** `first`: where the page is opened. */
function pageTarget(first: number | undefined, { telling, isVisible, tell }: PageTargetParts): PageTarget {
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
		now: () => wanted,
		goTo(place) {
			wanted = place;
			listens();
		},
		listens,
		reached() {
			wanted = undefined;
		},
	};
}
