import { headCommit } from './applyState.ts';
import { gitCommands } from './gitCommands.ts';
import { outputOf, type HardenedGit } from './hardenedGit.ts';
import { sharedFolder } from './ownFolder.ts';

interface Person {
	readonly name: string;
	readonly address: string;
}

/**
 * Usual addresses of people by the `.mailmap` at HEAD of a clone, as `git check-mailmap` tells them. A `.mailmap` in the
 * working tree or in a patch does not count. Throws `GitFailure`.
 */
export async function usualAddresses(
	git: HardenedGit,
	root: string,
	people: readonly Person[],
	signal: AbortSignal,
): Promise<(person: Person) => string> {
	const written = people.map(contact);
	const commit = await headCommit(git, root, signal);
	const folder = await sharedFolder(git, root, signal);
	const output = await outputOf(git, folder, gitCommands.mailmap(commit, written), signal);
	const found = output.toString('utf8').split('\n');
	const byContact = new Map(written.map((each, at) => [each, /<([^<>]*)>$/.exec(found[at] ?? '')?.[1]]));
	return (person) => byContact.get(contact(person)) ?? person.address;
}

/** Git ends at a line without an address in angle brackets. */
function contact({ name, address }: Person): string {
	const [plainName, plainAddress] = [name, address].map((text) => text.replaceAll(/[<>\p{Cc}]/gu, ' ').trim());
	return `${plainName} <${plainAddress}>`.trim();
}
