import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/port/forge.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { Completeness } from '../../forge/port/page.ts';
import {
	isEventBy,
	refOfTicket,
	ticketRefText,
	type Ticket,
	type TicketEvent,
	type TicketRef,
} from '../../forge/port/ticket.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { referencesIn } from '../../engine/text/references.ts';
import { isAbort } from '../../base/abort.ts';
import type { ReadMarks } from '../readMarks/storedReadMarks.ts';
import type { SentText } from '../tickets/ticketChange.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';

export interface OwnMentionsParts {
	readonly api: Pick<TrackerApi, 'events'>;
	readonly store: TicketStore;
	readonly looks: ReadMarks;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Exact origins of the ticket areas, such as `https://todo.forge.example`. */
	readonly todoOrigins: readonly string[];
	readonly clock: Clock;
}

/** Each costs a request. */
const mostTickets = 5;

/** Debounce: bulk comments arrive faster than this, and one check covers all. */
const quietMs = 2000;

/**
 * A mention updates the mentioned ticket's time, whoever wrote it (docs/protocol.md#mentions), so an own mention would
 * mark the ticket as changed. This checks each ticket mentioned in own text once, and marks it as read if nobody else
 * changed it since. Disposing aborts the checks.
 */
export function ownMentions(parts: OwnMentionsParts): Disposable {
	const ending = new AbortController();
	const waiting = new Map<string, Disposable>();

	async function look(known: Ticket): Promise<void> {
		try {
			await lookAtMentioned(parts, known, ending.signal);
		} catch (error) {
			// A failed check only leaves one mark too many.
			if (!isAbort(error) && !isForgeError(error)) {
				throw error;
			}
		}
	}

	function lookSoon(known: Ticket): void {
		const key = keyOf(refOfTicket(known));
		waiting.get(key)?.dispose();
		const timer = parts.clock.after(quietMs, () => {
			waiting.delete(key);
			// The user may have marked it meanwhile.
			if (parts.looks.mark(known) === undefined) {
				void look(known);
			}
		});
		waiting.set(key, timer);
	}

	const listening = parts.store.onDidSend((sent) => lookedAtTickets(parts, sent).forEach(lookSoon));
	return {
		dispose() {
			listening.dispose();
			waiting.forEach((timer) => timer.dispose());
			ending.abort();
		},
	};
}

/** The other mentioned tickets without a mark; only those could get one. */
function lookedAtTickets(
	{ store, looks, todoOrigins }: OwnMentionsParts,
	{ tracker, ticketId, text }: SentText,
): readonly Ticket[] {
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

/** Servers ignore case. */
function keyOf(ref: TicketRef): string {
	return ticketRefText(ref).toLowerCase();
}

async function lookAtMentioned(parts: OwnMentionsParts, known: Ticket, signal: AbortSignal): Promise<void> {
	const { api, looks, me } = parts;
	const ref = refOfTicket(known);
	for await (const { items, completeness } of api.events(ref, signal)) {
		const since = items.filter(({ createdMs }) => createdMs > known.updatedMs);
		if (since.length > 0 && reachesBack(items, since, completeness) && since.every((event) => isEventBy(event, me))) {
			const updatedMs = Math.max(...since.map(({ createdMs }) => createdMs));
			const seen = looks.lastSeenEventId(ref);
			const hasSeenAll = seen !== undefined && items.every((event) => event.id <= seen || isEventBy(event, me));
			looks.look({ ...known, updatedMs }, hasSeenAll ? Math.max(...items.map(({ id }) => id)) : undefined);
		}
		return;
	}
}

/** True when the page reaches back to the last look, or is the whole timeline. */
function reachesBack(
	items: readonly TicketEvent[],
	since: readonly TicketEvent[],
	completeness: Completeness,
): boolean {
	return since.length < items.length || completeness.kind === 'complete';
}
