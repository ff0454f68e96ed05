import { Disposables } from '../../base/lifecycle.ts';
import { refOfTicket, type TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import { isTicketDue, seenPosition, ticketPosition } from '../inbox/ticketNotices.ts';
import { watchedKey, type Watched } from '../inbox/watched.ts';
import { pageToReread } from '../tickets/index/rereadOrder.ts';
import { chosenPlaces } from './chosenPlaces.ts';
import { polling, type Polled, type Polling } from './polling.ts';
import type { WatchContext } from './watchContext.ts';

interface ChosenThing {
	readonly watched: Watched;
	readonly polling: Polling;
}

/**
 * Polls the trackers and single tickets that the user chose and the index does not read. A tracker costs its newest
 * page and, in turn, an older one. A ticket costs one request.
 */
export function chosenTickets(context: WatchContext, timelineDue: (ref: TicketRef) => void) {
	const { tickets: store, index, inbox, background, me, clock } = context;
	const owned = new Disposables();
	const polled = new Map<string, ChosenThing>();

	owned.add(inbox.onDidChange(({ areChoices }) => areChoices && background.loop.plan()));
	owned.add(
		background.loop.add({
			tasks: () => wanted().map((each) => each.polling.task()),
			hurry: () => polled.forEach((each) => each.polling.hurry()),
		}),
	);
	owned.add(context.readings.add(() => wanted().map((each) => ({ watched: each.watched, ...each.polling.reading() }))));

	/** Chosen things outside the index. Forgets the others. */
	function wanted(): readonly ChosenThing[] {
		const { trackers, tickets } = chosenPlaces(inbox);
		const indexed = new Set(index.trackers().map(nameOf));
		const apart = trackers.filter((ref) => !indexed.has(nameOf(ref)));
		const read = new Set([...indexed, ...apart.map(nameOf)]);
		const all = [
			...apart.map((ref) => of({ kind: 'tracker', ref }, (signal) => askTracker(ref, signal))),
			...tickets
				.filter(({ tracker }) => !read.has(nameOf(tracker)))
				.map((ref) => of({ kind: 'ticket', ref }, (signal) => askTicket(ref, signal))),
		];
		polled.clear();
		all.forEach((each) => polled.set(watchedKey(each.watched), each));
		return [...polled.values()];
	}

	function of(watched: Watched, ask: (signal: AbortSignal) => Promise<boolean>): ChosenThing {
		const poll = async (signal: AbortSignal): Promise<Polled> => ((await ask(signal)) ? 'news' : 'nothing');
		return polled.get(watchedKey(watched)) ?? { watched, polling: polling(context, false, poll) };
	}

	/** The store reports each changed ticket, and the ticket watch listens there. */
	async function askTracker(ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
		const isNew = await store.reads(ref).reread(undefined, signal);
		const list = store.ticketList(ref);
		const from = list.gap() ?? pageToReread(list, { nowMs: clock.nowMs() })?.from;
		return (from !== undefined && (await store.reads(ref).reread(from, signal))) || isNew;
	}

	async function askTicket(ref: TicketRef, signal: AbortSignal): Promise<boolean> {
		// The store counts pages but no single tickets.
		background.budget.spend();
		const ticket = await store.renewTicket(ref, signal);
		const known = inbox.position(ticketPosition(ref));
		if (known === undefined) {
			// The first look creates no news.
			const positions = new Map([[ticketPosition(refOfTicket(ticket)), seenPosition(ticket, me, clock.nowMs())]]);
			inbox.add({ entries: [], positions });
			return false;
		}
		const isDue = isTicketDue(ticket, { known, lineMs: known.sinceMs, me });
		if (isDue) {
			timelineDue(ref);
		}
		return isDue;
	}

	function wantedNamed(name: string): ChosenThing | undefined {
		return wanted().find(({ watched }) => watchedKey(watched) === name);
	}

	return {
		hasTracker: (ref: TrackerRef) => wantedNamed(nameOf(ref)) !== undefined,
		/** True for a chosen ticket or tracker. */
		hasTicket: (ref: TicketRef) => (wantedNamed(nameOf(ref.tracker)) ?? wantedNamed(ticketPosition(ref))) !== undefined,
		/** Schedules a read of the tracker's newest page, unless the last read began after `sinceMs`. */
		newsDue: (ref: TrackerRef, sinceMs: number) => wantedNamed(nameOf(ref))?.polling.due(sinceMs),
		dispose: () => owned.dispose(),
	};
}

function nameOf(ref: TrackerRef): string {
	return watchedKey({ kind: 'tracker', ref });
}
