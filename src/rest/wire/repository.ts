import * as v from 'valibot';
import { visibilities } from '../../forge/repository.ts';
import type { Reference, Repository } from '../../forge/repository.ts';
import { wordOf } from '../../forge/word.ts';
import { timestamp } from './timestamp.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

const repositoryFields = {
	id,
	created: timestamp,
	updated: v.nullish(timestamp),
	name: v.string(),
	owner: v.nullish(shortUser),
	subject: v.nullish(v.string()),
	description: v.nullish(v.string()),
	visibility: v.string(),
};

/** Repository resource: forge-api.md 2.2, observed-behaviour 4.1. Later servers may shout the visibility. */
export const repository = v.pipe(
	v.looseObject(repositoryFields),
	v.transform((wire): Repository => ({
		id: wire.id,
		createdMs: wire.created,
		updatedMs: wire.updated ?? undefined,
		name: wire.name,
		owner: wire.owner ?? undefined,
		subject: wire.subject ?? undefined,
		description: wire.description ?? undefined,
		visibility: wordOf(visibilities, wire.visibility.toLowerCase()),
		...extraOf(wire, repositoryFields),
	})),
);

/** Reference resource: forge-api.md 2.2. */
export const reference = v.pipe(
	v.object({ name: v.string(), target: v.string() }),
	v.transform((wire): Reference => wire),
);
