import type { Call, OpenRoute } from '../src/shared/area.ts';
import { open } from '../src/shared/area.ts';
import { isRecord } from '../src/shared/body.ts';
import { invalid, json, notFound } from '../src/shared/answers.ts';
import { isPatchsetStatus, listPermissions, type ListPermission, type MailingList } from '../src/lists/mailModel.ts';
import type { MailRoom } from '../src/lists/mailRoom.ts';
import { receiveMail } from '../src/lists/postOffice.ts';

/**
 * Actions outside the API of a real forge: a mail arrives, an owner sets permissions or a status on the web, somebody
 * views a list. Bodies name a list as `~alice/lantern-devel`.
 */
export function mailControl(room: MailRoom): readonly OpenRoute[] {
	const { context, store, shapes } = room;
	return [
		open('POST', '/lists/mail', (call) => {
			const verdict = receiveMail(room, namedList(room, call), mailOf(call));
			switch (verdict.kind) {
				case 'taken': {
					return json(201, shapes.email(verdict.received.email));
				}
				case 'dropped': {
					return json(200, {});
				}
				case 'refused': {
					throw invalid(verdict.reason, 'mail');
				}
			}
		}),
		open('POST', '/lists/look', (call) => json(200, lookOf(namedList(room, call)))),
		// Imports an archive, or mails with past times.
		open('POST', '/lists/archive', (call) => {
			const list = namedList(room, call);
			const { mails } = call.body.fields;
			if (!Array.isArray(mails) || !mails.every(isTimedMail)) {
				throw invalid('mails are no mails with their times', 'mails');
			}
			const received = mails.map(({ mail, atMs }) => store.receive(list, Buffer.from(mail), atMs));
			return json(200, { ids: received.map((each) => each?.email.id ?? null) });
		}),
		open('POST', '/lists/permissions', (call) => {
			const list = namedList(room, call);
			for (const who of ['nonsubscriber', 'subscriber', 'account'] as const) {
				const value = call.body.fields[who];
				if (isListPermissions(value)) {
					list.permissions[who] = value;
				}
			}
			store.changed();
			return json(200, shapes.list(list));
		}),
		open('POST', '/lists/status', (call) => {
			const { patchset: id, status } = call.body.fields;
			const patchset = namedList(room, call).patchsets.find((each) => each.id === id);
			if (patchset === undefined) {
				throw notFound();
			}
			if (!isPatchsetStatus(status)) {
				throw invalid('unknown status', 'status');
			}
			store.setStatus(patchset, status, context.nowMs());
			return json(200, shapes.patchset(patchset));
		}),
	];
}

/** The web page of a list: mails in order of arrival, patchsets in order of completion. */
function lookOf({ description, emails, patchsets }: MailingList): object {
	return {
		description,
		mails: emails.map(({ id, messageId, message, root, sender, text: said }) => {
			const thread = (root ?? { id }).id;
			return { id, messageId, subject: message.subject, sender: sender?.name ?? null, thread, text: said };
		}),
		patchsets: patchsets.map(({ id, subject, status }) => ({ id, subject, status })),
	};
}

interface TimedMail {
	readonly mail: string;
	readonly atMs: number;
}

function isTimedMail(value: unknown): value is TimedMail {
	return isRecord(value) && typeof value['mail'] === 'string' && typeof value['atMs'] === 'number';
}

/** `mailBase64` is for mails that are not UTF-8. */
function mailOf(call: Call): Buffer {
	return call.body.fields['mailBase64'] === undefined
		? Buffer.from(text(call, 'mail'))
		: Buffer.from(text(call, 'mailBase64'), 'base64');
}

function text(call: Call, field: string): string {
	const value = call.body.fields[field];
	if (typeof value !== 'string') {
		throw invalid(`${field} is missing or no text`, field);
	}
	return value;
}

function namedList({ store }: MailRoom, call: Call): MailingList {
	const name = text(call, 'list');
	const found = store.lists.find((each) => `~${each.owner.name}/${each.name}` === name);
	if (found === undefined) {
		throw invalid('list is missing or names nothing', 'list');
	}
	return found;
}

function isListPermissions(value: unknown): value is readonly ListPermission[] {
	return Array.isArray(value) && value.every((each) => listPermissions.some((word) => word === each));
}
