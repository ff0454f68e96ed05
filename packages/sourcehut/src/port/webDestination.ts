import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import type { Destination } from './destination.ts';
import type { Area, ForgeInstance } from './instance.ts';
import { isOwnerName } from './namedRef.ts';
import type { RepositoryRef } from './repository.ts';
import {
	linesOfFragment as linesOf,
	onlyReading,
	placeOfReading,
	type ReadWay,
	type RepositoryWay,
} from './repositoryWay.ts';

/**
 * Destination of a web address; `undefined` for an address outside the forge. A page without its own view stays a web
 * page.
 */
export function webDestination(url: URL, { areas }: ForgeInstance): Destination | undefined {
	const area = (['todo', 'lists', 'git', 'meta'] as const).find(
		(each) => URL.parse(areas[each])?.origin === url.origin,
	);
	if (!area) {
		return undefined;
	}
	const [owner = '', name = '', ...rest] = stepsOf(url.pathname);
	const isOwner = isOwnerName(owner) && !name.includes('/');
	return (
		(isOwner
			? ofOwner(area, { owner, name }, { rest, fragment: decoded(url.hash.slice(1)), href: url.href })
			: undefined) ?? {
			kind: 'web',
			href: url.href,
		}
	);
}

interface Named {
	readonly owner: string;
	readonly name: string;
}

/** The address after owner and name. */
interface Tail {
	readonly rest: readonly string[];
	readonly fragment: string;
	readonly href: string;
}

/** An owner's page shows the same person in all areas. */
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

function inTracker(tracker: Named, { rest: [id, more], fragment }: Tail): Destination | undefined {
	if (id === undefined) {
		return { kind: 'tracker', ref: tracker };
	}
	if (!isNumber(id) || more !== undefined) {
		return undefined;
	}
	const event = fragment.replace(/^event-/, '');
	const isAtEvent = event !== fragment && isNumber(event);
	return { kind: 'ticket', ref: { tracker, id: Number(id) }, ...(isAtEvent ? { event: Number(event) } : {}) };
}

/** A reply's address is the thread's address, with the Message-ID of the reply in the fragment. */
function inList(list: Named, { rest: [first, ...more], fragment }: Tail): Destination | undefined {
	const [anchor = '', file] = fragment.split(/(?<=>)\+(.+)$/s);
	const reply = bracketed(anchor);
	if (first === undefined || (first === 'patches' && more.length === 0)) {
		return { kind: 'list', ref: list };
	}
	if (first === 'patches') {
		return inPatchset(list, more, { reply, file });
	}
	const thread = messageIdIn([first, ...more]);
	const messageId = reply ?? thread;
	if (messageId === undefined) {
		return undefined;
	}
	return { kind: 'mail', messageId, list, ...(reply === undefined || thread === undefined ? {} : { thread }) };
}

/** A file of the patch may follow the mail in the fragment. */
function inPatchset(
	list: Named,
	[id = '']: readonly string[],
	{ reply, file }: { readonly reply: string | undefined; readonly file: string | undefined },
): Destination | undefined {
	const at = reply === undefined ? {} : { mail: reply, ...(file === undefined ? {} : { file }) };
	return isNumber(id) ? { kind: 'patchset', ref: { list, id: Number(id) }, ...at } : undefined;
}

/**
 * The forge leaves slashes in a Message-ID unencoded (docs/protocol.md#message-ids-in-paths). At most one word follows.
 */
function messageIdIn(steps: readonly string[]): string | undefined {
	const [first = ''] = steps;
	return (
		bracketed(first) ??
		(first.startsWith('<') ? (bracketed(steps.join('/')) ?? bracketed(steps.slice(0, -1).join('/'))) : undefined)
	);
}

function inRepository(ref: Named, { rest: [page, ...below], fragment, href }: Tail): Destination | undefined {
	const steps = below.flatMap((step) => step.split('/'));
	switch (page) {
		case undefined:
			return { kind: 'repository', ref };
		case 'tree':
		case 'log':
			return steps.length === 0
				? { kind: 'repository', ref }
				: onWay(ref, { page, steps, lines: linesOf(fragment) }, href);
		case 'blob':
		case 'blame':
			return steps.length < 2 ? undefined : onWay(ref, { page, steps, lines: linesOf(fragment) }, href);
		case 'commit': {
			const id = below[0]?.replace(/\.patch$/, '');
			return id === undefined || below.length > 1 ? undefined : { kind: 'commit', ref, id };
		}
		case 'refs':
			return steps.length === 0 ? undefined : onWay(ref, { page, steps, lines: undefined }, href);
		default:
			return undefined;
	}
}

/** Resolves immediately if the address is unambiguous. */
function onWay(ref: Named, way: RepositoryWay, href: string): Destination | undefined {
	if (isFeed(way)) {
		return undefined;
	}
	const only = onlyReading(way);
	return only ? destinationOfReading(ref, way, only) : { kind: 'inRepository', ref, way, href };
}

export function destinationOfReading(
	ref: RepositoryRef,
	{ page, lines }: RepositoryWay,
	reading: ReadWay,
): Extract<Destination, { kind: 'reference' | 'file' | 'log' }> {
	if (page === 'log') {
		return { kind: 'log', ref, revision: reading.revision, path: reading.path };
	}
	const at = placeOfReading(reading);
	return at ? { kind: 'file', ref, at, lines } : { kind: 'reference', ref, revision: reading.revision };
}

/** Logs and reference lists have feeds. */
function isFeed({ page, steps }: RepositoryWay): boolean {
	return (
		steps.at(-1) === 'rss.xml' && ((page === 'log' && steps.length > 1) || (page === 'refs' && steps.length === 1))
	);
}

/** Only the `@` distinguishes a Message-ID without brackets from other steps. */
function bracketed(text: string): string | undefined {
	const bare = /^<([^<>\s]+)>$/.exec(text)?.[1] ?? /^<?([^<>\s]+@[^<>\s]+)>?$/.exec(text)?.[1];
	return bare === undefined ? undefined : `<${bare}>`;
}

function isNumber(text: string): boolean {
	return /^[1-9]\d{0,14}$/.test(text);
}

/** Decoded steps of a path. Ignores one trailing slash. */
function stepsOf(path: string): readonly string[] {
	const steps = path.replace(/^\//, '').replace(/\/$/, '').split('/');
	return steps.length === 1 && steps[0] === '' ? [] : steps.map(decoded);
}

/** Returns malformed text unchanged. */
function decoded(text: string): string {
	return decodedPart(text) ?? text;
}
