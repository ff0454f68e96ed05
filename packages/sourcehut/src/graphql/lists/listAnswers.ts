import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import { patchsetStatuses, toolStates } from '../../port/list.ts';
import type {
	ListPermission,
	ListPermissions,
	MailingList,
	Patchset,
	PatchsetTool,
	ShortEmail,
	ShortList,
	Subscription,
} from '../../port/list.ts';
import type { ShortUser } from '../../port/user.ts';
import { wordOf } from '../../port/word.ts';
import { ofOwner } from '../transport/operations.ts';
import { partly, unsentIn, unsentKey } from '../transport/partial.ts';
import { selected } from '../transport/selection.ts';
import { bareName, id } from '../transport/variables.ts';

/* Schemas for the list service's queries and responses (docs/protocol.md#graphql-mails). */

export const inList = [ofOwner, 'list(name: $name String!): MailingList'];

/** A user, or a sender without an account. */
const entity = selected(
	'Entity',
	{
		canonicalName: v.string(),
		username: v.nullish(v.string()),
		email: v.nullish(v.string()),
		name: v.nullish(v.string()),
		address: v.nullish(v.string()),
	},
	{ User: 'username email', Mailbox: 'name address' },
);

type WireEntity = v.InferOutput<typeof entity>;

function userOf({ canonicalName }: { readonly canonicalName: string }): ShortUser {
	return { canonicalName, name: bareName(canonicalName) };
}

/** Formatted like a mail's From header. */
function fromOf({ canonicalName, username, email, name, address }: WireEntity): string {
	const [called, mail] = [name ?? username ?? '', address ?? email ?? ''];
	return mail === '' ? canonicalName.trim() : called === '' ? mail : `${called} <${mail}>`;
}

const owner = v.pipe(selected('Entity', { canonicalName: v.string() }), v.transform(userOf));

const wireShortList = selected('MailingList', { name: v.string(), owner });

function shortListOf({ name, owner: by }: v.InferOutput<typeof wireShortList>): ShortList {
	return { name, owner: by };
}

/** The API has no `normal`. */
const apiWords = ['browse', 'reply', 'post', 'moderate'] as const;

function rights(type: string) {
	return v.pipe(
		selected(type, Object.fromEntries(apiWords.map((word) => [word, v.optional(v.unknown())]))),
		v.transform((words): readonly ListPermission[] => apiWords.filter((word) => words[word] === true)),
	);
}

/** The API reports one set of default permissions, for everybody without their own. */
function permissionsOf(
	mine: readonly ListPermission[] | undefined,
	everybodys: readonly ListPermission[] | undefined,
): ListPermissions | undefined {
	return mine || everybodys
		? { ...(mine ? { mine } : {}), nonsubscriber: everybodys, subscriber: everybodys, account: everybodys }
		: undefined;
}

/** A mailing list. `access` is null if the account may not read it. */
export const mailingList = v.pipe(
	selected('MailingList', {
		id,
		rid: v.optional(v.string()),
		name: v.string(),
		owner,
		created: timestamp,
		updated: timestamp,
		lastActivity: v.nullish(timestamp),
		description: v.nullish(v.string()),
		access: v.nullish(rights('ACL')),
		defaultACL: v.nullish(rights('GeneralACL')),
		...partly,
	}),
	v.transform((wire): MailingList => ({
		id: wire.id,
		...(wire.rid === undefined ? {} : { rid: wire.rid }),
		name: wire.name,
		owner: wire.owner,
		createdMs: wire.created,
		// The server sets `updated` only at creation.
		updatedMs: wire.lastActivity ?? wire.updated,
		description: wire.description ?? undefined,
		permissions: permissionsOf(wire.access ?? undefined, wire.defaultACL ?? undefined),
		...unsentIn(wire),
	})),
);

/** Optional fields of a list that need their own grant. */
export const droppableOfList = [{ type: 'MailingList', field: 'access', grant: 'ACLS:RO' }] as const;

const status = v.pipe(
	v.string(),
	v.transform((word) => wordOf(patchsetStatuses, word.toLowerCase())),
);

const wireMail = {
	id,
	received: timestamp,
	subject: v.string(),
	messageID: v.string(),
	sender: entity,
	parent: v.nullish(selected('Email', { id })),
	patchset: v.nullish(selected('Patchset', { id, version: v.number(), status })),
	list: wireShortList,
	...partly,
};

type WireMail = v.InferOutput<v.ObjectSchema<typeof wireMail, undefined>>;

/** Optional fields of a mail that need their own grant. */
export const droppableOfMail = [{ type: 'Email', field: 'patchset', grant: 'PATCHES:RO' }] as const;

/** A mail without its text; `in` adds the thread. */
interface MailInThread {
	readonly id: number;
	/** `rootId`: the id of the thread's first mail. */
	readonly in: (rootId: number) => ShortEmail;
}

const mailInThread = v.pipe(selected('Email', wireMail), v.transform(mailOf));

/** A mail that says whether it is a patch. */
export const describedMail = v.pipe(
	selected('Email', {
		...wireMail,
		patch: v.nullish(selected('Patch', { index: v.nullish(v.number()), version: v.nullish(v.number()) })),
	}),
	v.transform(({ patch, ...wire }) => ({
		...mailOf(wire),
		// Mails that are no patches have an object of nulls. A cover letter has index 0.
		isPatch: patch?.index !== 0 && [patch?.index, patch?.version].some((value) => typeof value === 'number'),
	})),
);

function mailOf(wire: WireMail): MailInThread {
	const { patchset, [unsentKey]: failed } = wire;
	// The query omitted the field after it had failed the whole answer.
	const unsent = patchset === undefined ? [...new Set([...failed, 'patchset'])] : failed;
	return {
		id: wire.id,
		in: (rootId) => ({
			id: wire.id,
			createdMs: wire.received,
			subject: wire.subject,
			messageId: bracketed(wire.messageID),
			parentId: wire.parent?.id,
			threadId: rootId === wire.id ? undefined : rootId,
			list: shortListOf(wire.list),
			// Only senders without an account have `address`.
			sender: typeof wire.sender.address === 'string' ? undefined : userOf(wire.sender),
			from: fromOf(wire.sender),
			...(patchset
				? { patchsetId: patchset.id, patchset: { version: patchset.version, status: patchset.status } }
				: { patchsetId: undefined }),
			...unsentIn({ [unsentKey]: unsent }),
		}),
	};
}

/** Servers send Message-IDs without angle brackets. */
export function bracketed(messageId: string): string {
	return messageId.startsWith('<') ? messageId : `<${messageId}>`;
}

export const threadHead = { replies: v.number(), participants: v.number() };

/** A mail without its text, and its thread's counts. */
export interface FoundMail {
	readonly mail: ShortEmail;
	readonly isPatch: boolean;
	readonly replies: number;
	readonly participants: number;
}

export const mailWithThread = v.pipe(
	v.intersect([
		describedMail,
		v.object({ thread: selected('Thread', { ...threadHead, root: selected('Email', { id }) }) }),
	]),
	v.transform(({ isPatch, in: inThread, thread: { replies, participants, root } }): FoundMail => ({
		mail: inThread(root.id),
		isPatch,
		replies,
		participants,
	})),
);

/** A mail of a list. */
export const mailOfList = v.pipe(
	v.intersect([mailInThread, v.object({ thread: selected('Thread', { root: selected('Email', { id }) }) })]),
	v.transform(({ in: inThread, thread: { root } }): ShortEmail => inThread(root.id)),
);

/** The first mail of a thread. */
export const threadRoot = v.pipe(
	selected('Thread', { root: mailInThread }),
	v.transform(({ root }): ShortEmail => root.in(root.id)),
);

const tool = v.pipe(
	selected('PatchsetTool', { id, updated: timestamp, icon: v.string(), details: v.string() }),
	v.transform(({ updated, icon, details, ...known }): PatchsetTool => ({
		...known,
		updatedMs: updated,
		state: wordOf(toolStates, icon.toLowerCase()),
		details,
	})),
);

export const patchset = v.pipe(
	selected('Patchset', {
		id,
		created: timestamp,
		updated: timestamp,
		subject: v.string(),
		prefix: v.nullish(v.string()),
		version: v.number(),
		status,
		submitter: entity,
		list: wireShortList,
		coverLetter: v.nullish(mailInThread),
		supersededBy: v.nullish(selected('Patchset', { id })),
		supersedes: v.nullish(selected('Patchset', { id })),
		tools: v.nullish(v.array(tool)),
		...partly,
	}),
	v.transform((wire): Patchset => ({
		id: wire.id,
		createdMs: wire.created,
		updatedMs: wire.updated,
		subject: wire.subject,
		prefix: wire.prefix ?? undefined,
		version: wire.version,
		status: wire.status,
		list: shortListOf(wire.list),
		coverLetter: wire.coverLetter?.in(wire.coverLetter.id),
		supersededById: wire.supersededBy?.id,
		...(wire.supersedes ? { supersedesId: wire.supersedes.id } : {}),
		...(wire.tools ? { tools: wire.tools } : {}),
		submitter: fromOf(wire.submitter),
		replyTo: undefined,
		messageId: undefined,
		...unsentIn(wire),
	})),
);

/** `known` is `undefined` for subscriptions of other kinds, and to hidden lists. */
export const numberedSubscription = v.pipe(
	selected(
		'ActivitySubscription',
		{ id, created: timestamp, list: v.nullish(wireShortList) },
		{ MailingListSubscription: 'list' },
	),
	v.transform(({ id: number, created, list }): { readonly id: number; readonly known: Subscription | undefined } => ({
		id: number,
		known: list ? { id: number, createdMs: created, list: shortListOf(list) } : undefined,
	})),
);

/** A list with the account's subscription, if any. */
export const listWithSubscription = v.pipe(
	selected('MailingList', {
		...wireShortList.entries,
		subscription: v.nullish(selected('MailingListSubscription', { id, created: timestamp })),
		// Reports of lists never count as the complete set of subscriptions, so missing fields do no harm.
		...partly,
	}),
	v.transform(({ subscription: own, ...list }): { readonly name: string; readonly own: Subscription | undefined } => ({
		name: list.name,
		own: own ? { id: own.id, createdMs: own.created, list: shortListOf(list) } : undefined,
	})),
);
