import type { Clock } from '../../base/clock.ts';
import type { Disposable, Disposables } from '../../base/lifecycle.ts';
import { nextTurnBy } from '../../base/timeSlice.ts';
import type { Protocol } from '../../pages/protocol/channel.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { Problems } from '../ask/problems.ts';
import { connectionOf } from '../commands/subjects.ts';
import type { PageLink } from './pageHost.ts';
import { pageTelling, type TellingSlice } from './pageTelling.ts';

/** News that every live page takes. */
export interface LiveProtocol<Change> extends Protocol {
	readonly news: { readonly changed: Change };
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

/** Shared behaviour of pages: follows an account, publishes differences, and marks visible content as read. */
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
	const pause = (): Promise<void> => nextTurnBy(clock);
	const log = (error: unknown): void => problems.log(error);
	const nextWhileOpen = (): TellingSlice<Change> =>
		link.signal.aborted ? { change: undefined, goesOn: false } : next();
	const publishing = pageTelling({
		begin,
		next: nextWhileOpen,
		tell: (change) => link.tell('changed', change),
		pause,
		told: look,
		failed: log,
		listensAtOnce,
	});
	const account = pageAccount(connections, connectionKey, link, watch, arrived);

	function look(): void {
		if (readMark && publishing.isListening() && link.isWatched()) {
			readMark.look();
		}
	}

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
		...account,
		/** Publishes possible changes. Resolves when the page has everything. */
		changed: () => publishing.changed(),
		/** Next slice of news; empty after the page closes. */
		next: nextWhileOpen,
		publishing,
		/** Lets everybody else have a turn. */
		pause,
		/** A failure as a sentence. */
		explain: (error: unknown) => problems.explain(error).message,
		log,
	};
}

/**
 * The account of a page, which may connect after the page opens, and reconnect while it is open. Follows the account
 * and closes the page at its sign-out: the content came through that account's token. `watch`: watches for changes;
 * disposed when the connection changes or the page closes. `arrived`: the account connected or reconnected; `before` is
 * the previous connection.
 */
export function pageAccount(
	connections: Connections,
	connectionKey: string,
	link: { readonly owned: Disposables; readonly close: () => void },
	watch: (connection: Connection) => Disposable,
	arrived: (connection: Connection, before: Connection | undefined) => void,
) {
	let followed: Connection | undefined;
	let watching: Disposable | undefined;
	const known = (): Connection | undefined => connections.byKey(connectionKey);
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
	};
}
