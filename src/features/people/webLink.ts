import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Connections } from '../../store/connection.ts';
import { userPath } from '../../engine/text/forgeAddress.ts';
import { personSubject } from './subjects.ts';

/** Web page of a person: the one with their mails, the only kind for addresses (docs/protocol.md#web-addresses). */
export function personWebLink({ areas }: ForgeInstance, name: OwnerName): string {
	return `${areas.lists}${userPath(name)}`;
}

/** The same for a subject; `undefined` for every other one and for accounts that are gone. */
export function webLink(connections: Connections, value: unknown): string | undefined {
	const subject = personSubject(value);
	const instance = subject && connections.byKey(subject.connectionKey)?.instance;
	return subject && instance && personWebLink(instance, subject.name);
}
