import type { Reference } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { newestVersionFirst } from 'patchmail/git/tagVersion.ts';

export type ReferenceKind = 'branch' | 'tag' | 'other';

/** The revision name of the default branch. */
export const headRevision = 'HEAD';

const prefixes: Readonly<Record<ReferenceKind, string>> = { branch: 'refs/heads/', tag: 'refs/tags/', other: 'refs/' };

export function referenceKind({ name }: Pick<Reference, 'name'>): ReferenceKind {
	return name.startsWith(prefixes.branch) ? 'branch' : name.startsWith(prefixes.tag) ? 'tag' : 'other';
}

/** `refs/heads/feature/x` → `feature/x`. References other than branches and tags lose only `refs/`. */
export function shortName(reference: Pick<Reference, 'name'>): string {
	const prefix = prefixes[referenceKind(reference)];
	return reference.name.startsWith(prefix) ? reference.name.slice(prefix.length) : reference.name;
}

/**
 * Short names that resolve to another object, because servers try prefixes of a path as a revision: git's special names
 * such as `HEAD` and `@`, prefixes below `refs/`, and abbreviated object ids.
 */
const leadsElsewhere = /^(?:(?:@|[A-Z_]*HEAD)(?:\/|$)|(?:refs|heads|tags|remotes)\/|(?:[^/]*-g)?[0-9a-fA-F]{4,}\/)/;

export function usualBranch(all: readonly Reference[]): Reference | undefined {
	return ['refs/heads/main', 'refs/heads/master'].flatMap((name) => all.find((each) => each.name === name) ?? [])[0];
}

/** Branch to show when `HEAD` points to a missing branch. */
export function insteadOfHead(all: readonly Reference[]): Reference | undefined {
	return usualBranch(all) ?? all.find((each) => referenceKind(each) === 'branch');
}

/** Number of references per short name, cached per list: lists of thousands are common. */
const counted = new WeakMap<readonly Reference[], ReadonlyMap<string, number>>();

function shortNamesOf(all: readonly Reference[]): ReadonlyMap<string, number> {
	const known = counted.get(all);
	if (known) {
		return known;
	}
	const counts = new Map<string, number>();
	for (const reference of all) {
		const short = shortName(reference);
		counts.set(short, (counts.get(short) ?? 0) + 1);
	}
	counted.set(all, counts);
	return counts;
}

/**
 * The revision string for exactly this reference, one of `all`: its short name if unambiguous, otherwise its full name.
 * A tag wins over a branch of the same name, and a tag `a` hides a branch `a/b` (docs/protocol.md#revisions).
 */
export function revisionOf(reference: Reference, all: readonly Reference[]): string {
	const short = shortName(reference);
	const isSpecial = referenceKind(reference) === 'other' || isObjectId(short) || leadsElsewhere.test(short);
	if (isSpecial) {
		return reference.name;
	}
	const counts = shortNamesOf(all);
	if ((counts.get(short) ?? 0) > 1) {
		return reference.name;
	}
	for (let end = short.indexOf('/'); end !== -1; end = short.indexOf('/', end + 1)) {
		if (counts.has(short.slice(0, end))) {
			return reference.name;
		}
	}
	return short;
}

/** Inverse of `revisionOf`. */
export function referenceOf(revision: string, all: readonly Reference[]): Reference | undefined {
	return (
		all.find(({ name }) => name === revision) ??
		all.find((each) => shortName(each) === revision && revisionOf(each, all) === revision)
	);
}

/** Branches by name with `first` on top, then tags with the newest version first, then the rest by name. */
export function inReadingOrder(references: readonly Reference[], first: string | undefined): readonly Reference[] {
	const collator = new Intl.Collator('en', { numeric: true });
	const byName = (a: Reference, b: Reference): number => collator.compare(shortName(a), shortName(b));
	const place = (reference: Reference): number => (shortName(reference) === first ? 0 : 1);
	const of = (kind: ReferenceKind): readonly Reference[] =>
		references.filter((reference) => referenceKind(reference) === kind);
	return [
		...of('branch').toSorted((a, b) => place(a) - place(b) || byName(a, b)),
		...newestVersionFirst(of('tag'), shortName),
		...of('other').toSorted(byName),
	];
}
