import { fake } from './fake.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import type { TicketEvent, Ticket } from 'sourcehut/port/ticket.ts';
import type { ReadMarks } from '../../src/store/readMarks/storedReadMarks.ts';
import type { Background } from '../../src/store/background/backgroundLoop.ts';
import { idleBackground } from './idleBackground.ts';
import { outboxSender, type OutboxSender } from '../../src/store/outbox/sending/outboxSender.ts';
import { outbox, type Outbox } from '../../src/store/outbox/outbox.ts';
import type { OutboxPlace } from '../../src/store/outbox/sharedQueue.ts';
import { outboxInMemory } from '../../src/store/outbox/outboxInMemory.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { ticketWriter, type TicketWrites } from '../../src/store/tickets/writing/ticketWriter.ts';
import { keptNames } from './fakeConnection.ts';
import { journalInMemory } from './journalInMemory.ts';

/** A writer with its own store, as in one window. */
export interface WriteRig {
	readonly writes: TicketWrites;
	readonly store: TicketStore;
	readonly outbox: Outbox;
	/** Sends only on command. */
	readonly sender: OutboxSender;
	/** Tickets marked as viewed, with the newest reported event. */
	readonly looked: (readonly [ticket: Ticket, newestEventId: number | undefined])[];
	dispose(): void;
}

/** Options of a rig. */
export interface WriteRigOptions {
	readonly me?: string;
	readonly clock: Clock;
	readonly looks?: Partial<Pick<ReadMarks, 'mark'>>;
	/** Disk of the outbox, by default in memory. */
	readonly place?: OutboxPlace;
	/** Of the window. */
	readonly name?: string;
	/** By default an idle one. */
	readonly background?: Background;
}

/** A writer over `api`. */
export function writeRig(api: TrackerApi, options: WriteRigOptions): WriteRig {
	const { me = '~alice', clock, looks, place = outboxInMemory(), name, background = idleBackground() } = options;
	const store = new TicketStore({ api, me, followed: keptNames(), clock });
	const looked: WriteRig['looked'] = [];
	const journal = journalInMemory(name);
	const queued = outbox(place, clock);
	const writes = ticketWriter({
		journal,
		outbox: queued,
		background,
		api,
		store,
		looks: fake<ReadMarks>({
			mark: () => undefined,
			...looks,
			look: (ticket, newestEventId) => void looked.push([ticket, newestEventId]),
		}),
		me,
		clock,
	});
	const sender = outboxSender(
		{ outbox: queued, writes, journal, tickets: store, background, clock },
		() => false,
		(error) => String(error),
	);
	return {
		writes,
		store,
		outbox: queued,
		sender,
		looked,
		dispose() {
			sender.dispose();
			writes.dispose();
			store.dispose();
		},
	};
}

/** The comments of a timeline, oldest first. */
export function commentsOf(events: readonly TicketEvent[]): readonly string[] {
	return events.flatMap(({ comment }) => (comment ? [comment.text] : [])).toReversed();
}

/** Numbers that look random and are the same for the same seed, each from 0 up to `below`. */
export function randomInts(start: number): (below: number) => number {
	let state = start >>> 0;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}
