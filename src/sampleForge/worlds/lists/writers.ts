import type { Users } from '../../shared/area.ts';
import type { Packing } from './letter.ts';

/** Somebody who writes mails, with or without account. */
export interface Writer {
	readonly name: string;
	readonly email: string;
	/** Encoding of the mail program. */
	readonly packing?: Packing;
	/** Local part of a Message-ID, made from a hash. */
	readonly messageId?: (hash: string) => string;
}

/** Finds people by their short names. `others`: people without account, and habits of those with one. */
export function createWriters(
	users: Users,
	others: Readonly<Record<string, Partial<Writer>>> = {},
): (name: string) => Writer {
	return (name) => {
		const user = users.byName(name);
		const { name: fullName = user?.fullName, email = user?.email, ...habits } = others[name] ?? {};
		if (fullName === undefined || email === undefined) {
			throw new Error(`Nobody in the world is called ${name}`);
		}
		return { name: fullName, email, ...habits };
	};
}
