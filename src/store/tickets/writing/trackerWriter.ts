import type { TicketWriting } from './ticketWriting.ts';
import { throwDone } from 'sourcehut/port/mayHaveArrived.ts';
import {
	isNamed,
	type NewTracker,
	type Tracker,
	type TrackerRef,
	type Label,
	type NewLabel,
} from 'sourcehut/port/tracker.ts';
import { isSameText } from '../../shared/isSameText.ts';
import { isGone, makeOnce, sendOnce } from '../../shared/sentOnce.ts';
import type { LabelMaking } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { allPages } from 'sourcehut/port/allPages.ts';

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

/** Writes to labels. Sends each request once; after a lost response, checks whether it took effect. */
export type LabelWrites = ReturnType<typeof labelWriter>;

/** `ending` aborts checks after lost responses. */
export function labelWriter({ api, store, journal }: TicketWriting, ending: AbortSignal) {
	function making(): LabelMaking {
		if (!api.labelMaking) {
			throw new ForgeError({ kind: 'notOffered' });
		}
		return api.labelMaking;
	}

	async function find(ref: TrackerRef, name: string, signal: AbortSignal): Promise<Label | undefined> {
		for await (const { items } of allPages(api.labels(ref, signal))) {
			const found = items.find((each) => each.name === name);
			if (found) {
				return found;
			}
		}
		return undefined;
	}

	/** Uses `ending` and ignores errors: the write succeeded even if the refresh fails or the caller aborts. */
	async function reread(ref: TrackerRef): Promise<void> {
		await Promise.allSettled([store.trackers.readLabels(ref, ending)]);
	}

	const create = makeOnce(journal, 'makeLabel', ({ ref, name }, looking) => find(ref, name, looking));
	const change = sendOnce(journal, 'changeLabel', async ({ ref, name, newName, background }, looking) => {
		const found = await find(ref, newName, looking);
		// Another label may have had the new name before.
		const isOther = newName !== name && (await find(ref, name, looking)) !== undefined;
		const isAsWanted = background === undefined || found?.colors.background === background;
		return isAsWanted && !isOther ? found : undefined;
	});
	const remove = sendOnce<'removeLabel', unknown>(journal, 'removeLabel', async ({ ref, name }, looking) =>
		(await find(ref, name, looking)) === undefined ? true : undefined,
	);

	return {
		async create(ref: TrackerRef, label: NewLabel, signal: AbortSignal) {
			const { name } = label;
			await create({ kind: 'makeLabel', ref, name }, (sending) => making().create(ref, label, sending), {
				signal,
				looking: ending,
			});
			await reread(ref);
		},
		async change(ref: TrackerRef, name: string, wanted: Partial<NewLabel>, signal: AbortSignal) {
			const newName = wanted.name ?? name;
			const { background } = wanted.colors ?? {};
			await change(
				{ kind: 'changeLabel', ref, name, newName, ...(background === undefined ? {} : { background }) },
				(sending) => making().change(ref, name, wanted, sending),
				{ signal, looking: ending },
			);
			if (newName !== name) {
				store.apply({ kind: 'labelRenamed', tracker: ref, name, to: newName });
			}
			await reread(ref);
		},
		async remove(ref: TrackerRef, name: string, signal: AbortSignal) {
			await remove({ kind: 'removeLabel', ref, name }, (sending) => making().remove(ref, name, sending), {
				signal,
				looking: ending,
			});
			store.apply({ kind: 'labelRenamed', tracker: ref, name, to: undefined });
			await reread(ref);
		},
	};
}
