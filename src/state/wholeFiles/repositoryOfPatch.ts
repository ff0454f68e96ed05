import type { ListRef } from '../../forge/list.ts';
import { isSameRepository, type RepositoryRef } from '../../forge/repository.ts';

/** A clone on this machine, as its own settings tell of it. */
export interface CloneClue {
	/** What one of its remotes names. */
	readonly ref: RepositoryRef;
	/** Where it sends its patches (`sendemail.to`), where that is a list of the forge. */
	readonly list: ListRef | undefined;
}

/** What is known of where a patch belongs. */
export interface PatchClues {
	readonly list: ListRef;
	/** What stands between `PATCH` and the version: a repository's name, a branch, or any words. */
	readonly prefix: string | undefined;
	/** What a person has said for this list and prefix. */
	readonly chosen: RepositoryRef | undefined;
	readonly clones: readonly CloneClue[];
	/** Repositories that the forge has: one's own, and those that are followed. */
	readonly known: readonly RepositoryRef[];
}

/** The repository that a patch belongs to. */
export type RepositoryOfPatch =
	| {
			readonly kind: 'found';
			readonly ref: RepositoryRef;
			readonly by: 'choice' | 'clone' | 'prefix' | 'list name';
			/** False where nobody has seen yet that there is such a repository; it is asked about where it is not. */
			readonly isThere: boolean;
	  }
	/** A person has to say it, once; the likeliest first, perhaps none. */
	| { readonly kind: 'ask'; readonly likely: readonly RepositoryRef[] };

/**
 * Lists and repositories are linked by nothing but custom. What a person said comes first, then a clone that sends its
 * patches to the list, then the name in the subject, then that of the list. Whatever is found is only where to look: what
 * a patch changes is known by its ids, so a wrong guess shows nothing wrong.
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

/** The same, put in order. */
interface ReadClues {
	readonly list: ListRef;
	readonly words: readonly string[];
	/** What clones are of, and what else is known. */
	readonly here: readonly RepositoryRef[];
	readonly all: readonly RepositoryRef[];
	/** Of clones that send their patches to the list. */
	readonly senders: readonly RepositoryRef[];
}

function byClone({ senders, here, words, list }: ReadClues): RepositoryOfPatch | undefined {
	const ref = only(senders) ?? only(named(senders, words)) ?? only(named(here, words), list);
	return ref && { kind: 'found', ref, by: 'clone', isThere: true };
}

/** Where nothing of that name is known, the list's owner may have it. */
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

/** Words that stand in prefixes and name no repository. */
const notNames: ReadonlySet<string> = new Set(['rfc', 'resend', 'wip', 'draft', 'series', 'patch', 'fixup', 'next']);

/** In lower case; what stands behind a slash is a branch. */
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

/** The only one; where the list's owner has one of several of the same name, that one. */
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
