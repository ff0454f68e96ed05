import { webOf } from 'sourcehut/web/webOf.ts';
import type { Connections } from '../../../store/connection.ts';
import { changeSubject, artifactSubject, repositoriesSubject, type RepositoriesSubject } from './subjects.ts';

/** `undefined` outside repositories, for removed accounts, and for names that change the path, such as two dots. */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = repositoriesSubject(value) ?? fileOfChange(value) ?? artifactSubject(value);
	const instance = connections.byKey(subject?.connectionKey ?? '')?.instance;
	return subject && instance && webOf(instance).address(subject);
}

/** A changed file at its commit, or a deleted one at the commit before. */
function fileOfChange(value: unknown): RepositoriesSubject | undefined {
	const change = changeSubject(value);
	const revision = change?.isGone === true ? change.before : change?.after;
	return change && revision !== undefined
		? { kind: 'file', connectionKey: change.connectionKey, ref: change.ref, at: { ref: revision, path: change.path } }
		: undefined;
}
