import * as v from 'valibot';
import {
	listPermissionWords,
	type ListPermission,
	type ListPermissions,
	type MailingList,
	type ShortList,
	type Subscription,
	patchsetStatuses,
	type Email,
	type ShortEmail,
	type Patchset,
} from '../../port/list.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { shortUser, extraOf } from './user.ts';
import { decoder, isObject, type Decoder } from '../../answers/decoding.ts';

const words = v.pipe(
	v.array(v.string()),
	v.transform((found): readonly ListPermission[] => found.map((word) => wordOf(listPermissionWords, word))),
);

/** Null, an empty array and a record without words mean unknown; an empty array of words means no permission. */
const permissions = v.pipe(
	v.nullish(v.object({ nonsubscriber: v.nullish(words), subscriber: v.nullish(words), account: v.nullish(words) })),
	v.transform((wire): ListPermissions | undefined => {
		const [nonsubscriber, subscriber, account] = [wire?.nonsubscriber, wire?.subscriber, wire?.account].map(
			(found) => found ?? undefined,
		);
		const isSilent = nonsubscriber === undefined && subscriber === undefined && account === undefined;
		return isSilent ? undefined : { nonsubscriber, subscriber, account };
	}),
);

/** Short form (docs/protocol.md#list-fields). */
const shortList = v.pipe(
	v.object({ name: v.string(), owner: shortUser }),
	v.transform((wire): ShortList => wire),
);

const mailingListFields = {
	id: v.nullish(id),
	name: v.string(),
	owner: shortUser,
	created: timestamp,
	updated: timestamp,
	description: v.nullish(v.string()),
	permissions: v.optional(permissions),
};

/** Mailing list resource (docs/protocol.md#list-fields). */
export const mailingList = v.pipe(
	v.looseObject(mailingListFields),
	v.transform((wire): MailingList => ({
		id: wire.id ?? undefined,
		name: wire.name,
		owner: wire.owner,
		createdMs: wire.created,
		updatedMs: wire.updated,
		description: wire.description ?? undefined,
		permissions: wire.permissions,
		...extraOf(wire, mailingListFields),
	})),
);

/** Subscription resource (docs/protocol.md#resources). */
export const subscription = v.pipe(
	v.object({ id, created: timestamp, list: shortList }),
	v.transform((wire): Subscription => ({ id: wire.id, createdMs: wire.created, list: wire.list })),
);

const shortFields = {
	id,
	created: timestamp,
	subject: v.nullish(v.string()),
	message_id: v.string(),
	parent_id: v.nullish(id),
	thread_id: v.nullish(id),
	list: v.nullish(shortList),
	sender: v.nullish(shortUser),
	patchset: v.nullish(v.object({ id, version: v.nullish(id), status: v.nullish(v.string()) })),
};

const longFields = {
	is_patch: v.boolean(),
	is_request_pull: v.boolean(),
	replies: v.nullish(id),
	participants: v.nullish(id),
	envelope: v.string(),
};

/** Fields of both forms. */
const emailFields = { ...shortFields, ...longFields };

type WireShortEmail = v.InferOutput<v.LooseObjectSchema<typeof shortFields, undefined>>;

/** Short form (docs/protocol.md#mail-fields). Accepts the long form too. */
export const shortEmail = v.pipe(v.looseObject(shortFields), v.transform(shortEmailOf));

/** Email resource (docs/protocol.md#mail-fields). */
export const email = v.pipe(
	v.looseObject(emailFields),
	v.transform((wire): Email => ({
		...shortEmailOf(wire),
		isPatch: wire.is_patch,
		isRequestPull: wire.is_request_pull,
		replies: wire.replies ?? 0,
		participants: wire.participants ?? 0,
		envelope: wire.envelope,
	})),
);

const [decodeEmail, decodeShortEmail] = [decoder(email), decoder(shortEmail)];

/** A mail of a thread: the long form if the server sends it; the contract has the short form. */
export const threadMail: Decoder<Email | ShortEmail> = (value) =>
	isObject(value) && typeof value['envelope'] === 'string' ? decodeEmail(value) : decodeShortEmail(value);

function shortEmailOf(wire: WireShortEmail): ShortEmail {
	return {
		id: wire.id,
		createdMs: wire.created,
		subject: wire.subject ?? '',
		messageId: wire.message_id,
		parentId: wire.parent_id ?? undefined,
		// The contract has no null here: the first mail of a thread names itself.
		threadId: wire.thread_id === wire.id ? undefined : (wire.thread_id ?? undefined),
		list: wire.list ?? undefined,
		sender: wire.sender ?? undefined,
		...patchsetOf(wire.patchset?.id, wire.patchset?.version ?? undefined, wire.patchset?.status ?? undefined),
		...extraOf(wire, emailFields),
	};
}

/** Patchset fields of a mail (docs/protocol.md#mail-fields): the short form, or only the number. */
function patchsetOf(
	patchsetId: number | undefined,
	version: number | undefined,
	status: string | undefined,
): Pick<ShortEmail, 'patchsetId' | 'patchset'> {
	return version === undefined || status === undefined
		? { patchsetId }
		: { patchsetId, patchset: { version, status: wordOf(patchsetStatuses, status) } };
}

const patchsetFields = {
	id,
	created: timestamp,
	updated: timestamp,
	subject: v.string(),
	prefix: v.nullish(v.string()),
	version: id,
	status: v.string(),
	list: v.nullish(shortList),
	cover_letter: v.nullish(shortEmail),
	superseded_by: v.nullish(v.object({ id })),
	submitter: v.nullish(v.string()),
	reply_to: v.nullish(v.string()),
	message_id: v.nullish(v.string()),
};

/** Patchset resource, with the contract's fields and the observed ones (docs/protocol.md#patchset-fields). */
export const patchset = v.pipe(
	v.looseObject(patchsetFields),
	v.transform((wire): Patchset => ({
		id: wire.id,
		createdMs: wire.created,
		updatedMs: wire.updated,
		subject: wire.subject,
		prefix: wire.prefix ?? undefined,
		version: wire.version,
		status: wordOf(patchsetStatuses, wire.status),
		list: wire.list ?? undefined,
		coverLetter: wire.cover_letter ?? undefined,
		supersededById: wire.superseded_by?.id,
		submitter: wire.submitter ?? undefined,
		replyTo: wire.reply_to ?? undefined,
		messageId: wire.message_id ?? undefined,
		...extraOf(wire, patchsetFields),
	})),
);
