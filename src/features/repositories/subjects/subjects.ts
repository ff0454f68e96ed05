import { bareSubject, isNamedRef, isRecord } from '../../../editor/commands/subjects.ts';
import type { LineRange, RepositoryRef, TreePath } from '../../../forge/port/repository.ts';
import { placeOfPath, placeOfSide, type Place } from './place.ts';

interface InRepository {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
}

export type RepositorySubject = { readonly kind: 'repository' } & InRepository;

/** Subject of commands on a branch, tag or other revision. `revision`: in the form that the server accepts. */
export type ReferenceSubject = { readonly kind: 'reference'; readonly revision: string } & InRepository;

/**
 * Subject of commands on a tree entry. A symbolic link counts as a file with its target as text. `lines` selects lines
 * of the file.
 */
export type EntrySubject = {
	readonly kind: 'folder' | 'file' | 'submodule';
	readonly at: TreePath;
	readonly lines?: LineRange;
} & InRepository;

export type CommitSubject = { readonly kind: 'commit'; readonly id: string } & InRepository;

export type RepositoriesSubject = RepositorySubject | ReferenceSubject | EntrySubject | CommitSubject;

/** Accepts tree rows, bare subjects and document addresses from any caller; returns `undefined` for anything else. */
export function repositoriesSubject(value: unknown): RepositoriesSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate)) {
		return undefined;
	}
	if (candidate['scheme'] === 'forge') {
		return subjectOfAddress(candidate);
	}
	const { kind, connectionKey, ref } = candidate;
	if (typeof connectionKey !== 'string' || !isNamedRef(ref)) {
		return undefined;
	}
	return subjectOfKind(kind, { connectionKey, ref }, candidate);
}

function subjectOfKind(
	kind: unknown,
	within: InRepository,
	{ revision, at, id, lines }: Readonly<Record<string, unknown>>,
): RepositoriesSubject | undefined {
	switch (kind) {
		case 'repository':
			return { kind, ...within };
		case 'reference':
			return typeof revision === 'string' ? { kind, ...within, revision } : undefined;
		case 'folder':
		case 'file':
		case 'submodule':
			return isTreePath(at) ? { kind, ...within, at, ...(isLineRange(lines) ? { lines } : {}) } : undefined;
		case 'commit':
			return typeof id === 'string' ? { kind, ...within, id } : undefined;
		default:
			return undefined;
	}
}

/** An address lacks the entry's kind; open documents are files. */
function subjectOfAddress(address: Readonly<Record<string, unknown>>): RepositoriesSubject | undefined {
	const place = placeOfAddress(address);
	if (!place) {
		return undefined;
	}
	const { connectionKey, ref } = place;
	if (place.kind === 'commit') {
		return { kind: 'commit', connectionKey, ref, id: place.id };
	}
	return place.at.path === ''
		? { kind: 'reference', connectionKey, ref, revision: place.at.ref }
		: { kind: 'file', connectionKey, ref, at: place.at };
}

function placeOfAddress({ authority, path, query = '' }: Readonly<Record<string, unknown>>): Place | undefined {
	if (typeof authority !== 'string' || typeof path !== 'string' || typeof query !== 'string') {
		return undefined;
	}
	return query === '' ? placeOfPath(authority, path) : placeOfSide(authority, path, query);
}

function isTreePath(value: unknown): value is TreePath {
	return isRecord(value) && typeof value['ref'] === 'string' && typeof value['path'] === 'string';
}

function isLineRange(value: unknown): value is LineRange {
	return isRecord(value) && isLine(value['first']) && isLine(value['last']) && value['first'] <= value['last'];
}

function isLine(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 1;
}
