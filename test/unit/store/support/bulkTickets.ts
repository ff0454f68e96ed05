import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import { cursorTickets, type CursorTickets } from './cursorTickets.ts';
import type { FakeTrackers } from '../../../support/fakeForge.ts';

/** Tickets of a forge that sends timelines with pages and reports changes in bulk. */
export interface BulkTickets extends Pick<CursorTickets, 'api' | 'followed'> {
	/** Bulk reads: `pages`, `ticket 7`, or `changed 3` with the count of numbers. */
	readonly asked: string[];
	/** Rejects a bulk read with a missing ticket, as older servers do. */
	refusesAll: boolean;
	/** Fails reads of changes across several pages. */
	refusesPages: boolean;
}

/** Tickets of the fake; a page has the two newest events of each. */
export function bulkTickets(fake: FakeTrackers, mostNumbers = 98): BulkTickets {
	const forge = cursorTickets(fake);
	const { world } = fake;
	const asked: string[] = [];
	const { ticketsOn } = forge.api;
	if (ticketsOn.kind !== 'afterCursor') {
		throw new Error('Its pages follow each other by cursors.');
	}

	function inFull(ticket: Ticket, tracker: { readonly owner: string; readonly name: string }) {
		const events = world.events.get(ticketRefText({ tracker, id: ticket.id })) ?? [];
		const items = events.slice(0, 2);
		const isWhole = items.length === events.length;
		const completeness = isWhole ? { kind: 'complete' as const } : { kind: 'more' as const, total: undefined };
		return { ticket, timeline: { items, completeness } };
	}

	const made = {
		asked,
		followed: forge.followed,
		refusesAll: false,
		refusesPages: false,
		api: {
			...forge.api,
			inBulk: {
				mostNumbers,
				async *pages(ref, after, signal) {
					for await (const page of ticketsOn.kind === 'afterCursor' && after !== undefined
						? ticketsOn.read(ref, after, signal)
						: forge.api.tickets(ref, signal)) {
						asked.push('pages');
						yield { ...page, items: page.items.map((ticket) => inFull(ticket, ref)) };
					}
				},
				async ticket({ tracker, id }) {
					asked.push(`ticket ${id}`);
					const found = world.tickets.get(refText(tracker))?.find((ticket) => ticket.id === id);
					if (!found) {
						throw new ForgeError({ kind: 'notFound' });
					}
					return inFull(found, tracker);
				},
				async changedMs(ref, numbers, signal) {
					asked.push(`changed ${numbers.length}`);
					signal.throwIfAborted();
					const all = new Map((world.tickets.get(refText(ref)) ?? []).map(({ id, updatedMs }) => [id, updatedMs]));
					const found = numbers.flatMap((id): (readonly [number, number])[] => {
						const updatedMs = all.get(id);
						return updatedMs === undefined ? [] : [[id, updatedMs]];
					});
					if (made.refusesAll && found.length < numbers.length) {
						throw new ForgeError({ kind: 'notFound' });
					}
					return new Map(found);
				},
				mostPages: 28,
				async changedOn(pages, signal) {
					asked.push(`changed on ${pages.length}`);
					if (made.refusesPages) {
						throw new ForgeError({ kind: 'serverError', status: 500 });
					}
					return Promise.all(
						pages.map(async ({ ref, after }) => {
							const read =
								ticketsOn.kind === 'afterCursor' && after !== undefined
									? ticketsOn.read(ref, after, signal)
									: forge.api.tickets(ref, signal);
							const { value: page } = await read.next();
							return page ? new Map(page.items.map(({ id, updatedMs }) => [id, updatedMs])) : undefined;
						}),
					);
				},
			},
		} satisfies TrackerApi,
	};
	return made;
}
