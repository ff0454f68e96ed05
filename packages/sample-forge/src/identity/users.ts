import type { ApiCall, ApiRoute, Context, ServiceName, User, Users } from '../shared/area.ts';
import { api, userTarget } from '../shared/area.ts';
import { json, notFound } from '../shared/answers.ts';
import { check, need } from '../shared/checks.ts';
import { createState } from '../shared/state.ts';

/** User resource in wire form. */
export interface FullUser {
	readonly canonical_name: string;
	readonly name: string;
	readonly email: string;
	readonly url: string | null;
	readonly location: string | null;
	readonly bio: string | null;
}

/** User resource (docs/protocol.md#users). */
export function showUser(user: User): FullUser {
	const { email, url, location, bio } = user;
	return { ...showShortUser(user), email, url, location, bio };
}

/** Short form of a user. */
export function showShortUser(user: User): { readonly canonical_name: string; readonly name: string } {
	return { canonical_name: `~${user.name}`, name: user.name };
}

/** User of a `:username` segment: `~name`, in lists also an e-mail address. */
export function findUser(context: Context, area: ServiceName, text: string): User | undefined {
	const user = text.startsWith('~')
		? context.users.byName(text.slice(1))
		: area === 'lists' && text.includes('@')
			? context.users.byEmail(text)
			: undefined;
	const known = user !== undefined && (!context.dialect.usersAppearOnFirstUse || user.seenIn.has(area));
	return known ? user : undefined;
}

/** Whose things a call is about: the user named in the path, else the caller. Refuses an unknown name with 404. */
export function ownerOf(context: Context, call: ApiCall): User {
	const named = call.params['username'];
	if (named === undefined) {
		return call.user;
	}
	return need(findUser(context, call.area, named), notFound);
}

/** The caller as the target of webhooks. Refuses another user's path with 404. */
export function ownTarget(context: Context, call: ApiCall): string {
	check(ownerOf(context, call) === call.user, notFound);
	return userTarget(call.user);
}

/** The routes that every area with an API of its own has: the user resource in both forms. */
export function userRoutes(context: Context): readonly ApiRoute[] {
	return ['/api/user/:username', '/api/user'].map((path) =>
		api('GET', path, null, (call) => json(200, showUser(ownerOf(context, call)))),
	);
}

/** A person with an account, as a world names them. */
export interface PersonPlan {
	readonly name: string;
	readonly fullName: string;
	readonly location: string | null;
	readonly bio: string | null;
	/** Has never used any area. */
	readonly isNew?: true;
}

export function createUsers(mailDomain: string, people: readonly PersonPlan[], state = createState()): Users {
	const everywhere: readonly ServiceName[] = ['meta', 'todo', 'git', 'lists', 'hub'];
	const fresh = people.map(({ name, fullName, location, bio, isNew = false }, index): User => ({
		id: index + 1,
		name,
		fullName,
		email: `${name}@${mailDomain}`,
		url: bio === null ? null : `https://${name}.example`,
		location,
		bio,
		barred: null,
		seenIn: new Set(isNew ? [] : everywhere),
	}));
	const { all } = state.part('users', { all: fresh });
	return {
		all,
		byName: (name) => all.find((user) => user.name === name),
		byEmail: (email) => all.find((user) => user.email === email.toLowerCase()),
	};
}
