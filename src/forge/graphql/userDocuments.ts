import * as v from 'valibot';
import type { User } from '../port/user.ts';
import { below } from './door/below.ts';
import { graphql } from './door/document.ts';
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

export const me = {
	document: graphql(`query Me { # Query
		me { # User
			${userFields}
		}
	}`),
	read: below(['me'], user),
};

/** `undefined` for a user that the service doesn't know. */
export const someone = {
	document: graphql(`query User($name: String!) { # Query
		user(username: $name) { # User
			${userFields}
		}
	}`),
	read: below(['user'], user),
};

export const version = {
	document: graphql(`
		query Version {
			# Query
			version {
				# Version
				buildVersion
			}
		}
	`),
	// The version numbers next to it are 0.0.0 on all servers.
	read: below(
		['version'],
		v.pipe(
			v.object({ buildVersion: v.optional(v.string()) }),
			v.transform(({ buildVersion }) => buildVersion ?? 'unknown'),
		),
	),
};
