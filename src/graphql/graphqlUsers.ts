import * as v from 'valibot';
import type { UserApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { Scope } from '../forge/scope.ts';
import type { User } from '../forge/user.ts';
import { below } from './door/below.ts';
import { graphql } from './door/document.ts';
import type { GraphqlCaller } from './door/graphqlCaller.ts';

const text = v.nullish(v.string());

const user = v.pipe(
	v.object({ canonicalName: v.string(), username: v.string(), email: text, url: text, location: text, bio: text }),
	v.transform(({ canonicalName, username, email, url, location, bio }): User => ({
		canonicalName,
		name: username,
		email: email ?? undefined,
		url: url ?? undefined,
		location: location ?? undefined,
		bio: bio ?? undefined,
	})),
);

const userFields = 'canonicalName username email url location bio';

const me = {
	document: graphql(`query Me { # Query
		me { # User
			${userFields}
		}
	}`),
	read: below(['me'], user),
};

/** `undefined` for somebody who has never used the area. */
const someone = {
	document: graphql(`query User($name: String!) { # Query
		user(username: $name) { # User
			${userFields}
		}
	}`),
	read: below(['user'], user),
};

const version = {
	document: graphql(`
		query Version {
			# Query
			version {
				# Version
				buildVersion
			}
		}
	`),
	// The numbers beside it are 0.0.0 everywhere.
	read: below(
		['version'],
		v.pipe(
			v.object({ buildVersion: v.optional(v.string()) }),
			v.transform(({ buildVersion }) => buildVersion ?? 'unknown'),
		),
	),
};

/** Any of an area's scopes carries what is asked for here. */
const anyScope: Readonly<Record<ContentArea, Scope>> = {
	todo: 'trackers:read',
	lists: 'lists:read',
	git: 'info:read',
};

/** People, over GraphQL. */
export function graphqlUsers({ ask }: GraphqlCaller): Required<UserApi> {
	return {
		async user(area, name, signal) {
			const asked = { area, scope: anyScope[area] };
			const found =
				name === undefined
					? await ask({ ...asked, ...me }, {}, signal)
					: await ask({ ...asked, ...someone }, { name: name.replace(/^~/, '') }, signal);
			if (found === undefined) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return found;
		},
		version: async (area, signal) => (await ask({ area, scope: anyScope[area], ...version }, {}, signal)) ?? 'unknown',
	};
}
