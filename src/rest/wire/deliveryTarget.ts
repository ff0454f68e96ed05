import * as v from 'valibot';
import { isNameable } from '../../forge/namedRef.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';

/*
 * What deliveries name, and nothing else of them: a body that lacks something which is not needed still serves. Names
 * have to be such as can stand in a path.
 */

/** Numbers begin with 1. */
const number = v.pipe(id, v.minValue(1));

/** Whose thing it is; a delivery does not always tell. */
const named = v.pipe(
	v.nullish(
		v.pipe(
			v.object({ owner: shortUser, name: v.string() }),
			v.check(({ owner, name }) => isNameable({ owner: owner.canonicalName, name }), 'a name'),
		),
	),
	v.transform((found) => found ?? undefined),
);

/** A mail or a patchset. */
export const listTarget = v.object({ id: number, list: v.optional(named) });

/** A ticket of a tracker. */
export const ticketTarget = v.object({ id: number, tracker: v.optional(named) });

/** The ticket of an event; of a mention that does not tell which is meant, the one where it was written. */
export const eventTarget = v.pipe(
	v.object({ ticket: v.nullish(ticketTarget), from_ticket: v.nullish(ticketTarget) }),
	v.transform((wire) => wire.ticket ?? wire.from_ticket ?? undefined),
);
