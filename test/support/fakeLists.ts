import type { Forge, ListApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import {
	refOfList,
	type Email,
	type ListRef,
	type MailingList,
	type Patchset,
	type PatchsetRef,
	type ShortEmail,
	type Subscription,
} from 'sourcehut/port/list.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { User } from 'sourcehut/port/user.ts';
import type { KeptMails } from '../../src/store/lists/keptMails.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { WriteJournal } from '../../src/store/shared/writeJournal.ts';
import type { KeptNames } from '../../src/store/shared/keptNames.ts';
import { fakeConnection, keptNames, type ForgeConnection } from './fakeConnection.ts';
import { fakeTrackers } from './fakeForge.ts';
import { fakeRepositories, fakeStore } from './fakeRepositories.ts';
import { mailStores } from './mailStores.ts';
import { wholeFilesOver } from './samplePatchsets.ts';
import { ownOnly } from 'sourcehut/rest/caller.ts';
import { makeList, makeSubscription } from './makeMail.ts';

/** Contents of the fake, for tests to fill and read. */
export interface FakeListWorld {
	readonly lists: MailingList[];
	readonly subscriptions: Subscription[];
	/** By `~owner/name`, newest first. */
	readonly patchsets: Map<string, Patchset[]>;
	/** Patches by patchset number. */
	readonly series: Map<number, Email[]>;
	/** Mails of all lists. */
	readonly mails: Email[];
	/** Posts of each list, by `~owner/name`. */
	readonly posts: Map<string, ShortEmail[]>;
	/** Users with a profile. */
	readonly users: User[];
	/** Every call in order: `patchset ~alice/devel 1`. */
	readonly calls: string[];
	pageSize: number;
	/** Runs before each call returns: to wait, to fail, or to change the world. */
	before: (call: string) => Promise<void> | void;
}

export interface FakeLists {
	readonly world: FakeListWorld;
	readonly api: ListApi;
	/** `mails` of a server that ignores the search. */
	readonly allMails?: NonNullable<ListApi['mails']>;
}

/**
 * The mailing-list area in memory. As on observed servers, only owners and known moderators may set a status
 * (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
export function fakeLists(me = '~alice'): FakeLists {
	const world: FakeListWorld = {
		lists: [],
		subscriptions: [],
		patchsets: new Map(),
		series: new Map(),
		mails: [],
		posts: new Map(),
		users: [],
		calls: [],
		pageSize: 50,
		before: () => undefined,
	};

	async function called(call: string, signal: AbortSignal): Promise<void> {
		world.calls.push(call);
		const gate = Promise.withResolvers<never>();
		const giveUp = (): void => gate.reject(new DOMException('The operation was aborted', 'AbortError'));
		signal.addEventListener('abort', giveUp, { once: true });
		if (signal.aborted) {
			giveUp();
		}
		try {
			await Promise.race([Promise.resolve(world.before(call)), gate.promise]);
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	async function* paged<T>(call: string, all: () => readonly T[], signal: AbortSignal): Pages<T> {
		for (let from = 0; ; from += world.pageSize) {
			await called(`${call} ${from}`, signal);
			const seen = Math.min(all().length, from + world.pageSize);
			const isLast = seen >= all().length;
			const page: Page<T> = {
				items: all().slice(from, seen),
				seen,
				completeness: isLast ? { kind: 'complete' } : { kind: 'more', total: all().length },
			};
			yield page;
			if (isLast) {
				return;
			}
		}
	}

	function found<T>(item: T | undefined): T {
		if (item === undefined) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return item;
	}

	const isList = (ref: ListRef) => (list: MailingList) =>
		list.owner.canonicalName === ref.owner && list.name === ref.name;
	const patchsetsOf = (ref: ListRef): readonly Patchset[] => world.patchsets.get(refText(ref)) ?? [];
	const patchsetOf = ({ list, id }: PatchsetRef): Patchset =>
		found(patchsetsOf(list).find((patchset) => patchset.id === id));
	const sentBy = (user: string): readonly Email[] => world.mails.filter(({ sender }) => sender?.canonicalName === user);
	const mailsIn = (ref: ListRef): readonly Email[] =>
		world.mails.filter(({ list }) => list && refText(refOfList(list)) === refText(ref)).toSorted((a, b) => b.id - a.id);
	const repliesIn = (ref: ListRef): readonly Email[] => mailsIn(ref).filter(({ threadId }) => threadId !== undefined);
	/** Searches headers as servers do, in the whole text of the mail. */
	const matches = ({ id }: ShortEmail, terms: string): boolean => {
		const wanted = terms.replace(/^(?:from|message-id):/, '');
		return world.mails.some((mail) => mail.id === id && `${mail.messageId}${mail.envelope}`.includes(wanted));
	};

	const api: ListApi = {
		lists: (owner, signal) =>
			paged('lists', () => world.lists.filter((list) => list.owner.canonicalName === (owner ?? me)), signal),
		async list(ref, signal) {
			await called(`list ${refText(ref)}`, signal);
			return found(world.lists.find(isList(ref)));
		},
		async create({ name, description }, signal) {
			await called(`create ${name}`, signal);
			if (world.lists.some((each) => each.name === name && each.owner.canonicalName === me)) {
				throw new ForgeError({ kind: 'invalid', errors: [{ field: 'name', reason: 'This name is already in use.' }] });
			}
			const list = makeList({ name, owner: { canonicalName: me, name: me.slice(1) }, description });
			world.lists.push(list);
			world.subscriptions.push(makeSubscription(list, world.subscriptions.length + 100));
			return list;
		},
		async update(ref, description, signal) {
			ownOnly(me, ref.owner);
			await called(`update ${ref.name}`, signal);
			const at = world.lists.findIndex(isList(ref));
			const list = { ...found(world.lists[at]), description };
			world.lists[at] = list;
			return list;
		},
		async remove(ref, signal) {
			ownOnly(me, ref.owner);
			await called(`remove ${ref.name}`, signal);
			const at = world.lists.findIndex(isList(ref));
			found(world.lists[at]);
			world.lists.splice(at, 1);
		},
		posts: (ref, signal) => paged(`posts ${refText(ref)}`, () => world.posts.get(refText(ref)) ?? [], signal),
		search: (ref, terms, signal) =>
			paged(
				`search ${refText(ref)} ${terms}`,
				() =>
					terms === 'is:reply'
						? repliesIn(ref)
						: (world.posts.get(refText(ref)) ?? []).filter((mail) => matches(mail, terms)),
				signal,
			),
		emailsOf: (user, signal) =>
			paged(`emails ${user ?? '(own)'}`, () => sentBy(user ?? me).toSorted((a, b) => b.id - a.id), signal),
		async email(id, signal) {
			const name = typeof id === 'number' ? id : id.messageId;
			await called(`email ${name}`, signal);
			return found(world.mails.find((mail) => mail.id === name || mail.messageId === name));
		},
		async thread(id, signal) {
			const name = typeof id === 'number' ? id : id.messageId;
			await called(`thread ${name}`, signal);
			// A reply has no thread of its own (docs/protocol.md#threads).
			const first =
				typeof id === 'number'
					? id
					: found(world.mails.find(({ messageId, threadId }) => messageId === name && threadId === undefined)).id;
			return world.mails.filter((mail) => mail.id === first || mail.threadId === first);
		},
		patchsets: (ref, signal) => paged(`patchsets ${refText(ref)}`, () => patchsetsOf(ref), signal),
		async patchset(ref, signal) {
			await called(`patchset ${refText(ref.list)} ${ref.id}`, signal);
			return patchsetOf(ref);
		},
		async setPatchsetStatus(ref, status, signal) {
			await called(`status ${refText(ref.list)} ${ref.id} ${status}`, signal);
			const mine = world.lists.find(isList(ref.list))?.permissions?.mine;
			if (ref.list.owner !== me && mine?.includes('moderate') !== true) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
			const changed = { ...patchsetOf(ref), status };
			const others = patchsetsOf(ref.list).map((each) => (each.id === ref.id ? changed : each));
			world.patchsets.set(refText(ref.list), others);
			return changed;
		},
		patches: ({ id }, signal) => paged(`patches ${id}`, () => world.series.get(id) ?? [], signal),
		subscriptions: (_named, signal) => paged('subscriptions', () => world.subscriptions, signal),
		async subscription(id, signal) {
			await called(`subscription ${id}`, signal);
			return found(world.subscriptions.find((subscription) => subscription.id === id));
		},
		async subscribe(ref, signal) {
			await called(`subscribe ${refText(ref)}`, signal);
			const list = found(world.lists.find(isList(ref)));
			if (world.subscriptions.some((each) => each.list.name === list.name)) {
				throw new ForgeError({ kind: 'invalid', errors: [{ field: 'list', reason: 'You are subscribed already.' }] });
			}
			const subscription = makeSubscription(list, world.subscriptions.length + 100);
			world.subscriptions.push(subscription);
			return subscription;
		},
		async unsubscribe({ id }, signal) {
			await called(`unsubscribe ${id}`, signal);
			const at = world.subscriptions.findIndex((subscription) => subscription.id === id);
			found(world.subscriptions[at]);
			world.subscriptions.splice(at, 1);
		},
	};
	return {
		world,
		api,
		allMails: (ref, signal) => paged(`mails ${refText(ref)}`, () => mailsIn(ref), signal),
	};
}

/** One account with the list area `api`, without trackers and repositories. People come from `users`. */
export function listConnection(
	api: ListApi,
	me = '~alice',
	followed: KeptNames = keptNames(),
	users: readonly User[] = [],
	disk?: KeptMails,
	kept?: WriteJournal,
): ForgeConnection {
	const others = fakeConnection(fakeTrackers(me).api, me, keptNames(), undefined, kept);
	const { key, instance, tickets } = others;
	const git = fakeRepositories(me);
	const repositories = fakeStore(git, { me });
	const forge: Forge = {
		me,
		users: {
			async user(_, name = me) {
				const user = users.find(({ canonicalName, email }) => canonicalName === name || email === name);
				if (!user) {
					throw new ForgeError({ kind: 'notFound' });
				}
				return user;
			},
		},
		trackers: others.forge.trackers,
		lists: api,
		repositories: git.api,
		get webhooks() {
			return others.forge.webhooks;
		},
	};
	const { journal } = others;
	const lists = new ListStore({ journal, api, me, followed, disk });
	return {
		key,
		instance,
		me,
		forge,
		journal,
		outbox: others.outbox,
		outboxSender: others.outboxSender,
		mailOutbox: others.mailOutbox,
		drainMails: others.drainMails,
		tickets,
		lists,
		...mailStores({ lists, forge }),
		repositories,
		index: others.index,
		writes: others.writes,
		inbox: others.inbox,
		inboxReadings: others.inboxReadings,
		sentMails: others.sentMails,
		readMarks: others.readMarks,
		webhooks: others.webhooks,
		wholeFiles: wholeFilesOver(repositories, { me }),
	};
}
