import type { Reference } from '../../forge/repository.ts';
import { isObjectId } from '../../git/objectId.ts';
import { newestVersionFirst } from '../../git/tagVersion.ts';

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

/**
 * Short names that lead elsewhere, because servers join the parts of a path until they resolve: git's own names such as
 * `HEAD` and `@`, what it looks for below `refs/` before it looks for branches, and the beginning of an object's id.
 */
const leadsElsewhere = /^(?:(?:@|[A-Z_]*HEAD)(?:\/|$)|(?:refs|heads|tags|remotes)\/|(?:[^/]*-g)?[0-9a-fA-F]{4,}\/)/;

export function usualBranch(all: readonly Reference[]): Reference | undefined {
	return ['refs/heads/main', 'refs/heads/master'].flatMap((name) => all.find((each) => each.name === name) ?? [])[0];
}

/** The branch to show if `HEAD` leads nowhere. */
export function insteadOfHead(all: readonly Reference[]): Reference | undefined {
	return usualBranch(all) ?? all.find((each) => referenceKind(each) === 'branch');
}

/** How many references of a list have each short name. Counted once for each list: lists of thousands are common. */
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
 * How a server is asked for exactly this reference, one of `all`: by its short name where that can mean nothing else,
 * otherwise by its full name. A tag wins over a branch of the same name, and a tag `a` hides a branch `a/b`
 * (docs/protocol.md#revisions).
 */
export function revisionOf(reference: Reference, all: readonly Reference[]): string {
	const short = shortName(reference);
	const isSpecial = referenceKind(reference) === 'other' || isObjectId(short) || leadsElsewhere.test(short);
	return isSpecial || isAmbiguous(short, shortNamesOf(all)) ? reference.name : short;
}

/** True for a name that several have, or whose beginning is another one. */
function isAmbiguous(short: string, counts: ReadonlyMap<string, number>): boolean {
	if ((counts.get(short) ?? 0) > 1) {
		return true;
	}
	for (let end = short.indexOf('/'); end !== -1; end = short.indexOf('/', end + 1)) {
		if (counts.has(short.slice(0, end))) {
			return true;
		}
	}
	return false;
}

/** The reference that a revision names. */
export function referenceOf(revision: string, all: readonly Reference[]): Reference | undefined {
	return (
		all.find(({ name }) => name === revision) ??
		all.find((each) => shortName(each) === revision && revisionOf(each, all) === revision)
	);
}

/** Branches by name, what `first` names before all others, then tags newest version first, then the rest by name. */
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
