import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import { ticketRefText, type Ticket, type TicketEvent, type TicketRef } from 'sourcehut/port/ticket.ts';
import { factsInMemory, type LearntFacts } from 'sourcehut/port/learntFacts.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Label, Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';
import { ticketSending, type TicketBody, type TicketWire } from 'sourcehut/rest/restTickets.ts';
import { makeComment, makeEvent, makeTicket, someTimeMs } from './makeTicket.ts';

/** Contents of the fake, for tests to fill and read. */
export interface FakeTrackerWorld {
	readonly me: string;
	readonly trackers: Tracker[];
	/** By `~owner/name`. */
	readonly labels: Map<string, Label[]>;
	readonly tickets: Map<string, Ticket[]>;
	/** By `~owner/name#id`, newest first. */
	readonly events: Map<string, TicketEvent[]>;
	/** Every call in order: `ticket ~alice/alpha#1`. */
	readonly calls: string[];
	pageSize: number;
	/** Omits totals, as servers with bare arrays do. */
	bare: boolean;
	/** Runs before each call returns: to wait, to fail, or to change the world. */
	before: (call: string) => Promise<void> | void;
	/** Runs after a write took effect and before its response, mostly to lose the response. */
	after: (call: string) => Promise<void> | void;
}

export interface FakeTrackers {
	readonly world: FakeTrackerWorld;
	/** Changes tickets through `wire`, as the REST client does. */
	readonly api: TrackerApi;
	readonly wire: TicketWire;
}

/** The ticket area in memory: resolves and reopens as observed servers do (docs/protocol.md#ticket-updates). */
export function fakeTrackers(me = '~alice', learnt: LearntFacts = factsInMemory()): FakeTrackers {
	const world: FakeTrackerWorld = {
		me,
		trackers: [],
		labels: new Map(),
		tickets: new Map(),
		events: new Map(),
		calls: [],
		pageSize: 50,
		bare: false,
		before: () => undefined,
		after: () => undefined,
	};

	async function called(call: string, signal: AbortSignal): Promise<void> {
		world.calls.push(call);
		const gate = Promise.withResolvers<never>();
		// If `before` throws, nobody waits for the gate.
		gate.promise.catch(() => undefined);
		const giveUp = (): void => gate.reject(new DOMException('The operation was aborted', 'AbortError'));
		signal.addEventListener('abort', giveUp, { once: true });
		if (signal.aborted) {
			giveUp();
		}
		try {
			await Promise.race([Promise.resolve(world.before(call)), gate.promise]);
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	async function* paged<T>(call: string, all: () => readonly T[], signal: AbortSignal, start = 0): Pages<T> {
		for (let from = start; ; from += world.pageSize) {
			await called(`${call} ${from}`, signal);
			const items = world.bare ? all() : all().slice(from, from + world.pageSize);
			const seen = Math.min(all().length, from + world.pageSize);
			const page: Page<T> = {
				items,
				seen,
				completeness: world.bare
					? { kind: 'unstated' }
					: seen < all().length
						? { kind: 'more', total: all().length }
						: { kind: 'complete' },
			};
			yield page;
			if (page.completeness.kind !== 'more') {
				return;
			}
		}
	}

	function ticketOf(ref: TicketRef): Ticket {
		const ticket = world.tickets.get(refText(ref.tracker))?.find(({ id }) => id === ref.id);
		if (!ticket) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return ticket;
	}

	function trackerOf(ref: TrackerRef): Tracker {
		const tracker = world.trackers.find(
			({ owner, name }) => owner.canonicalName === ref.owner && name.toLowerCase() === ref.name.toLowerCase(),
		);
		if (!tracker) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return tracker;
	}

	const wire: Omit<TicketWire, 'update'> = {
		async ticket(ref, signal) {
			await called(`ticket ${ticketRefText(ref)}`, signal);
			return ticketOf(ref);
		},
		events: (ref, signal) =>
			paged(`events ${ticketRefText(ref)}`, () => world.events.get(ticketRefText(ref)) ?? [], signal),
	};
	const update: TicketWire['update'] = async (ref, changes, signal) => {
		const call = `update ${ticketRefText(ref)} ${JSON.stringify(changes)}`;
		await called(call, signal);
		const { ticket, events } = changed(ticketOf(ref), changes, { id: nextEventId(), me });
		const tracker = refText(ref.tracker);
		const tickets = world.tickets.get(tracker) ?? [];
		world.tickets.set(
			tracker,
			tickets.map((each) => (each.id === ticket.id ? ticket : each)),
		);
		const key = ticketRefText(ref);
		world.events.set(key, [...events.toReversed(), ...(world.events.get(key) ?? [])]);
		await world.after(call);
		return { ticket, events };
	};
	const api: TrackerApi = {
		trackers: (owner, signal) =>
			paged('trackers', () => world.trackers.filter((each) => each.owner.canonicalName === (owner ?? me)), signal),
		async tracker(ref, signal) {
			await called(`tracker ${refText(ref)}`, signal);
			return trackerOf(ref);
		},
		create: () => Promise.reject(new ForgeError({ kind: 'notAllowed' })),
		update: () => Promise.reject(new ForgeError({ kind: 'notAllowed' })),
		remove: () => Promise.reject(new ForgeError({ kind: 'notAllowed' })),
		labels: (ref, signal) => paged(`labels ${refText(ref)}`, () => world.labels.get(refText(ref)) ?? [], signal),
		tickets: (ref, signal) => paged(`tickets ${refText(ref)}`, () => world.tickets.get(refText(ref)) ?? [], signal),
		ticketsOn: {
			kind: 'fromNumber',
			read(ref, from, signal) {
				const all = (): readonly Ticket[] => world.tickets.get(refText(ref)) ?? [];
				// Evaluated per page, because tickets may change in between.
				return paged(`tickets ${refText(ref)}`, all, signal, all().filter(({ id }) => id > from).length);
			},
		},
		async submit(ref, { title, description }, signal) {
			await called(`submit ${refText(ref)}`, signal);
			const known = world.tickets.get(refText(ref)) ?? [];
			const id = Math.max(0, ...known.map((ticket) => ticket.id)) + 1;
			const submitter = { kind: 'user' as const, canonicalName: me, name: me.slice(1) };
			const createdMs = Date.UTC(2026, 10, 20, 12);
			const ticket = makeTicket({ id, tracker: trackerOf(ref), title, description, submitter, createdMs });
			world.tickets.set(refText(ref), [ticket, ...known]);
			return ticket;
		},
		...wire,
		...ticketSending({ ...wire, update }, me, learnt),
	};

	function nextEventId(): number {
		return Math.max(0, ...Array.from(world.events.values()).flatMap((events) => events.map(({ id }) => id))) + 1;
	}

	return { world, api, wire: { ...wire, update } };
}

function changed(
	ticket: Ticket,
	{ comment, status, resolution, labels = ticket.labels }: TicketBody,
	{ id, me }: { readonly id: number; readonly me: string },
): { readonly ticket: Ticket; readonly events: readonly TicketEvent[] } {
	const user = { kind: 'user' as const, canonicalName: me, name: me.slice(1) };
	const labelled = labelEvents(ticket.labels, labels).map((change, at) => makeEvent({ ...change, id: id + at, user }));
	const moves = status !== undefined && status !== ticket.status;
	const after: Ticket = {
		...ticket,
		updatedMs: someTimeMs + 1000,
		labels: labels.toSorted(),
		...(moves ? { status } : {}),
		...(moves && resolution ? { resolution } : {}),
	};
	const lastId = id + labelled.length;
	const said: Partial<TicketEvent> | undefined =
		comment === undefined ? undefined : { comment: makeComment(comment, { id: lastId, submitter: user }) };
	const moved: Partial<TicketEvent> | undefined = moves ? moveOf(ticket, after) : undefined;
	const kinds = [...(said ? ['comment' as const] : []), ...(moved ? ['status_change' as const] : [])];
	const events = [
		...labelled,
		...(kinds.length > 0 ? [makeEvent({ ...said, ...moved, id: lastId, kinds, user })] : []),
	];
	return { ticket: events.length > 0 ? after : ticket, events };
}

function labelEvents(before: readonly string[], after: readonly string[]): readonly Partial<TicketEvent>[] {
	const gone = before.filter((name) => !after.includes(name));
	const come = after.filter((name) => !before.includes(name));
	return [
		...gone.map((name) => ({ kinds: ['label_removed' as const], labels: [name] })),
		...come.map((name) => ({ kinds: ['label_added' as const], labels: [name] })),
	];
}

function moveOf(before: Ticket, after: Ticket): Partial<TicketEvent> {
	return {
		oldStatus: before.status,
		newStatus: after.status,
		oldResolution: before.resolution,
		newResolution: after.resolution,
	};
}
