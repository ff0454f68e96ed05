import { refText } from 'sourcehut/port/namedRef.ts';
import type { Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s#]+)$/;

/** Parses `~owner/name`. */
export function trackerRefOf(text: string): TrackerRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

export function refOfTracker({ owner, name }: Tracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}

/** Servers look up trackers case-insensitively (docs/protocol.md#tracker-look-up). */
export function trackerKey(ref: TrackerRef): string {
	return refText(ref).toLowerCase();
}
