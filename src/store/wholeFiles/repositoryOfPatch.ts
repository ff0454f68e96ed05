import type { ListRef } from 'sourcehut/port/list.ts';
import { isSameRepository, type RepositoryRef } from 'sourcehut/port/repository.ts';

/** A local clone and its git config. */
export interface CloneClue {
	/** From one of its remotes. */
	readonly ref: RepositoryRef;
	/** From `sendemail.to`, if that is a list of the forge. */
	readonly list: ListRef | undefined;
}

/** Hints to the repository of a patch. */
export interface PatchClues {
	readonly list: ListRef;
	/** The text between `PATCH` and the version: a repository, a branch, or anything. */
	readonly prefix: string | undefined;
	/** The user's choice for this list and prefix. */
	readonly chosen: RepositoryRef | undefined;
	readonly clones: readonly CloneClue[];
	/** Existing repositories of the forge: own and followed. */
	readonly known: readonly RepositoryRef[];
}

export type RepositoryOfPatch =
	| {
			readonly kind: 'found';
			readonly ref: RepositoryRef;
			readonly by: 'choice' | 'clone' | 'prefix' | 'list name';
			/** False when unconfirmed; the caller has to check. */
			readonly isThere: boolean;
	  }
	/** The user has to choose once; candidates, best match first, maybe none. */
	| { readonly kind: 'ask'; readonly likely: readonly RepositoryRef[] };

/**
 * Only convention links lists and repositories. Order: the user's choice, a clone that sends to the list, the name in
 * the subject, the list name. A wrong guess is harmless, because ids verify the contents.
 */
export function repositoryOfPatch(clues: PatchClues): RepositoryOfPatch {
	const { chosen, list, clones, known, prefix } = clues;
	if (chosen) {
		return { kind: 'found', ref: chosen, by: 'choice', isThere: true };
	}
	const here = distinct(clones.map(({ ref }) => ref));
	const all = distinct([...here, ...known]);
	const senders = distinct(clones.filter((clone) => clone.list && isSameList(clone.list, list)).map(({ ref }) => ref));
	const read: ReadClues = { list, words: wordsOf(prefix), here, all, senders };
	return byClone(read) ?? byPrefix(read) ?? byListName(read) ?? { kind: 'ask', likely: likely(read) };
}

/** The same hints, parsed. */
interface ReadClues {
	readonly list: ListRef;
	readonly words: readonly string[];
	/** Repositories of clones; all known repositories. */
	readonly here: readonly RepositoryRef[];
	readonly all: readonly RepositoryRef[];
	/** Clones that send patches to the list. */
	readonly senders: readonly RepositoryRef[];
}

function byClone({ senders, here, words, list }: ReadClues): RepositoryOfPatch | undefined {
	const ref = only(senders) ?? only(named(senders, words)) ?? only(named(here, words), list);
	return ref && { kind: 'found', ref, by: 'clone', isThere: true };
}

/** For an unknown name, guesses a repository of the list's owner. */
function byPrefix({ all, senders, words, list }: ReadClues): RepositoryOfPatch | undefined {
	const known = named(all, words);
	const ref = only(known, list);
	if (ref) {
		return { kind: 'found', ref, by: 'prefix', isThere: true };
	}
	const [name, ...others] = words;
	const isName = name !== undefined && others.length === 0 && /^\w[\w.-]*$/.test(name);
	return isName && known.length === 0 && senders.length === 0 && list.owner.startsWith('~')
		? { kind: 'found', ref: { owner: list.owner, name }, by: 'prefix', isThere: false }
		: undefined;
}

function byListName(clues: ReadClues): RepositoryOfPatch | undefined {
	const ref = clues.words.length === 0 && clues.senders.length === 0 ? only(ofList(clues)) : undefined;
	return ref && { kind: 'found', ref, by: 'list name', isThere: true };
}

function ofList({ all, list }: ReadClues): readonly RepositoryRef[] {
	return all.filter(({ owner, name }) => owner === list.owner && isListOf(list.name, name));
}

function likely(clues: ReadClues): readonly RepositoryRef[] {
	return distinct([...clues.senders, ...named(clues.all, clues.words), ...ofList(clues), ...clues.all]);
}

/** Common prefix words that are no repository names. */
const notNames: ReadonlySet<string> = new Set(['rfc', 'resend', 'wip', 'draft', 'series', 'patch', 'fixup', 'next']);

/** Lowercase; drops the branch after a slash. */
function wordsOf(prefix = ''): readonly string[] {
	return prefix
		.toLowerCase()
		.split(/[\s,;]+/)
		.map((word) => word.split('/')[0] ?? '')
		.filter((word) => word !== '' && !notNames.has(word));
}

function named(refs: readonly RepositoryRef[], words: readonly string[]): readonly RepositoryRef[] {
	return refs.filter(({ name }) => words.includes(name.toLowerCase()));
}

/** The only candidate; among several, the one of the list's owner. */
function only(refs: readonly RepositoryRef[], list?: ListRef): RepositoryRef | undefined {
	if (refs.length < 2) {
		return refs[0];
	}
	const own = list ? refs.filter(({ owner }) => owner === list.owner) : [];
	return own.length === 1 ? own[0] : undefined;
}

function distinct(refs: readonly RepositoryRef[]): readonly RepositoryRef[] {
	return refs.filter((ref, at) => refs.findIndex((each) => isSameRepository(each, ref)) === at);
}

function isSameList(one: ListRef, other: ListRef): boolean {
	return one.owner === other.owner && one.name.toLowerCase() === other.name.toLowerCase();
}

/** `lantern` or `lantern-devel`. */
function isListOf(list: string, repository: string): boolean {
	const [long, short] = [list.toLowerCase(), repository.toLowerCase()];
	return long === short || long.startsWith(`${short}-`);
}
