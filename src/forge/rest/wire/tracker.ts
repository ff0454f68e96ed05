import * as v from 'valibot';
import { permissionWords } from '../../port/tracker.ts';
import type { Label, Permission, Permissions, ShortTracker, Tracker } from '../../port/tracker.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

/** An integer, for ids and counts. */
export const id = v.pipe(v.number(), v.safeInteger());

const words = v.pipe(
	v.array(v.string()),
	v.transform((found): readonly Permission[] => found.map((word) => wordOf(permissionWords, word))),
);

/** Permissions by kind of person; null means inherited. */
export const permissions = v.pipe(
	v.object({ anonymous: v.nullish(words), submitter: v.nullish(words), user: v.nullish(words) }),
	v.transform((wire): Permissions => ({
		anonymous: wire.anonymous ?? undefined,
		submitter: wire.submitter ?? undefined,
		user: wire.user ?? undefined,
	})),
);

const shortFields = { owner: shortUser, name: v.string(), created: timestamp, updated: timestamp };

/** Short form (docs/protocol.md#tracker-fields). */
export const shortTracker = v.pipe(
	v.object(shortFields),
	v.transform((wire): ShortTracker => ({
		owner: wire.owner,
		name: wire.name,
		createdMs: wire.created,
		updatedMs: wire.updated,
	})),
);

const trackerFields = {
	...shortFields,
	id: v.nullish(id),
	description: v.nullish(v.string()),
	default_permissions: v.nullish(permissions),
	default_access: v.nullish(words),
	visibility: v.nullish(v.string()),
};

/** Tracker resource (docs/protocol.md#tracker-fields; for later ones docs/protocol.md#later-servers). */
export const tracker = v.pipe(
	v.looseObject(trackerFields),
	v.transform((wire): Tracker => ({
		id: wire.id ?? undefined,
		owner: wire.owner,
		name: wire.name,
		createdMs: wire.created,
		updatedMs: wire.updated,
		description: wire.description ?? undefined,
		defaultPermissions: wire.default_permissions ?? sameForAll(wire.default_access ?? undefined),
		visibility: wire.visibility ?? undefined,
		...extraOf(wire, trackerFields),
	})),
);

const labelFields = {
	name: v.string(),
	colors: v.object({ background: v.string(), text: v.string() }),
	created: v.nullish(timestamp),
	tracker: v.optional(v.unknown()),
};

/** Label resource (docs/protocol.md#labels). */
export const label = v.pipe(
	v.looseObject(labelFields),
	v.transform((wire): Label => ({
		name: wire.name,
		colors: wire.colors,
		createdMs: wire.created ?? undefined,
		...extraOf(wire, labelFields),
	})),
);

function sameForAll(access: readonly Permission[] | undefined): Permissions | undefined {
	return access && { anonymous: access, submitter: access, user: access };
}
