import type { TrackerApi } from '../../forge/forge.ts';
import { trackerRefText, type Label, type Tracker, type TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import type { Listing } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { isUnreachable } from './ticketReads.ts';

/** What is known of trackers when the window is closed. */
export interface RememberedTrackers {
	/** One's own; `undefined` when they were never read. */
	readonly own: Listing<Tracker> | undefined;
	readonly others: readonly Tracker[];
	readonly labels: readonly { readonly tracker: TrackerRef; readonly labels: readonly Label[] }[];
}

/** The same list each time, so that somebody who asks again sees that nothing has changed. */
const noLabels: readonly Label[] = [];

/** What is known of one account's trackers and their labels. */
export class TrackerShelf {
	readonly #api: TrackerApi;
	readonly #me: OwnerName;
	readonly #asks: () => void;
	readonly #own: PagedList<Tracker>;
	readonly #others = new Map<string, Tracker>();
	readonly #labels = new Map<string, { readonly tracker: TrackerRef; readonly labels: readonly Label[] }>();
	readonly #trackerReads = new SharedReads<Tracker>();
	readonly #labelReads = new SharedReads<readonly Label[]>();
	/** What was known when everything was forgotten: better than nothing when nobody answers. */
	#before: RememberedTrackers | undefined;

	/** `asks` is called before every request for a page of all own trackers. */
	constructor(api: TrackerApi, me: OwnerName, asks: () => void = () => undefined) {
		this.#api = api;
		this.#me = me;
		this.#asks = asks;
		this.#own = new PagedList({
			open: (signal) => api.trackers(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
		});
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

	/** Reads all of one's own trackers, whatever is known. What is not among them any more is gone. True when anything was learnt. */
	async renewOwn(signal: AbortSignal): Promise<boolean> {
		const before = this.#own.known();
		await this.#readAllOwn(signal);
		return !isSameValue(before, this.#own.known());
	}

	knownOwn(): Listing<Tracker> | undefined {
		return this.#own.known();
	}

	known(ref: TrackerRef): Tracker | undefined {
		return this.#isMine(ref)
			? (this.#own.item(ref.name.toLowerCase()) ?? this.#others.get(trackerKey(ref)))
			: this.#others.get(trackerKey(ref));
	}

	/** Asks the forge for a tracker, whatever is known. */
	read(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const read = async (shared: AbortSignal): Promise<Tracker> => {
			const tracker = await this.#api.tracker(ref, shared);
			this.keep(tracker);
			return tracker;
		};
		return this.#trackerReads.read(trackerKey(ref), read, signal);
	}

	/** True when something is different now. */
	keep(tracker: Tracker): boolean {
		const ref = { owner: tracker.owner.canonicalName, name: tracker.name };
		const before = this.known(ref);
		if (this.#isMine(ref)) {
			this.#own.put(tracker);
		} else {
			this.#others.set(trackerKey(ref), tracker);
		}
		return !isSameValue(before, tracker);
	}

	remove(ref: TrackerRef): void {
		this.#labels.delete(trackerKey(ref));
		this.#others.delete(trackerKey(ref));
		if (this.#isMine(ref)) {
			this.#own.remove(ref.name.toLowerCase());
		}
	}

	labels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		const known = this.#labels.get(trackerKey(ref))?.labels;
		const read = async (shared: AbortSignal): Promise<readonly Label[]> => {
			const labels: Label[] = [];
			for await (const page of this.#api.labels(ref, shared)) {
				labels.push(...page.items);
			}
			this.#labels.set(trackerKey(ref), { tracker: ref, labels });
			return labels;
		};
		return known ? Promise.resolve(known) : this.#labelReads.read(trackerKey(ref), read, signal);
	}

	/** The same list as before while nothing was read. */
	knownLabels(ref: TrackerRef): readonly Label[] {
		return this.#labels.get(trackerKey(ref))?.labels ?? noLabels;
	}

	/** The labels of one tracker are read anew when somebody asks. */
	forgetLabels(ref: TrackerRef): void {
		this.#labels.delete(trackerKey(ref));
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
			others: Array.from(this.#others.values()),
			labels: Array.from(this.#labels.values()),
		};
	}

	/** Takes in what was known before, wherever nothing is known yet. */
	remember({ own, others, labels }: RememberedTrackers): void {
		if (own !== undefined) {
			this.#own.remember(own);
		}
		for (const tracker of others) {
			const key = trackerKey({ owner: tracker.owner.canonicalName, name: tracker.name });
			this.#others.set(key, this.#others.get(key) ?? tracker);
		}
		for (const entry of labels) {
			const key = trackerKey(entry.tracker);
			this.#labels.set(key, this.#labels.get(key) ?? entry);
		}
	}

	close(): void {
		this.#own.close();
		this.#trackerReads.abortAll();
		this.#labelReads.abortAll();
	}

	async #readAllOwn(signal: AbortSignal): Promise<void> {
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

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
export function trackerKey(ref: TrackerRef): string {
	return trackerRefText(ref).toLowerCase();
}
