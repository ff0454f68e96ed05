import type { Disposable } from '../../base/lifecycle.ts';
import type { Connection, Connections } from '../../state/connection.ts';
import type { PageLink } from './pageHost.ts';
import { connectionOf } from '../commands/subjects.ts';

/** What following the account of a page needs. */
export interface PageAccountParts {
	readonly connections: Connections;
	readonly connectionKey: string;
	readonly link: Pick<PageLink<never>, 'owned' | 'close'>;
	/** Listens to what the page shows; let go of when another connection is followed, or the page is closed. */
	readonly watch: (connection: Connection) => Disposable;
	/** The account has come, or another connection stands for it now; `before` is the one that was followed. */
	readonly arrived: (connection: Connection, before: Connection | undefined) => void;
}

/** The account that a page reads with: it may come after its page, and be replaced while the page is open. */
export interface PageAccount {
	/** The account, while it is signed in. */
	known(): Connection | undefined;
	/** The same. Throws "not signed in" once it is gone. */
	connection(): Connection;
	/** What the page shows comes from this connection from now on. */
	follow(connection: Connection): void;
	followed(): Connection | undefined;
}

/** Follows the account, and closes the page when it signs out: what it shows was read with that account's token. */
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
