import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { isEventBy, type TicketRef } from 'sourcehut/port/ticket.ts';
import { statusWanted, type StatusMove, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { outboxFiles } from '../../src/machine/storage/outboxFiles.ts';
import { processMark } from '../../src/machine/storage/replaceNow.ts';
import { outbox, type QueuedItem } from '../../src/store/outbox/outbox.ts';
import type { OutboxPlace } from '../../src/store/outbox/sharedQueue.ts';
import { outboxInMemory } from '../../src/store/outbox/outboxInMemory.ts';
import { allItems, protocolSuite, systemClock, wanted, type ContractForge } from '../support/contractForge.ts';
import { counts, seed } from '../support/counts.ts';
import { limitMs } from '../support/pace.ts';
import { testInBoth } from '../support/parts.ts';
import { randomInts, writeRig, type WriteRig } from '../support/writeRig.ts';
import { ticketTraffic } from './support/ticketTraffic.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const labels = ['q1', 'q2', 'q3'] as const;

/** Shortens the pauses between lookups. */
const hasty: Clock = { ...systemClock, after: (delayMs, work) => systemClock.after(delayMs / 200, work) };

/** The network and the disk of one person, shared by the windows that follow each other. */
interface World {
	readonly folder: string;
	isAway: boolean;
	/** The next change arrives, its answer is lost, and the forge is away from then on. */
	isCutNext: boolean;
	windows: number;
	/** Last stored form of each item. */
	readonly items: Map<string, QueuedItem>;
}

interface Window extends WriteRig {
	/** Runs a work until it ends, fails, or its window is killed. */
	run(work: () => Promise<unknown>): Promise<void>;
	killAt(step: number): void;
	readonly isKilled: () => boolean;
}

const offline = (): ForgeError =>
	new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' }, { isUnsent: true });

/** A window over the folder. The one before it counts as dead: no process has such an id. */
function openWindow(forge: ContractForge, world: World): Window {
	let steps = 0;
	let last = Number.POSITIVE_INFINITY;
	let isKilled = false;
	const killed = Promise.withResolvers<void>();
	const ended = new AbortController();

	/** True in a killed window. */
	function step(): boolean {
		steps += 1;
		if (steps >= last && !isKilled) {
			isKilled = true;
			killed.resolve();
		}
		return isKilled;
	}

	function now(): void {
		if (step()) {
			throw new Error('This window is dead');
		}
	}

	async function stepped<T>(work: () => Promise<T>): Promise<T> {
		await (step() ? new Promise<never>(() => undefined) : undefined);
		const answer = await work();
		return step() ? new Promise<never>(() => undefined) : answer;
	}

	async function requested<T>(isChange: boolean, isPost: boolean, call: () => Promise<T>): Promise<T> {
		return stepped(async () => {
			if (world.isAway) {
				throw offline();
			}
			const isCut = world.isCutNext && isChange;
			if (isCut) {
				world.isCutNext = false;
				const { dialect } = forge.sample;
				const traffic =
					isPost && dialect !== 'graphql'
						? ({ area: 'todo', method: 'POST' } as const)
						: ticketTraffic(dialect).changes;
				await forge.sample.fault(traffic, { kind: 'reset', at: 'applied' });
			}
			try {
				return await call();
			} finally {
				if (isCut) {
					await forge.sample.clearFaults();
					world.isAway = true;
				}
			}
		});
	}

	async function* pages<T>(read: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
		if (world.isAway) {
			throw offline();
		}
		yield* read();
	}

	const { trackers } = forge.as('alice');
	const api: TrackerApi = {
		...trackers,
		ticket: (...args) => requested(false, false, () => trackers.ticket(...args)),
		updateTicket: (...args) => requested(true, false, () => trackers.updateTicket(...args)),
		submit: (...args) => requested(true, true, () => trackers.submit(...args)),
		events: (...args) => pages(() => trackers.events(...args)),
		tickets: (...args) => pages(() => trackers.tickets(...args)),
	};

	const files = outboxFiles(world.folder, hasty, processMark(5_000_000 + (world.windows += 1)));
	/** Keeps the write as it was queued: a part that has arrived leaves the item. */
	const note = (id: string, order: number, text: string): void => {
		const [now] = outbox(outboxInMemory(new Map([[id, { order, text, holder: undefined }]])), hasty).items();
		assert.ok(now);
		world.items.set(id, { ...now, write: world.items.get(id)?.write ?? now.write });
	};
	const place: OutboxPlace = {
		...files,
		add: (order, id, text) =>
			stepped(async () => {
				await files.add(order, id, text);
				note(id, order, text);
			}),
		hold(id) {
			now();
			return files.hold(id);
		},
		rewrite: (id, text) =>
			stepped(async () => {
				await files.rewrite(id, text);
				note(id, world.items.get(id)?.order ?? 0, text);
			}),
		release(id) {
			now();
			files.release(id);
		},
		remove(id) {
			now();
			files.remove(id);
		},
	};
	const rig = writeRig(api, { clock: hasty, place, name: `w${world.windows}` });
	return {
		...rig,
		isKilled: () => isKilled,
		killAt: (count) => (last = steps + count),
		run: (work) =>
			Promise.race([
				killed.promise,
				work().then(
					() => undefined,
					(error: unknown) => {
						// The forge is away, or the window is dead.
						if (!isKilled && !(error instanceof ForgeError)) {
							throw error;
						}
					},
				),
			]),
		dispose() {
			ended.abort();
			files.dispose();
			if (!isKilled) {
				rig.dispose();
			}
		},
	};
}

const moves: readonly StatusMove[] = [
	{ kind: 'resolve', resolution: 'fixed' },
	{ kind: 'resolve', resolution: 'invalid' },
	{ kind: 'reopen' },
];

/** The change of the actions 0 to 4. */
function someWish(action: number, text: string, random: (below: number) => number): TicketRequest | undefined {
	if (action < 2) {
		return { comment: text };
	}
	if (action < 4) {
		const move = moves[random(moves.length)] ?? assert.fail();
		return random(2) === 0 ? { move } : { move, comment: text };
	}
	const [add, remove] = [labels[random(3)], labels[random(3)]];
	return action === 4
		? { labels: { add: add ? [add] : [], remove: remove && remove !== add ? [remove] : [] } }
		: undefined;
}

protocolSuite('outbox', {}, ({ dialect, forge }) => {
	suiteSetup(async () => {
		const { sample } = forge();
		for (const name of labels) {
			await sample.act('/todo/label', { tracker: '~alice/lantern', name });
		}
		await sample.act('/todo/access', {
			tracker: '~alice/lantern',
			user: 'bob',
			permissions: ['browse', 'submit', 'comment', 'edit', 'triage'],
		});
	});
	teardown(() => forge().sample.clearFaults());

	testInBoth(
		'no interleaving of queueing, editing, kills, returns and foreign changes loses or doubles a write',
		async function () {
			this.timeout(limitMs(counts({ least: 60_000, small: 60_000, full: 900_000 })));
			const tally = {
				sent: 0,
				kills: 0,
				cuts: 0,
				conflicts: 0,
				anyway: 0,
				withdrawn: 0,
				edited: 0,
				foreign: 0,
				lostAnswers: 0,
				tickets: 0,
			};
			const rounds = counts({ least: 12, first: 20, small: 40, full: 300 });
			for (let round = 0; round < rounds; round += 1) {
				await oneInterleaving(round, tally);
			}
			// The choice after a conflict is rare.
			const { anyway, ...frequent } = tally;
			assert.ok(rounds < 40 || anyway > 0, 'some conflicts were sent anyway');
			assert.ok(Math.min(...Object.values(frequent)) > 0, `each kind of event happened: ${JSON.stringify(tally)}`);
			if (rounds === 300) {
				console.log(`      ${dialect}: ${JSON.stringify(tally)}`);
			}
		},
	);

	async function oneInterleaving(round: number, tally: Record<string, number>): Promise<void> {
		const where = `seed ${seed()}, round ${round}`;
		const random = randomInts(seed() + round * 7919);
		const count = (name: string): void => void (tally[name] = (tally[name] ?? 0) + 1);
		const world: World = {
			folder: mkdtempSync(join(tmpdir(), 'outbox-')),
			isAway: false,
			isCutNext: false,
			windows: 0,
			items: new Map(),
		};
		const { trackers } = forge().as('alice');
		const refs: readonly TicketRef[] = await Promise.all(
			[0, 1].map(async () => ({
				tracker: lantern,
				id: (await trackers.submit(lantern, { title: 'Written to', description: '' }, wanted())).id,
			})),
		);
		/** Ids of items that the user took back; `true` if the forge may have them. */
		const takenBack = new Map<string, boolean>();
		const anyway = new Set<string>();
		let texts = 0;
		let isKillPlanned = false;
		let window = openWindow(forge(), world);
		const see = (): Promise<unknown> => Promise.all(refs.map((ref) => window.store.renewTicket(ref, wanted())));
		await see();
		world.isAway = true;

		async function takeBack(item: QueuedItem): Promise<void> {
			const held = window.outbox.hold(item.id);
			if (held) {
				const isUnsure = held.item().progress.kind === 'sent';
				held.remove();
				takenBack.set(item.id, isUnsure);
			}
		}

		async function act(): Promise<void> {
			const ref = refs[random(refs.length)] ?? assert.fail();
			const items = window.outbox.items();
			const item = items[random(Math.max(1, items.length))];
			const text = `text ${round}.${(texts += 1)}`;
			const action = random(13);
			// A person who is online writes without the outbox; that is another test.
			world.isAway ||= action === 7 || (action <= 5 && window.outbox.of(ref).length === 0);
			const wish = someWish(action, text, random);
			if (wish) {
				return window.run(() => window.writes.write(ref, wish, wanted()));
			}
			switch (action) {
				case 5: {
					const submission = { tracker: lantern, ticket: { title: text, description: 'Queued.' }, looking: wanted() };
					return window.run(() => window.writes.submit(submission, wanted()));
				}
				case 6:
					if (item) {
						count('withdrawn');
						await window.run(() => takeBack(item));
					}
					return;
				case 7:
					if (item?.write.kind === 'ticket' && item.write.wish.comment !== undefined) {
						count('edited');
						const { write } = item;
						await window.run(async () => {
							await takeBack(item);
							await window.writes.write(write.ref, { ...write.wish, comment: `${text}, edited` }, wanted());
						});
					}
					return;
				case 8: {
					count('foreign');
					const { status } = await trackers.ticket(ref, wanted());
					const move: StatusMove =
						status === 'resolved' ? { kind: 'reopen' } : { kind: 'resolve', resolution: 'by_design' };
					await forge().as('bob').trackers.updateTicket(ref, { move }, wanted());
					return;
				}
				case 9:
					count('kills');
					isKillPlanned = true;
					return window.killAt(1 + random(12));
				case 10:
					count('cuts');
					world.isCutNext = true;
					world.isAway = false;
					return window.run(() => window.sender.sendNow(wanted()));
				case 11:
					if (isKillPlanned || window.outbox.of(ref).length > 0) {
						return;
					}
					count('lostAnswers');
					world.isAway = false;
					world.isCutNext = true;
					return window.run(() => window.writes.write(ref, { comment: text }, wanted()));
				default:
					world.isAway = random(2) === 0;
					return window.run(() => window.sender.sendNow(wanted()));
			}
		}

		for (let step = 4 + random(10); step > 0; step -= 1) {
			await act();
			if (window.isKilled()) {
				window.dispose();
				window = openWindow(forge(), world);
				isKillPlanned = false;
				// A start reads what its user sees, if it can.
				await window.run(see);
			}
		}
		window.killAt(Number.POSITIVE_INFINITY);
		world.isCutNext = false;
		world.isAway = false;
		for (let turn = 0; window.outbox.items().length > 0; turn += 1) {
			assert.ok(turn < 40, `${where}: the queue ends: ${JSON.stringify(window.outbox.items())}`);
			await window.sender.sendNow(wanted());
			for (const item of window.outbox.items()) {
				if (item.progress.kind !== 'conflict') {
					assert.notEqual(item.progress.kind, 'refused', `${where}: ${JSON.stringify(item)}`);
					continue;
				}
				count('conflicts');
				const held = window.outbox.hold(item.id) ?? assert.fail();
				if (random(2) === 0) {
					count('anyway');
					anyway.add(item.id);
					await held.change({ progress: { kind: 'waiting' }, basis: item.progress.now ?? assert.fail() });
					held.release();
				} else {
					held.remove();
					takenBack.set(item.id, false);
				}
			}
		}
		window.dispose();
		assert.deepEqual(readdirSync(world.folder), [], where);
		rmSync(world.folder, { recursive: true });
		// In the order of queueing; numbers start again in an empty queue.
		const all = [...world.items.values()];
		count('sent');
		for (const ref of refs) {
			await checkTicket(ref, all, takenBack, where);
		}
		const titles = (await allItems(trackers.tickets(lantern, wanted()))).map(({ title }) => title);
		for (const { id, write } of all) {
			if (write.kind === 'newTicket') {
				count('tickets');
				const found = titles.filter((title) => title === write.ticket.title).length;
				const isTakenBack = takenBack.has(id);
				assert.ok(
					isTakenBack ? found <= (takenBack.get(id) === true ? 1 : 0) : found === 1,
					`${where}: ${found} × ${write.ticket.title}`,
				);
			}
		}
	}

	/** Compares a ticket's timeline with its queued writes. */
	async function checkTicket(
		ref: TicketRef,
		all: readonly QueuedItem[],
		takenBack: ReadonlyMap<string, boolean>,
		where: string,
	): Promise<void> {
		const { trackers } = forge().as('alice');
		const events = (await allItems(trackers.events(ref, wanted())))
			.toReversed()
			.filter((event) => isEventBy(event, '~alice'));
		const items = all.flatMap((item) =>
			item.write.kind === 'ticket' && item.write.ref.id === ref.id ? [{ item, wish: item.write.wish }] : [],
		);
		const said = events.flatMap(({ comment }) => (comment ? [comment.text] : []));
		assert.equal(new Set(said).size, said.length, `${where}: nothing is said twice: ${said.join(', ')}`);
		const wantedTexts = items.flatMap(({ item, wish }) =>
			wish.comment === undefined ? [] : [{ item, text: wish.comment }],
		);
		for (const { item, text } of wantedTexts) {
			const isSaid = said.includes(text);
			const back = takenBack.get(item.id);
			assert.ok(back === undefined ? isSaid : back || !isSaid, `${where}: ${text} ${isSaid ? 'is' : 'is not'} there`);
		}
		const order = wantedTexts.map(({ text }) => text).filter((text) => said.includes(text));
		assert.deepEqual(said, order, `${where}: in order`);
		const changes = events.filter(({ kinds, newStatus }) => kinds.includes('status_change') && newStatus !== undefined);
		const moving = items.filter(({ wish }) => wish.move);
		let at = 0;
		for (const { oldStatus, newStatus } of changes) {
			const found = moving.findIndex(
				({ item, wish }, index) =>
					index >= at && wish.move && statusWanted(wish.move) === newStatus && item.basis?.status === oldStatus,
			);
			assert.ok(
				found >= 0,
				`${where}: ${oldStatus} → ${newStatus} overwrites a status that nobody saw: ${JSON.stringify(moving)}`,
			);
			at = found + 1;
		}
	}
});
