import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextTurnBy } from '@forge-desk/base/timeSlice.ts';
import type { Protocol } from '../../pages/protocol/pageProtocol.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { Problems } from '../ask/problems.ts';
import { connectionOf } from '../commands/subjects.ts';
import type { PageLink } from './pageHost.ts';

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
export interface LiveContent<Change> {
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
	const log = (error: unknown): void => problems.log(error);
	/** Lets everybody else have a turn. */
	const pause = (): Promise<void> => nextTurnBy(clock);
	/** Next slice of news; empty after the page closes. */
	const nextWhileOpen = (): TellingSlice<Change> =>
		link.signal.aborted ? { change: undefined, goesOn: false } : next();

	/** Publishes possible changes. Resolves when the page has everything. */
	function changed(): Promise<void> {
		isDirty = true;
		telling ??= tellAll();
		return telling;
	}

	async function tellAll(): Promise<void> {
		await pause();
		let isTold = false;
		try {
			while (isDirty && isListening()) {
				isDirty = false;
				await tellSlices();
			}
			isTold = true;
		} catch (error) {
			log(error);
		} finally {
			// Reset synchronously after the last check; a pause between the two would lose a change.
			telling = undefined;
		}
		if (isTold) {
			look();
		}
	}

	async function tellSlices(): Promise<void> {
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
		log,
	};
}
