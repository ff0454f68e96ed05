import { trackerRefText, type Tracker, type TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { trackerKey } from './trackerShelf.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s#]+)$/;

/** Reads `~owner/name`. */
export function trackerRefOf(text: string): TrackerRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** What a tracker is named by. */
export function refOfTracker({ owner, name }: Tracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}

/** Others' trackers that an account follows, in the order in which they were added. */
export interface FollowedTrackers {
	refs(): readonly TrackerRef[];
	/** False when there was nothing to add: it is followed already, or the account's own. */
	add(tracker: Tracker): Promise<boolean>;
	remove(ref: TrackerRef): Promise<void>;
}

/** `names` holds each as `~owner/name`; `me` is the account's `~name`. */
export function followedTrackers(names: KeptNames, me: OwnerName): FollowedTrackers {
	return {
		refs: () =>
			names
				.all()
				.map(trackerRefOf)
				.filter((ref) => ref !== undefined),
		async add(tracker) {
			const all = names.all();
			const name = trackerRefText(refOfTracker(tracker));
			if (tracker.owner.canonicalName === me || all.includes(name)) {
				return false;
			}
			await names.keep([...all, name]);
			return true;
		},
		async remove(ref) {
			const unwanted = trackerKey(ref);
			await names.keep(names.all().filter((name) => name.toLowerCase() !== unwanted));
		},
	};
}
