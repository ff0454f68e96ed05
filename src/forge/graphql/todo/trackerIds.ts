import { ForgeError } from '../../port/forgeError.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import { refText } from '../../port/namedRef.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import type { OwnerName } from '../../port/user.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { labelNumbers, mostParts } from './ticketParts.ts';
import { readTracker } from './trackerDocuments.ts';
import { bareName, byName } from '../door/variables.ts';
import { findPerson } from './ticketDocuments.ts';

/** Writes refer to trackers, labels and users by id (docs/protocol.md#graphql-values). Errors are `isUnsent`. */
export interface TrackerIds {
	told(ref: TrackerRef, ids: { readonly trackerId?: number | undefined }): void;
	/** Cached from the read just before the write. Throws `notFound`. */
	tracker(ref: TrackerRef, signal: AbortSignal): Promise<number>;
	/** Reads the tracker again, because the name may belong to a new tracker. Throws `notFound`. */
	current(ref: TrackerRef, signal: AbortSignal): Promise<number>;
	/** Reads the labels again, because their names can change. Omits missing labels. */
	labels(ref: TrackerRef, names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
	/** `undefined` for a user that the service doesn't know. */
	person(name: OwnerName, signal: AbortSignal): Promise<number | undefined>;
	forget(ref: TrackerRef): void;
}

export function trackerIds({ ask }: GraphqlCaller): TrackerIds {
	const trackers = new Map<string, number>();
	const people = new Map<string, number>();
	/** Tracker names are case-insensitive per owner. */
	const keyOf = (ref: TrackerRef): string => refText(ref).toLowerCase();

	function told(ref: TrackerRef, { trackerId }: { readonly trackerId?: number | undefined }): void {
		if (trackerId !== undefined) {
			trackers.set(keyOf(ref), trackerId);
		}
	}

	async function current(ref: TrackerRef, signal: AbortSignal): Promise<number> {
		const found = await ask(readTracker, byName(ref), signal).catch(throwUnsent);
		if (found?.id === undefined) {
			forget(ref);
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		told(ref, { trackerId: found.id });
		return found.id;
	}

	function forget(ref: TrackerRef): void {
		trackers.delete(keyOf(ref));
	}

	return {
		told,
		tracker: async (ref, signal) => trackers.get(keyOf(ref)) ?? current(ref, signal),
		current,
		async labels(ref, names, signal) {
			const found = new Map<string, number>();
			for (let at = 0; at < names.length; at += mostParts) {
				const part = names.slice(at, at + mostParts);
				const { operation, variables } = labelNumbers(part);
				const told = await ask(operation, { ...byName(ref), ...variables }, signal).catch(throwUnsent);
				part.forEach((name, index) => {
					const id = told?.[`l${index}`]?.id;
					return id === undefined ? undefined : found.set(name, id);
				});
			}
			return found;
		},
		async person(name, signal) {
			const bare = bareName(name);
			const id = people.get(bare) ?? (await ask(findPerson, { name: bare }, signal).catch(throwUnsent));
			if (id !== undefined) {
				people.set(bare, id);
			}
			return id;
		},
		forget,
	};
}
