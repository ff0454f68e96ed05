import * as v from 'valibot';
import { listPermissionWords } from '../../forge/list.ts';
import type { ListPermission, MailingList, ShortList, Subscription } from '../../forge/list.ts';
import { wordOf } from '../../forge/word.ts';
import { timestamp } from './timestamp.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

const words = v.pipe(
	v.nullish(v.array(v.string()), []),
	v.transform((found): readonly ListPermission[] => (found ?? []).map((word) => wordOf(listPermissionWords, word))),
);

/** Short form: observed-behaviour 5.2. */
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
	permissions: v.nullish(v.object({ nonsubscriber: words, subscriber: words, account: words })),
};

/** Mailing list resource: forge-api.md 2.1, observed-behaviour 5.2. */
export const mailingList = v.pipe(
	v.looseObject(mailingListFields),
	v.transform((wire): MailingList => ({
		id: wire.id ?? undefined,
		name: wire.name,
		owner: wire.owner,
		createdMs: wire.created,
		updatedMs: wire.updated,
		description: wire.description ?? undefined,
		permissions: wire.permissions ?? undefined,
		...extraOf(wire, mailingListFields),
	})),
);

/** Subscription resource: forge-api.md 2.1. */
export const subscription = v.pipe(
	v.object({ id, created: timestamp, list: shortList }),
	v.transform((wire): Subscription => ({ id: wire.id, createdMs: wire.created, list: wire.list })),
);
