import { ForgeError } from '../../forge/forgeError.ts';
import { throwUnsent } from '../../forge/mayHaveArrived.ts';
import { refText } from '../../forge/namedRef.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { findLabel, readTracker } from './trackerDocuments.ts';
import { bareName, byName } from '../door/variables.ts';
import { findPerson } from './ticketDocuments.ts';

/** What an answer told of the numbers in a tracker. */
export interface ToldIds {
	readonly trackerId?: number | undefined;
	readonly labels?: readonly { readonly id: number; readonly name: string }[];
}

/**
 * The numbers by which writes name what the domain calls by its name (docs/protocol.md#graphql-values): remembered from every
 * answer, and asked for where none has told them. What a write did not find is forgotten: names are given away on the web.
 * What is thrown says that nothing was written.
 */
export interface TrackerIds {
	told(ref: TrackerRef, ids: ToldIds): void;
	/** As an answer told it a moment ago. Throws `notFound`, with nothing written. */
	tracker(ref: TrackerRef, signal: AbortSignal): Promise<number>;
	/**
	 * As it is now, for a write that nothing was read for: what has the name is meant, and a tracker that has another one by now is
	 * left alone. Throws as `tracker`.
	 */
	current(ref: TrackerRef, signal: AbortSignal): Promise<number>;
	/** `undefined` where the tracker has no label of that name. */
	label(ref: TrackerRef, name: string, signal: AbortSignal): Promise<number | undefined>;
	/** `undefined` for somebody whom the service does not know: only people who have used it are known there. */
	person(name: OwnerName, signal: AbortSignal): Promise<number | undefined>;
	forget(ref: TrackerRef): void;
}

interface KnownIds {
	trackerId: number | undefined;
	readonly labels: Map<string, number>;
}

export function trackerIds({ ask }: GraphqlCaller): TrackerIds {
	const known = new Map<string, KnownIds>();
	const people = new Map<string, number>();

	/** Names differ in more than the case of their letters. */
	function of(ref: TrackerRef): KnownIds {
		const key = refText(ref).toLowerCase();
		const ids = known.get(key) ?? { trackerId: undefined, labels: new Map<string, number>() };
		known.set(key, ids);
		return ids;
	}

	function told(ref: TrackerRef, { trackerId, labels = [] }: ToldIds): void {
		const ids = of(ref);
		if (trackerId !== undefined && ids.trackerId !== undefined && trackerId !== ids.trackerId) {
			// They are labels of the tracker that had the name before.
			ids.labels.clear();
		}
		ids.trackerId = trackerId ?? ids.trackerId;
		labels.forEach(({ id, name }) => ids.labels.set(name, id));
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
		known.delete(refText(ref).toLowerCase());
	}

	return {
		told,
		tracker: async (ref, signal) => of(ref).trackerId ?? current(ref, signal),
		current,
		async label(ref, name, signal) {
			const { labels } = of(ref);
			const id =
				labels.get(name) ?? (await ask(findLabel, { ...byName(ref), label: name }, signal).catch(throwUnsent))?.id;
			if (id !== undefined) {
				labels.set(name, id);
			}
			return id;
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
