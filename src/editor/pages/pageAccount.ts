import type { Disposable } from '../../base/lifecycle.ts';
import type { Connection, Connections } from '../../state/connection.ts';
import type { PageLink } from './pageHost.ts';
import { connectionOf } from '../commands/subjects.ts';

export interface PageAccountParts {
	readonly connections: Connections;
	readonly connectionKey: string;
	readonly link: Pick<PageLink<never>, 'owned' | 'close'>;
	/** Watches for changes; disposed when the connection changes or the page closes. */
	readonly watch: (connection: Connection) => Disposable;
	/** The account connected or reconnected; `before` is the previous connection. */
	readonly arrived: (connection: Connection, before: Connection | undefined) => void;
}

/** The account of a page. It may connect after the page opens, and reconnect while it is open. */
export interface PageAccount {
	/** The connection while signed in. */
	known(): Connection | undefined;
	/** The same. Throws "not signed in" without a connection. */
	connection(): Connection;
	/** Switches the page to this connection. */
	follow(connection: Connection): void;
	followed(): Connection | undefined;
}

/** Follows the account and closes the page at its sign-out: the content came through that account's token. */
export function pageAccount({ connections, connectionKey, link, watch, arrived }: PageAccountParts): PageAccount {
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
		known,
		connection: () => connectionOf(connections, { connectionKey }),
		follow(connection) {
			if (connection !== followed) {
				watching?.dispose();
				followed = connection;
				watching = link.owned.add(watch(connection));
			}
		},
		followed: () => followed,
	};
}
