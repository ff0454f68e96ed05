import { webAddress } from '../../editor/links/webOf.ts';
import type { Connections } from '../../store/connection.ts';
import { personSubject } from './subjects.ts';

/** Web page of a person; `undefined` for other subjects and removed accounts. */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = personSubject(value);
	const instance = subject && connections.byKey(subject.connectionKey)?.instance;
	return subject && instance && webAddress(instance, { kind: 'person', name: subject.name });
}
