import * as v from 'valibot';
import { patchsetStatuses } from '../../port/list.ts';
import type { Patchset } from '../../port/list.ts';
import { wordOf } from '../../port/word.ts';
import { shortEmail } from './email.ts';
import { shortList } from './list.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { extraOf } from './extra.ts';

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
