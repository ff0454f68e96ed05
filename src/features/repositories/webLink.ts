import type { ForgeInstance } from '../../forge/instance.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { fragmentOfLines } from '../../forge/repositoryWay.ts';
import type { Connections } from '../../state/connection.ts';
import { headRevision } from '../../state/repositoryReferences.ts';
import { repositoryRefOf } from '../../state/repositoryShelf.ts';
import { userPath } from '../../text/forgeAddress.ts';
import { repositoriesSubject, type RepositoriesSubject } from './subjects.ts';

/**
 * Address on the web (observed-behaviour 9). `undefined` for what is no part of a repository, for accounts that are
 * gone, and for names that would lead elsewhere, such as two dots.
 */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = repositoriesSubject(value);
	const instance = connections.byKey(subject?.connectionKey ?? '')?.instance;
	return subject && instance && linkOfSubject(instance, subject);
}

/** The same for a subject whose forge is known. */
export function linkOfSubject({ areas }: ForgeInstance, subject: RepositoriesSubject): string | undefined {
	const path = webPath(subject);
	const address = `${areas.git}${path}`;
	const fragment = subject.kind === 'file' && subject.lines ? `#${fragmentOfLines(subject.lines)}` : '';
	return URL.parse(address)?.pathname === path ? `${address}${fragment}` : undefined;
}

function webPath(subject: RepositoriesSubject): string {
	const repository = `${segments(subject.ref.owner)}${segments(subject.ref.name)}`;
	switch (subject.kind) {
		case 'repository':
			return repository;
		case 'reference':
			return subject.revision === headRevision ? repository : `${repository}/tree${segments(subject.revision)}`;
		case 'folder':
		case 'file':
		case 'submodule':
			return `${repository}/tree${segments(subject.at.ref)}/item${segments(subject.at.path)}`;
		case 'commit':
			return `${repository}/commit${segments(subject.id)}`;
	}
}

/** Slashes stay: a revision may hold several segments on the web. */
function segments(text: string): string {
	return text
		.toWellFormed()
		.split('/')
		.map((each) => userPath(each))
		.join('');
}

/**
 * Reads `~owner/name`, the address of a repository or of anything in it on the forge itself, and what git clones from
 * there. Addresses of other hosts and areas are none of ours.
 */
export function pastedRepository(text: string, gitOrigin: string): RepositoryRef | undefined {
	const trimmed = text.trim();
	const host = URL.parse(gitOrigin)?.hostname ?? '';
	const overSsh = /^(?:ssh:\/\/)?git@([^:/\s]+)[:/](.+)$/.exec(trimmed);
	if (overSsh) {
		return overSsh[1] === host ? repositoryAt(overSsh[2] ?? '') : undefined;
	}
	if (/^https?:/i.test(trimmed)) {
		const url = URL.parse(trimmed);
		return url?.origin === URL.parse(gitOrigin)?.origin
			? repositoryAt(decoded(url?.pathname.slice(1) ?? ''))
			: undefined;
	}
	return repositoryRefOf(trimmed);
}

function repositoryAt(path: string): RepositoryRef | undefined {
	const [owner = '', name = ''] = path.split('/');
	return repositoryRefOf(`${owner}/${name}`);
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return '';
	}
}
