import * as v from 'valibot';
import type { User } from '../port/user.ts';
import { query } from './door/operations.ts';
import { partly, unsentIn } from './door/partial.ts';

/* Queries that all services share. */

const text = v.nullish(v.string());

const user = v.pipe(
	v.object({
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

const userFields = 'canonicalName username email url location bio';

export const me = query({}, ['Me', 'me: User'], userFields, user);

/** `undefined` for a user that the service doesn't know. */
export const someone = query({}, ['User($name: String!)', 'user(username: $name): User'], userFields, user);

export const version = query(
	{},
	['Version', 'version: Version'],
	'buildVersion',
	// The version numbers next to it are 0.0.0 on all servers.
	v.pipe(
		v.object({ buildVersion: v.optional(v.string()) }),
		v.transform(({ buildVersion }) => buildVersion ?? 'unknown'),
	),
);
