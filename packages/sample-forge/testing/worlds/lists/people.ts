import type { Users } from '../../../src/shared/area.ts';
import { createWriters, type Writer } from '../../../src/worlds/lists/letters.ts';

const people: Readonly<Record<string, Partial<Writer>>> = {
	carol: { packing: { charset: 'utf-8', encoding: 'quoted-printable' } },
	joerg: {
		name: 'Jörg Weiß',
		email: 'j.weiss@beispiel.example',
		packing: { charset: 'iso-8859-1', encoding: 'quoted-printable' },
	},
	misaki: { name: '田中 美咲', email: 'm.tanaka@outside.test', packing: { charset: 'utf-8', encoding: 'base64' } },
	ivan: { name: 'Иван Петров', email: 'ivan@pochta.example', packing: { charset: 'koi8-r', encoding: 'base64' } },
	/** Impersonates Alice. */
	mallory: { name: 'Alice Oberg <alice@forge.test>', email: 'mallory@evil.example' },
	riyer: {
		name: 'R. Iyer',
		email: 'riyer@outside.test',
		packing: { charset: 'utf-8', encoding: '8bit', parameters: '; format=flowed; delsp=yes' },
	},
	/** Ids with slashes, so the API can't address his mails (docs/protocol.md#message-ids-in-paths). */
	sam: {
		name: 'Sam "Quote" O\'Neil',
		email: 'sam@outside.test',
		messageId: (hash) => `${hash.slice(0, 8)}/${hash.slice(8, 14)}+x`,
	},
	visitor: { name: '', email: 'drive-by@outside.test' },
};

/** Finds the people of the tests' world by their short names. */
export function createTestWriters(users: Users): (name: string) => Writer {
	return createWriters(users, people);
}
