import { bareSubject, isRecord } from '../../editor/commands/subjects.ts';

/** What a command on an entry of the inbox is about. */
export interface InboxEntrySubject {
	readonly kind: 'inboxEntry';
	readonly connectionKey: string;
	/** Of the entry, as `InboxEntry` has it. */
	readonly id: string;
}

/** What a command on all entries of one thing is about. */
export interface InboxThingSubject {
	readonly kind: 'inboxThing';
	readonly connectionKey: string;
	/** As `thingKey` has it. */
	readonly thing: string;
}

export type InboxSubject = InboxEntrySubject | InboxThingSubject;

/** Commands are handed rows of a view or bare subjects, by us or by anybody; what is neither is `undefined`. */
export function inboxSubject(value: unknown): InboxSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate)) {
		return undefined;
	}
	const { kind, connectionKey, id, thing } = candidate;
	if (typeof connectionKey !== 'string') {
		return undefined;
	}
	if (kind === 'inboxEntry' && typeof id === 'string') {
		return { kind, connectionKey, id };
	}
	return kind === 'inboxThing' && typeof thing === 'string' ? { kind, connectionKey, thing } : undefined;
}
