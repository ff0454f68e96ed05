import { webOf } from '../../../editor/links/webOf.ts';
import type { Connections } from '../../../store/connection.ts';
import { changeSubject, artifactSubject, repositoriesSubject, type RepositoriesSubject } from './subjects.ts';

/** `undefined` outside repositories, for removed accounts, and for names that change the path, such as two dots. */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const change = changeSubject(value);
	// A deleted file has its last content at the commit before.
	const revision = change?.isGone === true ? change.before : change?.after;
	const file: RepositoriesSubject | undefined =
		change && revision !== undefined
			? { kind: 'file', connectionKey: change.connectionKey, ref: change.ref, at: { ref: revision, path: change.path } }
			: undefined;
	const subject = repositoriesSubject(value) ?? file ?? artifactSubject(value);
	const instance = connections.byKey(subject?.connectionKey ?? '')?.instance;
	return subject && instance && webOf(instance).address(subject);
}
