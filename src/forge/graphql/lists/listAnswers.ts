import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import { listPermissionWords, patchsetStatuses, toolStates } from '../../port/list.ts';
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
import { partly, unsentIn, unsentKey } from '../door/partial.ts';
import { bareName, id } from '../door/variables.ts';

/* Schemas for the list service's responses (docs/protocol.md#graphql-mails). */

/** A user, or a sender without an account. */
const entity = v.object({
	canonicalName: v.string(),
	username: v.nullish(v.string()),
	email: v.nullish(v.string()),
	name: v.nullish(v.string()),
	address: v.nullish(v.string()),
});

type WireEntity = v.InferOutput<typeof entity>;

function userOf({ canonicalName }: WireEntity): ShortUser {
	return { canonicalName, name: bareName(canonicalName) };
}

/** Only senders without an account have `address`. */
function senderOf(wire: WireEntity): ShortUser | undefined {
	return typeof wire.address === 'string' ? undefined : userOf(wire);
}

/** Formatted like a mail's From header. */
function fromOf({ canonicalName, username, email, name, address }: WireEntity): string {
	const [called, mail] = [name ?? username ?? '', address ?? email ?? ''];
	return mail === '' ? canonicalName.trim() : called === '' ? mail : `${called} <${mail}>`;
}

const owner = v.pipe(entity, v.transform(userOf));

const wireShortList = v.object({ name: v.string(), owner });

function shortListOf({ name, owner: by }: v.InferOutput<typeof wireShortList>): ShortList {
	return { name, owner: by };
}

const rights = v.pipe(
	v.record(v.string(), v.unknown()),
	v.transform((words): readonly ListPermission[] => listPermissionWords.filter((word) => words[word] === true)),
);

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
	v.object({
		id,
		rid: v.optional(v.string()),
		name: v.string(),
		owner,
		created: timestamp,
		updated: timestamp,
		lastActivity: v.nullish(timestamp),
		description: v.nullish(v.string()),
		access: v.nullish(rights),
		defaultACL: v.nullish(rights),
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

const status = v.pipe(
	v.string(),
	v.transform((word) => wordOf(patchsetStatuses, word.toLowerCase())),
);

const wireMail = v.object({
	id,
	received: timestamp,
	subject: v.string(),
	messageID: v.string(),
	sender: entity,
	parent: v.nullish(v.object({ id })),
	patchset: v.nullish(v.object({ id, version: v.number(), status })),
	list: wireShortList,
	patch: v.nullish(v.object({ index: v.nullish(v.number()), version: v.nullish(v.number()) })),
	...partly,
});

/** A mail without its text; `in` adds the thread. */
export interface MailInThread {
	readonly id: number;
	readonly isPatch: boolean;
	/** `rootId`: the id of the thread's first mail. */
	readonly in: (rootId: number) => ShortEmail;
}

export const mailInThread = v.pipe(wireMail, v.transform(mailOf));

function mailOf(wire: v.InferOutput<typeof wireMail>): MailInThread {
	const { patchset, patch, [unsentKey]: failed } = wire;
	// The query omitted the field after it had failed the whole answer.
	const unsent = patchset === undefined ? [...new Set([...failed, 'patchset'])] : failed;
	return {
		id: wire.id,
		// Mails that are no patches have an object of nulls. A cover letter has index 0.
		isPatch: patch?.index !== 0 && [patch?.index, patch?.version].some((value) => typeof value === 'number'),
		in: (rootId) => ({
			id: wire.id,
			createdMs: wire.received,
			subject: wire.subject,
			messageId: bracketed(wire.messageID),
			parentId: wire.parent?.id,
			threadId: rootId === wire.id ? undefined : rootId,
			list: shortListOf(wire.list),
			sender: senderOf(wire.sender),
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

export const threadHead = v.object({ replies: v.number(), participants: v.number() });

/** A mail without its text, and its thread's counts. */
export interface FoundMail {
	readonly mail: ShortEmail;
	readonly isPatch: boolean;
	readonly replies: number;
	readonly participants: number;
}

export const mailWithThread = v.pipe(
	v.intersect([mailInThread, v.object({ thread: v.object({ ...threadHead.entries, root: v.object({ id }) }) })]),
	v.transform(({ isPatch, in: inThread, thread: { replies, participants, root } }): FoundMail => ({
		mail: inThread(root.id),
		isPatch,
		replies,
		participants,
	})),
);

/** The first mail of a thread. */
export const threadRoot = v.pipe(
	v.object({ root: mailInThread }),
	v.transform(({ root }): ShortEmail => root.in(root.id)),
);

const tool = v.pipe(
	v.object({ id, updated: timestamp, icon: v.string(), details: v.string() }),
	v.transform(({ updated, icon, details, ...known }): PatchsetTool => ({
		...known,
		updatedMs: updated,
		state: wordOf(toolStates, icon.toLowerCase()),
		details,
	})),
);

export const patchset = v.pipe(
	v.object({
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
		supersededBy: v.nullish(v.object({ id })),
		supersedes: v.nullish(v.object({ id })),
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

/** `undefined` for subscriptions of other kinds, and to hidden lists. */
const subscription = v.pipe(
	v.object({ id, created: timestamp, list: v.nullish(wireShortList) }),
	v.transform((wire): Subscription | undefined =>
		wire.list ? { id: wire.id, createdMs: wire.created, list: shortListOf(wire.list) } : undefined,
	),
);

/** A subscription with its id, even if the server hides its list. */
export const numberedSubscription = v.pipe(
	v.intersect([
		v.object({ id }),
		v.pipe(
			subscription,
			v.transform((known) => ({ known })),
		),
	]),
	v.transform(({ id: number, known }) => ({ id: number, known })),
);

/** A list with the account's subscription, if any. */
export const listWithSubscription = v.pipe(
	v.object({
		...wireShortList.entries,
		subscription: v.nullish(v.object({ id, created: timestamp })),
		// Reports of lists never count as the complete set of subscriptions, so missing fields do no harm.
		...partly,
	}),
	v.transform(({ subscription: own, ...list }): { readonly name: string; readonly own: Subscription | undefined } => ({
		name: list.name,
		own: own ? { id: own.id, createdMs: own.created, list: shortListOf(list) } : undefined,
	})),
);

/* The selections for these schemas. A comment after each opening brace names the type (`graphql`). */

const ownerFields = '{ # Entity\ncanonicalName }';

const entityFields = `{ # Entity
	canonicalName
	... on User { username email }
	... on Mailbox { name address }
}`;

export const shortListFields = `{ # MailingList
	name
	owner ${ownerFields}
}`;

export const subscribedFields = `
	name
	owner ${ownerFields}
	subscription { # MailingListSubscription
		id created
	}`;

/** Optional fields of a list that need their own grant. */
export const droppableOfList = [{ type: 'MailingList', field: 'access', grant: 'ACLS:RO' }] as const;

export const listFields = `
	id
	rid
	name
	owner ${ownerFields}
	created
	updated
	lastActivity
	description
	access { # ACL
		browse reply post moderate
	}
	defaultACL { # GeneralACL
		browse reply post moderate
	}`;

/** Optional fields of a mail that need their own grant. */
export const droppableOfMail = [{ type: 'Email', field: 'patchset', grant: 'PATCHES:RO' }] as const;

export const mailFields = `
	id
	received
	subject
	messageID
	sender ${entityFields}
	parent { # Email
		id
	}
	patchset { # Patchset
		id version status
	}
	patch { # Patch
		index version
	}
	list ${shortListFields}`;

export const threadHeadFields = 'replies participants';

export const mailWithThreadFields = `
	${mailFields}
	thread { # Thread
		${threadHeadFields}
		root { # Email
			id
		}
	}`;

export const patchsetFields = `
	id
	created
	updated
	subject
	prefix
	version
	status
	submitter ${entityFields}
	list ${shortListFields}
	coverLetter { # Email
		${mailFields}
	}
	supersededBy { # Patchset
		id
	}
	supersedes { # Patchset
		id
	}
	tools { # PatchsetTool
		id updated icon details
	}`;
