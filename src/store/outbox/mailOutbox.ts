import * as v from 'valibot';
import { mailOfMany } from 'patchmail/review/sending.ts';
import { named, time, whole } from '../shared/keptText.ts';
import { sharedQueue, type HeldItem, type ItemOf, type OutboxPlace } from './sharedQueue.ts';

const text = v.string();
const texts = v.pipe(v.array(text), v.readonly());

/** The drafts of queued mails. They stay drafts until the mails are sent. */
const mailsOf = v.variant('kind', [
	/** `answers`: number of the answered mail; absent for a new mail. */
	v.object({ kind: v.literal('draft'), ref: named, answers: v.exactOptional(whole), name: text }),
	v.object({ kind: v.literal('review'), ref: v.object({ list: named, id: whole }) }),
	v.object({ kind: v.literal('series'), id: text }),
]);
export type MailsOf = Readonly<v.InferOutput<typeof mailsOf>>;

/** A mail in its confirmed form. */
const frozenMail = v.object({
	messageId: text,
	subject: text,
	/** Headers and body, as git gets them. */
	source: text,
	encoding: v.picklist(['7bit', 'quoted-printable']),
	from: text,
	to: texts,
	cc: texts,
});
export type FrozenMail = Readonly<v.InferOutput<typeof frozenMail>>;

export const queuedMails = v.object({
	of: mailsOf,
	list: named,
	kind: v.picklist(['prose', 'patches']),
	/** Top folder of the clone that gave the sender, if one did. */
	clone: v.exactOptional(text),
	mails: v.pipe(v.array(frozenMail), v.readonly()),
	/** In sending order, with the mails sent already. Each kind of drafts adds its own fields. */
	plan: v.pipe(v.array(v.looseObject(mailOfMany.entries)), v.readonly()),
	/** Fingerprint of the drafts when the user confirmed the mails. */
	confirmed: text,
	queuedMs: time,
	progress: v.variant('kind', [
		v.object({ kind: v.literal('waiting') }),
		/** A window sends it, or did. A look decides before anything is sent again. */
		v.object({ kind: v.literal('underWay'), sinceMs: time }),
		/** The drafts changed after the confirmation, or another command sends them. */
		v.object({ kind: v.literal('changed') }),
		/** A mail may have been sent, and the list does not have it. */
		v.object({ kind: v.literal('unsure') }),
		/** `reason`: a sentence for the user. */
		v.object({ kind: v.literal('refused'), reason: text }),
	]),
});

type QueuedContent = Readonly<v.InferOutput<typeof queuedMails>>;

/** The mails of one draft, review or series. */
export type QueuedMails = ItemOf<QueuedContent>;
export type HeldMails = HeldItem<QueuedContent>;

/** Mails that wait until the mail server can be reached (docs/decisions/0042-outbox.md). */
export type MailOutbox = ReturnType<typeof mailOutbox>;

export function mailOutbox(place: OutboxPlace) {
	const queue = sharedQueue(place, queuedMails);
	return {
		...queue,
		of: (of: MailsOf) => queue.items().find((item) => isSameMails(item.of, of)),
	};
}

function isSameMails(one: MailsOf, other: MailsOf): boolean {
	return JSON.stringify(keyOf(one)) === JSON.stringify(keyOf(other));
}

function keyOf(of: MailsOf): readonly unknown[] {
	switch (of.kind) {
		case 'draft':
			return [of.kind, of.ref.owner, of.ref.name, of.answers, of.name];
		case 'review':
			return [of.kind, of.ref.list.owner, of.ref.list.name, of.ref.id];
		case 'series':
			return [of.kind, of.id];
	}
}
