import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../forge/ticket.ts';
import { trackerRefText, type TrackerRef } from '../forge/tracker.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Mark } from '../search/indexedTicket.ts';
import type { LookMarks } from './lookMarks.ts';
import { TrackerLooks } from './trackerLooks.ts';

/** Where the looks of an account are kept between windows. What is read may be anything. */
export interface KeptText {
	read(): unknown;
	write(text: string): Promise<void>;
}

export interface LookParts {
	readonly kept: KeptText;
	/** `~name` of the account, whose own new tickets are not news to it. */
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Somebody comes back to this window, and may have looked at tickets in another one. */
	readonly onReturn?: Event<void>;
}

/** The looks of one account over restarts. Disposing writes what is still unwritten. */
export type KeptLooks = LookMarks & Disposable;

/** Looks come in bursts; each write carries all of them. */
const quietMs = 400;
/** Servers tell whole seconds, so what changes right after the first sight may look older than that. */
const graceMs = 2000;
/** More than anybody looks at between two "mark all as read"; some 100 kB at most. */
const mostLooks = 3000;

/**
 * Looks kept as one small text. Other windows of the same account write the same text, so every write takes over first
 * what stands there.
 */
export function keptLooks({ kept, me, clock, onReturn }: LookParts): KeptLooks {
	const trackers = new Map<string, TrackerLooks>();
	const changed = new Emitter<readonly TicketRef[] | 'all'>();
	let waiting: Disposable | undefined;
	/** What was last read or written. */
	let lastText: unknown;
	/** Tickets are asked for in thousands, and those of a tracker have much in common. */
	let lastName: { readonly tracker: Ticket['tracker']; readonly name: string } | undefined;
	takeOver();
	const returning = onReturn?.(() => takeOver() && changed.fire('all'));

	/** False when nothing was written since. */
	function takeOver(): boolean {
		const text = kept.read();
		if (text === lastText) {
			return false;
		}
		lastText = text;
		for (const [name, looks] of parsed(text)) {
			const mine = trackers.get(name);
			if (mine) {
				mine.merge(looks);
			} else {
				trackers.set(name, looks);
			}
		}
		return true;
	}

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		takeOver();
		shrink(trackers);
		// A look that could not be written is a mark too many later on, and no reason to disturb anybody.
		const text = JSON.stringify(Object.fromEntries(trackers));
		lastText = text;
		kept.write(text).catch(() => undefined);
	}

	function writeSoon(): void {
		waiting ??= clock.after(quietMs, write);
	}

	function looksOf(ref: TrackerRef): TrackerLooks {
		const name = keyOf(ref);
		const looks =
			trackers.get(name) ?? new TrackerLooks({ highestId: 0, newestMs: clock.nowMs() - graceMs, atMs: clock.nowMs() });
		trackers.set(name, looks);
		return looks;
	}

	/** Changes what is known of one ticket, and tells it when its mark is another one then. */
	function change(ticket: Ticket, work: (looks: TrackerLooks) => boolean): void {
		const ref = refOfTicket(ticket);
		const before = mark(ticket);
		if (work(looksOf(ref.tracker))) {
			writeSoon();
		}
		if (mark(ticket) !== before) {
			changed.fire([ref]);
		}
	}

	function mark(ticket: Ticket): Mark | undefined {
		if (lastName?.tracker !== ticket.tracker) {
			lastName = { tracker: ticket.tracker, name: keyOf(refOfTicket(ticket).tracker) };
		}
		const found = trackers.get(lastName.name)?.mark(ticket);
		return found === 'new' && isOwnAndUntouched(ticket, me) ? undefined : found;
	}

	return {
		mark,
		lastSeenEventId: ({ tracker, id }) => trackers.get(keyOf(tracker))?.eventId(id),
		look: (ticket, newestEventId) => change(ticket, (looks) => looks.look(ticket, newestEventId ?? 0, clock.nowMs())),
		markUnread(ticket) {
			if (mark(ticket) === undefined) {
				change(ticket, (looks) => looks.markUnread(ticket, clock.nowMs()));
			}
		},
		markAllRead(tracker, tickets) {
			looksOf(tracker).lookAtAll(tickets, clock.nowMs());
			writeSoon();
			changed.fire('all');
		},
		see(tracker, tickets) {
			if (!trackers.has(keyOf(tracker))) {
				looksOf(tracker).lookAtAll(tickets(), clock.nowMs());
				writeSoon();
			}
		},
		onDidChange: changed.event,
		dispose() {
			if (waiting) {
				write();
			}
			returning?.dispose();
			changed.dispose();
		},
	};
}

/** One's own ticket is no news before somebody else did something with it. */
function isOwnAndUntouched({ submitter, createdMs, updatedMs }: Ticket, me: OwnerName): boolean {
	return submitter.kind === 'user' && submitter.canonicalName === me && updatedMs <= createdMs;
}

/** Servers look trackers up without regard to case (observed-behaviour 3.1). */
function keyOf(ref: TrackerRef): string {
	return trackerRefText(ref).toLowerCase();
}

function parsed(text: unknown): readonly (readonly [string, TrackerLooks])[] {
	try {
		const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
		return typeof value === 'object' && value !== null
			? Object.entries(value).flatMap(([name, entry]: readonly [string, unknown]) => {
					const looks = TrackerLooks.parse(entry);
					return looks ? [[name, looks] as const] : [];
				})
			: [];
	} catch {
		return []; // Not ours; the next write replaces it.
	}
}

/** The tracker with the most looks gives up its oldest ones until all fit. */
function shrink(trackers: ReadonlyMap<string, TrackerLooks>): void {
	const counts = Array.from(trackers.values(), (looks) => looks.size);
	let over = counts.reduce((sum, count) => sum + count, 0) - mostLooks;
	for (const looks of [...trackers.values()].toSorted((a, b) => b.size - a.size)) {
		if (over <= 0) {
			return;
		}
		over -= looks.forgetOldest(over);
	}
}
