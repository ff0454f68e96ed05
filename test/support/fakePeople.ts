import type { Clock } from '@forge-desk/base/clock.ts';
import { keptInMemory } from './keptInMemory.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfList } from 'sourcehut/port/list.ts';
import type { User } from 'sourcehut/port/user.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { fakeConnection, keptNames, type ForgeConnection } from './fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from './fakeForge.ts';
import { fakeLists, type FakeListWorld } from './fakeLists.ts';
import { fakeRepositories, makeRepository, noKeptObjects, type FakeRepositoryWorld } from './fakeRepositories.ts';
import { makeList, makeMail, makePatchset } from './makeMail.ts';
import { mailStores } from './mailStores.ts';
import { makeTracker, makeUser, someTimeMs } from './makeTicket.ts';
import { journalInMemory } from './journalInMemory.ts';

/** An account with access to other users' profiles and data. */
export interface PeopleWorld {
	readonly connection: ForgeConnection;
	readonly lists: FakeListWorld;
	readonly trackers: FakeTrackerWorld;
	readonly repositories: FakeRepositoryWorld;
	/** Profiles by `~name`. */
	readonly users: Map<string, User>;
	/** Runs before each profile returns: to wait or to fail. */
	beforeUser: () => Promise<void> | void;
}

/** A profile with defaults. */
export function makeProfile(name: string, change: Partial<User> = {}): User {
	return {
		...makeUser(name),
		email: `${name}@forge.test`,
		url: `https://${name}.example`,
		location: 'Leeds',
		bio: 'Likes **splines**.',
		...change,
	};
}

/**
 * Alice, the owner of the list `devel`, sees Bob: two trackers, a list, a repository, three mails on `devel`, and four
 * patchsets there with different statuses. One of alice's own patchsets is among them.
 */
export function peopleWorld(clock: Clock, me = '~alice'): PeopleWorld {
	const trackers = fakeTrackers(me);
	const lists = fakeLists(me);
	const repositories = fakeRepositories(me);
	const users = new Map(
		[makeProfile('alice', { bio: undefined }), makeProfile('bob')].map((user) => [user.canonicalName, user]),
	);
	const world: { beforeUser: PeopleWorld['beforeUser'] } = { beforeUser: () => undefined };
	const forge: Forge = {
		me,
		users: {
			async user(_, name = me) {
				await world.beforeUser();
				const found = users.get(name) ?? [...users.values()].find(({ email }) => email === name);
				if (!found) {
					throw new ForgeError({ kind: 'notFound' });
				}
				return found;
			},
		},
		trackers: trackers.api,
		lists: lists.api,
		repositories: repositories.api,
		get webhooks(): never {
			throw new Error('No webhooks here');
		},
	};
	fill({ trackers: trackers.world, lists: lists.world, repositories: repositories.world });
	const others = fakeConnection(trackers.api, me);
	const store = new ListStore({ journal: others.journal, api: lists.api, me, followed: keptNames() });
	const connection: ForgeConnection = {
		webhooks: others.webhooks,
		get wholeFiles() {
			return others.wholeFiles;
		},
		key: others.key,
		journal: others.journal,
		outbox: others.outbox,
		outboxSender: others.outboxSender,
		mailOutbox: others.mailOutbox,
		drainMails: others.drainMails,
		instance: others.instance,
		me,
		forge,
		tickets: others.tickets,
		index: others.index,
		writes: others.writes,
		inbox: others.inbox,
		inboxReadings: others.inboxReadings,
		sentMails: others.sentMails,
		readMarks: others.readMarks,
		lists: store,
		...mailStores({ lists: store, forge, clock }),
		repositories: new RepositoryStore({
			journal: journalInMemory(),
			api: repositories.api,
			me,
			followed: keptNames(),
			objects: noKeptObjects,
			pinned: keptInMemory(),
			beginWalk: () => Promise.reject(new Error('No walk here')),
		}),
	};
	return Object.assign(world, {
		connection,
		lists: lists.world,
		trackers: trackers.world,
		repositories: repositories.world,
		users,
	});
}

const dayMs = 24 * 60 * 60 * 1000;

function fill({ trackers, lists, repositories }: Pick<PeopleWorld, 'trackers' | 'lists' | 'repositories'>): void {
	const bob = makeUser('bob');
	trackers.trackers.push(
		makeTracker({ owner: bob, name: 'parser', description: 'Bugs of the parser\n\nand more' }),
		makeTracker({ owner: bob, name: 'splines', description: undefined }),
	);
	repositories.repositories.push(makeRepository('lathe', { owner: bob, description: 'Turns things' }));
	const devel = makeList({ id: 1, name: 'devel' });
	lists.lists.push(devel, makeList({ id: 2, name: 'workshop', owner: bob, description: 'Of tools' }));
	const short = { name: devel.name, owner: devel.owner };
	const header = 'Bob Builder <bob@forge.test>';
	const mails = [
		makeMail({ id: 11, subject: '[PATCH proj v2] Turn the lathe', list: short, patchsetId: 1, isPatch: true }),
		makeMail({ id: 12, subject: 'Which lathe?', list: short }),
		makeMail({ id: 13, subject: 'Re: [PATCH proj v2] Turn the lathe', list: short, parentId: 11, threadId: 11 }),
	];
	const answer = makeMail({
		id: 14,
		subject: 'Re: [PATCH proj v2] Turn the lathe',
		list: short,
		parentId: 11,
		threadId: 11,
		sender: makeUser('alice'),
		envelope: 'From: Alice <alice@forge.test>\r\nSubject: Re: [PATCH proj v2] Turn the lathe\r\n\r\nNice.\r\n',
	});
	lists.mails.push(...mails, answer);
	lists.posts.set(
		refText(refOfList(devel)),
		mails.filter(({ threadId }) => threadId === undefined),
	);
	lists.patchsets.set(
		'~alice/devel',
		[
			makePatchset({ id: 4, subject: 'Sand it', status: 'applied', submitter: header, messageId: '<x4@forge.test>' }),
			makePatchset({
				id: 3,
				subject: 'Mine',
				status: 'proposed',
				submitter: 'Alice <alice@forge.test>',
				messageId: '<x3@forge.test>',
			}),
			makePatchset({
				id: 2,
				subject: 'Oil it',
				status: 'needs_revision',
				submitter: header,
				messageId: '<x2@forge.test>',
			}),
			makePatchset({
				id: 1,
				subject: 'Turn the lathe',
				status: 'proposed',
				version: 2,
				submitter: header,
				messageId: '<m11@forge.test>',
			}),
		].map((patchset) => ({ ...patchset, createdMs: someTimeMs + patchset.id * dayMs })),
	);
	lists.series.set(
		1,
		[mails[0]].filter((mail) => mail !== undefined),
	);
}
