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
	const sending = clones.filter(
		(clone) => clone.list?.owner === list.owner && clone.list.name.toLowerCase() === list.name.toLowerCase(),
	);
	const senders = distinct(sending.map(({ ref }) => ref));
	// Without the branch after a slash.
	const words = (prefix ?? '')
		.toLowerCase()
		.split(/[\s,;]+/)
		.map((word) => word.split('/')[0] ?? '')
		.filter((word) => word !== '' && !notNames.has(word));
	const named = (refs: readonly RepositoryRef[]): readonly RepositoryRef[] =>
		refs.filter(({ name }) => words.includes(name.toLowerCase()));

	const ofClone = only(senders) ?? only(named(senders)) ?? only(named(here), list);
	if (ofClone) {
		return { kind: 'found', ref: ofClone, by: 'clone', isThere: true };
	}
	const ofPrefix = only(named(all), list);
	if (ofPrefix) {
		return { kind: 'found', ref: ofPrefix, by: 'prefix', isThere: true };
	}
	const [name, ...others] = words;
	const isName = name !== undefined && others.length === 0 && /^\w[\w.-]*$/.test(name);
	if (isName && named(all).length === 0 && senders.length === 0 && list.owner.startsWith('~')) {
		return { kind: 'found', ref: { owner: list.owner, name }, by: 'prefix', isThere: false };
	}
	// The list of `lantern` is `lantern` or `lantern-devel`.
	const ofList = all.filter(({ owner, name: short }) => {
		const isNamedSo = `${list.name.toLowerCase()}-`.startsWith(`${short.toLowerCase()}-`);
		return owner === list.owner && isNamedSo;
	});
	const ofListName = words.length === 0 && senders.length === 0 ? only(ofList) : undefined;
	return ofListName
		? { kind: 'found', ref: ofListName, by: 'list name', isThere: true }
		: { kind: 'ask', likely: distinct([...senders, ...named(all), ...ofList, ...all]) };
}

/** Common prefix words that are no repository names. */
const notNames: ReadonlySet<string> = new Set(['rfc', 'resend', 'wip', 'draft', 'series', 'patch', 'fixup', 'next']);

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
