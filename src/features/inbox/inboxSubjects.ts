import { bareSubject, isRecord } from '../../editor/commands/subjects.ts';

export interface InboxEntrySubject {
	readonly kind: 'inboxEntry';
	readonly connectionKey: string;
	/** Of the entry, as `InboxEntry` has it. */
	readonly id: string;
}

export interface InboxThingSubject {
	readonly kind: 'inboxThing';
	readonly connectionKey: string;
	/** As `thingKey` has it. */
	readonly thing: string;
}

export type InboxSubject = InboxEntrySubject | InboxThingSubject;

/** Accepts tree rows and bare subjects from any caller; returns `undefined` for anything else. */
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
