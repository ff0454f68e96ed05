import type { Disposable } from '../../../base/lifecycle.ts';
import { nextTurnBy } from '../../../base/timeSlice.ts';
import { unreadMarks } from '../../../editor/trees/unreadMarks.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import type { Connection } from '../../../store/connection.ts';
import type { SeenList } from '../find/seenList.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import { listRowScheme } from '../marks/rowUri.ts';

/** Events arrive in bursts, one per mail and patchset. */
const burstMs = 150;

/**
 * Recounts unread items of loaded lists after each burst of changes, and redraws changed lists. `isShown`: the view
 * contains the list; other lists have no unread count. `redraw`: redraws a list and its rows. `redrawBoard`: redraws
 * the board of all lists if it was ever unfolded, once for each burst.
 */
export function markedLists(
	{ connections, clock, finder: { marks } }: ListsDesk,
	isShown: (seen: SeenList) => boolean,
	redraw: (seen: SeenList) => void,
	redrawBoard: (connection: Connection) => void,
) {
	const dots = unreadMarks(listRowScheme);
	/** Unread items at the last redraw, by list. */
	const told = new Map<string, { readonly connectionKey: string; readonly list: ListRef; readonly sign: string }>();
	/** Accounts with changes since the last burst. */
	const touchedAccounts = new Set<Connection>();
	/** Pending or running recount. */
	let burst: Disposable | undefined;
	let isChanged = false;
	let hasEnded = false;

	/** List by list, with a rest between: thousands of rows would hold the extension host for longer than a frame. */
	async function settle(): Promise<void> {
		isChanged = false;
		const accounts = [...touchedAccounts].filter((each) => connections.byKey(each.key) === each);
		touchedAccounts.clear();
		accounts.forEach(redrawBoard);
		const all = new Map<string, Mark>();
		let isFirst = true;
		for (const [name, { connectionKey, list, sign }] of told) {
			if (!isFirst) {
				await nextTurnBy(clock);
			}
			if (hasEnded) {
				return;
			}
			isFirst = false;
			const connection = connections.byKey(connectionKey);
			if (!connection) {
				told.delete(name);
				continue;
			}
			if (!isShown({ connection, list })) {
				continue;
			}
			const { patchsets, threads } = marks.unread(connection, list);
			const rows = [...patchsets, ...threads];
			rows.forEach(([row, mark]) => all.set(row, mark));
			const now = JSON.stringify(rows);
			if (now !== sign) {
				told.set(name, { connectionKey, list, sign: now });
				redraw({ connection, list });
				touchedAccounts.add(connection);
				isChanged = true;
			}
		}
		dots.show(all);
		// Changes during the recount start the next one.
		burst = undefined;
		if (isChanged) {
			changed();
		}
	}

	function changed(): void {
		isChanged = true;
		burst ??= clock.after(burstMs, () => void settle());
	}

	return {
		/** Call after a load of a list's patchsets or threads. */
		read({ connection, list }: SeenList) {
			marks.see(connection, list);
			const name = `${connection.key} ${refText(list).toLowerCase()}`;
			if (!told.has(name)) {
				told.set(name, { connectionKey: connection.key, list, sign: '[]' });
			}
			changed();
		},
		/** News or read marks of a list, or of all lists of an account. */
		touched(connection: Connection, list: ListRef | undefined) {
			marks.changed(connection, list);
			touchedAccounts.add(connection);
			changed();
		},
		/** Accounts or lists came or went. */
		changed,
		dispose() {
			hasEnded = true;
			burst?.dispose();
			dots.dispose();
		},
	};
}
