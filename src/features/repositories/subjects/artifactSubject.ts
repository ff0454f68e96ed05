import { bareSubject, isNamedRef, isRecord } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';

/** Subject of commands on a file of a tag. Names repeat; the first one counts. */
export interface ArtifactSubject {
	readonly kind: 'artifact';
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	/** Full name of the reference. */
	readonly tag: string;
	/** As the server sent it. */
	readonly filename: string;
}

/** Accepts tree rows and bare subjects from any caller. */
export function artifactSubject(value: unknown): ArtifactSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'artifact') {
		return undefined;
	}
	const { connectionKey, ref, tag, filename } = candidate;
	return typeof connectionKey === 'string' && typeof tag === 'string' && typeof filename === 'string' && isNamedRef(ref)
		? { kind: 'artifact', connectionKey, ref: { owner: ref.owner, name: ref.name }, tag, filename }
		: undefined;
}
