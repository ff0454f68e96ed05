import type { TrackerApi } from '../../forge/forge.ts';
import { trackerRefText, type Label, type Tracker, type TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import type { Listing } from '../shared/listing.ts';
import { PagedList, type PutOutcome } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { StampedItems } from '../shared/stampedItems.ts';
import type { RememberedTrackers } from './rememberedTickets.ts';
import type { TrackerReading } from './ticketChange.ts';
import { isUnreachable } from './ticketReads.ts';
import { refOfTracker } from './trackerRefs.ts';

/** What reading trackers needs. */
export interface TrackerShelfParts {
	readonly api: TrackerApi;
	readonly me: OwnerName;
	/** Called before every request for a page of all own trackers. */
	readonly asks?: () => void;
}

type AllOwnTrackersRead = Extract<TrackerReading, { readonly kind: 'allOwnTrackersRead' }>;

/** The same list each time, so that somebody who asks again sees that nothing has changed. */
const noLabels: readonly Label[] = [];

/** What is known of one account's trackers and their labels. */
export class TrackerShelf {
	readonly #api: TrackerApi;
	readonly #me: OwnerName;
	readonly #asks: () => void;
	readonly #arrived: (reading: TrackerReading) => void;
	readonly #own: PagedList<Tracker>;
	readonly #others = new StampedItems<Tracker>();
	readonly #labels = new StampedItems<RememberedTrackers['labels'][number]>();
	readonly #trackerReads = new SharedReads<Tracker>();
	readonly #labelReads = new SharedReads<readonly Label[]>();
	/** What was known when everything was forgotten: better than nothing when nobody answers. */
	#before: RememberedTrackers | undefined;

	/** `arrived` takes in what was read, by `take`. */
	constructor({ api, me, asks = () => undefined }: TrackerShelfParts, arrived: (reading: TrackerReading) => void) {
		this.#api = api;
		this.#me = me;
		this.#asks = asks;
		this.#arrived = arrived;
		this.#own = new PagedList({
			open: (signal) => api.trackers(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
			arrived: (page) => arrived({ kind: 'ownTrackersRead', page }),
		});
	}

	/** Takes in what was read. True where something is different that was known; a first read is told to who asked. */
	take(reading: TrackerReading): boolean {
		switch (reading.kind) {
			case 'ownTrackersRead': {
				const { isOtherList, changed } = this.#own.take(reading.page);
				return isOtherList || changed.length > 0;
			}
			case 'allOwnTrackersRead': {
				const before = this.#own.known();
				this.#takeAllOwn(reading);
				return !isSameValue(before, this.#own.known());
			}
			case 'trackerRead': {
				const wasKnown = this.known(refOfTracker(reading.tracker)) !== undefined;
				const outcome = this.#put(reading.tracker, reading.stamp);
				return outcome === 'listed' || (outcome === 'changed' && wasKnown);
			}
			case 'labelsRead': {
				const { tracker, labels, stamp } = reading;
				this.#labels.keep(trackerKey(tracker), { tracker, labels }, stamp);
				return false;
			}
		}
	}

	async own(signal: AbortSignal): Promise<Listing<Tracker>> {
		try {
			return await this.#own.first(signal);
		} catch (error) {
			if (!isUnreachable(error) || this.#before?.own === undefined) {
				throw error;
			}
			this.remember(this.#before);
			return this.#own.known() ?? this.#before.own;
		}
	}

	moreOwn(signal: AbortSignal): Promise<Listing<Tracker>> {
		return this.#own.more(signal);
	}

	/** Reads all of one's own trackers, whatever is known. What is not among them any more is gone. */
	async renewOwn(signal: AbortSignal): Promise<void> {
		const stamp = this.#own.tick();
		const items: Tracker[] = [];
		let completeness: Listing<Tracker>['completeness'] = { kind: 'complete' };
		this.#asks();
		for await (const page of this.#api.trackers(undefined, signal)) {
			items.push(...page.items);
			({ completeness } = page);
			if (completeness.kind === 'more') {
				this.#asks();
			}
		}
		this.#arrived({ kind: 'allOwnTrackersRead', items, completeness, stamp });
	}

	knownOwn(): Listing<Tracker> | undefined {
		return this.#own.known();
	}

	known(ref: TrackerRef): Tracker | undefined {
		return this.#isMine(ref)
			? (this.#own.item(ref.name.toLowerCase()) ?? this.#others.item(trackerKey(ref)))
			: this.#others.item(trackerKey(ref));
	}

	/** Asks the forge for a tracker, whatever is known. */
	read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const read = async (shared: AbortSignal): Promise<Tracker> => {
			const stamp = this.#own.tick();
			const tracker = await this.#api.tracker(ref, shared);
			this.#arrived({ kind: 'trackerRead', tracker, stamp });
			return this.known(ref) ?? tracker;
		};
		return this.#trackerReads.read(trackerKey(ref), read, signal);
	}

	/** True when something is different now. */
	keep(tracker: Tracker): boolean {
		return this.#put(tracker, this.#own.tick()) !== 'same';
	}

	#put(tracker: Tracker, stamp: number): PutOutcome {
		const ref = refOfTracker(tracker);
		if (this.#isMine(ref)) {
			return this.#own.put(tracker, stamp);
		}
		return this.#others.keep(trackerKey(ref), tracker, stamp) === 'changed' ? 'changed' : 'same';
	}

	/** The tracker is gone, whatever a reading says that began before. */
	remove(ref: TrackerRef): void {
		const stamp = this.#own.tick();
		this.#labels.remove(trackerKey(ref), stamp);
		this.#others.remove(trackerKey(ref), stamp);
		if (this.#isMine(ref)) {
			this.#own.remove(ref.name.toLowerCase(), stamp);
		}
		this.#before = this.#before && without(this.#before, ref);
	}

	labels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		const known = this.#labels.item(trackerKey(ref))?.labels;
		const read = async (shared: AbortSignal): Promise<readonly Label[]> => {
			const stamp = this.#own.tick();
			const labels: Label[] = [];
			for await (const page of this.#api.labels(ref, shared)) {
				labels.push(...page.items);
			}
			this.#arrived({ kind: 'labelsRead', tracker: ref, labels, stamp });
			return labels;
		};
		return known ? Promise.resolve(known) : this.#labelReads.read(trackerKey(ref), read, signal);
	}

	/** The same list as before while nothing was read. */
	knownLabels(ref: TrackerRef): readonly Label[] {
		return this.#labels.item(trackerKey(ref))?.labels ?? noLabels;
	}

	/** The labels of one tracker are read anew when somebody asks. */
	forgetLabels(ref: TrackerRef): void {
		this.#labels.forget(trackerKey(ref));
	}

	/** Everything is read anew when somebody asks. */
	forget(): void {
		this.#before = this.remembered();
		this.#own.reset();
		this.#others.clear();
		this.#labels.clear();
	}

	/** What is worth keeping. */
	remembered(): RememberedTrackers {
		return {
			own: this.#own.known() ?? this.#before?.own,
			others: this.#others.all(),
			labels: this.#labels.all(),
		};
	}

	/** Takes in what was known before, wherever nothing is known yet. */
	remember({ own, others, labels }: RememberedTrackers): void {
		if (own !== undefined) {
			this.#own.remember(own);
		}
		for (const tracker of others) {
			const key = trackerKey(refOfTracker(tracker));
			if (!this.#others.item(key)) {
				this.#others.keep(key, tracker, 0);
			}
		}
		for (const entry of labels) {
			const key = trackerKey(entry.tracker);
			if (!this.#labels.item(key)) {
				this.#labels.keep(key, entry, 0);
			}
		}
	}

	close(): void {
		this.#own.close();
		this.#trackerReads.abortAll();
		this.#labelReads.abortAll();
	}

	#takeAllOwn({ items, completeness, stamp }: AllOwnTrackersRead): void {
		const names = new Set(items.map(({ name }) => name.toLowerCase()));
		for (const tracker of items) {
			this.#own.put(tracker, stamp);
		}
		this.#own.remember({ items, completeness });
		if (completeness.kind === 'more') {
			return; // Not all of them could be read, so nothing is proved of the others.
		}
		for (const { name } of this.#own.known()?.items ?? []) {
			if (!names.has(name.toLowerCase())) {
				this.#own.remove(name.toLowerCase(), stamp);
			}
		}
	}

	#isMine(ref: TrackerRef): boolean {
		return ref.owner === this.#me;
	}
}

function without({ own, ...rest }: RememberedTrackers, ref: TrackerRef): RememberedTrackers {
	const isOther = (tracker: Tracker): boolean => trackerKey(refOfTracker(tracker)) !== trackerKey(ref);
	return { ...rest, own: own && { ...own, items: own.items.filter(isOther) } };
}

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
export function trackerKey(ref: TrackerRef): string {
	return trackerRefText(ref).toLowerCase();
}
