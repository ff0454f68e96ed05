import type { FieldError } from '../engine.ts';
import { addHook, checkHook, type HookWish, removeHook } from '../hooks.ts';
import { findTicket } from '../../tickets/ticketModel.ts';
import { findTracker, type TicketName } from './found.ts';
import { nothingFound, refuseAccess } from '../refusals.ts';
import { sees } from './todoAccess.ts';
import { type HookKind, takenEvents } from './todoHooks.ts';
import { type Asking, shownHooks } from './todoShapes.ts';

interface Configured {
	readonly config: HookWish;
}

interface Numbered {
	readonly id: number;
}

/** Creates and deletes webhooks, also on public trackers of others (docs/protocol.md#graphql-webhooks). */
export function hookMutations(asking: Asking): object {
	const { user, age, hooks } = asking;
	const shown = shownHooks(asking);
	const missing = (): FieldError => nothingFound(age, 'No such webhook');
	return {
		createUserWebhook({ config }: Configured) {
			check(asking, 'user', config);
			return addHook(shown.user, hooks.user, { config, of: user });
		},
		createTrackerWebhook({ trackerId, config }: Configured & { readonly trackerId: number }) {
			check(asking, 'tracker', config);
			const of = findTracker(asking, trackerId);
			if (of === undefined) {
				throw refuseAccess(age);
			}
			return addHook(shown.tracker, hooks.tracker, { config, of });
		},
		createTicketWebhook({ trackerId, ticketId, config }: Configured & TicketName) {
			check(asking, 'ticket', config);
			const tracker = findTracker(asking, trackerId);
			const of = tracker === undefined ? undefined : findTicket(tracker, ticketId);
			if (of === undefined || !sees(user, of)) {
				throw refuseAccess(age);
			}
			return addHook(shown.ticket, hooks.ticket, { config, of });
		},
		deleteUserWebhook: ({ id }: Numbered) => removeHook(shown.user, hooks.user, { id, missing: missing() }),
		deleteTrackerWebhook: ({ id }: Numbered) => removeHook(shown.tracker, hooks.tracker, { id, missing: missing() }),
		deleteTicketWebhook: ({ id }: Numbered) => removeHook(shown.ticket, hooks.ticket, { id, missing: missing() }),
	};
}

function check({ room, schema, grant }: Asking, kind: HookKind, wish: HookWish): void {
	checkHook({ context: room.context, schema, grant, area: 'todo' }, takenEvents[kind], wish);
}
