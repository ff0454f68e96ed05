import * as v from 'valibot';
import { patchsetStatuses } from '../../port/list.ts';
import type { Email, ShortEmail } from '../../port/list.ts';
import { wordOf } from '../../port/word.ts';
import { decoder, isObject, type Decoder } from '../../answers/decoding.ts';
import { shortList } from './list.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

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
