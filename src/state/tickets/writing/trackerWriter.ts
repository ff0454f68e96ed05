import type { TrackerApi } from '../../../forge/forge.ts';
import { isNamed, type NewTracker, type Tracker, type TrackerRef } from '../../../forge/tracker.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { isGone, madeOnce, sentOnce } from '../../shared/sentOnce.ts';
import type { TicketStore } from '../ticketStore.ts';

/** The one way in which trackers are changed. Each request is sent once, and looked for when its answer was lost. */
export interface TrackerWrites {
	create(tracker: NewTracker, signal: AbortSignal): Promise<Tracker>;
	describe(ref: TrackerRef, description: string, signal: AbortSignal): Promise<void>;
	remove(ref: TrackerRef, signal: AbortSignal): Promise<void>;
}

/** What changing trackers needs. */
export interface TrackerWriterParts {
	readonly api: Pick<TrackerApi, 'tracker' | 'create' | 'update' | 'remove'>;
	readonly store: Pick<TicketStore, 'tracker' | 'apply'>;
	/** `~name` of the account. */
	readonly me: OwnerName;
}

/** `ending`: when nobody looks any more for what was sent. */
export function trackerWriter({ api, store, me }: TrackerWriterParts, ending: AbortSignal): TrackerWrites {
	return {
		async create(wanted, signal) {
			const tracker = await madeOnce(
				wanted.name,
				(sending) => api.create(wanted, sending),
				(looking) => api.tracker({ owner: me, name: wanted.name }, looking),
				{ signal, looking: ending },
			);
			store.apply({ kind: 'trackerChanged', tracker });
			return tracker;
		},
		async describe(ref, description, signal) {
			const answered = await api.update(ref, description, signal);
			const tracker = answered ?? { ...(await store.tracker(ref, signal)), description };
			store.apply({ kind: 'trackerChanged', tracker });
		},
		async remove(ref, signal) {
			await sentOnce<unknown>(
				(sending) => api.remove(ref, sending),
				(looking) =>
					isGone(async () => {
						const found = await api.tracker(ref, looking);
						return isNamed(found, ref);
					}),
				{ signal, looking: ending },
			);
			store.apply({ kind: 'trackerDeleted', tracker: ref });
		},
	};
}
