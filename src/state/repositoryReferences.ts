import type { Reference } from '../forge/repository.ts';
import { isObjectId } from '../git/objectId.ts';

export type ReferenceKind = 'branch' | 'tag' | 'other';

/** Stands for the default branch wherever a revision is named. */
export const headRevision = 'HEAD';

const prefixes: Readonly<Record<ReferenceKind, string>> = { branch: 'refs/heads/', tag: 'refs/tags/', other: 'refs/' };

export function referenceKind({ name }: Pick<Reference, 'name'>): ReferenceKind {
	return name.startsWith(prefixes.branch) ? 'branch' : name.startsWith(prefixes.tag) ? 'tag' : 'other';
}

/** `refs/heads/feature/x` → `feature/x`; names that are neither branches nor tags lose only `refs/`. */
export function shortName(reference: Pick<Reference, 'name'>): string {
	const prefix = prefixes[referenceKind(reference)];
	return reference.name.startsWith(prefix) ? reference.name.slice(prefix.length) : reference.name;
}

/** Git looks for these below `refs/` before it looks for branches and tags. */
const lookedUpFirst = /^(?:refs|heads|tags|remotes|HEAD)\//;

/**
 * How a server is asked for exactly this reference: by its short name where that can mean nothing else, otherwise by
 * its full name. A tag wins over a branch of the same name, and a tag `a` hides a branch `a/b`, because servers join
 * the parts of a path until they resolve (observed-behaviour 4.6).
 */
export function revisionOf(reference: Reference, all: readonly Reference[]): string {
	const short = shortName(reference);
	const isSpecial = referenceKind(reference) === 'other' || short === headRevision || isObjectId(short);
	const isAmbiguous = (): boolean =>
		all.some((other) => {
			const name = shortName(other);
			return other.name !== reference.name && (name === short || short.startsWith(`${name}/`));
		});
	return isSpecial || lookedUpFirst.test(short) || isAmbiguous() ? reference.name : short;
}

/** The reference that a revision names. */
export function referenceOf(revision: string, all: readonly Reference[]): Reference | undefined {
	return all.find(({ name }) => name === revision) ?? all.find((each) => revisionOf(each, all) === revision);
}

/** Branches by name, tags newest version first; what `first` names comes before all others. */
export function inReadingOrder(references: readonly Reference[], first: string | undefined): readonly Reference[] {
	const collator = new Intl.Collator('en', { numeric: true });
	const place = (reference: Reference): number =>
		referenceKind(reference) === 'branch' && shortName(reference) === first ? 0 : 1;
	return [...references].sort((a, b) => {
		const byName = collator.compare(shortName(a), shortName(b));
		return place(a) - place(b) || (referenceKind(a) === 'tag' && referenceKind(b) === 'tag' ? -byName : byName);
	});
}
