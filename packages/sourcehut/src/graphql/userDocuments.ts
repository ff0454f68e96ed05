import * as v from 'valibot';
import type { User } from '../port/user.ts';
import { query } from './transport/operations.ts';
import { partly, unsentIn } from './transport/partial.ts';
import { selected } from './transport/selection.ts';

/* Queries that all services share. */

const text = v.nullish(v.string());

const user = v.pipe(
	selected('User', {
		canonicalName: v.string(),
		username: v.string(),
		email: text,
		url: text,
		location: text,
		bio: text,
		...partly,
	}),
	v.transform(({ canonicalName, username, email, url, location, bio, ...wire }): User => ({
		canonicalName,
		name: username,
		email: email ?? undefined,
		url: url ?? undefined,
		location: location ?? undefined,
		bio: bio ?? undefined,
		...unsentIn(wire),
	})),
);

export const me = query({}, 'Me', ['me'], user);

/** `undefined` for a user that the service doesn't know. */
export const someone = query({}, 'User', ['user(username: $name String!)'], user);

export const version = query(
	{},
	'Version',
	['version'],
	// The version numbers next to it are 0.0.0 on all servers.
	v.pipe(
		selected('Version', { buildVersion: v.optional(v.string()) }),
		v.transform(({ buildVersion }) => buildVersion ?? 'unknown'),
	),
);
