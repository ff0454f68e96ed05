import './vscodeStub.ts';
import type { DraftDocuments } from '../../src/features/tickets/drafts/draftDocuments.ts';
import type { PageDrafts } from '../../src/features/tickets/page/pageDrafts.ts';
import type { Triage } from '../../src/features/tickets/triage/triage.ts';
import type { PageHost } from '../../src/editor/pages/pageHost.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import type { TicketOutcome } from 'sourcehut/port/ticketRequest.ts';
import { ticketSending, type TicketWire } from 'sourcehut/rest/restTickets.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { OutboxPlace } from '../../src/store/outbox/sharedQueue.ts';
import { outboxInMemory, type MemoryFiles } from '../../src/store/outbox/outboxInMemory.ts';
import { outboxSender } from '../../src/store/outbox/sending/outboxSender.ts';
import { writeJournal } from '../../src/store/shared/writeJournal.ts';
import { DraftNotKept, type Drafts, type DraftSubject } from '../../src/store/drafts/drafts.ts';
import { eagerClock } from './eagerClock.ts';
import { fake as fakeOf } from './fake.ts';
import { fakeClock } from './fakeClock.ts';
import { fakeConnection, fakeConnections, keptNames, type ForgeConnection } from './fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from './fakeForge.ts';
import { fakeLists, type FakeLists } from './fakeLists.ts';
import { fakeRepositories, fakeStore, type FakeRepositories } from './fakeRepositories.ts';
import { fakeDrafts, ticketsParts } from './fakeTicketsParts.ts';
import { fullDisk, journalDisk, type JournalDisk } from './journalInMemory.ts';
import { someTimeMs } from './makeTicket.ts';
import { idleBackground } from './idleBackground.ts';
import { resetStub, stubbed } from './vscodeValues.ts';

const { pageDrafts } = await import('../../src/features/tickets/page/pageDrafts.ts');
const { pageSending } = await import('../../src/features/tickets/page/pageSending.ts');
const { pageWrites } = await import('../../src/features/tickets/page/pageWrites.ts');
const { newTicketSender } = await import('../../src/features/tickets/newTicket/newTicketFeature.ts');
const { settledWrites } = await import('../../src/app/settledWrites.ts');
const { resumeSubscriptions } = await import('../../src/features/tickets/triage/subscribeTickets.ts');
const { resumeAct, ticketTriage } = await import('../../src/features/tickets/triage/triage.ts');

const never = new AbortController().signal;
export const alpha = { owner: '~alice', name: 'alpha' };
export const ref = { tracker: alpha, id: 1 };

/**
 * Fault of a window at one of its steps, counted from 1. Each operation has two steps, one before it and one after it.
 * `killed`: the process ends. `failed`: this operation fails; after it, it is done all the same. `cut`: the same, and the
 * forge is offline from here on. `full`: the disk is full from here on.
 */
export interface WindowFault {
	readonly at: number;
	readonly way: 'killed' | 'failed' | 'cut' | 'full';
	/** A later step at which the process ends. */
	readonly killedAt?: number;
}

/** A window that tests can kill. */
export interface KilledWindow {
	readonly connection: ForgeConnection;
	readonly lists: ListStore;
	readonly repositories: RepositoryStore;
	readonly triage: Triage;
	readonly sending: ReturnType<typeof pageSending>;
	readonly pageDrafts: PageDrafts;
	readonly sender: ReturnType<typeof newTicketSender>;
	readonly sendOutbox: () => Promise<void>;
	/** Disk and network steps, in order. */
	readonly steps: readonly string[];
	readonly isKilled: () => boolean;
	/** Closed documents. */
	readonly closed: readonly DraftSubject[];
}

/** A forge and a disk that several windows share. */
export interface Machine {
	readonly fake: FakeTrackers;
	readonly lists: FakeLists;
	readonly repositories: FakeRepositories;
	readonly drafts: Drafts;
	/** Kills the other windows and opens a new one. `fault`: a number kills it at this step. `answers`: to its notices. `begin` fills the new window. */
	open(
		fault?: number | WindowFault,
		answers?: readonly (string | Promise<string>)[],
		begin?: () => void,
	): Promise<KilledWindow>;
	/** Opens a window beside the living ones. */
	beside(fault?: number | WindowFault): Promise<KilledWindow>;
	readonly disk: JournalDisk;
	/** The forge is offline. */
	isAway: boolean;
	/** True if the disk has journal entries. */
	hasEntries(): boolean;
}

export function killingMachine(
	fill: (fake: FakeTrackers, lists: FakeLists, repositories: FakeRepositories) => void,
): Machine {
	const fake = fakeTrackers();
	const lists = fakeLists();
	const repositories = fakeRepositories();
	fill(fake, lists, repositories);
	const disk = journalDisk();
	const drafts = fakeDrafts();
	const queue: MemoryFiles = new Map();
	let windows = 0;
	let kill = (): void => undefined;

	const machine: Machine = {
		fake,
		lists,
		repositories,
		drafts,
		isAway: false,
		hasEntries: () => disk.texts().some((text) => text.includes('"write"')),
		disk,
		async open(fault, answers = [], begin = () => undefined) {
			kill();
			resetStub();
			begin();
			for (const answer of answers) {
				void (typeof answer === 'string' ? stubbed.answers.push(answer) : stubbed.laterAnswers.push(answer));
			}
			return machine.beside(fault);
		},
		async beside(given = Infinity) {
			const fault: WindowFault = typeof given === 'number' ? { at: given, way: 'killed' } : given;
			const steps: string[] = [];
			const me = {};
			let isKilled = false;
			const place = disk.window();
			const killThis = (): void => {
				isKilled = true;
				place.kill();
				// A dead window holds no item of the outbox.
				queue.forEach((file, id) => file.holder === me && queue.set(id, { ...file, holder: undefined }));
			};
			const killOthers = kill;
			kill = () => {
				killOthers();
				killThis();
			};
			/** Never resolves in a killed window. */
			async function step(name: string, failure: (name: string) => Error = lostAnswer): Promise<void> {
				if (!isKilled) {
					steps.push(name);
					if (steps.length === (fault.way === 'killed' ? fault.at : fault.killedAt)) {
						killThis();
					} else if (steps.length === fault.at && fault.way === 'full') {
						disk.isFull = true;
					} else if (steps.length === fault.at) {
						machine.isAway = fault.way === 'cut';
						throw failure(name);
					}
				}
				await (isKilled ? new Promise<never>(() => undefined) : undefined);
			}
			const journal = writeJournal(
				{
					...place,
					async write(text) {
						await step('journal', brokenDisk);
						await place.write(text);
						await step('journal written', brokenDisk);
					},
				},
				`w${(windows += 1)}`,
				fakeClock(someTimeMs),
			);
			const kept: Drafts = {
				...drafts,
				async keep(about, draft) {
					await step('draft', draftLost);
					if (disk.isFull && draft.text !== '') {
						throw new DraftNotKept(true, fullDisk());
					}
					await drafts.keep(about, draft);
					await step('draft kept', draftLost);
				},
				async keepBeside(about, draft) {
					await step('draft', draftLost);
					if (disk.isFull) {
						throw new DraftNotKept(true, fullDisk());
					}
					const isBeside = await drafts.keepBeside(about, draft);
					await step('draft kept', draftLost);
					return isBeside;
				},
			};
			const api = stepping(trackersOf(fake, step), step);
			const inMemory = outboxInMemory(queue, me);
			const outboxPlace: OutboxPlace = {
				...inMemory,
				async add(...args) {
					await step('outbox', brokenDisk);
					if (disk.isFull) {
						throw fullDisk();
					}
					await inMemory.add(...args);
					await step('outbox written', brokenDisk);
				},
				async rewrite(...args) {
					await step('outbox', brokenDisk);
					await inMemory.rewrite(...args);
					await step('outbox written', brokenDisk);
				},
			};
			const connection = fakeConnection(api, '~alice', keptNames(), undefined, journal, outboxPlace);
			const { outbox, writes: ticketWrites, tickets } = connection;
			const sender = outboxSender(
				{ outbox, writes: ticketWrites, journal, tickets, background: idleBackground(), clock: eagerClock() },
				() => false,
				(error) => String(error),
			);
			const connections = fakeConnections(connection);
			const listStore = new ListStore({
				journal,
				api: stepping(lists.api, step),
				me: '~alice',
				followed: keptNames(),
			});
			const repositoryStore = fakeStore({ ...repositories, api: stepping(repositories.api, step) }, { journal });
			const closed: DraftSubject[] = [];
			const documents = fakeOf<DraftDocuments>({
				textOf: (about: DraftSubject) => drafts.draft(about)?.text,
				finish(about: DraftSubject) {
					closed.push(about);
					return kept.keep(about, { text: '', atMs: 9 });
				},
				open: () => Promise.reject(new Error('Nobody opens a document here')),
			});
			const noPage = (): never => {
				throw new Error('Nobody opens a page here');
			};
			const pages: PageHost = {
				open: noPage,
				restore: noPage,
				inFront: () => undefined,
				front: () => undefined,
				dispose: () => undefined,
			};
			const triage = ticketTriage(
				{ ...ticketsParts(connections, pages), drafts: kept },
				() => undefined,
				() => false,
			);
			const ready = async (): Promise<void> => undefined;
			const desk = { ...ticketsParts(connections, pages), drafts: kept, ready };
			settledWrites(desk, documents, (of, parts) =>
				parts.every(({ entry }) => entry.write.kind === 'ticketMails')
					? resumeSubscriptions(triage, of, parts, never)
					: resumeAct(triage, of, parts, never),
			);
			const known = (): ForgeConnection => connection;
			const writes = pageWrites({ connection: known, known }, ref, undefined, never);
			const ofPage = pageDrafts(
				kept,
				connection.key,
				ref,
				() => connection.tickets.knownTicket(ref),
				(key) => journal.sent(key),
			);
			const window: KilledWindow = {
				connection,
				lists: listStore,
				repositories: repositoryStore,
				triage,
				sending: pageSending(writes, ofPage, async () => stubbed.answers.shift() === 'Send Again'),
				pageDrafts: ofPage,
				sender: newTicketSender(desk, documents, () => [], never),
				sendOutbox: () => sender.sendNow(never),
				steps,
				closed,
				isKilled: () => isKilled,
			};
			await someTurns();
			return window;
		},
	};
	fake.world.before = away;
	lists.world.before = away;
	repositories.world.before = away;
	function away(): void {
		if (machine.isAway) {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		}
	}
	return machine;
}

/** Runs pending work until it ends or its window is killed. */
export async function someTurns(): Promise<void> {
	for (let turn = 0; turn < 60; turn += 1) {
		await new Promise((resolve) => void setImmediate(resolve));
	}
}

type Step = (name: string, failure?: (name: string) => Error) => Promise<void>;

/** A lost connection: nobody knows whether the request arrived. */
function lostAnswer(): Error {
	return new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' });
}

function brokenDisk(): Error {
	return Object.assign(new Error('input/output error'), { code: 'EIO' });
}

function draftLost(): Error {
	return new DraftNotKept(false, brokenDisk());
}

/** Adds a step before and after each ticket update. */
function trackersOf({ api, wire }: FakeTrackers, step: Step): TrackerApi {
	const stepped: TicketWire = {
		...wire,
		async update(...args) {
			await step('update');
			const answer = await wire.update(...args);
			await step('update answered');
			return answer;
		},
	};
	const { assign } = api;
	return {
		...api,
		...ticketSending(stepped, '~alice', factsInMemory()),
		...(assign && {
			async assign(...args: Parameters<typeof assign>): Promise<TicketOutcome> {
				await step('assign');
				const answer = await assign(...args);
				const lost = await step('assign answered').catch((error: unknown) => error);
				return lost instanceof Error && answer.kind === 'answered'
					? { kind: 'lost', before: answer.before, error: lost }
					: answer;
			},
		}),
	};
}

const written = [
	'submit',
	'editComment',
	'edit',
	'removeTicket',
	'update',
	'setPatchsetStatus',
	'subscribe',
	'create',
	'change',
	'remove',
	'setSubscribed',
	'setDefaultBranch',
];
/** Groups of operations inside an API. */
const groups = ['labelMaking', 'subscriptions'];

/** Adds a step before and after each other write. */
function stepping<Api extends object>(api: Api, step: Step): Api {
	return new Proxy(api, {
		get(target, name, receiver) {
			const member: unknown = Reflect.get(target, name, receiver);
			if (typeof name === 'string' && groups.includes(name) && typeof member === 'object' && member !== null) {
				return stepping(member, step);
			}
			if (typeof member !== 'function' || typeof name !== 'string' || !written.includes(name)) {
				return member;
			}
			return async (...args: readonly unknown[]) => {
				await step(name);
				const answer: unknown = await Reflect.apply(member, target, args);
				await step(`${name} answered`);
				return answer;
			};
		},
	});
}
