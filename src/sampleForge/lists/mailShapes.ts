import type { Context } from '../shared/area.ts';
import { stamp } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import { showShortUser } from '../identity/users.ts';
import type { Email, ListPermission, MailingList, Patchset, Subscription } from './mailModel.ts';
import { submitterOf } from './mailStore.ts';

/** Resources of the lists area in one dialect, with the observed field order. */
export type MailShapes = ReturnType<typeof createMailShapes>;

export function createMailShapes({ dialect }: Context) {
	const shortList = ({ id, name, owner }: MailingList): object => ({
		...(dialect.containerIds ? { id } : {}),
		name,
		owner: showShortUser(owner),
	});
	const shortPatchset = (patchset: Patchset): object => ({
		...patchsetBase(dialect, patchset),
		submitter: submitterOf(patchset),
		reply_to: patchset.patches.at(-1)?.message.replyTo ?? null,
		message_id: patchset.patches.at(-1)?.messageId ?? null,
	});
	const shortEmail = (email: Email): object => ({
		id: email.id,
		created: stamp(email.createdMs),
		subject: email.message.subject,
		message_id: email.messageId,
		parent_id: email.parent?.id ?? null,
		thread_id: email.root?.id ?? (dialect.undocumentedNulls ? null : email.id),
		list: shortList(email.list),
		sender: email.sender === null ? null : showShortUser(email.sender),
		...(dialect.emailsNamePatchset ? { patchset: email.patchset === null ? null : shortPatchset(email.patchset) } : {}),
	});
	return {
		list: (list: MailingList) => ({
			...shortList(list),
			created: stamp(list.createdMs),
			updated: stamp(list.updatedMs),
			description: list.description,
			permissions: {
				nonsubscriber: showPermissions(dialect, list.permissions.nonsubscriber),
				subscriber: showPermissions(dialect, list.permissions.subscriber),
				account: showPermissions(dialect, list.permissions.account),
			},
		}),
		email: (email: Email) => ({
			...shortEmail(email),
			is_patch: email.message.holdsPatch,
			is_request_pull: false,
			replies: email.answers.length,
			participants: participants(email),
			envelope: dialect.mboxLineInEnvelope ? `${mboxLine(email)}\r\n${email.text}` : email.text,
		}),
		shortEmail,
		/** In API form. */
		patchset: (patchset: Patchset) =>
			dialect.shortPatchsets
				? shortPatchset(patchset)
				: {
						...patchsetBase(dialect, patchset),
						list: shortList(patchset.list),
						cover_letter: patchset.coverLetter === null ? null : shortEmail(patchset.coverLetter),
						superseded_by: patchset.supersededBy === null ? null : shortPatchset(patchset.supersededBy),
					},
		subscription: ({ id, createdMs, list }: Subscription) => ({ id, created: stamp(createdMs), list: shortList(list) }),
	};
}

function patchsetBase(dialect: Dialect, patchset: Patchset): object {
	const { id, createdMs, updatedMs, subject, prefix, version, status } = patchset;
	return {
		id,
		created: stamp(createdMs),
		updated: stamp(updatedMs),
		subject,
		prefix: prefix === '' && dialect.undocumentedNulls ? null : prefix,
		version,
		status,
	};
}

function showPermissions(dialect: Dialect, held: readonly ListPermission[]): readonly string[] {
	const normal = (['browse', 'reply', 'post'] as const).every((word) => held.includes(word));
	return dialect.combinedPermissionWord && normal ? [...held, 'normal'] : held;
}

/** Counted on the first mail of a thread only: the people who answer (docs/protocol.md#mail-fields). */
function participants({ root, answers }: Email): number {
	return root === null ? new Set(answers.map(({ message }) => message.fromAddress)).size : 1;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The separator line of a mailbox file, as the field's servers leave it in front of a mail. */
export function mboxLine({ createdMs }: Email): string {
	const at = new Date(createdMs);
	const day = `${dayNames[at.getUTCDay()] ?? ''} ${monthNames[at.getUTCMonth()] ?? ''}`;
	const time = at.toISOString().slice(11, 19);
	return `From nobody ${day} ${String(at.getUTCDate()).padStart(2)} ${time} ${at.getUTCFullYear()}`;
}
