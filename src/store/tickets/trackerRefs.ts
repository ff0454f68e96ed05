import type { Tracker, TrackerRef } from '../../forge/port/tracker.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s#]+)$/;

/** Parses `~owner/name`. */
export function trackerRefOf(text: string): TrackerRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

export function refOfTracker({ owner, name }: Tracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}
