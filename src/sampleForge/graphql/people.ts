import type { ServiceName, Context, User } from '../shared/area.ts';
import { findUser } from '../identity/users.ts';
import { time } from './scalars.ts';

/** First account's creation; each later account follows one day after. */
const firstAccountMs = Date.UTC(2019, 2, 1, 8, 0, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** Fields of `User` in all services. */
export function showUser(user: User): object {
	const madeMs = firstAccountMs + user.id * dayMs;
	return {
		__typename: 'User',
		id: user.id,
		created: time(madeMs),
		updated: time(madeMs),
		canonicalName: `~${user.name}`,
		username: user.name,
		email: user.email,
		url: user.url,
		location: user.location,
		bio: user.bio,
	};
}

/** Finds a user of this service by name without `~` (docs/protocol.md#known-by-use). */
export function findByName(context: Context, area: ServiceName, username: string): User | undefined {
	return findUser(context, area, `~${username}`);
}

/** Finds a user of this service by the service's number. */
export function findById({ users }: Context, area: ServiceName, id: number): User | undefined {
	return users.all.find((user) => user.id === id && user.seenIn.has(area));
}

/** Version in all services; the numbers are arbitrary. */
export const version = {
	major: 0,
	minor: 0,
	patch: 0,
	buildVersion: '0.0.0-sample',
	buildDate: '2026-05-17T00:00:00+00:00',
	deprecationDate: null,
};
