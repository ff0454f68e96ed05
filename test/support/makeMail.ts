import type { Email, MailingList, Patchset, ShortList, Subscription } from 'sourcehut/port/list.ts';
import { makeUser, someTimeMs } from './makeTicket.ts';

/** A list with defaults. */
export function makeList(change: Partial<MailingList> = {}): MailingList {
	return {
		id: 1,
		name: 'devel',
		owner: makeUser('alice'),
		createdMs: someTimeMs,
		updatedMs: someTimeMs,
		description: undefined,
		permissions: undefined,
		...change,
	};
}

export function makeSubscription(list: ShortList, id = 1): Subscription {
	return { id, createdMs: someTimeMs, list: { name: list.name, owner: list.owner } };
}

export function makePatchset(change: Partial<Patchset> = {}): Patchset {
	return {
		id: 1,
		createdMs: someTimeMs,
		updatedMs: someTimeMs,
		subject: 'Improve the modules',
		prefix: 'proj',
		version: 1,
		status: 'proposed',
		list: undefined,
		coverLetter: undefined,
		supersededById: undefined,
		submitter: 'Bob Builder <bob@forge.test>',
		replyTo: undefined,
		messageId: '<m1@forge.test>',
		...change,
	};
}

/** A mail; its subject and `text` make its envelope by default. */
export function makeMail({ text = 'Hello', ...change }: Partial<Email> & { readonly text?: string } = {}): Email {
	const id = change.id ?? 1;
	const subject = change.subject ?? 'Welcome';
	return {
		id,
		createdMs: someTimeMs + id,
		subject,
		messageId: `<m${id}@forge.test>`,
		parentId: undefined,
		threadId: undefined,
		list: undefined,
		sender: makeUser('bob'),
		patchsetId: undefined,
		isPatch: false,
		isRequestPull: false,
		replies: 0,
		participants: 0,
		envelope: `From: Bob Builder <bob@forge.test>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`,
		...change,
	};
}
