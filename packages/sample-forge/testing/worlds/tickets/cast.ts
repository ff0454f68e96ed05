import type { User, Users } from '../../../src/shared/area.ts';
import type { Random } from '../../../../../test/support/random.ts';
import { asPerson, type Person } from '../../../src/tickets/ticketModel.ts';
import type { Some } from '../phrases.ts';

/** People of the sample world. */
export interface Cast {
	readonly alice: User;
	readonly bob: User;
	readonly carol: User;
	/** Those who get tickets assigned. */
	readonly developers: Some<User>;
	/** A ticket's author: mostly users, some mail senders, some imported people. */
	reporter(random: Random): Person;
	/** Somebody who joins a discussion. */
	commenter(random: Random): Person;
}

export function createCast(users: Users): Cast {
	const user = (name: string): User => {
		const found = users.byName(name);
		if (found === undefined) {
			throw new Error(`The sample world has no ~${name}`);
		}
		return found;
	};
	const [alice, bob, carol, dave] = [user('alice'), user('bob'), user('carol'), user('dave')];
	const people: Some<Person> = [
		asPerson(alice),
		asPerson(bob),
		asPerson(carol),
		asPerson(dave),
		asPerson(user('frank')),
		asPerson(user('grace')),
		asPerson(user('heidi')),
	];
	const strangers: Some<Person> = [
		{ kind: 'email', address: 'jörg@beispiel.example', name: 'Jörg Weiß' },
		{ kind: 'email', address: 'm.tanaka@outside.test', name: '田中 美咲' },
		{ kind: 'email', address: 'drive-by@outside.test', name: 'drive-by@outside.test' },
		{ kind: 'external', externalId: 'oldhub:ada-l', url: 'https://oldhub.example/ada-l' },
		{ kind: 'external', externalId: 'oldhub:q', url: null },
	];
	return {
		alice,
		bob,
		carol,
		developers: [alice, bob, dave],
		reporter: (random) => (random.chance(18) ? random.pick(strangers) : random.pick(people)),
		commenter: (random) => (random.chance(6) ? random.pick(strangers) : random.pick(people)),
	};
}
