import * as v from 'valibot';
import type { PushedReference, PushSaid } from '../../forge/deliveryHint.ts';
import { isNameable } from '../../forge/namedRef.ts';
import type { Commit } from '../../forge/repository.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import { isObjectId } from '../../git/objectId.ts';
import { id } from '../door/variables.ts';
import { commit } from '../git/gitAnswers.ts';

/* Schemas for delivery payloads. They accept only names that can occur in a path. */

/** The envelope of a payload; its data is null after an error. */
function ofWebhook<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> {
	return v.pipe(
		v.object({ data: v.object({ webhook: schema }) }),
		v.transform(({ data }) => data.webhook),
	);
}

/** As `~alice/alpha#7`. */
const ticketRef = v.pipe(
	v.string(),
	v.rawTransform<string, TicketRef>(({ dataset, addIssue, NEVER }) => {
		const [, owner = '', name = '', number = ''] = /^([^/]+)\/([^#]+)#(\d{1,10})$/.exec(dataset.value) ?? [];
		if (!isNameable({ owner, name }) || !v.is(id, Number(number))) {
			addIssue({ expected: 'ticket' });
			return NEVER;
		}
		return { tracker: { owner, name }, id: Number(number) };
	}),
);

const withRef = v.object({ ref: ticketRef });

/** A ticket that is new or changed, or has a new event. */
export const ticketTarget = v.union([
	v.pipe(
		ofWebhook(v.object({ ticket: withRef })),
		v.transform(({ ticket }) => ticket.ref),
	),
	v.pipe(
		ofWebhook(v.object({ newEvent: v.object({ ticket: withRef }) })),
		v.transform(({ newEvent }) => newEvent.ticket.ref),
	),
]);

/** The number of a deleted ticket. */
export const deletedTicket = v.pipe(
	ofWebhook(v.object({ ticketId: id })),
	v.transform(({ ticketId }) => ticketId),
);

export const mailTarget = v.pipe(
	ofWebhook(v.object({ email: v.object({ id }) })),
	v.transform(({ email }) => email.id),
);

/** One of the account's own mails, with its list. */
export const ownMailTarget = v.pipe(
	ofWebhook(
		v.object({
			email: v.object({ id, list: v.object({ name: v.string(), owner: v.object({ canonicalName: v.string() }) }) }),
		}),
	),
	v.transform(({ email }) => ({
		id: email.id,
		list: { owner: email.list.owner.canonicalName, name: email.list.name },
	})),
	v.check(({ list }) => isNameable(list), 'a name'),
);

export const patchsetTarget = v.pipe(
	ofWebhook(v.object({ patchset: v.object({ id }) })),
	v.transform(({ patchset }) => patchset.id),
);

/** Checks the commit's id, because ids from a delivery become targets. */
const pushedCommit = v.pipe(
	commit,
	v.check((wire) => isObjectId(wire.id), 'object id'),
);

interface Pushed {
	readonly commit: Commit;
	readonly annotatedTag: PushedReference['annotatedTag'];
}

/** A commit, or an annotated tag of one. */
const pushedObject: v.GenericSchema<unknown, Pushed> = v.union([
	v.pipe(
		v.object({ name: v.optional(v.string()), text: v.nullish(v.string()), target: pushedCommit }),
		v.transform(({ name, text, target }) => ({
			commit: target,
			annotatedTag: name === undefined ? undefined : { name, message: text ?? '' },
		})),
	),
	v.pipe(
		pushedCommit,
		v.transform((wire) => ({ commit: wire, annotatedTag: undefined })),
	),
]);

/** A created, moved or deleted reference. Rejects an update without any commit. */
const pushedReference = v.pipe(
	v.object({
		ref: v.object({ name: v.pipe(v.string(), v.startsWith('refs/')) }),
		old: v.nullable(pushedObject),
		new: v.nullable(pushedObject),
	}),
	v.check((wire) => wire.old !== null || wire.new !== null, 'a commit'),
	v.transform((wire): PushedReference => ({
		name: wire.ref.name,
		before: wire.old?.commit,
		after: wire.new?.commit,
		annotatedTag: wire.new?.annotatedTag,
	})),
);

/** The payload of a push (docs/protocol.md#graphql-webhooks). */
export const pushSaid = v.pipe(
	ofWebhook(
		v.object({
			uuid: v.pipe(v.string(), v.nonEmpty()),
			pusher: v.object({ canonicalName: v.string() }),
			// Drops updates without a reference name.
			updates: v.array(v.union([v.null(), v.object({ ref: v.null() }), pushedReference])),
		}),
	),
	v.transform(({ uuid, pusher: { canonicalName }, updates }): PushSaid => ({
		pushId: uuid,
		pusher: { canonicalName, name: canonicalName.replace(/^~/, '') },
		references: updates.flatMap((each) => (each !== null && 'name' in each ? [each] : [])),
	})),
);
