import {
	type MailingList,
	isPatchsetStatus,
	listPermissions,
	type ListPermission,
	type Patchset,
	type Email,
} from '../../lists/mailModel.ts';
import { type MailListener, type MailRoom, mboxLine } from '../../lists/mailRoom.ts';
import { isTaken, type GraphqlAge, type Answer } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
import { byId, createCursors, type PageWish } from '../cursors.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { FieldError, type FailureOf, openSchema } from '../engine.ts';
import {
	type Configured,
	createHookKind,
	type HookService,
	noHook,
	type TellHooks,
	createHookTelling,
	userHookRoots,
} from '../hooks.ts';
import { findByName, version, findByRid, orNull } from '../shapes.ts';
import { accessDenied, type Asking, type ListHooks, listShapes, sees, nothingSaid, statusOf } from './listShapes.ts';
import { ProcessEnds } from '../../shared/answers.ts';

const ofList = {
	LIST_UPDATED: 'LISTS',
	LIST_DELETED: 'LISTS',
	EMAIL_RECEIVED: 'EMAILS',
	PATCHSET_RECEIVED: 'PATCHES',
} as const;

function createListHooks(service: HookService): ListHooks {
	const [user, list] = ['user webhook', 'mailing list webhook'];
	return {
		user: createHookKind(service, {
			name: 'UserWebhook',
			events: { LIST_CREATED: 'LISTS', ...ofList },
			find: (asking: Asking) => asking.user,
			missing: user,
			gone: (_asking, id) => noHook(user, id),
		}),
		list: createHookKind(service, {
			name: 'MailingListWebhook',
			events: ofList,
			find: (asking: Asking, { listId }: Configured & { readonly listId: number }) =>
				need(
					asking.room.store.lists.find((each) => each.id === listId && sees(asking, each)),
					accessDenied,
				),
			of: (asking, of) => ({ list: () => listShapes(asking).list(of) }),
			missing: list,
			gone: (_asking, id) => noHook(list, id),
		}),
	};
}

/** Sends events of the list service to webhooks. */
function hookSending(hooks: ListHooks, tell: TellHooks<Asking>): MailListener {
	const changed = (event: string, list: MailingList): void =>
		tell(event, 'MailingListEvent', [hooks.user.listening(list.owner), hooks.list.listening(list)], (asking) => ({
			list: listShapes(asking).list(list),
		}));
	return {
		listCreated: (list) => changed('LIST_CREATED', list),
		listUpdated: (list) => changed('LIST_UPDATED', list),
		listDeleted: (list) => changed('LIST_DELETED', list),
		// People's own webhooks accept both events and never get them (docs/protocol.md#graphql-webhooks).
		received({ email, patchset }) {
			tell('EMAIL_RECEIVED', 'EmailEvent', [hooks.list.listening(email.list)], (asking) => ({
				email: listShapes(asking).email(email),
			}));
			if (patchset !== null) {
				tell('PATCHSET_RECEIVED', 'PatchsetEvent', [hooks.list.listening(patchset.list)], (asking) => ({
					patchset: listShapes(asking).patchset(patchset),
				}));
			}
		},
	};
}

const everything: readonly ListPermission[] = ['browse', 'reply', 'post'];

/** The list service, over the same store as REST. */
export function listsService(room: MailRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	const schema = openSchema('lists', age, failureOf);
	const cursors = createCursors(room.context, 'lists');
	const service = { context: room.context, area: 'lists', schema, cursors } as const;
	const common = {
		room,
		cursors,
		said: room.context.state.part('said of lists', nothingSaid()),
		hooks: createListHooks(service),
	};
	const askingOf = ({ user, grant }: Caller): Asking => ({ ...common, user, grant });
	const tell = createHookTelling(service, askingOf, (asking) => rootsFor(asking).query);
	room.hooks.listen(hookSending(common.hooks, tell));
	return {
		area: 'lists',
		schema,
		roots: (caller) => rootsFor(askingOf(caller)),
		files: (call, caller) => mailFile(askingOf(caller), call),
	};
}

function rootsFor(asking: Asking): ReturnType<GraphqlService['roots']> {
	const { room, user, cursors, said, hooks } = asking;
	const { store, context } = room;
	const shapes = listShapes(asking);
	const mailNamed = (name: string): object | null => shapes.seenEmail(store.findEmails(name)[0]);
	return {
		query: {
			version,
			me: () => shapes.account(user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(context, 'lists', username), shapes.account),
			list: ({ rid }: { readonly rid: string }) => shapes.seenList(findByRid('list', store.lists, rid)),
			message: ({ messageID }: { readonly messageID: string }) => mailNamed(messageID),
			email: ({ id }: { readonly id: number }) => mailNamed(String(id)),
			patchset: ({ id }: { readonly id: number }) => shapes.seenPatchset(store.findPatchset(id)),
			subscriptions({ cursor }: PageWish) {
				const rows = store.subscriptions.filter((each) => each.user === user).toReversed();
				const first = cursors.page(rows, byId, shapes.subscription, {});
				// Page two repeats page one (docs/protocol.md#pages-without-an-end).
				return typeof cursor === 'string' ? { ...first, cursor: null } : first;
			},
			...userHookRoots(asking, hooks.user),
			preferences: () => ({ copySelf: said.copiesSelf.has(user) }),
		},
		mutation: () => ({
			...listMutations(asking),
			...patchsetMutations(asking),
			...hooks.user.mutations(asking),
			...hooks.list.mutations(asking),
		}),
	};
}

interface ListInput {
	readonly description?: string | null;
	readonly visibility?: string | null;
	readonly permitMime?: readonly string[] | null;
	readonly rejectMime?: readonly string[] | null;
}

/** Mutations of lists and patchsets; many refusals are a plain null (docs/protocol.md#rights-in-lists). */
function listMutations(asking: Asking): object {
	const { room, user, said } = asking;
	const { store, hooks, context } = room;
	const shapes = listShapes(asking);
	const findList = (id: number): MailingList | undefined => store.lists.find((list) => list.id === id);
	const ownList = (id: number): MailingList | undefined => {
		const list = findList(id);
		return list?.owner === user ? list : undefined;
	};
	return {
		createMailingList({ name, ...input }: ListInput & { readonly name: string }) {
			checkName(asking, name);
			const list = store.addList(user, name, input.description ?? null, context.nowMs());
			setVisibility(asking, list, input.visibility);
			hooks.listCreated(list);
			return shapes.list(list);
		},
		updateMailingList({ id, input }: { readonly id: number; readonly input: ListInput }) {
			const list = ownList(id);
			if (list === undefined) {
				return null;
			}
			if (input.description !== undefined) {
				store.describeList(list, input.description, context.nowMs());
			}
			setVisibility(asking, list, input.visibility);
			setMime(said.permitMime, list, input.permitMime);
			setMime(said.rejectMime, list, input.rejectMime);
			hooks.listUpdated(list);
			return shapes.list(list);
		},
		deleteMailingList({ id }: { readonly id: number }) {
			const list = findList(id);
			if (list === undefined || !sees(asking, list)) {
				return null;
			}
			check(list.owner === user, () => new FieldError('Access denied'));
			const told = shapes.list(list);
			store.removeList(list);
			hooks.listDeleted(list);
			return told;
		},
		updateMailingListACL({ listID, input }: { readonly listID: number; readonly input: Rights }) {
			const list = ownList(listID);
			if (list === undefined) {
				return null;
			}
			const held = listPermissions.filter((word) => input[word]);
			Object.assign(list.permissions, { nonsubscriber: held, subscriber: held, account: held });
			store.changed();
			return shapes.list(list);
		},
		// Servers allow invisible lists too.
		mailingListSubscribe({ listID }: { readonly listID: number }) {
			const list = findList(listID);
			if (list === undefined) {
				return null;
			}
			const made = store.findSubscription(user, list) ?? store.subscribe(user, list, context.nowMs());
			return made === undefined ? null : shapes.subscription(made);
		},
		mailingListUnsubscribe({ listID }: { readonly listID: number }) {
			const list = findList(listID);
			const subscription = list && store.findSubscription(user, list);
			if (subscription === undefined) {
				return null;
			}
			store.unsubscribe(subscription);
			return shapes.subscription(subscription);
		},
		updatePreferences({ preferences }: { readonly preferences: { readonly copySelf: boolean } }) {
			if (preferences.copySelf) {
				said.copiesSelf.add(user);
			} else {
				said.copiesSelf.delete(user);
			}
			return preferences;
		},
	};
}

type Rights = Readonly<Record<ListPermission, boolean>>;

function checkName({ room, user }: Asking, name: string): void {
	const isFree = !isTaken(room.store.lists, user, name);
	check(isFree, () => new FieldError('A mailing list with this name already exists.'));
	const isName = /^[A-Za-z0-9._-]+$/.test(name);
	check(isName, () => new FieldError('Name must match [A-Za-z0-9._-]+', { field: 'name' }));
}

function setVisibility({ said, room }: Asking, list: MailingList, visibility: string | null | undefined): void {
	if (visibility === undefined || visibility === null) {
		return;
	}
	const held = visibility === 'PRIVATE' ? [] : everything;
	Object.assign(list.permissions, { nonsubscriber: held, subscriber: held, account: held });
	if (visibility === 'UNLISTED') {
		said.unlisted.add(list);
	} else {
		said.unlisted.delete(list);
	}
	room.store.changed();
}

function setMime(
	kept: Map<MailingList, readonly string[]>,
	list: MailingList,
	types: readonly string[] | null | undefined,
): void {
	if (types !== undefined && types !== null) {
		kept.set(list, types);
	}
}

interface ToolInput {
	readonly details?: string | null;
	readonly icon?: string | null;
}

function patchsetMutations(asking: Asking): object {
	const { room, user, said } = asking;
	const shapes = listShapes(asking);
	/** The patchset, for moderators of its list. The submitter is no moderator. */
	const moderated = (id: number): Patchset | undefined => {
		const patchset = room.store.findPatchset(id);
		return patchset && room.access.held(patchset.list, user).has('moderate') ? patchset : undefined;
	};
	return {
		updatePatchset({ id, status }: { readonly id: number; readonly status: string }) {
			const patchset = moderated(id);
			if (patchset === undefined) {
				return null;
			}
			const word = status.toLowerCase();
			if (isPatchsetStatus(word)) {
				said.unknownStatus.delete(patchset);
				room.store.setStatus(patchset, word, room.context.nowMs());
			} else {
				said.unknownStatus.set(patchset, patchset.status);
			}
			return shapes.patchset(patchset);
		},
		createTool({ patchsetID, details, icon }: ToolInput & { readonly patchsetID: number }) {
			const scanError = 'sql: Scan error on column index 5, name "patchset_id": converting NULL to int is unsupported';
			const patchset = need(moderated(patchsetID), () => new FieldError(scanError));
			const nowMs = room.context.nowMs();
			const id = said.tools.length + 1;
			const tool = { id, patchset, createdMs: nowMs, updatedMs: nowMs, icon: icon ?? '', details: details ?? '' };
			said.tools.push(tool);
			return shapes.tool(tool);
		},
		updateTool({ id, details, icon }: ToolInput & { readonly id: number }) {
			const tool = said.tools.find((each) => each.id === id);
			if (tool === undefined || moderated(tool.patchset.id) === undefined) {
				return null;
			}
			Object.assign(tool, {
				details: details ?? tool.details,
				icon: icon ?? tool.icon,
				updatedMs: room.context.nowMs(),
			});
			return shapes.tool(tool);
		},
	};
}

const dayMs = 24 * 60 * 60 * 1000;

/** Raw mails, and mailboxes of threads, patchsets and lists (docs/protocol.md#graphql-mailboxes). */
function mailFile(
	asking: Asking,
	{ path, query }: Parameters<NonNullable<GraphqlService['files']>>[0],
): Answer | undefined {
	const [, kind, number] =
		/^\/query\/(?:(email)\/(\d+))$/.exec(path) ?? /^\/query\/(thread|patchset|list)\/(\d+)\.mbox$/.exec(path) ?? [];
	const { store, context } = asking.room;
	const id = Number(number);
	const firstOf = (): Email | undefined => store.findEmails(String(id))[0];
	switch (kind) {
		case 'email': {
			const email = firstOf();
			if (email === undefined) {
				// Observed services crash here and close the connection.
				throw new ProcessEnds(`No mail ${id}`);
			}
			return file('message/rfc822', sees(asking, email.list) ? email.bytes : '');
		}
		case 'thread': {
			const root = firstOf();
			return root?.root === null ? mailbox(asking, [root, ...root.answers]) : missing;
		}
		case 'patchset': {
			const patchset = store.findPatchset(id);
			const added = patchset && `X-Sourcehut-Patchset-Final: ${statusOf(asking, patchset).toLowerCase()}\n`;
			return patchset === undefined ? missing : mailbox(asking, patchset.patches, added);
		}
		case 'list': {
			const since = Number(query.get('since') ?? Infinity);
			const list = store.lists.find((each) => each.id === id);
			return list === undefined
				? missing
				: mailbox(
						asking,
						list.emails.filter(({ createdMs }) => createdMs >= context.nowMs() - since * dayMs),
					);
		}
		case undefined:
		default: {
			return undefined;
		}
	}
}

/** Empty for an invisible list. Two line ends follow each mail, even the last one. */
function mailbox(asking: Asking, mails: readonly Email[], added = ''): Answer {
	const seen = mails.filter(({ list }) => sees(asking, list));
	return file(
		'application/mbox',
		Buffer.concat(
			seen.flatMap((email) => [
				Buffer.from(`${lineBefore(email)}\n${added}`),
				quoted(email.bytes),
				Buffer.from('\n\n'),
			]),
		),
	);
}

function lineBefore(email: Email): string {
	return mboxLine(email).replace('nobody', email.message.fromAddress);
}

/** Marks lines that look like the next mail. A line with the mark in the original is ambiguous afterwards. */
function quoted(bytes: Uint8Array): Uint8Array {
	const text = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
	return Buffer.from(text.replaceAll(/(?<![^\n])From /g, '>From '), 'latin1');
}

function file(type: string, body: string | Uint8Array): Answer {
	return { status: 200, headers: { 'Content-Type': type }, body };
}

const missing: Answer = {
	status: 404,
	headers: { 'Content-Type': 'text/plain; charset=utf-8' },
	body: 'Not found\r\n',
};
