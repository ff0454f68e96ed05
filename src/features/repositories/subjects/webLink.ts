import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { fragmentOfLines } from 'sourcehut/port/repositoryWay.ts';
import type { Connections } from '../../../store/connection.ts';
import { folderOf } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { repositoryRefOf } from '../../../store/repositories/repositoryRef.ts';
import { pastedPath, userPath } from '../../../engine/text/forgeAddress.ts';
import {
	changeSubject,
	artifactSubject,
	type ArtifactSubject,
	repositoriesSubject,
	type RepositoriesSubject,
} from './subjects.ts';

/**
 * Web address (docs/protocol.md#web-addresses). `undefined` outside repositories, for removed accounts, and for names
 * that change the path, such as two dots.
 */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = repositoriesSubject(value) ?? fileOfChange(value) ?? artifactSubject(value);
	const instance = connections.byKey(subject?.connectionKey ?? '')?.instance;
	return subject && instance && linkOfSubject(instance, subject);
}

/** A changed file at its commit, or a deleted one at the commit before. */
function fileOfChange(value: unknown): RepositoriesSubject | undefined {
	const change = changeSubject(value);
	const revision = change?.isGone === true ? change.before : change?.after;
	return change && revision !== undefined
		? { kind: 'file', connectionKey: change.connectionKey, ref: change.ref, at: { ref: revision, path: change.path } }
		: undefined;
}

export function linkOfSubject({ areas }: ForgeInstance, subject: RepositoriesSubject | ArtifactSubject) {
	const path = webPath(subject);
	const address = `${areas.git}${path}`;
	const fragment = subject.kind === 'file' && subject.lines ? `#${fragmentOfLines(subject.lines)}` : '';
	return URL.parse(address)?.pathname === path ? `${address}${fragment}` : undefined;
}

function webPath(subject: RepositoriesSubject | ArtifactSubject): string {
	const repository = `${segments(subject.ref.owner)}${segments(subject.ref.name)}`;
	switch (subject.kind) {
		case 'repository':
			return repository;
		case 'reference':
			return subject.revision === headRevision ? repository : `${repository}/tree${segments(subject.revision)}`;
		case 'folder':
		case 'file':
			return `${repository}/tree${segments(subject.at.ref)}/item${segments(subject.at.path)}`;
		case 'submodule': {
			// A submodule has no page of its own (docs/protocol.md#web-addresses); its folder shows it.
			const folder = folderOf(subject.at.path);
			return `${repository}/tree${segments(subject.at.ref)}${folder === '' ? '' : `/item${segments(folder)}`}`;
		}
		case 'artifact':
			return `${repository}/refs${segments(subject.tag.replace(/^refs\/tags\//, ''))}`;
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
 * Parses `~owner/name`, a web address of a repository or its content, or a clone address on the forge. Rejects
 * addresses of other hosts and areas.
 */
export function pastedRepository(text: string, gitOrigin: string): RepositoryRef | undefined {
	const trimmed = text.trim();
	const host = URL.parse(gitOrigin)?.hostname ?? '';
	const overSsh = /^(?:ssh:\/\/)?git@([^:/\s]+)[:/](.+)$/.exec(trimmed);
	if (overSsh) {
		return overSsh[1] === host ? repositoryAt(overSsh[2] ?? '') : undefined;
	}
	const path = pastedPath(trimmed, gitOrigin);
	return path === undefined ? repositoryRefOf(trimmed) : repositoryAt(path);
}

function repositoryAt(path: string): RepositoryRef | undefined {
	const [owner = '', name = ''] = path.split('/');
	return repositoryRefOf(`${owner}/${name}`);
}
