import type { Destination, RepositoryWay } from '../port/destination.ts';
import type { LineRange, RepositoryRef } from '../port/repository.ts';

/** A split address: a reference, and perhaps a path below it. */
export interface ReadWay {
	readonly revision: string;
	/** `undefined` for the reference itself. */
	readonly path: string | undefined;
}

/** Git's lookup order for reference names (gitrevisions). */
const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const;

/** The only possible split, for any set of references; `undefined` if it depends on them. */
export function onlyReading({ page, steps }: RepositoryWay): ReadWay | undefined {
	const [first = '', ...below] = steps;
	if (below.length === 0) {
		return { revision: first, path: undefined };
	}
	// Git always reads a full id as an id, and HEAD always exists.
	return page !== 'refs' && /^(?:HEAD|[0-9a-f]{40}|[0-9a-f]{64})$/.test(first) ? readAt(page, steps, 1) : undefined;
}

/**
 * The forge's split: it joins steps until they name a reference (docs/protocol.md#revisions). `names`: full names.
 * `undefined` if no prefix names a reference.
 */
export function readingAmong({ page, steps }: RepositoryWay, names: ReadonlySet<string>): ReadWay | undefined {
	if (page === 'refs') {
		const tag = steps.join('/');
		return names.has(`refs/tags/${tag}`) ? { revision: tag, path: undefined } : undefined;
	}
	// Bounds the work: a hostile address may have any number of steps.
	const longest = [...names].reduce((most, { length }) => Math.max(most, length), 0);
	let name = '';
	for (const [last, step] of steps.entries()) {
		name = last === 0 ? step : `${name}/${step}`;
		if (name.length > longest) {
			return undefined;
		}
		const beginning = name;
		if (prefixes.some((prefix) => names.has(`${prefix}${beginning}`))) {
			return readAt(page, steps, last + 1);
		}
	}
	return undefined;
}

/** Best guess without references: the part before `item`, or else the first step, or all steps. */
export function likelyReading({ page, steps }: RepositoryWay): ReadWay {
	switch (page) {
		case 'refs':
			return { revision: steps.join('/'), path: undefined };
		case 'blob':
		case 'blame':
			return readAt(page, steps, 1);
		case 'tree':
		case 'log': {
			const item = steps.indexOf('item', 1);
			const isRevision = /^[0-9a-f]{4,64}$|[~^]/.test(steps[0] ?? '');
			return readAt(page, steps, item === -1 ? (isRevision ? 1 : steps.length) : item);
		}
	}
}

/** The first `count` steps are the reference. A path follows `item`, or directly on old forges and for raw text. */
function readAt(page: RepositoryWay['page'], steps: readonly string[], count: number): ReadWay {
	const rest = steps.slice(count);
	const path = (page === 'tree' || page === 'log') && rest[0] === 'item' ? rest.slice(1) : rest;
	return { revision: steps.slice(0, count).join('/'), path: path.length === 0 ? undefined : path.join('/') };
}

/** Lines of a URL fragment: `L10`, `L10-20`, or the first range of `L10-15,20`. */
export function linesOfFragment(fragment: string): LineRange | undefined {
	const [, first, last = first] = /^L([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?(?:$|,)/.exec(fragment) ?? [];
	return first === undefined ? undefined : { first: Number(first), last: Math.max(Number(first), Number(last)) };
}

/** Inverse of `linesOfFragment`: `L10`, `L10-20`. */
export function fragmentOfLines({ first, last }: LineRange): string {
	return last > first ? `L${first}-${last}` : `L${first}`;
}

export function destinationOfReading(
	ref: RepositoryRef,
	{ page, lines }: RepositoryWay,
	reading: ReadWay,
): Extract<Destination, { kind: 'reference' | 'file' | 'log' }> {
	if (page === 'log') {
		return { kind: 'log', ref, revision: reading.revision, path: reading.path };
	}
	const { revision, path } = reading;
	return path === undefined
		? { kind: 'reference', ref, revision }
		: { kind: 'file', ref, at: { ref: revision, path }, lines };
}
