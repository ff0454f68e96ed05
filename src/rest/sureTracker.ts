import { ForgeError } from '../forge/forgeError.ts';
import { throwUnsent } from '../forge/mayHaveArrived.ts';
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
	/** To be called before each write into a tracker. Reads the tracker where its name may mean others. */
	beforeWrite(ref: TrackerRef, signal: AbortSignal): Promise<void>;
}

/**
 * Servers look trackers up by `ILIKE` (docs/protocol.md#tracker-look-up): `_` in the name of an address stands for any
 * character, so once `a_b` is gone its name leads to `axb`, and what is meant for the one would change or delete the
 * other.
 */
export function sureTrackers(caller: Caller): SureTrackers {
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
			// It may be gone since the last look.
			if (/[_%]/.test(ref.name)) {
				await read(ref, signal);
			}
		},
	};
}
