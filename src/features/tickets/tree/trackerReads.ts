import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isOfService } from 'sourcehut/port/isAway.ts';
import type { Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import { trackerRowId, type AccountTracker } from './ticketShelf.ts';

/** Own trackers from the forge or from the cache. */
export type OwnTrackers =
	| { readonly kind: 'read'; readonly listing: Listing<Tracker> }
	| { readonly kind: 'remembered'; readonly refs: readonly TrackerRef[] };

/** Loads of the Tickets view and their results. */
export type TrackerReads = ReturnType<typeof trackerReads>;

/**
 * `onRead`: the first page of a tracker arrived or failed. `onTrackers`: an account's own trackers are others than they
 * were.
 */
export function trackerReads(
	clock: Clock,
	log: (error: unknown) => void,
	onRead: (from: AccountTracker) => void,
	onTrackers: () => void,
) {
	const ending = new AbortController();
	/** By the id of the tracker's row, or the account's key. */
	const troubles = new Map<string, unknown>();
	/** Requested in this window: ids of tracker rows. */
	const requested = new Set<string>();
	/** Background refreshes: ids of tracker rows. */
	const reading = new Set<string>();
	/** Accounts whose trackers need a new request. */
	const wanted = new Set<string>();
	/** The names of each account's own trackers when they were last read. */
	const names = new Map<string, string>();

	async function readMeanwhile(from: AccountTracker): Promise<void> {
		const id = trackerRowId(from);
		requested.add(id);
		reading.add(id);
		try {
			await from.connection.tickets.reads(from.ref).reread(undefined, ending.signal);
			troubles.delete(id);
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			troubles.set(id, error);
			log(error);
		} finally {
			reading.delete(id);
		}
		onRead(from);
	}

	/** Only with cached trackers, so that a failure leaves stale data at worst. */
	async function renewOwn({ key, tickets, index }: Connection, signal: AbortSignal): Promise<void> {
		if (!wanted.has(key) || index.trackers().length === 0) {
			return;
		}
		try {
			await tickets.trackers.renewOwn(signal);
			wanted.delete(key);
			troubles.delete(key);
		} catch (error) {
			// A cancelled load is no longer wanted; a load that another one superseded is.
			if (!isAbort(error) || signal.aborted) {
				wanted.delete(key);
			}
			if (isAbort(error)) {
				throw error;
			}
			troubles.set(key, error);
			log(error);
		}
	}

	return {
		/** Own trackers; cached ones if the forge fails. Throws without cached ones, or after an abort. */
		async own(connection: Connection, signal: AbortSignal): Promise<OwnTrackers> {
			await renewOwn(connection, signal);
			try {
				const listing = await connection.tickets.ownTrackers(signal);
				const now = listing.items.map(({ name }) => name).join(' ');
				if (names.get(connection.key) !== now) {
					names.set(connection.key, now);
					onTrackers();
				}
				return { kind: 'read', listing };
			} catch (error) {
				const refs = connection.index.trackers();
				if (isAbort(error) || !refs.some((ref) => connection.index.state(ref).kind !== 'unread')) {
					throw error;
				}
				log(error);
				troubles.set(connection.key, error);
				return { kind: 'remembered', refs };
			}
		},
		/**
		 * Loads a tracker's tickets: waits for the first page if there is none, otherwise refreshes in the background, once
		 * until a reset. Throws the error of the first page.
		 */
		async tickets(from: AccountTracker, signal: AbortSignal) {
			const { connection, ref } = from;
			const id = trackerRowId(from);
			if (connection.index.state(ref).kind === 'unread') {
				const beforeMs = clock.nowMs();
				await connection.tickets.tickets(ref, signal);
				const state = connection.index.state(ref);
				if (state.kind !== 'unread' && state.checkedAtMs >= beforeMs) {
					requested.add(id);
				}
				troubles.delete(id);
				onRead(from);
			}
			// Asking for the tickets of an account that does not answer would only take time.
			if (!requested.has(id) && !troubles.has(connection.key)) {
				void readMeanwhile(from);
			}
		},
		/** True during a background refresh of a tracker. */
		isReading: (from: AccountTracker) => reading.has(trackerRowId(from)),
		/** Why the rows of a tracker's row id, or of a whole account's key, are older than they should be. */
		trouble: (id: string) => troubles.get(id),
		/** The next look asks the forge again. */
		forget(connection: Connection, ref: TrackerRef | undefined) {
			if (ref) {
				const id = trackerRowId({ connection, ref });
				requested.delete(id);
				troubles.delete(id);
			} else {
				requested.clear();
				troubles.clear();
				wanted.add(connection.key);
			}
		},
		/** The forge answered another part, so the next look asks again for what failed. True if something had. */
		recovered({ key }: Connection) {
			const failed = [...troubles].filter(
				([id, error]) => (id === key || id.startsWith(`${key}/`)) && isOfService(error),
			);
			failed.forEach(([id]) => {
				troubles.delete(id);
				requested.delete(id);
			});
			return failed.length > 0;
		},
		dispose: () => ending.abort(),
	};
}
