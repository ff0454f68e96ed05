import type { Users } from '../../shared/area.ts';

/** Somebody who writes mails, with or without account. */
export interface Writer {
	readonly name: string;
	readonly email: string;
}

export type WriterName =
	| 'alice'
	| 'bob'
	| 'carol'
	| 'dave'
	| 'frank'
	| 'grace'
	| 'heidi'
	| 'joerg'
	| 'misaki'
	| 'ivan'
	/** Impersonates somebody. */
	| 'mallory'
	| 'riyer'
	| 'sam'
	| 'visitor';

const strangers: Readonly<Record<string, Writer>> = {
	joerg: { name: 'Jörg Weiß', email: 'j.weiss@beispiel.example' },
	misaki: { name: '田中 美咲', email: 'm.tanaka@outside.test' },
	ivan: { name: 'Иван Петров', email: 'ivan@pochta.example' },
	mallory: { name: 'Alice Oberg <alice@forge.test>', email: 'mallory@evil.example' },
	riyer: { name: 'R. Iyer', email: 'riyer@outside.test' },
	sam: { name: 'Sam "Quote" O\'Neil', email: 'sam@outside.test' },
	visitor: { name: '', email: 'drive-by@outside.test' },
};

/** Finds people by their short names. Those without account have none of the forge's addresses. */
export function createWriters(users: Users): (name: WriterName) => Writer {
	return (name) => {
		const user = users.byName(name);
		const writer = user === undefined ? strangers[name] : { name: user.fullName, email: user.email };
		if (writer === undefined) {
			throw new Error(`Nobody in the sample world is called ${name}`);
		}
		return writer;
	};
}
