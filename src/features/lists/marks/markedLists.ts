import type { Clock } from '../../../base/clock.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { nextTurnBy } from '../../../base/timeSlice.ts';
import { unreadMarks } from '../../../editor/trees/unreadMarks.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { ThreadRef } from '../../../store/readMarks/listReadMarks.ts';
import type { ListStoreChange } from '../../../store/lists/listChange.ts';
import type { ListMarks } from './listMarks.ts';
import { listRowScheme } from './rowUri.ts';

/** Events arrive in bursts, one per mail and patchset. */
const burstMs = 150;

export interface MarkedListsParts {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly marks: ListMarks;
	/** True if the view contains the list; other lists have no unread count. */
	readonly isShown: (connection: Connection, list: ListRef) => boolean;
	/** Redraws a list and its rows. */
	readonly redraw: (connection: Connection, list: ListRef) => void;
}

/** Recounts unread items of loaded lists after each burst of changes, and redraws changed lists. */
export function markedLists({ connections, clock, marks, isShown, redraw }: MarkedListsParts) {
	const owned = new Disposables();
	const dots = owned.add(unreadMarks(listRowScheme));
	/** Unread items at the last redraw, by list. */
	const told = new Map<string, { readonly connectionKey: string; readonly list: ListRef; readonly sign: string }>();
	/** Pending or running recount. */
	let burst: Disposable | undefined;
	let isChanged = false;
	let hasEnded = false;

	/** List by list, with a rest between: thousands of rows would hold the extension host for longer than a frame. */
	async function settle(): Promise<void> {
		isChanged = false;
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
			if (!isShown(connection, list)) {
				continue;
			}
			const { patchsets, threads } = marks.unread(connection, list);
			const rows = [...patchsets, ...threads];
			rows.forEach(([row, mark]) => all.set(row, mark));
			const now = JSON.stringify(rows);
			if (now !== sign) {
				told.set(name, { connectionKey, list, sign: now });
				redraw(connection, list);
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
		read(connection: Connection, list: ListRef) {
			marks.see(connection, list);
			const name = `${connection.key} ${refText(list).toLowerCase()}`;
			if (!told.has(name)) {
				told.set(name, { connectionKey: connection.key, list, sign: '[]' });
			}
			changed();
		},
		/** Watches an account for news and read marks. */
		watch(connection: Connection): Disposable {
			const { lists, reviews, threadReadMarks, patchsetReadMarks } = connection;
			const subscriptions = new Disposables();
			const touched = (list: ListRef | undefined): void => {
				marks.changed(connection, list);
				changed();
			};
			const looked = (refs: readonly ThreadRef[] | 'all'): void =>
				refs === 'all' ? touched(undefined) : refs.forEach(({ list }) => touched(list));
			subscriptions.add(lists.onDidChange((change) => touched(listOf(change))));
			subscriptions.add(reviews.onDidChange(({ list }) => touched(list)));
			subscriptions.add(threadReadMarks.onDidChange(looked));
			subscriptions.add(patchsetReadMarks.onDidChange(looked));
			return subscriptions;
		},
		/** Accounts or lists came or went. */
		changed,
		dispose() {
			hasEnded = true;
			burst?.dispose();
			owned.dispose();
		},
	};
}

/** The list of a change; `undefined` if it concerns all lists. */
function listOf(change: ListStoreChange): ListRef | undefined {
	switch (change.kind) {
		case 'lists':
			return undefined;
		case 'patchset':
			return change.patchset.list;
		case 'list':
		case 'patchsets':
		case 'posts':
		case 'thread':
			return change.list;
	}
}
