import type { ServiceName, Context, User } from '../shared/area.ts';
import { findUser } from '../identity/users.ts';
import { time } from './scalars.ts';

/** When the first account was made; each later one a day after. */
const firstAccountMs = Date.UTC(2019, 2, 1, 8, 0, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** The fields of `User` that all services have. */
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

/** `username` without `~`, of people who have used this service (docs/protocol.md#known-by-use). */
export function findByName(context: Context, area: ServiceName, username: string): User | undefined {
	return findUser(context, area, `~${username}`);
}

/** The same by the number that the service knows somebody by. */
export function findById({ users }: Context, area: ServiceName, id: number): User | undefined {
	return users.all.find((user) => user.id === id && user.seenIn.has(area));
}

/** What every service says of itself; its numbers tell nothing. */
export const version = {
	major: 0,
	minor: 0,
	patch: 0,
	buildVersion: '0.0.0-sample',
	buildDate: '2026-05-17T00:00:00+00:00',
	deprecationDate: null,
};
