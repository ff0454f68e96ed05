import type { Destination } from './destination.ts';
import type { Area, ForgeInstance } from './instance.ts';

/**
 * Where an address on the web leads to on a forge (domain: addresses); `undefined` when it is none of that forge's. What
 * has no view of its own is a page on the web.
 */
export function webDestination(url: URL, { areas }: ForgeInstance): Destination | undefined {
	const area = (['todo', 'lists', 'git', 'meta'] as const).find(
		(each) => URL.parse(areas[each])?.origin === url.origin,
	);
	if (!area) {
		return undefined;
	}
	const [owner = '', name = '', ...rest] = stepsOf(url.pathname);
	const isOwner = owner.length > 1 && (owner.startsWith('~') || owner.includes('@'));
	return (
		(isOwner ? ofOwner(area, { owner, name }, { rest, fragment: decoded(url.hash.slice(1)) }) : undefined) ?? {
			kind: 'web',
			href: url.href,
		}
	);
}

interface Named {
	readonly owner: string;
	readonly name: string;
}

/** What stands behind owner and name. */
interface Tail {
	readonly rest: readonly string[];
	readonly fragment: string;
}

/** An owner's own page is the same person's in every area. */
function ofOwner(area: Area, ref: Named, tail: Tail): Destination | undefined {
	if (ref.name !== '') {
		return within(area, ref, tail);
	}
	return tail.rest.length === 0 ? { kind: 'person', name: ref.owner } : undefined;
}

function within(area: Area, ref: Named, tail: Tail): Destination | undefined {
	switch (area) {
		case 'todo':
			return inTracker(ref, tail);
		case 'lists':
			return inList(ref, tail);
		case 'git':
			return inRepository(ref, tail);
		case 'meta':
			return undefined;
	}
}

function inTracker(tracker: Named, { rest: [id, more] }: Tail): Destination | undefined {
	if (id === undefined) {
		return { kind: 'tracker', ref: tracker };
	}
	return isNumber(id) && more === undefined ? { kind: 'ticket', ref: { tracker, id: Number(id) } } : undefined;
}

/** A reply's address is its thread's, with the Message-ID of the reply behind the sharp. */
function inList(list: Named, { rest: [first, second], fragment }: Tail): Destination | undefined {
	if (first === undefined || (first === 'patches' && second === undefined)) {
		return { kind: 'list', ref: list };
	}
	if (first === 'patches') {
		return second !== undefined && isNumber(second)
			? { kind: 'patchset', ref: { list, id: Number(second) } }
			: undefined;
	}
	const messageId = bracketed(fragment) ?? bracketed(first);
	return messageId === undefined ? undefined : { kind: 'mail', messageId, list };
}

function inRepository(ref: Named, { rest: [kind, ...below], fragment }: Tail): Destination | undefined {
	switch (kind) {
		case undefined:
			return { kind: 'repository', ref };
		case 'tree':
		case 'log':
			return inTree(ref, below, fragment);
		case 'blob':
		case 'blame': {
			const [revision, ...path] = below;
			return revision === undefined || path.length === 0
				? undefined
				: fileAt(ref, [revision, path.join('/')], fragment);
		}
		case 'commit': {
			const id = below[0]?.replace(/\.patch$/, '');
			return id === undefined || below.length > 1 ? undefined : { kind: 'commit', ref, id };
		}
		case 'refs':
			return below.length === 1 && below[0] !== undefined && !below[0].endsWith('.xml')
				? { kind: 'reference', ref, revision: below[0] }
				: undefined;
		default:
			return undefined;
	}
}

/** A reference may hold slashes, so a path begins behind a step of its own: `tree/feature/x/item/src/main.c`. */
function inTree(ref: Named, below: readonly string[], fragment: string): Destination | undefined {
	if (below.length === 0) {
		return { kind: 'repository', ref };
	}
	const item = below.indexOf('item');
	if (item < 1) {
		return below.at(-1)?.endsWith('.xml') === true ? undefined : { kind: 'reference', ref, revision: below.join('/') };
	}
	if (item === below.length - 1) {
		return { kind: 'reference', ref, revision: below.slice(0, item).join('/') };
	}
	return fileAt(ref, [below.slice(0, item).join('/'), below.slice(item + 1).join('/')], fragment);
}

/** Lines are told as `L10`, `L10-20` or `L10-15,20`; the first one counts. */
function fileAt(ref: Named, [revision, path]: readonly [string, string], fragment: string): Destination {
	const line = /^L([1-9]\d{0,8})(?:$|[-,])/.exec(fragment)?.[1];
	return { kind: 'file', ref, at: { ref: revision, path }, line: line === undefined ? undefined : Number(line) };
}

function bracketed(text: string): string | undefined {
	const bare = /^<?([^<>\s]+@[^<>\s]+)>?$/.exec(text)?.[1];
	return bare === undefined ? undefined : `<${bare}>`;
}

function isNumber(text: string): boolean {
	return /^[1-9]\d{0,14}$/.test(text);
}

/** Steps of a path, each decoded; one slash at the end is forgiven. */
function stepsOf(path: string): readonly string[] {
	const steps = path.replace(/^\//, '').replace(/\/$/, '').split('/');
	return steps.length === 1 && steps[0] === '' ? [] : steps.map(decoded);
}

/** As it stands when it cannot be decoded. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
