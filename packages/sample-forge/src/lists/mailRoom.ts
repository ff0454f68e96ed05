import { showShortUser, ownerOf } from '../identity/users.ts';
import { stamp, crash, forbidden, notAllowed, notFound, createKeptPages } from '../shared/answers.ts';
import { type Context, type User, userTarget, type ApiCall, param, findOwned, type Dialect } from '../shared/area.ts';
import {
	type Email,
	type ListPermission,
	type MailingList,
	type Patchset,
	type Subscription,
	listPermissions,
} from './mailModel.ts';
import { submitterOf, type Received, type MailStore, createMailStore } from './mailStore.ts';
import { check, need } from '../shared/checks.ts';

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

/** Listener for events of the lists area. */
export interface MailListener {
	listCreated(list: MailingList): void;
	listUpdated(list: MailingList): void;
	listDeleted(list: MailingList): void;
	/** The mail, then the set that it completed. */
	received(received: Received): void;
}

/** Notifies webhooks (docs/protocol.md#events-sent) and listeners of events in the lists area. */
export interface MailHooks extends MailListener {
	listen(listener: Partial<MailListener>): void;
	subscribed(subscription: Subscription): void;
	unsubscribed(subscription: Subscription): void;
}

export const listTarget = (list: MailingList): string => `list:${list.id}`;

function createMailHooks({ webhooks }: Context, shapes: MailShapes): MailHooks {
	const tellUser = (user: User, event: string, payload: object): void =>
		webhooks.emit({ family: 'listsUser', target: userTarget(user), event, payload });
	const tellList = (list: MailingList, event: string, payload: object): void =>
		webhooks.emit({ family: 'listsList', target: listTarget(list), event, payload });
	const mail = (email: Email): void => {
		if (email.sender !== null) {
			tellUser(email.sender, 'email:received', shapes.email(email));
		}
		tellList(email.list, 'post:received', shapes.email(email));
	};
	const set = (patchset: Patchset): void => tellList(patchset.list, 'patchset:received', shapes.patchset(patchset));
	const listeners: Partial<MailListener>[] = [];
	const tell = (say: (listener: Partial<MailListener>) => void): void => listeners.forEach(say);
	return {
		listen: (listener) => void listeners.push(listener),
		listCreated(list) {
			tellUser(list.owner, 'list:create', shapes.list(list));
			tell((listener) => listener.listCreated?.(list));
		},
		listUpdated(list) {
			tellList(list, 'list:update', shapes.list(list));
			tell((listener) => listener.listUpdated?.(list));
		},
		listDeleted(list) {
			tellList(list, 'list:delete', shapes.list(list));
			webhooks.drop('listsList', listTarget(list));
			tell((listener) => listener.listDeleted?.(list));
		},
		received(received) {
			mail(received.email);
			if (received.patchset !== null) {
				set(received.patchset);
			}
			tell((listener) => listener.received?.(received));
		},
		subscribed: (each) => tellUser(each.user, 'subscription:create', shapes.subscription(each)),
		unsubscribed: (each) => tellUser(each.user, 'subscription:remove', { id: each.id }),
	};
}

/** Finds what a path names, and refuses (docs/protocol.md#refusals) when the caller may not have it. */
export function createListAccess(context: Context, store: MailStore) {
	const { dialect } = context;
	/** Permissions of a user; `undefined`: a reader or sender without account. */
	const held = (list: MailingList, user: User | undefined): ReadonlySet<ListPermission> => {
		if (user === undefined) {
			return new Set(list.permissions.nonsubscriber);
		}
		if (user === list.owner) {
			return new Set(listPermissions);
		}
		const subscribed = store.findSubscription(user, list) !== undefined;
		return new Set(subscribed ? list.permissions.subscriber : list.permissions.account);
	};
	/** Also one that the caller may not browse (webhook listings answer there). */
	const anyList = (call: ApiCall): MailingList => {
		const owner = ownerOf(context, call);
		return need(findOwned(store.lists, owner, param(call, 'list')), notFound);
	};
	/** 404 when missing or when the caller may not browse it. */
	const list = (call: ApiCall): MailingList => {
		const found = anyList(call);
		check(held(found, call.user).has('browse'), notFound);
		return found;
	};
	return {
		held,
		anyList,
		list,
		/** The caller's own list, for PUT and DELETE. */
		ownList(call: ApiCall) {
			const found = list(call);
			check(found.owner === call.user, () => forbidden(dialect));
			return found;
		},
		/** By number or Message-ID; a mail of a list that the caller may not browse is forbidden. */
		email(call: ApiCall): Email {
			const [first, second] = store.findEmails(param(call, 'email'));
			check(second === undefined || !dialect.crashes, () => crash(dialect));
			const email = need(first, notFound);
			check(held(email.list, call.user).has('browse'), () => forbidden(dialect));
			return email;
		},
		patchset(call: ApiCall): Patchset {
			const { patchsets } = list(call);
			const id = numberOf(context, call, 'patchset');
			return need(
				patchsets.find((each) => each.id === id),
				notFound,
			);
		},
		subscription(call: ApiCall): Subscription {
			const id = numberOf(context, call, 'subscription');
			const known = store.subscriptions.find((each) => each.id === id);
			const subscription = need(known, notFound);
			check(subscription.user === call.user, () => forbidden(dialect));
			return subscription;
		},
	};
}

/** Only the owner may update a patchset, even one by others. */
export function expectOwner(context: Context, call: ApiCall, list: MailingList): void {
	check(list.owner === call.user, () => notAllowed(context.dialect));
}

function numberOf({ dialect }: Context, call: ApiCall, name: string): number {
	const text = param(call, name);
	check(/^\d+$/.test(text), () => crash(dialect, notFound()));
	return Number(text);
}

/** Shared state of the lists area's routes and mail door. */
export type MailRoom = ReturnType<typeof openMailRoom>;

/** Without lists. */
export function openMailRoom(context: Context) {
	const { shortPatchsets, rewrittenBodies } = context.dialect;
	const store = createMailStore(context.users, !shortPatchsets, rewrittenBodies, context.state);
	const shapes = createMailShapes(context);
	return {
		context,
		store,
		access: createListAccess(context, store),
		shapes,
		hooks: createMailHooks(context, shapes),
		pages: createKeptPages(),
	};
}
