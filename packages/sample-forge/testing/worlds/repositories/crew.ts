import type { Users } from '../../../src/shared/area.ts';
import type { Random } from '../../../../../test/support/random.ts';
import type { SshSigner } from './repositoryDraft.ts';
import { createSampleSigner } from './sshSignature.ts';

/** Somebody who commits, with the offset of their clock. */
export interface Author {
	readonly name: string;
	readonly email: string;
	readonly offset: string;
	readonly signer?: SshSigner;
}

/** Authors of the sample repositories. Alice signs her commits, Bob and Dave some of theirs. */
export interface Crew {
	readonly alice: Author;
	readonly bob: Author;
	readonly carol: Author;
	readonly dave: Author;
	/** Somebody, the regulars more often than others. */
	any(random: Random): Author;
	/** Lines for a file of allowed signers. */
	readonly allowedSigners: readonly string[];
}

export function createCrew(users: Users): Crew {
	const signers = new Map(['alice', 'bob', 'dave'].map((name) => [name, createSampleSigner(`sample key of ${name}`)]));
	const author = (name: string, offset: string): Author => {
		const user = users.byName(name);
		if (user === undefined) {
			throw new Error(`The sample world has no ~${name}`);
		}
		const signer = signers.get(name);
		return { name: user.fullName, email: user.email, offset, ...(signer === undefined ? {} : { signer }) };
	};
	const alice = author('alice', '+0100');
	const bob = author('bob', '+0000');
	const carol = author('carol', '+0900');
	const dave = author('dave', '+0100');
	const others: readonly [Author, ...Author[]] = [
		author('frank', '+0200'),
		author('grace', '+0200'),
		author('heidi', '+0300'),
		{ name: 'Jörg Weiß', email: 'jörg@beispiel.example', offset: '+0200' },
		{ name: '田中 美咲', email: 'm.tanaka@outside.test', offset: '+0900' },
		{ name: 'R. Iyer', email: 'riyer@outside.test', offset: '+0530' },
		{ name: 'Sam "Quote" O\'Neil', email: 'sam@outside.test', offset: '-0330' },
	];
	const regulars = [alice, alice, alice, bob, bob, dave] as const;
	return {
		alice,
		bob,
		carol,
		dave,
		any: (random) => (random.chance(16) ? random.pick(others) : random.chance(8) ? carol : random.pick(regulars)),
		allowedSigners: Array.from(signers, ([name, signer]) => `${name}@forge.test ${signer.publicKey}`),
	};
}
