import type { HookBook } from '../hookBook.ts';
import { findTicket } from '../../../../../src/sampleForge/tickets/ticketModel.ts';
import { findTracker, type TicketName } from './found.ts';
import { nothingFound, refuseAccess } from './refusals.ts';
import { sees } from './todoAccess.ts';
import { checkHook, type HookKind, type HookShown, type HookWish, showHook } from './todoHooks.ts';
import { type Asking, shownHooks } from './todoShapes.ts';

interface Configured {
	readonly config: HookWish;
}

interface Numbered {
	readonly id: number;
}

/** Webhooks made and taken back; another's public tracker will do (docs/protocol.md#graphql-webhooks). */
export function hookMutations(asking: Asking): object {
	const { user, age, hooks } = asking;
	const shown = shownHooks(asking);
	return {
		createUserWebhook({ config }: Configured) {
			check(asking, 'user', config);
			return add(asking, hooks.user, shown.user, { config, of: user });
		},
		createTrackerWebhook({ trackerId, config }: Configured & { readonly trackerId: number }) {
			check(asking, 'tracker', config);
			const of = findTracker(asking, trackerId);
			if (of === undefined) {
				throw refuseAccess(age);
			}
			return add(asking, hooks.tracker, shown.tracker, { config, of });
		},
		createTicketWebhook({ trackerId, ticketId, config }: Configured & TicketName) {
			check(asking, 'ticket', config);
			const tracker = findTracker(asking, trackerId);
			const of = tracker === undefined ? undefined : findTicket(tracker, ticketId);
			if (of === undefined || !sees(user, of)) {
				throw refuseAccess(age);
			}
			return add(asking, hooks.ticket, shown.ticket, { config, of });
		},
		deleteUserWebhook: ({ id }: Numbered) => remove(asking, hooks.user, shown.user, id),
		deleteTrackerWebhook: ({ id }: Numbered) => remove(asking, hooks.tracker, shown.tracker, id),
		deleteTicketWebhook: ({ id }: Numbered) => remove(asking, hooks.ticket, shown.ticket, id),
	};
}

function check({ room, schema, grant }: Asking, kind: HookKind, wish: HookWish): void {
	checkHook({ context: room.context, schema, grant }, kind, wish);
}

function add<Thing>(
	{ user, grant }: Asking,
	book: HookBook<Thing>,
	shown: HookShown<Thing>,
	{ config, of }: Configured & { readonly of: Thing },
): object {
	const { url, events, query } = config;
	return showHook(shown, book.add({ user, grant, of, url, events, query }));
}

function remove<Thing>(
	{ user, grant, age }: Asking,
	book: HookBook<Thing>,
	shown: HookShown<Thing>,
	id: number,
): object {
	const hook = book.ofCaller({ user, grant }).find((each) => each.id === id);
	if (hook === undefined) {
		throw nothingFound(age, 'No such webhook');
	}
	book.remove(hook);
	return showHook(shown, hook);
}
