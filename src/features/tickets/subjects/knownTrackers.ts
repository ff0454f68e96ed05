import type { TrackerRef } from '../../../forge/tracker.ts';
import type { Connection } from '../../../state/connection.ts';

/** Own and followed trackers as far as they are known now. Needs no request. */
export function trackersOf({ index, tickets }: Connection): readonly TrackerRef[] {
	const all = [...index.trackers(), ...tickets.followedTrackers()];
	return all.filter((ref, place) => all.findIndex((other) => isSame(ref, other)) === place);
}

/** True when the tracker is known to exist, however that came to be known. Needs no request. */
export function knowsTracker(connection: Connection, ref: TrackerRef): boolean {
	return connection.tickets.knownTracker(ref) !== undefined || trackersOf(connection).some((each) => isSame(each, ref));
}

/**
 * Which of several accounts reads a tracker: one that knows it, else its owner's, else the first. A tracker may be shown
 * to one account of a forge and not to another.
 */
export function readerOf(ref: TrackerRef, among: readonly Connection[]): Connection | undefined {
	return among.find((each) => knowsTracker(each, ref)) ?? among.find(({ me }) => me === ref.owner) ?? among[0];
}

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
function isSame(one: TrackerRef, other: TrackerRef): boolean {
	return one.owner === other.owner && one.name.toLowerCase() === other.name.toLowerCase();
}
