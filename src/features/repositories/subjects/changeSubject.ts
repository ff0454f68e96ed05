import { bareSubject, isNamedRef, isRecord } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import type { CommitSides } from '../../../store/repositories/history/changedFiles.ts';

interface InRepository {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
}

/** Subject of commands on a changed file. `path`: the new path, or the old one of a deleted file. */
export interface ChangeSubject extends CommitSides, InRepository {
	readonly kind: 'change';
	readonly path: string;
	/** The later commit has it no more. Only what leads to the file needs to know. */
	readonly isGone?: boolean;
}

/** Subject of commands on two commits, both by full id. */
interface ComparisonSubject extends InRepository {
	readonly kind: 'comparison';
	readonly before: string;
	readonly after: string;
}

/** Accepts tree rows and bare subjects from any caller; returns `undefined` for anything else. */
export function changeSubject(value: unknown): ChangeSubject | undefined {
	const candidate = bareSubject(value);
	const within = repositoryIn(candidate);
	if (!within || !isRecord(candidate) || candidate['kind'] !== 'change') {
		return undefined;
	}
	const { before, after, path, isGone } = candidate;
	return (before === undefined || typeof before === 'string') && typeof after === 'string' && typeof path === 'string'
		? { kind: 'change', ...within, before, after, path, ...(isGone === true ? { isGone } : {}) }
		: undefined;
}

/** The same for two commits. */
export function comparisonSubject(value: unknown): ComparisonSubject | undefined {
	const candidate = bareSubject(value);
	const within = repositoryIn(candidate);
	if (!within || !isRecord(candidate) || candidate['kind'] !== 'comparison') {
		return undefined;
	}
	const { before, after } = candidate;
	return typeof before === 'string' && typeof after === 'string'
		? { kind: 'comparison', ...within, before, after }
		: undefined;
}

function repositoryIn(candidate: unknown): InRepository | undefined {
	const { connectionKey, ref } = isRecord(candidate) ? candidate : {};
	return typeof connectionKey === 'string' && isNamedRef(ref)
		? { connectionKey, ref: { owner: ref.owner, name: ref.name } }
		: undefined;
}
