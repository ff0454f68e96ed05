import type { Clock } from '@forge-desk/base/clock.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import {
	isEventBy,
	refOfTicket,
	ticketRefText,
	type Ticket,
	type TicketEvent,
	type TicketRef,
} from 'sourcehut/port/ticket.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { referencesIn } from '../../engine/text/references.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { ReadMarks } from '../readMarks/storedReadMarks.ts';
import type { SentText } from '../tickets/ticketChange.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';

/** Each costs a request. */
const mostTickets = 5;

/** Debounce: bulk comments arrive faster than this, and one check covers all. */
const quietMs = 2000;

/**
 * A mention updates the mentioned ticket's time, whoever wrote it (docs/protocol.md#mentions), so an own mention would
 * mark the ticket as changed. This checks each ticket mentioned in own text once, and marks it as read if nobody else
 * changed it since. Disposing aborts the checks. `todoOrigins`: exact origins of the ticket areas, such as
 * `https://todo.forge.example`.
 */
export function ownMentions(
	store: TicketStore,
	looks: ReadMarks,
	me: OwnerName,
	todoOrigins: readonly string[],
	clock: Clock,
): Disposable {
	const ending = new AbortController();
	const waiting = new Map<string, Disposable>();

	/** Marks a ticket as read if all its news is own. */
	async function check(known: Ticket): Promise<void> {
		const ref = refOfTicket(known);
		const isOwn = (event: TicketEvent): boolean => isEventBy(event, me);
		try {
			for await (const { items, completeness } of store.uncached.events(ref, ending.signal)) {
				const since = items.filter(({ createdMs }) => createdMs > known.updatedMs);
				// True when the page reaches back to the last look, or is the whole timeline.
				const reachesBack = since.length < items.length || completeness.kind === 'complete';
				if (since.length > 0 && reachesBack && since.every(isOwn)) {
					const updatedMs = maxOf(since.map(({ createdMs }) => createdMs));
					const seen = looks.lastSeenEventId(ref);
					const hasSeenAll = seen !== undefined && items.every((event) => event.id <= seen || isOwn(event));
					looks.look({ ...known, updatedMs }, hasSeenAll ? maxOf(items.map(({ id }) => id)) : undefined);
				}
				return;
			}
		} catch (error) {
			// A failed check only leaves one mark too many.
			if (!isAbort(error) && !isForgeError(error)) {
				throw error;
			}
		}
	}

	/** The other mentioned tickets without a mark; only those could get one. */
	function mentionedIn({ tracker, ticketId, text }: SentText): readonly Ticket[] {
		const found = new Map<string, Ticket>();
		for (const each of referencesIn(text, todoOrigins)) {
			const named = 'written' in each ? each.written : each.address;
			if (named.kind === 'ticket' && found.size < mostTickets) {
				const { owner = tracker.owner, name = tracker.name, id } = named;
				const ref: TicketRef = { tracker: { owner, name }, id };
				const known = store.knownTicket(ref);
				const isItself = id === ticketId && keyOf(ref) === keyOf({ tracker, id });
				if (known && !isItself && looks.mark(known) === undefined) {
					found.set(keyOf(ref), known);
				}
			}
		}
		return [...found.values()];
	}

	const listening = store.onDidSend((sent) => {
		for (const known of mentionedIn(sent)) {
			const key = keyOf(refOfTicket(known));
			waiting.get(key)?.dispose();
			const timer = clock.after(quietMs, () => {
				waiting.delete(key);
				// The user may have marked it meanwhile.
				if (looks.mark(known) === undefined) {
					void check(known);
				}
			});
			waiting.set(key, timer);
		}
	});
	return {
		dispose() {
			listening.dispose();
			waiting.forEach((timer) => timer.dispose());
			ending.abort();
		},
	};
}

/** Servers ignore case. */
function keyOf(ref: TicketRef): string {
	return ticketRefText(ref).toLowerCase();
}
