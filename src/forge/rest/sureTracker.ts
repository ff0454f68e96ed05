import { ForgeError } from '../port/forgeError.ts';
import { throwUnsent } from '../port/mayHaveArrived.ts';
import { isNamed, type Tracker, type TrackerRef } from '../port/tracker.ts';
import type { Caller } from './caller.ts';
import { inTracker } from './inTracker.ts';
import { trackerEndpoints } from './trackerEndpoints.ts';

/** Verifies that a name leads to its own tracker. Throws `notFound` otherwise, with `isUnsent`. */
export interface SureTrackers {
	/** Reads the tracker. Call it before each change of a tracker itself. */
	read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker>;
	/** Call it before each write into a tracker. Reads the tracker if its name is ambiguous. */
	beforeWrite(ref: TrackerRef, signal: AbortSignal): Promise<void>;
}

/**
 * Servers look trackers up by `ILIKE` (docs/protocol.md#tracker-look-up): `_` in a name matches any character. After
 * the deletion of `a_b`, its name leads to `axb`, and a write would change or delete the wrong tracker.
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
			// The tracker may have disappeared since the last check.
			if (/[_%]/.test(ref.name)) {
				await read(ref, signal);
			}
		},
	};
}
