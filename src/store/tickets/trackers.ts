import type { Clock } from '@forge-desk/base/clock.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { isRefused, isUnreachable } from 'sourcehut/port/isAway.ts';
import type { Label, Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';
import { collectPages } from 'sourcehut/port/collectPages.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { askedPages, isAnswer } from '../shared/pageRead.ts';
import type { Listing } from '../shared/listing.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { Collection } from '../shared/collection.ts';
import { StampedItems } from '../shared/stampedItems.ts';
import type { KeptTimelines, RememberedTrackers, TrackerLabels } from './savedTickets.ts';
import type { TrackerReading } from './ticketChange.ts';
import { refOfTracker, trackerKey, trackerRefOf } from './trackerRefs.ts';

/** Where the tickets of one account come from. */
export interface TicketAccess {
	readonly api: TrackerApi;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Followed trackers of other owners, as `~owner/name`. */
	readonly followed: KeptNames;
	readonly clock: Clock;
	/** Called before each request for tickets or own trackers. */
	readonly asks?: () => void;
	/** Disk cache; absent when nothing may be stored. */
	readonly disk?: KeptTimelines | undefined;
	/** Resolves when the disk cache of a tracker, or of the tracker list, is loaded. Never rejects. */
	readonly remembered?: (tracker: TrackerRef | undefined) => Promise<void>;
}

/** A constant, so that callers can compare lists by identity. */
const noLabels: readonly Label[] = [];

/** Cached trackers and labels of one account. */
export class Trackers extends Collection<Tracker> {
	readonly #access: TicketAccess;
	readonly #arrived: (reading: TrackerReading) => void;
	readonly #labels = new StampedItems<TrackerLabels>();
	readonly #labelReads = new SharedReads<readonly Label[]>();
	/** The data before `forget`: a fallback for an unreachable forge. */
	#before: RememberedTrackers | undefined;
	/** Time of the last complete read of own trackers; milliseconds since 1970. */
	#ownReadMs: number | undefined;
	/** A view's read of own trackers in progress. */
	#ownReading: Promise<unknown> | undefined;

	/** `arrived`: called with each reading; apply it with `take`. */
	constructor(access: TicketAccess, arrived: (reading: TrackerReading) => void) {
		const { api, me, followed } = access;
		super({
			me,
			followed,
			refOf: trackerRefOf,
			// docs/protocol.md#tracker-look-up
			doesCaseCount: false,
			openOwn: (signal) => api.trackers(undefined, signal),
			ask: (ref, signal) => api.tracker(ref, signal),
			ownArrived: (page) => arrived({ kind: 'ownTrackersRead', page }),
			arrived: (_, tracker, stamp) => arrived({ kind: 'trackerRead', tracker, stamp }),
		});
		this.#access = access;
		this.#arrived = arrived;
	}

	/**
	 * Applies a reading. True when known data changed; a first read needs no event, because its caller gets the answer.
	 */
	take(reading: TrackerReading): boolean {
		switch (reading.kind) {
			case 'ownTrackersRead': {
				const changes = this.takeOwn(reading.page);
				const known = this.own.known();
				if (isAnswer(reading.page) && known && known.completeness.kind !== 'more') {
					this.#ownReadMs = this.#access.clock.nowMs();
				}
				return changes.length > 0;
			}
			case 'allOwnTrackersRead': {
				const before = this.own.known();
				const { items, completeness, stamp } = reading;
				this.own.take({ place: 'all', items, completeness, stamp });
				if (completeness.kind !== 'more') {
					this.#ownReadMs = this.#access.clock.nowMs();
				}
				return !isSameValue(before, this.own.known());
			}
			case 'trackerRead':
				return this.takeItem(refOfTracker(reading.tracker), reading.tracker, reading.stamp) !== undefined;
			case 'labelsRead': {
				const { known, stamp } = reading;
				const key = trackerKey(known.tracker);
				const before = this.#labels.item(key);
				this.#labels.keep(key, known, stamp);
				return before !== undefined && !isSameValue(before, this.#labels.item(key));
			}
		}
	}

	/** `undefined` before the first complete read, or after the clock was set back. */
	ownReadMs(): number | undefined {
		return this.#ownReadMs !== undefined && this.#ownReadMs <= this.#access.clock.nowMs() ? this.#ownReadMs : undefined;
	}

	/** Own trackers; those before `forget` while the forge is unreachable. */
	async firstOwn(signal: AbortSignal): Promise<Listing<Tracker>> {
		const reading = this.own.first(signal);
		this.#ownReading = reading;
		try {
			return await reading;
		} catch (error) {
			if (!isUnreachable(error) || this.#before?.own === undefined) {
				throw error;
			}
			this.remember(this.#before);
			return this.own.known() ?? this.#before.own;
		} finally {
			this.#ownReading = this.#ownReading === reading ? undefined : this.#ownReading;
		}
	}

	/** In the background: like `renewOwn`, but first waits for a view's read; skips its own if that one was complete. */
	async pollOwn(signal: AbortSignal): Promise<void> {
		const beforeMs = this.#ownReadMs;
		await this.#ownReading?.catch(() => undefined);
		signal.throwIfAborted();
		if (this.#ownReadMs === beforeMs) {
			await this.renewOwn(signal);
		}
	}

	/** Reads the complete list again and removes missing trackers. */
	async renewOwn(signal: AbortSignal): Promise<readonly Tracker[]> {
		const stamp = this.own.tick();
		const items: Tracker[] = [];
		let completeness: Listing<Tracker>['completeness'] = { kind: 'complete' };
		const { api, asks } = this.#access;
		for await (const page of askedPages(api.trackers(undefined, signal), () => asks?.())) {
			pushAll(items, page.items);
			({ completeness } = page);
		}
		this.#arrived({ kind: 'allOwnTrackersRead', items, completeness, stamp });
		return items;
	}

	/**
	 * Reads the complete list of own trackers, and those of the owners of followed ones. Times of the last changes by
	 * `trackerKey`, without missing and hidden trackers.
	 */
	async readTimes(
		areOthersDue: boolean,
		signal: AbortSignal,
	): Promise<{ readonly times: ReadonlyMap<string, number>; readonly owners: number }> {
		const { api, asks } = this.#access;
		const found = [...(await this.renewOwn(signal))];
		const owners = new Set(areOthersDue ? this.followed.all().map(({ owner }) => owner) : []);
		for (const owner of owners) {
			try {
				for await (const { items } of askedPages(api.trackers(owner, signal), () => asks?.())) {
					pushAll(found, items);
				}
			} catch (error) {
				if (!isRefused(error)) {
					throw error;
				}
			}
		}
		const times = new Map(found.map((each) => [trackerKey(refOfTracker(each)), each.updatedMs]));
		return { times, owners: owners.size };
	}

	override remove(ref: TrackerRef): boolean {
		const key = trackerKey(ref);
		this.#labels.remove(key, this.own.tick());
		const own = this.#before?.own;
		const isOther = (tracker: Tracker): boolean => trackerKey(refOfTracker(tracker)) !== key;
		this.#before = this.#before && { ...this.#before, own: own && { ...own, items: own.items.filter(isOther) } };
		return super.remove(ref);
	}

	/** All labels of a tracker; no other request returns their colors. */
	labels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		const known = this.#labels.item(trackerKey(ref));
		return known && !known.isPart ? Promise.resolve(known.labels) : this.readLabels(ref, signal);
	}

	/** Always asks the forge. */
	readLabels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		const read = async (shared: AbortSignal): Promise<readonly Label[]> => {
			const stamp = this.own.tick();
			const { items, completeness } = await collectPages(this.#access.api.labels(ref, shared));
			const isPart = completeness.kind === 'more';
			const known = { tracker: ref, labels: items, ...(isPart ? { isPart } : {}) };
			this.#arrived({ kind: 'labelsRead', known, stamp });
			return items;
		};
		return this.#labelReads.read(trackerKey(ref), read, signal);
	}

	/** True if the forge lists only some labels of a tracker. */
	areLabelsPart(ref: TrackerRef): boolean {
		return this.#labels.item(trackerKey(ref))?.isPart === true;
	}

	/** The same array until the next read. */
	knownLabels(ref: TrackerRef): readonly Label[] {
		return this.#labels.item(trackerKey(ref))?.labels ?? noLabels;
	}

	/** True after a read, even if the tracker has no labels. */
	hasLabels(ref: TrackerRef): boolean {
		return this.#labels.item(trackerKey(ref)) !== undefined;
	}

	/** The next caller reads the labels again. */
	forgetLabels(ref: TrackerRef): void {
		this.#labels.forget(trackerKey(ref));
	}

	override forget(): void {
		this.#before = this.remembered();
		super.forget();
		this.#labels.clear();
	}

	/** Data for the disk cache. */
	remembered(): RememberedTrackers {
		return {
			own: this.own.known() ?? this.#before?.own,
			others: this.others.all(),
			labels: this.#labels.all().filter(({ isPart }) => !isPart),
		};
	}

	/** Adds data from the disk cache; never overwrites newer data. */
	remember({ own, others, labels }: RememberedTrackers): void {
		if (own !== undefined) {
			this.own.remember(own);
		}
		for (const tracker of others) {
			const key = trackerKey(refOfTracker(tracker));
			if (!this.others.item(key)) {
				this.others.keep(key, tracker, 0);
			}
		}
		for (const entry of labels) {
			const key = trackerKey(entry.tracker);
			if (!this.#labels.item(key)) {
				this.#labels.keep(key, entry, 0);
			}
		}
	}

	override close(): void {
		super.close();
		this.#labelReads.abortAll();
	}
}
