import * as v from 'valibot';
import { isNameable } from '../../port/namedRef.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';

/* Decodes only the names in deliveries, and ignores all other fields. Names must be valid path segments. */

/** Numbers start at 1. */
const number = v.pipe(id, v.minValue(1));

/** The owning list or tracker; deliveries may omit it. */
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

/** The ticket of an event. For a mention without its target, the mentioning ticket. */
export const eventTarget = v.pipe(
	v.object({ ticket: v.nullish(ticketTarget), from_ticket: v.nullish(ticketTarget) }),
	v.transform((wire) => wire.ticket ?? wire.from_ticket ?? undefined),
);
