import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** `~owner/name` below a host, as git and mail name it. */
export interface HostedName {
	readonly owner: string;
	readonly name: string;
}

const ownerAndName = /^\/?(?<owner>~[A-Za-z_][\w-]{0,254})\/(?<name>[^/\\]{1,255})\/?$/;
const listName = /^[A-Za-z0-9._-]+$/;
/** One line without blanks; older servers took more than letters for a repository. */
const repositoryName = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;

/**
 * The repository that a git remote names, when it lives on the forge whose repositories are at `gitOrigin`:
 * `https://host/~owner/repo`, `git@host:~owner/repo`, `ssh://git@host/~owner/repo`. Nothing is stripped: `repo` and
 * `repo.git` are two repositories (docs/protocol.md#addresses-for-git).
 */
export function repositoryOfRemote(remote: string, gitOrigin: string): HostedName | undefined {
	const place = URL.parse(gitOrigin);
	if (!place || remote.length > 2048) {
		return undefined;
	}
	const scpLike = /^(?:[\w.-]+@)?(?<host>[\w.-]+):(?!\/\/)(?<path>.+)$/.exec(remote)?.groups;
	if (scpLike) {
		return scpLike['host']?.toLowerCase() === place.hostname ? hostedName(scpLike['path'], repositoryName) : undefined;
	}
	const url = URL.parse(remote);
	if (!url) {
		return undefined;
	}
	const path = decodedPart(url.pathname);
	switch (url.protocol) {
		case 'https:':
		case 'http:':
			return url.host === place.host ? hostedName(path, repositoryName) : undefined;
		case 'ssh:':
		case 'git+ssh:':
		case 'ssh+git:':
			return url.hostname === place.hostname ? hostedName(path, repositoryName) : undefined;
		default:
			return undefined;
	}
}

/**
 * The first mailing list among the addresses of `sendemail.to` that is on the forge whose lists are at `listsOrigin`:
 * `~owner/list@host`, `Name <~owner/list@host>`, `u.owner.list@host` (docs/protocol.md#list-addresses).
 */
export function listOfAddresses(addresses: string, listsOrigin: string): HostedName | undefined {
	const host = URL.parse(listsOrigin)?.hostname;
	return addresses
		.slice(0, 4096)
		.split(',')
		.map((each) => /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(/<([^<>]*)>\s*$/.exec(each)?.[1] ?? each))
		.filter((found) => found?.[2]?.toLowerCase() === host)
		.map((found) => hostedName((found?.[1] ?? '').replace(/^u\.([a-z_][\w-]*)\./i, '~$1/'), listName))
		.find((found) => found !== undefined);
}

function hostedName(path: string | undefined, names: RegExp): HostedName | undefined {
	const { owner, name } = ownerAndName.exec(path ?? '')?.groups ?? {};
	return owner === undefined || name === undefined || !names.test(name) || /^\.+$/.test(name)
		? undefined
		: { owner, name };
}
