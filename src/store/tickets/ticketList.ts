import { areSameFields } from '../../base/isSameValue.ts';
import { minOf } from '@forge-desk/base/longArrays.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { IndexedTicket } from '../../engine/search/indexedTicket.ts';
import type { KnownComments } from './commentTexts.ts';
import type { Listing } from '../shared/listing.ts';
import { isWithin, sizeOf, withRange, type NumberRange } from '../shared/numberRanges.ts';
import type { RememberedTickets } from './savedTickets.ts';
import { rangeOf, type PageGrowth, type TicketPage } from './ticketChange.ts';
import { TicketCursors } from './ticketCursors.ts';
import { ticketSegments } from './ticketSegments.ts';

/**
 * One object per ticket, because the list may hold 100,000. `ticket` and `known` are immutable; `stamp` and
 * `checkedAtMs` change in place.
 */
interface Kept extends IndexedTicket {
	readonly known: KnownComments | undefined;
	stamp: number;
	checkedAtMs: number;
}

/** Of open tickets, and of all tickets; `Infinity` without any. */
interface OldestChecks {
	readonly open: number;
	readonly any: number;
}

/**
 * The cached tickets of one tracker, with their check times and the number ranges covered by pages. `put` wins over
 * pages requested earlier.
 */
export class TicketList {
	/** Where the next page can start. */
	readonly cursors = new TicketCursors();
	readonly #kept = new Map<number, Kept>();
	/** Stamp of each removal, so that a page requested earlier cannot bring the ticket back. */
	readonly #gone = new Map<number, number>();
	/** Number ranges covered by pages, highest first. A number inside without a ticket doesn't exist. */
	#covered: readonly NumberRange[] = [];
	#isUnstated = false;
	#total: number | undefined;
	#growths = 0;
	#stamp = 0;
	#highest = 0;
	#lowest = Number.POSITIVE_INFINITY;
	/** The parts of the list that its cache lacks. */
	readonly segments = ticketSegments();
	#sorted: readonly IndexedTicket[] | undefined = [];
	#listed: readonly Ticket[] | undefined;
	#oldestChecks: OldestChecks | undefined;
	readonly #parts = new SharedParts();

	/** Advances the counter that orders pages and changes. Call it before a request. */
	tick(): number {
		this.#stamp += 1;
		return this.#stamp;
	}

	item(id: number): Ticket | undefined {
		return this.#kept.get(id)?.ticket;
	}

	checkedAtMs(id: number): number | undefined {
		return this.#kept.get(id)?.checkedAtMs;
	}

	/** True for a ticket from the disk cache that was not read since. */
	isRemembered(id: number): boolean {
		return this.#kept.get(id)?.stamp === 0;
	}

	/** Removes such a ticket. True when there was one. */
	forgetRemembered(id: number): boolean {
		const isOne = this.isRemembered(id);
		if (isOne) {
			this.#takeOut(id);
		}
		return isOne;
	}

	/** Removes a deleted ticket; pages requested earlier cannot bring it back. */
	remove(id: number): void {
		this.#takeOut(id);
		this.#gone.set(id, this.#stamp);
	}

	#takeOut(id: number): void {
		this.#kept.delete(id);
		this.segments.changed(id);
		this.#forgetOrder();
	}

	/** Check time of the longest unchecked ticket. Cached until a ticket is read or changes. */
	oldestChecksMs(): OldestChecks {
		if (this.#oldestChecks === undefined) {
			let open = Number.POSITIVE_INFINITY;
			let any = Number.POSITIVE_INFINITY;
			for (const { ticket, checkedAtMs } of this.#kept.values()) {
				any = Math.min(any, checkedAtMs);
				open = ticket.status === 'resolved' ? open : Math.min(open, checkedAtMs);
			}
			this.#oldestChecks = { open, any };
		}
		return this.#oldestChecks;
	}

	/** All known tickets, newest number first. The same array until something changes. */
	indexed(): readonly IndexedTicket[] {
		this.#sorted ??= Array.from(this.#kept.values()).sort((a, b) => b.ticket.id - a.ticket.id);
		return this.#sorted;
	}

	/**
	 * Tickets on the pages read so far; `undefined` before the first page. A ticket in a gap appears only with its
	 * page.
	 */
	listing(): Listing<Ticket> | undefined {
		const [first] = this.#covered;
		if (first === undefined) {
			return undefined;
		}
		const isWhole = this.#covered.length === 1 && first.bottom <= 1;
		this.#listed ??= this.indexed()
			.map(({ ticket }) => ticket)
			.filter(({ id }) => id >= first.bottom || isWithin(this.#covered, id));
		return { items: this.#listed, completeness: isWhole ? this.#ending() : { kind: 'more', total: this.#total } };
	}

	/** True when a new or deleted ticket of this number changes the list. */
	isListed(id: number): boolean {
		const [first] = this.#covered;
		return first !== undefined && (id >= first.bottom || isWithin(this.#covered, id));
	}

	/** Known tickets in a range, newest number first. */
	within({ top, bottom }: NumberRange): readonly IndexedTicket[] {
		const found: IndexedTicket[] = [];
		for (const id of downFrom({ top, bottom })) {
			const kept = this.#kept.get(id);
			if (kept !== undefined) {
				found.push(kept);
			}
		}
		return found;
	}

	/** The number where the first gap starts; `undefined` without one. */
	gap(): number | undefined {
		const bottom = this.#covered[0]?.bottom;
		return bottom === undefined || bottom <= 1 ? undefined : bottom - 1;
	}

	/** Number ranges covered by pages, highest first. */
	get covered(): readonly NumberRange[] {
		return this.#covered;
	}

	/** The server reported no end of the list. */
	get isUnstated(): boolean {
		return this.#isUnstated;
	}

	/** Applies a page. Removes tickets in its range that it doesn't contain. */
	take(page: TicketPage): PageGrowth {
		const before = this.#ends();
		const growth = this.#takePage(page);
		this.#growths += growth.differences > 0 || growth.reachesFurther ? 1 : 0;
		return { ...growth, isOtherList: growth.differences > growth.changed.length || before !== this.#ends() };
	}

	/** Fingerprint of the gaps and the end of the list. There is no gap above the first ticket. */
	#ends(): string {
		const [first, ...others] = this.#covered;
		return JSON.stringify([first?.bottom, others, this.#isUnstated, this.#total]);
	}

	/** Number of pages with new information. */
	get growths(): number {
		return this.#growths;
	}

	#takePage(page: TicketPage): Omit<PageGrowth, 'isOtherList'> {
		const lowestBefore = this.#lowest;
		const sizeBefore = this.#kept.size;
		let fresh = 0;
		const changed: Ticket[] = [];
		let differences = 0;
		for (const ticket of page.items) {
			const outcome = this.#keep(ticket, page.stamp, page.atMs);
			differences += outcome === 'same' ? 0 : 1;
			fresh += outcome === 'new' ? 1 : 0;
			if (outcome === 'changed') {
				changed.push(ticket);
			}
		}
		const range = rangeOf(page, this.#highest);
		if (range === undefined) {
			return { changed, differences, reachesFurther: false };
		}
		this.cursors.take(range, page.next);
		if (page.next !== undefined) {
			this.segments.confirmed(range.bottom);
		}
		// Skips the scan for missing tickets below all known ones: nothing can be missing there, and most reads go
		// downwards.
		const isAlone = this.#kept.size === sizeBefore + fresh;
		differences += isAlone && range.top < lowestBefore ? 0 : this.#removeMissing(page, range);
		return { changed, differences, reachesFurther: this.#cover(page, range) };
	}

	/** Applies a ticket that did not arrive on a page. */
	put(ticket: Ticket, stamp: number, atMs: number): 'new' | 'changed' | 'same' {
		return this.#keep(ticket, stamp, atMs);
	}

	/**
	 * Renames or removes a label on all tickets and returns their numbers. Keeps the check times, because the forge
	 * sent nothing about the tickets.
	 */
	relabel(name: string, to: string | undefined): readonly number[] {
		const stamp = this.tick();
		const changed = this.indexed().flatMap(({ ticket }) => (ticket.labels.includes(name) ? [ticket] : []));
		for (const ticket of changed) {
			const kept = this.#kept.get(ticket.id);
			const labels = ticket.labels.flatMap((each) => (each === name ? (to ?? []) : each));
			if (kept) {
				// A page requested earlier still has the old label name.
				const at = { ...kept, stamp: kept.stamp === 0 ? 0 : stamp };
				this.#kept.set(ticket.id, keptOf({ ...ticket, labels }, at));
				this.segments.changed(ticket.id);
			}
		}
		this.#forgetOrder();
		return changed.map(({ id }) => id);
	}

	/** Marks a ticket as checked if its last change is known. False otherwise. */
	confirm(id: number, changedMs: number, { stamp, atMs }: Pick<TicketPage, 'stamp' | 'atMs'>): boolean {
		const kept = this.#kept.get(id);
		const isSame = kept?.ticket.updatedMs === changedMs;
		if (isSame && kept.stamp <= stamp) {
			kept.stamp = stamp;
			kept.checkedAtMs = atMs;
			this.#oldestChecks = undefined;
			this.segments.confirmed(id);
		}
		return isSame;
	}

	/** True if a page has the known tickets with the known times: the newest page, or the one below a number. */
	hasSameOn(below: number | undefined, changedMs: ReadonlyMap<number, number>): boolean {
		const top = below === undefined ? this.#highest : below - 1;
		const bottom = minOf([top, ...changedMs.keys()]);
		// Pages move with new tickets. The tickets between this page and the next one would be on no page.
		const isNextKnown = bottom <= this.#lowest || this.cursors.within({ top: bottom, bottom }).length > 0;
		return (
			isNextKnown &&
			[...changedMs].every(([id, atMs]) => this.item(id)?.updatedMs === atMs) &&
			this.within({ top, bottom }).every(({ ticket }) => changedMs.has(ticket.id))
		);
	}

	/** Adds tickets from the disk cache; never overwrites newer data. */
	remember({ tickets, covered, isUnstated, cursors = [] }: Omit<RememberedTickets, 'tracker'>): void {
		this.cursors.remember(cursors);
		for (const { ticket, checkedAtMs, comments } of tickets) {
			const kept = this.#kept.get(ticket.id);
			if (kept !== undefined) {
				this.setComments(ticket.id, kept.known ?? comments);
			} else if (!isWithin(this.#covered, ticket.id) && !this.#gone.has(ticket.id)) {
				// A ticket missing from an already covered range was deleted since.
				this.#insert(keptOf(this.#parts.inTicket(ticket), { stamp: 0, checkedAtMs, known: comments }));
			}
		}
		this.#covered = covered.reduce(withRange, this.#covered);
		this.#isUnstated ||= isUnstated;
		this.#forgetOrder();
	}

	/** Removes all other tickets and the coverage. */
	keepOnly(wanted: { has(id: number): boolean }): void {
		for (const id of Array.from(this.#kept.keys())) {
			if (!wanted.has(id)) {
				this.#kept.delete(id);
			}
		}
		this.#covered = [];
		this.cursors.forget();
		this.#isUnstated = false;
		this.#total = undefined;
		this.#forgetOrder();
	}

	comments(id: number): KnownComments | undefined {
		return this.#kept.get(id)?.known;
	}

	/** Ignores unknown tickets. */
	setComments(id: number, comments: KnownComments | undefined): void {
		const kept = this.#kept.get(id);
		if (kept !== undefined && kept.known !== comments) {
			this.#replace(keptOf(kept.ticket, { ...kept, known: comments }));
		}
	}

	/**
	 * Ends the list when a page requested for the first gap didn't cover it: the server has nothing there, or ignores
	 * the requested start. True when it did.
	 */
	endAt({ from, items }: TicketPage): boolean {
		const isSo = from !== undefined && this.gap() === from;
		const bottom = isSo ? this.#covered.at(-1)?.bottom : undefined;
		if (bottom !== undefined) {
			this.#covered = withRange(this.#covered, { top: bottom, bottom: 1 });
			this.segments.changed(bottom);
			this.segments.changed(1);
			this.#isUnstated ||= items.length > 0;
			this.#listed = undefined;
		}
		return isSo;
	}

	#ending(): Completeness {
		return this.#isUnstated ? { kind: 'unstated' } : { kind: 'complete' };
	}

	#keep(ticket: Ticket, stamp: number, atMs: number): 'new' | 'changed' | 'same' {
		const kept = this.#kept.get(ticket.id);
		if (kept === undefined) {
			if ((this.#gone.get(ticket.id) ?? 0) >= stamp) {
				return 'same';
			}
			this.#gone.delete(ticket.id);
			this.#insert(keptOf(this.#parts.inTicket(ticket), { stamp, checkedAtMs: atMs, known: undefined }));
			this.segments.changed(ticket.id);
			return 'new';
		}
		if (kept.stamp > stamp) {
			return 'same';
		}
		kept.stamp = stamp;
		kept.checkedAtMs = atMs;
		this.#oldestChecks = undefined;
		this.segments.confirmed(ticket.id);
		// The tracker changes with every other ticket, so it doesn't count.
		if (kept.ticket === ticket || areSameFields(kept.ticket, ticket, 'tracker')) {
			return 'same';
		}
		this.#replace(keptOf(this.#parts.inTicket(ticket), kept));
		return 'changed';
	}

	/** Replaces in place: sorting 100,000 tickets again would take a frame. */
	#replace(kept: Kept): void {
		const { ticket } = kept;
		this.#kept.set(ticket.id, kept);
		this.segments.changed(ticket.id);
		this.#sorted &&= replaced(this.#sorted, kept, (each) => each.ticket.id - ticket.id);
		this.#listed &&= replaced(this.#listed, ticket, (each) => each.id - ticket.id);
		this.#oldestChecks = undefined;
	}

	#insert(kept: Kept): void {
		this.#kept.set(kept.ticket.id, kept);
		this.#highest = Math.max(this.#highest, kept.ticket.id);
		this.#lowest = Math.min(this.#lowest, kept.ticket.id);
		this.#forgetOrder();
	}

	#removeMissing(page: TicketPage, range: NumberRange): number {
		if (range.top < range.bottom) {
			return 0;
		}
		const present = new Set(page.items.map(({ id }) => id));
		const numbers = range.top - range.bottom < this.#kept.size ? downFrom(range) : this.#kept.keys();
		let removed = 0;
		for (const id of numbers) {
			const kept = this.#kept.get(id);
			const isMissing = kept !== undefined && kept.stamp < page.stamp && !present.has(id);
			if (isMissing && id <= range.top && id >= range.bottom) {
				this.#takeOut(id);
				this.#gone.set(id, page.stamp);
				removed += 1;
			}
		}
		return removed;
	}

	#cover({ completeness, from }: TicketPage, range: NumberRange): boolean {
		const before = this.#covered;
		this.#covered = withRange(before, range);
		this.#listed = undefined;
		this.#isUnstated = completeness.kind === 'unstated' || (this.#isUnstated && completeness.kind !== 'complete');
		if (completeness.kind === 'more' && (from === undefined || completeness.total !== undefined)) {
			this.#total = completeness.total;
		}
		const reachesFurther = sizeOf(before) !== sizeOf(this.#covered);
		if (reachesFurther) {
			this.segments.changed(range.top);
			this.segments.changed(range.bottom);
		}
		return reachesFurther;
	}

	#forgetOrder(): void {
		this.#sorted = undefined;
		this.#listed = undefined;
		this.#oldestChecks = undefined;
	}
}

/** Copies a list in descending order, replacing the item where `compare` returns 0. */
function replaced<T>(list: readonly T[], item: T, compare: (each: T) => number): readonly T[] {
	let low = 0;
	let high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const each = list[middle];
		if (each !== undefined && compare(each) > 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const found = list[low];
	return found !== undefined && compare(found) === 0 ? list.with(low, item) : list;
}

function* downFrom({ top, bottom }: NumberRange): Generator<number, void, undefined> {
	for (let number = top; number >= bottom; number -= 1) {
		yield number;
	}
}

/** Deduplicates equal parts: each ticket of a page has its own copy of the tracker and the users. */
class SharedParts {
	readonly #known = new Map<string, unknown>();

	inTicket(ticket: Ticket): Ticket {
		const { tracker, submitter, permissions, labels, assignees } = ticket;
		return {
			...ticket,
			tracker: this.#shared('tracker', tracker),
			submitter: this.#shared('submitter', submitter),
			permissions: this.#shared('permissions', permissions),
			labels: this.#shared('labels', labels),
			assignees: this.#shared('assignees', assignees),
		};
	}

	#shared<T>(field: string, value: T): T {
		const key = `${field} ${JSON.stringify(value)}`;
		const known = this.#known.get(key);
		if (known === undefined) {
			this.#known.set(key, value);
			return value;
		}
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- equal JSON of the same field has the same type
		return known as T;
	}
}

function keptOf(ticket: Ticket, { known, stamp, checkedAtMs }: Pick<Kept, 'known' | 'stamp' | 'checkedAtMs'>): Kept {
	return { ticket, comments: known?.texts ?? none, commentCount: known?.count, known, stamp, checkedAtMs };
}

const none: readonly string[] = [];
