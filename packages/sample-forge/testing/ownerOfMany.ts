import type { Context, User } from '../src/shared/area.ts';

/** The owner of `~alice/many` in each area. */
export function ownerOfMany({ users }: Pick<Context, 'users'>): User {
	const owner = users.byName('alice');
	if (owner === undefined) {
		throw new Error('The sample world has no ~alice');
	}
	return owner;
}
