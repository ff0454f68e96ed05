import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import type { Destination, RepositoryWay } from '../port/destination.ts';
import type { ForgeInstance } from '../port/instance.ts';
import type { ListRef } from '../port/list.ts';
import { isOwnerName, type NamedRef } from '../port/namedRef.ts';
import type { RepositoryRef } from '../port/repository.ts';
import type { PastedReference } from '../port/webAddresses.ts';
import { destinationOfReading, linesOfFragment as linesOf, onlyReading } from './repositoryWay.ts';

/**
 * Destination of a web address; `undefined` for an address outside the forge. A page without its own view stays a web
 * page.
 */
export function webDestination(url: URL, { areas }: ForgeInstance): Destination | undefined {
	const area = (['todo', 'lists', 'git', 'meta'] as const).find(
		(each) => URL.parse(areas[each] ?? '')?.origin === url.origin,
	);
	if (!area) {
		return undefined;
	}
	const { pathname, href, hash } = url;
	// Ignores one trailing slash.
	const path = pathname.replace(/^\//, '').replace(/\/$/, '');
	const [owner = '', name = '', ...rest] = path === '' ? [] : path.split('/').map(decoded);
	const web = { kind: 'web', href } as const;
	if (!isOwnerName(owner) || name.includes('/')) {
		return web;
	}
	if (name === '') {
		// An owner's page shows the same person in all areas.
		return rest.length === 0 ? { kind: 'person', name: owner } : web;
	}
	const tail = { rest, fragment: decoded(hash.slice(1)), href };
	switch (area) {
		case 'todo':
			return inTracker({ owner, name }, tail) ?? web;
		case 'lists':
			return inList({ owner, name }, tail) ?? web;
		case 'git':
			return inRepository({ owner, name }, tail) ?? web;
		case 'meta':
			return web;
	}
}

/** The address after owner and name. */
interface Tail {
	readonly rest: readonly string[];
	readonly fragment: string;
	readonly href: string;
}

function inTracker(tracker: NamedRef, { rest: [id, more], fragment }: Tail): Destination | undefined {
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
function inList(list: NamedRef, { rest: [first, ...more], fragment }: Tail): Destination | undefined {
	const [anchor = '', file] = fragment.split(/(?<=>)\+(.+)$/s);
	const reply = bracketed(anchor);
	if (first === undefined || (first === 'patches' && more.length === 0)) {
		return { kind: 'list', ref: list };
	}
	if (first === 'patches') {
		const [id = ''] = more;
		// A file of the patch may follow the mail in the fragment.
		const at = reply === undefined ? {} : { mail: reply, ...(file === undefined ? {} : { file }) };
		return isNumber(id) ? { kind: 'patchset', ref: { list, id: Number(id) }, ...at } : undefined;
	}
	const thread = messageIdIn([first, ...more]);
	const messageId = reply ?? thread;
	if (messageId === undefined) {
		return undefined;
	}
	return { kind: 'mail', messageId, list, ...(reply === undefined || thread === undefined ? {} : { thread }) };
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

function inRepository(ref: NamedRef, { rest: [page, ...below], fragment, href }: Tail): Destination | undefined {
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
function onWay(ref: NamedRef, way: RepositoryWay, href: string): Destination | undefined {
	const { page, steps } = way;
	// Logs and reference lists have feeds.
	if (steps.at(-1) === 'rss.xml' && ((page === 'log' && steps.length > 1) || (page === 'refs' && steps.length === 1))) {
		return undefined;
	}
	const only = onlyReading(way);
	return only ? destinationOfReading(ref, way, only) : { kind: 'inRepository', ref, way, href };
}

/** Only the `@` distinguishes a Message-ID without brackets from other steps. */
function bracketed(text: string): string | undefined {
	const bare = /^<([^<>\s]+)>$/.exec(text)?.[1] ?? /^<?([^<>\s]+@[^<>\s]+)>?$/.exec(text)?.[1];
	return bare === undefined ? undefined : `<${bare}>`;
}

function isNumber(text: string): boolean {
	return /^[1-9]\d{0,14}$/.test(text);
}

/** Returns malformed text unchanged. */
function decoded(text: string): string {
	return decodedPart(text) ?? text;
}

/**
 * The path that a pasted address names on the web, decoded and without the slash before it; empty, so that it names
 * nothing, on another host or in another area than `origin`. `undefined` for a text that is no address.
 */
function pastedPath(text: string, origin: string): string | undefined {
	if (!/^https?:/i.test(text)) {
		return undefined;
	}
	const url = URL.parse(text);
	return url && url.origin === URL.parse(origin)?.origin ? (decodedPart(url.pathname.slice(1)) ?? '') : '';
}

const written = /^(?<owner>~[^/\s#]+)\/(?<name>[^/\s#]+?)(?:[/#](?<id>[1-9]\d{0,8}))?\/?$/;

/**
 * Reads `~owner/name`, `~owner/name#12`, and addresses of trackers and tickets on the forge itself. Addresses of other
 * hosts and areas are none of ours.
 */
export function pastedReference(text: string, todoOrigin: string): PastedReference | undefined {
	const { owner, name, id } = written.exec(pastedPath(text.trim(), todoOrigin) ?? text.trim())?.groups ?? {};
	if (owner === undefined || name === undefined) {
		return undefined;
	}
	const tracker = { owner, name };
	return id === undefined ? { kind: 'tracker', tracker } : { kind: 'ticket', ticket: { tracker, id: Number(id) } };
}

/**
 * The list named by pasted text: `~owner/name`, `address@host/name`, or a URL inside a list of this forge. Rejects other hosts
 * and areas.
 */
export function pastedList(text: string, listsOrigin: string): ListRef | undefined {
	const trimmed = text.trim();
	const path = pastedPath(trimmed, listsOrigin)?.split('/').slice(0, 2).join('/');
	const [, owner, name] = /^([^/\s]+)\/([^/\s#]+)$/.exec(path ?? trimmed.replace(/\/$/, '')) ?? [];
	// An owner is `~name` or an e-mail address (docs/protocol.md#names-in-paths).
	return owner !== undefined && name !== undefined && /^~.|.@./.test(owner) ? { owner, name } : undefined;
}

/**
 * Parses `~owner/name`, a web address of a repository or its content, or a clone address on the forge. Rejects
 * addresses of other hosts and areas.
 */
export function pastedRepository(text: string, gitOrigin: string): RepositoryRef | undefined {
	const trimmed = text.trim();
	const [, sshHost, sshPath = ''] = /^(?:ssh:\/\/)?git@([^:/\s]+)[:/](.+)$/.exec(trimmed) ?? [];
	if (sshHost !== undefined && sshHost !== (URL.parse(gitOrigin)?.hostname ?? '')) {
		return undefined;
	}
	const path = sshHost === undefined ? pastedPath(trimmed, gitOrigin) : sshPath;
	const [, owner, name] = /^(~[^/\s]+)\/([^/\s]+)$/.exec(path?.split('/').slice(0, 2).join('/') ?? trimmed) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}
