import * as v from 'valibot';
import { listPermissionWords } from '../../port/list.ts';
import type { ListPermission, ListPermissions, MailingList, ShortList, Subscription } from '../../port/list.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

const words = v.pipe(
	v.array(v.string()),
	v.transform((found): readonly ListPermission[] => found.map((word) => wordOf(listPermissionWords, word))),
);

/** Null, an empty array and a record without words mean unknown; an empty array of words means no permission. */
const permissions = v.pipe(
	v.nullish(v.object({ nonsubscriber: v.nullish(words), subscriber: v.nullish(words), account: v.nullish(words) })),
	v.transform((wire): ListPermissions | undefined => {
		const [nonsubscriber, subscriber, account] = [wire?.nonsubscriber, wire?.subscriber, wire?.account].map(
			(found) => found ?? undefined,
		);
		const isSilent = nonsubscriber === undefined && subscriber === undefined && account === undefined;
		return isSilent ? undefined : { nonsubscriber, subscriber, account };
	}),
);

/** Short form (docs/protocol.md#list-fields). */
export const shortList = v.pipe(
	v.object({ name: v.string(), owner: shortUser }),
	v.transform((wire): ShortList => wire),
);

const mailingListFields = {
	id: v.nullish(id),
	name: v.string(),
	owner: shortUser,
	created: timestamp,
	updated: timestamp,
	description: v.nullish(v.string()),
	permissions: v.optional(permissions),
};

/** Mailing list resource (docs/protocol.md#list-fields). */
export const mailingList = v.pipe(
	v.looseObject(mailingListFields),
	v.transform((wire): MailingList => ({
		id: wire.id ?? undefined,
		name: wire.name,
		owner: wire.owner,
		createdMs: wire.created,
		updatedMs: wire.updated,
		description: wire.description ?? undefined,
		permissions: wire.permissions,
		...extraOf(wire, mailingListFields),
	})),
);

/** Subscription resource (docs/protocol.md#resources). */
export const subscription = v.pipe(
	v.object({ id, created: timestamp, list: shortList }),
	v.transform((wire): Subscription => ({ id: wire.id, createdMs: wire.created, list: wire.list })),
);
