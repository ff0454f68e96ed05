import { ForgeError } from '../forge/forgeError.ts';
import { throwUnsent } from '../forge/mayHaveArrived.ts';
import { refText } from '../forge/namedRef.ts';
import { isNamed, type Tracker, type TrackerRef } from '../forge/tracker.ts';
import type { Caller } from './caller.ts';
import { inTracker } from './inTracker.ts';
import { trackerEndpoints } from './trackerEndpoints.ts';

/**
 * Makes sure that a name leads to the tracker of that name. Throws `notFound` where it leads to another one. What it
 * throws says that nothing was written.
 */
export interface SureTrackers {
	/** Reads the tracker. To be called before each change of a tracker itself. */
	read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker>;
	/** To be called before something is written into a tracker. Asks once for each name that may mean others, else never. */
	beforeWrite(ref: TrackerRef, signal: AbortSignal): Promise<void>;
	/** The tracker is gone, and its name may lead to another one from now on. */
	forget(ref: TrackerRef): void;
}

/**
 * Servers look trackers up by `ILIKE` (docs/protocol.md#tracker-look-up): `_` in the name of an address stands for any
 * character, so once `a_b` is gone its name leads to `axb`, and what is meant for the one would change or delete the
 * other.
 */
export function sureTrackers(caller: Caller): SureTrackers {
	const sure = new Set<string>();

	async function read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const tracker = await caller.call(trackerEndpoints.tracker, { ...inTracker(ref), signal }).catch(throwUnsent);
		if (!isNamed(tracker, ref)) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return tracker;
	}

	return {
		read,
		async beforeWrite(ref, signal) {
			const key = refText(ref);
			if (/[_%]/.test(ref.name) && !sure.has(key)) {
				await read(ref, signal);
				sure.add(key);
			}
		},
		forget: (ref) => void sure.delete(refText(ref)),
	};
}
