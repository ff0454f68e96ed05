import type { TicketWriting } from './ticketWriting.ts';
import { throwDone } from 'sourcehut/port/mayHaveArrived.ts';
import { isNamed, type NewTracker, type Tracker, type TrackerRef } from 'sourcehut/port/tracker.ts';
import { isSameText } from '../../shared/isSameText.ts';
import { isGone, makeOnce, sendOnce } from '../../shared/sentOnce.ts';

/**
 * Writes to trackers. Sends each request once; after a lost response, checks whether it took effect. `ending` aborts
 * these checks.
 */
export function trackerWriter({ api, store, journal, me }: TicketWriting, ending: AbortSignal) {
	const make = makeOnce(journal, 'makeTracker', async ({ name }, looking) => {
		const found = await api.tracker({ owner: me, name }, looking);
		return found.name === name ? found : undefined;
	});
	const describe = sendOnce<'describeTracker', Tracker | 'unread'>(
		journal,
		'describeTracker',
		async ({ ref, description }, looking) => {
			const now = await store.trackers.read(ref, looking);
			return isSameText(now.description ?? '', description) ? now : undefined;
		},
	);
	const remove = sendOnce<'removeTracker', unknown>(journal, 'removeTracker', ({ ref }, looking) =>
		isGone(async () => isNamed(await api.tracker(ref, looking), ref)),
	);
	return {
		async create(wanted: NewTracker, signal: AbortSignal) {
			const tracker = await make({ kind: 'makeTracker', name: wanted.name }, (sending) => api.create(wanted, sending), {
				signal,
				looking: ending,
			});
			store.apply({ kind: 'trackerChanged', tracker });
			return tracker;
		},
		async describe(ref: TrackerRef, description: string, signal: AbortSignal) {
			const answered = await describe(
				{ kind: 'describeTracker', ref, description },
				async (sending) => (await api.update(ref, description, sending)) ?? 'unread',
				{ signal, looking: ending },
			);
			const read = (): Promise<Tracker> => store.tracker(ref, signal).catch(throwDone);
			const tracker = answered === 'unread' ? { ...(await read()), description } : answered;
			store.apply({ kind: 'trackerChanged', tracker });
		},
		async remove(ref: TrackerRef, signal: AbortSignal) {
			await remove({ kind: 'removeTracker', ref }, (sending) => api.remove(ref, sending), { signal, looking: ending });
			store.apply({ kind: 'trackerDeleted', tracker: ref });
		},
	};
}
