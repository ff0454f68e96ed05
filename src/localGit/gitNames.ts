import { decodedPart } from '../base/decodedPart.ts';
import { isObjectId } from '../git/objectId.ts';
import { GitFailure } from './gitFailure.ts';

/*
 * What may be handed to git of all that a forge, a clone or a person says. Names that are fine for git but could be taken
 * for something else on a command line are refused, too.
 */

/** True for the short name of a branch or tag as `git check-ref-format` allows it, without a dash in front. */
export function isSafeRefName(name: string): boolean {
	return (
		name !== '' &&
		name.length <= 255 &&
		name !== '@' &&
		name.isWellFormed() &&
		!/[\p{Cc}\p{Cf}\p{Z}~^:?*[\\]/u.test(name) &&
		!name.includes('..') &&
		!name.includes('@{') &&
		!name.endsWith('.') &&
		name.split('/').every((part) => part !== '' && !/^[-.]/.test(part) && !/\.lock$/i.test(part))
	);
}

/** Throws unless it is a full object id. */
export function idArgument(id: string): string {
	if (!isObjectId(id)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return id;
}

/** Throws unless it can be the name of a part of somebody's mail settings (`sendemail.identity`). */
export function identityArgument(identity: string): string {
	if (!/^[\w.@ -]{1,100}$/.test(identity)) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	return identity;
}

/** Throws unless it is an object id, or the beginning of one as git writes it. */
export function shortIdArgument(id: string): string {
	if (!/^[0-9a-f]{7,64}$/.test(id)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return id;
}

/** Throws unless it is a name as above. */
export function branchArgument(branch: string): string {
	if (!isSafeRefName(branch)) {
		throw new GitFailure({ kind: 'refused', what: 'branch' });
	}
	return branch;
}

/** True for the name of a branch or tag, short or whole, `HEAD` or an object id, also with steps back as in `HEAD~2`. */
export function isSafeRevision(revision: string): boolean {
	const [, name = ''] = /^([^~^]*)(?:~\d{0,5}|\^\d{0,2})*$/.exec(revision) ?? [];
	return isSafeRefName(name);
}

/** Throws unless it is a revision as above. */
export function revisionArgument(revision: string): string {
	if (!isSafeRevision(revision)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return revision;
}

/** Throws unless it is the name of a branch or tag, short or whole, `HEAD`, or a full object id. */
export function sourceArgument(name: string): string {
	return isObjectId(name) ? name : branchArgument(name);
}

const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const repositoryPath = /^~[A-Za-z_][\w-]{0,254}\/(?<name>[^/]+)$/;
/** Letters of all languages and signs that mean nothing to a shell. */
const literalName = /^[\p{L}\p{M}\p{N}._+@%~-]{1,255}$/u;
const encodedName = /^(?:[\w.@~-]|%[0-9A-F]{2}){1,1000}$/;

/**
 * Throws unless it is `https://host/~owner/name`, the same over http on this machine, or `git@host:~owner/name`: no other
 * protocol, no password, no option in the place of a host.
 */
export function addressArgument(address: string): string {
	const overSsh = /^git@([^:/]+):(.+)$/.exec(address);
	const isFine = overSsh
		? hostName.test(overSsh[1] ?? '') && isRepositoryPath(overSsh[2] ?? '', isLiteralName)
		: isWebAddress(address);
	if (!isFine) {
		throw new GitFailure({ kind: 'refused', what: 'address' });
	}
	return address;
}

function isWebAddress(address: string): boolean {
	const url = URL.parse(address);
	return (
		url !== null && isWebOrigin(url) && isRepositoryPath(url.pathname.slice(1), isEncodedName) && address === bare(url)
	);
}

const pathOfAddress = /^[\w./~+@%-]{1,1000}$/;

/**
 * Throws unless it is an address of any server, as remotes have them: over https, http on this machine, or ssh in either
 * of its two forms. No password, no option in the place of a host, no folder of this machine.
 */
export function pushAddressArgument(address: string): string {
	const [, host = '', path = ''] = /^(?:[\w.][\w.-]*@)?([^@:/]+):([^:]+)$/.exec(address) ?? [];
	// A single letter is a disk.
	const isShort = host.length > 1 && hostName.test(host) && pathOfAddress.test(path) && !/^(?:-|\/\/)/.test(path);
	if (!isShort && !isServerAddress(address)) {
		throw new GitFailure({ kind: 'refused', what: 'address' });
	}
	return address;
}

function isServerAddress(address: string): boolean {
	const url = URL.parse(address);
	const isSsh = url?.protocol === 'ssh:' && hostName.test(url.hostname);
	return (
		url !== null &&
		/^[a-z]+:\/\//.test(address) &&
		url.password + url.search + url.hash === '' &&
		(isSsh || isWebOrigin(url)) &&
		/^(?:[\w.][\w.-]*)?$/.test(url.username) &&
		pathOfAddress.test(url.pathname) &&
		address.endsWith(url.pathname)
	);
}

/** Without a name, a password, a query or a fragment. */
function bare({ origin, pathname }: URL): string {
	return `${origin}${pathname}`;
}

function isWebOrigin({ protocol, hostname }: URL): boolean {
	return isLoopback(hostname) ? /^https?:$/.test(protocol) : protocol === 'https:' && hostName.test(hostname);
}

/** True for the names and numbers of this very machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function isRepositoryPath(path: string, isName: (name: string) => boolean): boolean {
	return isName(repositoryPath.exec(path)?.groups?.['name'] ?? '');
}

function isLiteralName(name: string): boolean {
	return literalName.test(name) && !/^\.+$/.test(name);
}

/** True for what a server decodes to a name of one line without blanks, and without steps of a path. */
function isEncodedName(text: string): boolean {
	const name = encodedName.test(text) ? (decodedPart(text) ?? '') : '';
	return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,255}$/u.test(name) && !/[\\/]|^\.+$/.test(name);
}

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|git~\d)(?:\.|$)/i;

/** True for a name that a new folder can have on every system, and that means nothing else anywhere. */
export function isSafeFolderName(name: string): boolean {
	return (
		name !== '' &&
		new TextEncoder().encode(name).length <= 200 &&
		name.isWellFormed() &&
		!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/u.test(name) &&
		!/^[-~ .]|[. ]$/.test(name) &&
		!reserved.test(name)
	);
}
