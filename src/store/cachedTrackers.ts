import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection } from './connection.ts';

/** Own and followed trackers from loaded data. Makes no requests. */
export function cachedTrackers({ index, tickets }: Connection): readonly TrackerRef[] {
	const all = [...index.trackers(), ...tickets.trackers.followed.all()];
	return all.filter((ref, place) => all.findIndex((other) => isSame(ref, other)) === place);
}

/** True if loaded data contains the tracker. Makes no requests. */
export function isTrackerCached(connection: Connection, ref: TrackerRef): boolean {
	return (
		connection.tickets.trackers.known(ref) !== undefined || cachedTrackers(connection).some((each) => isSame(each, ref))
	);
}

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
function isSame(one: TrackerRef, other: TrackerRef): boolean {
	return one.owner === other.owner && one.name.toLowerCase() === other.name.toLowerCase();
}
