import { isAbsolute } from 'node:path';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { GitFailure } from './gitFailure.ts';

/** Validates untrusted values for git. Also refuses names that git allows but a command line could misread. */

/** True for a short branch or tag name by the rules of `git check-ref-format`, without leading dashes. */
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

/** Throws unless `id` is a full object id. */
export function idArgument(id: string): string {
	if (!isObjectId(id)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return id;
}

/** Throws unless the path is absolute. */
export function folderArgument(folder: string): string {
	if (!isAbsolute(folder)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return folder;
}

/** True for a path that fits on one line of input. */
export function isLine(path: string): boolean {
	return /^[^\p{Cc}]{1,4096}$/u.test(path);
}

/** Throws unless {@link isLine}: a line ends the path. */
export function pathArgument(path: string): string {
	if (!isLine(path)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return path;
}

/** Throws unless `identity` can be part of a setting's name in `git -c`, which ends at the first `=`. */
export function identityArgument(identity: string): string {
	if (!/^[^\p{Cc}=\u{FFFD}]{1,200}$/u.test(identity)) {
		throw new GitFailure({ kind: 'refused', what: 'sender' });
	}
	return identity;
}

/** Throws unless `id` is a full or abbreviated object id. */
export function shortIdArgument(id: string): string {
	if (!/^[0-9a-f]{7,64}$/.test(id)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return id;
}

/** True for a text that a question shows in full, sign by sign. U+FFFD replaces an invalid byte. */
export function isShowable(text: string): boolean {
	return text.length <= 1000 && text.isWellFormed() && /^[^\p{C}\p{Zl}\p{Zp}\u{FFFD}]+$/u.test(text);
}

/** Throws unless {@link isShowable}. */
export function shownArgument(text: string): string {
	if (!isShowable(text)) {
		throw new GitFailure({ kind: 'refused', what: 'command' });
	}
	return text;
}

/** Throws unless {@link isSafeRefName}. */
export function branchArgument(branch: string): string {
	if (!isSafeRefName(branch)) {
		throw new GitFailure({ kind: 'refused', what: 'branch' });
	}
	return branch;
}

/** True for a branch or tag name, `HEAD` or an object id, optionally with suffixes such as `~2`. */
export function isSafeRevision(revision: string): boolean {
	const [, name = ''] = /^([^~^]*)(?:~\d{0,5}|\^\d{0,2})*$/.exec(revision) ?? [];
	return isSafeRefName(name);
}

/** Throws unless {@link isSafeRevision}. */
export function revisionArgument(revision: string): string {
	if (!isSafeRevision(revision)) {
		throw new GitFailure({ kind: 'refused', what: 'commit' });
	}
	return revision;
}

/** Throws unless `name` is a branch, a tag, `HEAD` or a full object id. */
export function sourceArgument(name: string): string {
	return isObjectId(name) ? name : branchArgument(name);
}

const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const repositoryPath = /^~[A-Za-z_][\w-]{0,254}\/(?<name>[^/]+)$/;
/** Letters of all scripts, and signs without a meaning in shells. */
const literalName = /^[\p{L}\p{M}\p{N}._+@%~-]{1,255}$/u;
const encodedName = /^(?:[\w.@~-]|%[0-9A-F]{2}){1,1000}$/;

/**
 * Throws unless the address is `https://host/~owner/name`, http on loopback, or `git@host:~owner/name`. Refuses other
 * protocols, passwords and hosts that look like options.
 */
export function addressArgument(address: string): string {
	const overSsh = /^git@([^:/]+):(.+)$/.exec(address);
	const url = overSsh ? null : URL.parse(address);
	const isWeb =
		url !== null &&
		isWebOrigin(url) &&
		isRepositoryPath(url.pathname.slice(1), isEncodedName) &&
		address === `${url.origin}${url.pathname}`;
	const isFine = overSsh ? hostName.test(overSsh[1] ?? '') && isRepositoryPath(overSsh[2] ?? '', isLiteralName) : isWeb;
	if (!isFine) {
		throw new GitFailure({ kind: 'refused', what: 'address' });
	}
	return address;
}

const pathOfAddress = /^[\w./~+@%-]{1,1000}$/;

/**
 * Throws unless the address is https, http on loopback, or ssh in either form, on any server. Refuses passwords, local
 * paths and hosts that look like options.
 */
export function pushAddressArgument(address: string): string {
	const [, host = '', path = ''] = /^(?:[\w.][\w.-]*@)?([^@:/]+):([^:]+)$/.exec(address) ?? [];
	// A single letter is a Windows drive.
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

function isWebOrigin({ protocol, hostname }: URL): boolean {
	return isLoopback(hostname) ? /^https?:$/.test(protocol) : protocol === 'https:' && hostName.test(hostname);
}

export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function isRepositoryPath(path: string, isName: (name: string) => boolean): boolean {
	return isName(repositoryPath.exec(path)?.groups?.['name'] ?? '');
}

function isLiteralName(name: string): boolean {
	return literalName.test(name) && !/^\.+$/.test(name);
}

/** True if the decoded name is one line without blanks and path separators. */
function isEncodedName(text: string): boolean {
	const name = encodedName.test(text) ? (decodedPart(text) ?? '') : '';
	return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,255}$/u.test(name) && !/[\\/]|^\.+$/.test(name);
}

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|git~\d)(?:\.|$)/i;

/** True for a name that is valid and harmless as a folder on every system. */
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
