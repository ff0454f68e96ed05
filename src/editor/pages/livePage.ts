import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextTurnBy } from '@forge-desk/base/timeSlice.ts';
import {
	action,
	handler,
	nothing,
	type EntryStart,
	type L10n,
	type PieceProtocol,
	type PieceStart,
	type Protocol,
} from '../../pages/protocol/pageProtocol.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { Problems } from '../ask/problems.ts';
import { connectionOf } from '../commands/subjects.ts';
import type { PageLink } from './pageHost.ts';

/*
 * Behaviour of open pages. `livePage` follows an account and publishes changes. `entryPage` adds numbered starts and a
 * scroll target, `piecePage` an immediate start.
 */

/** News that every live page takes. */
export interface LiveProtocol<Change> extends Protocol {
	readonly news: { readonly changed: Change };
}

/** A slice of news. */
export interface TellingSlice<Change> {
	/** `undefined` when this part holds nothing that the page does not know. */
	readonly change: Change | undefined;
	/** True if further slices follow. */
	readonly goesOn: boolean;
}

/** Content of a live page. */
interface LiveContent<Change> {
	readonly parts: { readonly connections: Connections; readonly problems: Problems; readonly clock: Clock };
	readonly subject: { readonly connectionKey: string };
	readonly link: PageLink<LiveProtocol<Change>>;
	/** Watches for changes until the connection changes or the page closes. */
	readonly watch: (connection: Connection) => Disposable;
	/** The account connected or reconnected; `before` is the previous connection. */
	readonly arrived: (connection: Connection, before: Connection | undefined) => void;
	/** Something has changed: the next slice is the first of a row. */
	readonly begin?: () => void;
	/** Next slice of news. */
	readonly next: () => TellingSlice<Change>;
	/** True for a page that accepts messages before its first request. */
	readonly listensAtOnce?: boolean;
	/** `shown`: the page came into view. `look`: the user looks at the page, which shows everything known. */
	readonly readMark?: { shown(): void; look(): void };
}

/** A page that follows its account and its content until it closes. */
export type LivePage<Change> = ReturnType<typeof livePage<Change>>;

/**
 * Shared behaviour of pages. Publishes differences to a listening page: coalesces changes, and pauses before each slice,
 * because the source of the change has used its turn. Marks visible content as read. Follows the account, which may
 * connect after the page opens and reconnect later, and closes the page at its sign-out: the content came through that
 * account's token.
 */
export function livePage<Change>({
	parts: { connections, problems, clock },
	subject: { connectionKey },
	link,
	watch,
	arrived,
	begin = () => undefined,
	next,
	listensAtOnce = false,
	readMark,
}: LiveContent<Change>) {
	let followed: Connection | undefined;
	let watching: Disposable | undefined;
	let hears = listensAtOnce;
	const isListening = (): boolean => hears;
	let isDirty = false;
	/** Resolves when the page has everything so far. */
	let telling: Promise<void> | undefined;
	const known = (): Connection | undefined => connections.byKey(connectionKey);
	/** Lets everybody else have a turn. */
	const pause = (): Promise<void> => nextTurnBy(clock);
	/** Next slice of news; empty after the page closes. */
	const nextWhileOpen = (): TellingSlice<Change> =>
		link.signal.aborted ? { change: undefined, goesOn: false } : next();

	/** Publishes possible changes. Resolves when the page has everything. */
	function changed(): Promise<void> {
		isDirty = true;
		telling ??= tell();
		return telling;
	}

	async function tell(): Promise<void> {
		await pause();
		try {
			while (isDirty && isListening()) {
				isDirty = false;
				begin();
				for (let goesOn = true; goesOn && isListening();) {
					const slice = nextWhileOpen();
					if (slice.change) {
						link.tell('changed', slice.change);
					}
					({ goesOn } = slice);
					if (goesOn) {
						await pause();
					}
				}
			}
		} catch (error) {
			problems.log(error);
			return;
		} finally {
			// Reset synchronously after the last check; a pause between the two would lose a change.
			telling = undefined;
		}
		look();
	}

	function look(): void {
		if (readMark && hears && link.isWatched()) {
			readMark.look();
		}
	}

	link.owned.add(
		connections.onDidChange(() => {
			const connection = known();
			if (!connection && followed) {
				link.close();
			} else if (connection && connection !== followed) {
				arrived(connection, followed);
			}
		}),
	);
	if (readMark) {
		link.owned.add(link.onDidChangeWatched(look));
		link.owned.add(
			link.onDidShow(() => {
				readMark.shown();
				look();
			}),
		);
	}
	return {
		/** The connection while signed in. */
		known,
		/** The same. Throws "not signed in" without a connection. */
		connection: () => connectionOf(connections, { connectionKey }),
		/** Switches the page to this connection. */
		follow(connection: Connection) {
			if (connection !== followed) {
				watching?.dispose();
				followed = connection;
				watching = link.owned.add(watch(connection));
			}
		},
		followed: () => followed,
		changed,
		next: nextWhileOpen,
		/** False before the page's first request, unless it listens at once. */
		isListening,
		/** Holds back messages until `listen`. */
		stopListening() {
			hears = false;
		},
		/** The page listens from now on. */
		listen() {
			hears = true;
			return changed();
		},
		pause,
		/** A failure as a sentence. */
		explain: (error: unknown) => problems.explain(error).message,
		log: (error: unknown) => problems.log(error),
	};
}

/** News that every page of entries takes. */
interface EntryProtocol<Change> extends LiveProtocol<Change> {
	readonly news: {
		readonly changed: Change;
		/** Requested entry. */
		readonly goTo: number;
	};
}

interface EntryContent<Start, Change> extends LiveContent<Change> {
	readonly link: PageLink<EntryProtocol<Change>>;
	/** Whether there is something to show without waiting. */
	readonly isKnown: (connection: Connection) => boolean;
	/** Reads until the page has something to show. */
	readonly read: (connection: Connection) => Promise<void>;
	/** The page lost its content. */
	readonly forget: () => void;
	readonly start: (start: EntryStart<Change>) => Start;
}

/** A live page of numbered entries, such as comments or mails. */
export type EntryPage<Start extends EntryStart<unknown>> = ReturnType<typeof entryPage<Start, unknown>>;

/**
 * Loads while the editor opens the page. Numbers the starts, so that a page with a start receives only later news.
 * Scrolls a listening page to the requested entry.
 */
export function entryPage<Start extends EntryStart<unknown>, Change>({
	isKnown,
	read,
	forget,
	start,
	...content
}: EntryContent<Start, Change>) {
	const { link } = content;
	const page = livePage(content);
	/** Pending scroll target: part of the next start, or a message to a listening page. */
	let target = link.entry;
	let reading: Promise<void> | undefined;
	let number = 0;
	/** Number of start requests. */
	let asked = 0;

	async function readPage(): Promise<void> {
		const connection = page.connection();
		page.follow(connection);
		await read(connection);
	}

	async function load(): Promise<void> {
		reading ??= readPage();
		try {
			await reading;
		} finally {
			reading = undefined;
		}
	}

	function startWith(change: Change | undefined, failure: string | undefined): Start {
		return start({ number, locale: vscode.env.language, entry: target, change, failure });
	}

	function tellTarget(): void {
		if (target === undefined || !page.isListening()) {
			return;
		}
		link.tell('goTo', target);
		// Hidden pages receive no messages and ask again when shown.
		target = link.isVisible() ? undefined : target;
	}

	link.owned.add(
		link.onDidWant((entry) => {
			target = entry;
			tellTarget();
		}),
	);
	return {
		...page,
		/** Starts loading and returns known data. `start` reports errors. */
		open(): Start | undefined {
			const connection = page.known();
			if (!connection) {
				return undefined;
			}
			reading = readPage();
			reading.catch(() => undefined);
			if (!isKnown(connection)) {
				return undefined;
			}
			number += 1;
			return startWith(page.next().change, undefined);
		},
		/** Data for a page with the start `known`. Never rejects: the page needs its texts even to show an error. */
		async start(known: number): Promise<Start> {
			// A page that was hidden has its original, outdated start.
			const isAnew = known === 0 || known !== number || asked > 0;
			asked += 1;
			const turn = asked;
			// Hold back news until the page is ready.
			page.stopListening();
			try {
				await load();
				if (isAnew) {
					forget();
					number += 1;
				}
				const answered = startWith(page.next().change, undefined);
				// Wait for the answer to go out: the page treats its start as complete and would lose earlier news.
				void page.pause().then(async () => {
					if (turn === asked) {
						await page.listen();
						tellTarget();
					}
				});
				target = answered.failure === undefined ? undefined : target;
				return answered;
			} catch (error) {
				page.log(error);
				return startWith(undefined, page.explain(error));
			}
		},
		/** Loads, or joins a running load; then the content is available. */
		load,
		/** Requested entry. */
		entry: () => target,
	};
}

/** Passes a piece of a page on when the page does not know it yet. */
export type IfNew = <T>(piece: string, view: T) => T | undefined;

/** Content of a page of pieces. */
export interface PieceContent<Strings, Change> {
	readonly parts: LiveContent<Change>['parts'];
	readonly subject: LiveContent<Change>['subject'];
	readonly watch: LiveContent<Change>['watch'];
	readonly link: PageLink<PieceProtocol<PieceStart<Strings, Change>, Change>>;
	/** Static texts. */
	readonly strings: (l10n: L10n) => Strings;
	/** Current content; `ifNew` drops unchanged pieces. */
	readonly now: (ifNew: IfNew) => Change;
	/** Begins to read all that the page shows. */
	readonly read: (connection: Connection) => void;
}

/** A live page that shows known pieces at once and others on arrival. Publishes the result of `now`. */
export function piecePage<Strings, Change>({ strings, now, read, ...content }: PieceContent<Strings, Change>) {
	const pieces = pagePieces();
	let isAnyNew = false;
	const ifNew: IfNew = (piece, view) => {
		const news = pieces.ifNew(piece, view);
		isAnyNew ||= news !== undefined;
		return news;
	};
	const page = livePage<Change>({
		...content,
		next() {
			isAnyNew = false;
			const change = now(ifNew);
			return { change: isAnyNew ? change : undefined, goesOn: false };
		},
		arrived(connection) {
			readWith(connection);
			content.link.tell('reload', undefined);
		},
		listensAtOnce: true,
	});

	function readWith(connection: Connection): void {
		page.follow(connection);
		read(connection);
	}

	function start(): PieceStart<Strings, Change> {
		pieces.forgetAll();
		return { locale: vscode.env.language, strings: strings(vscode.l10n), change: now(ifNew) };
	}

	return {
		...page,
		/** Starts loading and returns known content. */
		open(): PieceStart<Strings, Change> {
			const connection = page.known();
			if (connection) {
				readWith(connection);
			}
			return start();
		},
		/** All known content, for an empty page. */
		start,
		/** Handlers common to all such pages. */
		handlers: {
			load: handler(nothing, async () => start()),
			again: action(nothing, () => readWith(page.connection())),
		},
	};
}

/** Sent pieces of a page, by name. Pieces are plain JSON and compared as such. */
export function pagePieces() {
	const known = new Map<string, string>();
	return {
		ifNew<T>(piece: string, view: T): T | undefined {
			const text = JSON.stringify(view);
			if (known.get(piece) === text) {
				return undefined;
			}
			known.set(piece, text);
			return view;
		},
		/** The page has some version of this piece. */
		knows: (piece: string) => known.has(piece),
		/** The page has forgotten this piece. True when it knew it. */
		forget: (piece: string) => known.delete(piece),
		forgetAll: () => known.clear(),
	};
}

/** Decides when an open page counts as read. Starts without a look. */
export function pageLooks() {
	let isFirst = true;
	let before: readonly number[] = [];
	return {
		/** The page became visible: the next look counts all visible content. */
		shown() {
			isFirst = true;
		},
		/** True if a number exceeds its value at the last counted look. Otherwise a manual mark since then survives. */
		counts(...seen: readonly number[]) {
			const isCounted = isFirst || seen.some((number, at) => number > (before[at] ?? 0));
			if (isCounted) {
				isFirst = false;
				before = seen;
			}
			return isCounted;
		},
	};
}
