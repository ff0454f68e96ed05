import { everywhere, type Area, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Forge, TrackerApi } from 'sourcehut/port/forge.ts';
import type { Connection, Connections } from '../../src/store/connection.ts';
import { openInbox } from '../../src/store/inbox/inbox.ts';
import { snoozes } from '../../src/store/lists/patchsets/snoozes.ts';
import { keptListChoices } from '../../src/store/lists/keptListChoices.ts';
import { storedReadMarks, storedListReadMarks } from '../../src/store/readMarks/storedReadMarks.ts';
import { viewedMarks } from '../../src/store/readMarks/viewedMarks.ts';
import { TicketMentions } from '../../src/store/mentions/ticketMentions.ts';
import { type TicketIndex, ticketIndexer } from '../../src/store/tickets/index/ticketIndexer.ts';
import type { WriteJournal } from '../../src/store/shared/writeJournal.ts';
import type { KeptNames } from '../../src/store/shared/keptNames.ts';
import { mailOutbox } from '../../src/store/outbox/mailOutbox.ts';
import { outbox } from '../../src/store/outbox/outbox.ts';
import type { OutboxPlace } from '../../src/store/outbox/sharedQueue.ts';
import { outboxInMemory } from '../../src/store/outbox/outboxInMemory.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { ticketWriter } from '../../src/store/tickets/writing/ticketWriter.ts';
import { fake } from './fake.ts';
import { fakeAccountWebhooks } from './fakeAccountWebhooks.ts';
import type { WatchReadings } from '../../src/store/watch/watchReadings.ts';
import { eagerClock } from './eagerClock.ts';
import { fakeClock } from './fakeClock.ts';
import { keptInMemory } from './keptInMemory.ts';
import { idleBackground } from './idleBackground.ts';
import { journalInMemory } from './journalInMemory.ts';

export const sampleInstance: ForgeInstance & { readonly areas: Readonly<Record<Area, string>> } = {
	id: 'sample',
	name: 'Sample',
	areas: {
		meta: 'https://meta.forge.test',
		todo: 'https://todo.forge.test',
		git: 'https://git.forge.test',
		lists: 'https://lists.forge.test',
	},
	protocols: everywhere('rest'),
	signIn: { kind: 'tokenOnly' },
	scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
	webhookKey: undefined,
	isSample: true,
};

export { keptInMemory };

/** Names in memory. */
export function keptNames(...names: readonly string[]): KeptNames {
	let kept: readonly string[] = names;
	return {
		all: () => kept,
		keep: async (next) => {
			kept = next;
		},
	};
}

/** Readings of a window that reads nothing for the inbox. */
export const noReadings = fake<WatchReadings>({
	all: () => [],
	refresh: () => Promise.resolve([]),
	budget: () => ({ perHour: 300, spent: 0, readyMs: 0 }),
	onDidRead: new Emitter<void>().event,
});

/** An account with access to the port under its stores. */
export interface ForgeConnection extends Connection {
	readonly forge: Forge;
}

/** One account with the ticket area `api`; any other area fails the test. */
export function fakeConnection(
	api: TrackerApi,
	me = '~alice',
	followed: KeptNames = keptNames(),
	index?: TicketIndex,
	journal: WriteJournal = journalInMemory(),
	place: OutboxPlace = outboxInMemory(),
): ForgeConnection {
	const untouched = (): never => {
		throw new Error('Only the ticket area is there');
	};
	const forge: Forge = {
		me,
		get users() {
			return untouched();
		},
		trackers: api,
		get lists() {
			return untouched();
		},
		get repositories() {
			return untouched();
		},
		get webhooks() {
			return untouched();
		},
	};
	const store = new TicketStore({ api, me, followed, clock: fakeClock() });
	const queued = outbox(place, fakeClock());
	const readMarks = storedReadMarks(keptInMemory(), me, fakeClock());
	const connection = {
		key: `sample-${me.slice(1)}`,
		instance: sampleInstance,
		me,
		forge,
		tickets: store,
		journal,
		outbox: queued,
		outboxSender: { sendNow: async () => undefined, onDidEnd: new Emitter<never>().event, dispose: () => undefined },
		mailOutbox: mailOutbox(outboxInMemory()),
		drainMails: () => ({ sendNow: async () => undefined, dispose: () => undefined }),
		index: index ?? ticketIndexer(store, fakeClock()),
		writes: ticketWriter({
			journal,
			outbox: queued,
			background: idleBackground(),
			api,
			store,
			looks: readMarks,
			me,
			clock: eagerClock(),
		}),
		readMarks,
		mentions: new TicketMentions(),
		threadReadMarks: storedListReadMarks(keptInMemory(), fakeClock()),
		patchsetReadMarks: storedListReadMarks(keptInMemory(), fakeClock()),
		viewed: viewedMarks(keptInMemory()),
		listChoices: keptListChoices(keptInMemory()),
		snoozes: snoozes(keptInMemory(), fakeClock()),
		inbox: openInbox(keptInMemory(), new Emitter<void>().event, fakeClock()),
		inboxReadings: noReadings,
		sentMails: { wentOut: () => undefined, lacking: async () => 0, dispose: () => undefined },
		get lists() {
			return untouched();
		},
		get texts() {
			return untouched();
		},
		get reviews() {
			return untouched();
		},
		get people() {
			return untouched();
		},
		get repositories() {
			return untouched();
		},
		get wholeFiles() {
			return untouched();
		},
		webhooks: fakeAccountWebhooks().webhooks,
	};
	return connection;
}

export interface FakeConnections<C extends Connection = Connection> extends Connections {
	all(): readonly C[];
	replace(...connections: readonly C[]): void;
}

/** Accounts that the test adds and removes. */
export function fakeConnections<C extends Connection>(...first: readonly C[]): FakeConnections<C> {
	let all: readonly C[] = first;
	const changed = new Emitter<void>();
	return {
		all: () => all,
		byKey: (key) => all.find((connection) => connection.key === key),
		onDidChange: changed.event,
		replace(...connections) {
			all = connections;
			changed.fire(undefined);
		},
	};
}
