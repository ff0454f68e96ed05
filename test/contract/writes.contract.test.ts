import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@forge-desk/base/clock.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { type StatusMove, statusWanted, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { WriteOutcome } from '../../src/store/tickets/writing/writeOutcome.ts';
import {
	allItems,
	problemFrom,
	protocolSuite,
	systemClock,
	wanted,
	type ContractForge,
} from '../support/contractForge.ts';
import { counts, runsAll, seed } from '../support/counts.ts';
import { limitMs } from '../support/pace.ts';
import { testInBoth } from '../support/parts.ts';
import type { SampleFault } from '../support/sampleForge.ts';
import { ticketTraffic } from './support/ticketTraffic.ts';
import { commentsOf, randomInts, writeRig } from '../support/writeRig.ts';

const lantern = { owner: '~alice', name: 'lantern' };

/** Shortens the pauses between lookups. */
const hasty: Clock = { ...systemClock, after: (delayMs, work) => systemClock.after(delayMs / 200, work) };

/** A new ticket for one test. */
async function newTicket(forge: ContractForge): Promise<TicketRef> {
	const { id } = await forge.as('alice').trackers.submit(lantern, { title: 'Written to', description: '' }, wanted());
	return { tracker: lantern, id };
}

/** The ticket as the forge has it, read with an empty cache. */
async function onForge(
	forge: ContractForge,
	ref: TicketRef,
): Promise<{
	readonly status: string;
	readonly resolution: string;
	readonly labels: string;
	readonly said: readonly string[];
}> {
	const { trackers } = forge.as('alice');
	const { status, resolution, labels } = await trackers.ticket(ref, wanted());
	return {
		status,
		resolution,
		// Not every server sorts labels.
		labels: labels.toSorted().join(' '),
		said: commentsOf(await allItems(trackers.events(ref, wanted()))),
	};
}

const labels = ['a1', 'a2', 'b1', 'b2', 'w1', 'w2', 'k1'] as const;

/** A user's tickets with delayed writes, so that others change them between read and write. */
function late(forge: ContractForge, user: 'alice' | 'bob', pauseMs: () => number): TrackerApi {
	return forge.withToken(user, async ({ scope }) => {
		if (scope === 'tickets:write') {
			await new Promise((resolve) => void systemClock.after(pauseMs(), () => resolve(undefined)));
		}
		return forge.sample.tokens[user];
	}).trackers;
}

/** Creates the labels and permissions for the tests; returns alice's write rig. */
function prepared(forge: () => ContractForge): () => ReturnType<typeof writeRig> {
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
	return () => writeRig(forge().as('alice').trackers, { clock: hasty });
}

protocolSuite('writes', {}, ({ dialect, forge, testWith }) => {
	const alice = prepared(forge);

	test('comment, resolution and labels share one request if the protocol allows, and the ticket matches the change', async () => {
		const ref = await newTicket(forge());
		const { writes } = alice();
		await forge().sample.forgetRequests();
		const outcome = await writes.write(
			ref,
			{ comment: 'Done.', move: { kind: 'resolve', resolution: 'fixed' }, labels: { add: ['a1', 'k1'], remove: [] } },
			wanted(),
		);
		assert.equal(outcome.kind, 'done');
		assert.deepEqual(outcome.kind === 'done' && [outcome.deviations, outcome.before?.status, outcome.before?.labels], [
			[],
			'reported',
			[],
		]);
		const sent = (await forge().sample.requests()).filter(ticketTraffic(dialect).isChange);
		// Labels with one request, comment and status with another.
		assert.equal(sent.length, dialect === 'graphql' ? 2 : 1);
		assert.deepEqual(await onForge(forge(), ref), {
			status: 'resolved',
			resolution: 'fixed',
			labels: 'a1 k1',
			said: ['Done.'],
		});
	});

	test('the client writes the journal entry before it sends, and none for a no-op', async () => {
		const ref = await newTicket(forge());
		const { trackers } = forge().as('alice');
		const stopped = new Error('The disk is slow');
		for (const asked of [{ comment: 'Never sent.' }, { labels: { add: ['a1'], remove: [] } }]) {
			const leaving = (): Promise<void> => Promise.reject(stopped);
			await assert.rejects(trackers.updateTicket(ref, { ...asked, leaving }, wanted()), stopped);
		}
		const { labels: now, said } = await onForge(forge(), ref);
		assert.deepEqual([now, said], ['', []]);
		const leaving = (): never => assert.fail('Nothing has to be sent');
		const needless = await trackers.updateTicket(ref, { labels: { add: [], remove: ['a1'] }, leaving }, wanted());
		assert.equal(needless.kind, 'needless');
	});

	testWith('trackers.editComment', 'an edit that a proxy sends twice succeeds', async () => {
		const ref = await newTicket(forge());
		const { writes, store } = alice();
		await writes.write(ref, { comment: 'A tpyo' }, wanted());
		const event = (await store.events(ref, wanted())).items.find(({ comment }) => comment?.text === 'A tpyo');
		assert.ok(event?.comment);
		await forge().sample.fault(
			dialect === 'graphql' ? { area: 'todo', question: '^mutation' } : { area: 'todo', method: 'PUT' },
			{ kind: 'twice' },
		);
		await writes.editComment?.({ ref, event, comment: event.comment, text: 'A typo' }, wanted());
		assert.deepEqual((await onForge(forge(), ref)).said, ['A typo']);
		assert.equal(store.knownEvents(ref)?.items.find(({ id }) => id === event.id)?.comment?.text, 'A typo');
	});

	testWith(
		'trackers.assign',
		'the client assigns and unassigns people, and rejects unknown users before it sends anything',
		async () => {
			const ref = await newTicket(forge());
			const { writes } = alice();
			await forge().as('bob').users.user('todo', undefined, wanted());
			const wish = { assignees: { add: ['~bob', '~alice'], remove: [] } };
			const outcome = await writes.write(ref, wish, wanted());
			assert.deepEqual(
				outcome.kind === 'done' && [outcome.deviations, outcome.ticket.assignees.map(({ name }) => name).toSorted()],
				[[], ['alice', 'bob']],
			);
			const again = await writes.write(ref, { assignees: { add: ['~bob'], remove: ['~alice'] } }, wanted());
			assert.deepEqual(again.kind === 'done' && again.ticket.assignees, [{ canonicalName: '~bob', name: 'bob' }]);
			const { trackers } = forge().as('alice');
			const events = await allItems(trackers.events(ref, wanted()));
			assert.deepEqual(
				events.flatMap(({ kinds, user }) =>
					kinds.includes('created') ? [] : [[...kinds, user?.kind === 'user' && user.name]],
				),
				[
					['unassigned_user', 'alice'],
					['assigned_user', 'alice'],
					['assigned_user', 'bob'],
				],
			);
			await forge().sample.forgetRequests();
			const unknown = writes.write(ref, { assignees: { add: ['~never'], remove: ['~bob'] } }, wanted());
			await assert.rejects(unknown, (error) => {
				assert.ok(isForgeError(error) && error.problem.kind === 'invalid');
				assert.deepEqual(error.problem.errors[0]?.about, '~never');
				return true;
			});
			assert.deepEqual(
				(await trackers.ticket(ref, wanted())).assignees.map(({ name }) => name),
				['bob'],
			);
		},
	);

	testWith(
		'trackers.edit',
		'the client edits title and description, and looks up an edit with a lost response',
		async () => {
			const ref = await newTicket(forge());
			const { writes, store } = alice();
			assert.ok(writes.editTicket);
			await writes.editTicket(ref, { title: 'Another title', description: 'With *words*.' }, wanted());
			await writes.editTicket(ref, { description: '' }, wanted());
			assert.equal(store.knownTicket(ref)?.title, 'Another title');
			const now = await forge().as('alice').trackers.ticket(ref, wanted());
			assert.deepEqual([now.title, now.description], ['Another title', '']);
			await forge().sample.fault({ area: 'todo', path: '^/query$' }, { kind: 'reset', at: 'applied' });
			await writes.editTicket(ref, { title: 'Seen by a look' }, wanted());
			assert.equal(store.knownTicket(ref)?.title, 'Seen by a look');
		},
	);

	testWith('trackers.edit', 'a submitter without further rights cannot edit a ticket', async () => {
		const { id } = await forge().as('carol').trackers.submit(lantern, { title: 'By carol', description: '' }, wanted());
		const { writes } = writeRig(forge().as('carol').trackers, { clock: hasty, me: '~carol' });
		assert.ok(writes.editTicket);
		const refused = writes.editTicket({ tracker: lantern, id }, { title: 'By me' }, wanted());
		await assert.rejects(refused, { problem: { kind: 'notAllowed' } });
	});

	testWith(
		'trackers.removeTicket',
		'only editors delete a ticket, and the cache drops it even after a lost response',
		async () => {
			const ref = await newTicket(forge());
			const { writes, store } = alice();
			const { writes: carols } = writeRig(forge().as('carol').trackers, { clock: hasty, me: '~carol' });
			assert.ok(writes.removeTicket && carols.removeTicket);
			await assert.rejects(carols.removeTicket(ref, wanted()), { problem: { kind: 'notAllowed' } });
			await store.renewTicket(ref, wanted());
			await forge().sample.fault({ area: 'todo', path: '^/query$' }, { kind: 'reset', at: 'applied' });
			await writes.removeTicket(ref, wanted());
			assert.equal(store.knownTicket(ref), undefined);
			await assert.rejects(forge().as('alice').trackers.ticket(ref, wanted()), { problem: { kind: 'notFound' } });
		},
	);

	testWith(
		'changedResolutions',
		'a resolved ticket accepts another resolution and any status if the limits allow it',
		async () => {
			const ref = await newTicket(forge());
			const { writes } = alice();
			const moves: readonly StatusMove[] = [
				{ kind: 'resolve', resolution: 'fixed' },
				{ kind: 'resolve', resolution: 'duplicate' },
				{ kind: 'set', status: 'in_progress' },
				{ kind: 'reopen' },
			];
			const seen: string[] = [];
			for (const move of moves) {
				const outcome = await writes.write(ref, { move }, wanted());
				assert.deepEqual(outcome.kind === 'done' && outcome.deviations, []);
				const { status, resolution } = await onForge(forge(), ref);
				seen.push(`${status}/${resolution}`);
			}
			assert.deepEqual(seen, ['resolved/fixed', 'resolved/duplicate', 'in_progress/unresolved', 'reported/unresolved']);
		},
	);

	test('the client does not resolve a ticket that another user has resolved meanwhile', async () => {
		const ref = await newTicket(forge());
		const { writes, store } = alice();
		await store.renewTicket(ref, wanted());
		const wish: TicketRequest = { move: { kind: 'resolve', resolution: 'fixed' } };
		await writeRig(forge().as('bob').trackers, { clock: hasty, me: '~bob' }).writes.write(ref, wish, wanted());
		const outcome = await writes.write(ref, wish, wanted());
		assert.ok(outcome.kind === 'done');
		assert.deepEqual([outcome.ticket.status, outcome.before?.status, outcome.deviations], ['resolved', 'resolved', []]);
		const events = await allItems(forge().as('alice').trackers.events(ref, wanted()));
		assert.equal(events.filter(({ kinds }) => kinds.includes('status_change')).length, 1);
	});

	testWith('trackers.assign', 'a user without triage rights cannot assign anybody', async () => {
		const ref = await newTicket(forge());
		const { writes } = writeRig(forge().as('carol').trackers, { clock: hasty, me: '~carol' });
		const refused = writes.write(ref, { assignees: { add: ['~carol'], remove: [] } }, wanted());
		await assert.rejects(refused, { problem: { kind: 'notAllowed' } });
	});

	test('the client learns from a refusal that the server cannot set a status, and resolves nothing', async () => {
		const ref = await newTicket(forge());
		const rig = alice();
		const write = rig.writes.write(ref, { move: { kind: 'set', status: 'confirmed' } }, wanted());
		if (dialect !== 'field') {
			assert.deepEqual((await write).kind, 'done');
			assert.equal(rig.writes.limits().onlyResolvesAndReopens, false);
		} else {
			await assert.rejects(write, isForgeError);
			assert.equal(rig.writes.limits().onlyResolvesAndReopens, true);
		}
		assert.equal((await onForge(forge(), ref)).status, dialect === 'field' ? 'reported' : 'confirmed');
	});

	test('resolving a resolved ticket reports the resolution that the server kept', async () => {
		const ref = await newTicket(forge());
		const { writes } = alice();
		await writes.write(ref, { move: { kind: 'resolve', resolution: 'fixed' } }, wanted());
		const outcome = await writes.write(ref, { move: { kind: 'resolve', resolution: 'invalid' } }, wanted());
		assert.deepEqual(
			outcome.kind === 'done' && outcome.deviations,
			dialect !== 'field' ? [] : [{ kind: 'resolution', wanted: 'invalid', got: 'fixed' }],
		);
		assert.equal((await onForge(forge(), ref)).resolution, dialect === 'field' ? 'fixed' : 'invalid');
	});

	test('after a refusal the cached ticket matches the forge', async () => {
		const ref = await newTicket(forge());
		await alice().writes.write(ref, { labels: { add: ['a1'], remove: [] } }, wanted());
		const rig = writeRig(forge().as('carol').trackers, { clock: hasty, me: '~carol' });
		await assert.rejects(
			rig.writes.write(ref, { labels: { add: [], remove: ['a1'] } }, wanted()),
			(error) => error instanceof ForgeError && error.problem.kind === 'notAllowed',
		);
		assert.equal(rig.store.knownTicket(ref)?.labels.join(' '), (await onForge(forge(), ref)).labels);
		assert.equal((await onForge(forge(), ref)).labels, dialect === 'field' ? '' : 'a1');
	});

	test('the client rejects a text with a NUL character and changes nothing else', async () => {
		const ref = await newTicket(forge());
		const { writes } = alice();
		const { trackers, repositories } = forge().as('alice');
		const nul = 'Works\0here';
		const works: Readonly<Record<string, () => Promise<unknown>>> = {
			comment: () => writes.write(ref, { comment: nul, labels: { add: ['a1'], remove: [] } }, wanted()),
			title: () => trackers.submit(lantern, { title: nul, description: '' }, wanted()),
			description: () => trackers.submit(lantern, { title: 'Works', description: nul }, wanted()),
			tracker: () => trackers.update(lantern, nul, wanted()),
			repository: () => repositories.update(lantern, { description: nul }, wanted()),
		};
		for (const [name, work] of Object.entries(works)) {
			const problem = await problemFrom(work());
			assert.equal(problem.kind === 'invalid' && problem.errors[0]?.own, 'nulCharacter', name);
		}
		assert.deepEqual(await onForge(forge(), ref), {
			status: 'reported',
			resolution: 'unresolved',
			labels: '',
			said: [],
		});
	});
});

protocolSuite('concurrent and broken writes', {}, ({ dialect, forge }) => {
	const alice = prepared(forge);
	const traffic = ticketTraffic(dialect);

	test('labels that the ticket already has cost no write', async () => {
		const ref = await newTicket(forge());
		const { writes } = alice();
		await writes.write(ref, { labels: { add: ['a1'], remove: [] } }, wanted());
		await forge().sample.forgetRequests();
		const outcome = await writes.write(ref, { labels: { add: ['a1'], remove: ['b1'] } }, wanted());
		assert.equal(outcome.kind, 'done');
		assert.ok(!(await forge().sample.requests()).some(traffic.isChange));
	});

	test('three users changing labels concurrently lose no label', async function () {
		this.timeout(limitMs(counts({ least: 20_000, small: 20_000, full: 300_000 })));
		const random = randomInts(seed());
		const { sample } = forge();
		let writesSent = 0;
		for (let round = 0; round < counts({ small: 20, full: 200 }); round += 1) {
			const ref = await newTicket(forge());
			const name = `~alice/lantern#${ref.id}`;
			const mine = writeRig(
				late(forge(), 'alice', () => random(12)),
				{ clock: hasty },
			);
			const hers = writeRig(
				late(forge(), 'bob', () => random(12)),
				{ clock: hasty, me: '~bob' },
			);
			const atOnce = async (work: () => Promise<unknown>): Promise<unknown> => {
				await new Promise((resolve) => void systemClock.after(random(12), () => resolve(undefined)));
				return work();
			};
			await mine.writes.write(ref, { labels: { add: ['a2', 'b2', 'w2', 'k1'], remove: [] } }, wanted());
			await sample.forgetRequests();
			const outcomes = await Promise.all([
				atOnce(() => mine.writes.write(ref, { labels: { add: ['a1'], remove: ['a2'] } }, wanted())),
				atOnce(() => hers.writes.write(ref, { labels: { add: ['b1'], remove: [] } }, wanted())),
				atOnce(() => hers.writes.write(ref, { labels: { add: [], remove: ['b2'] } }, wanted())),
				atOnce(() => sample.act('/todo/tag', { ticket: name, name: 'w1', by: 'carol' })),
				atOnce(() => sample.act('/todo/tag', { ticket: name, name: 'w2', on: false, by: 'carol' })),
			]);
			writesSent += (await sample.requests()).filter(traffic.isChange).length;
			const after = (await onForge(forge(), ref)).labels.split(' ');
			const where = `seed ${seed()}, round ${round}: ${after.join(' ')}`;
			assert.deepEqual(
				['a1', 'b1', 'k1', 'w1'].filter((label) => !after.includes(label)),
				[],
				`lost: ${where}`,
			);
			const told = JSON.stringify(outcomes);
			for (const label of ['a2', 'b2', 'w2'].filter((each) => after.includes(each))) {
				assert.ok(
					told.includes(JSON.stringify({ kind: 'labelLeft', name: label })),
					`set again and not told: ${where}`,
				);
			}
			mine.dispose();
			hers.dispose();
		}
		const rounds = counts({ small: 20, full: 200 });
		if (dialect === 'graphql') {
			assert.equal(writesSent, 3 * rounds, 'each label has a mutation of its own, so nothing has to be restored');
		} else {
			assert.ok(writesSent > 3 * rounds, 'writers did come between each other');
		}
	});

	testInBoth('connections that break during writes cause no duplicates and no losses', async function () {
		this.timeout(limitMs(counts({ least: 30_000, small: 30_000, full: 600_000 })));
		const random = randomInts(seed() + 1);
		const tally = { done: 0, arrived: 0, missing: 0, unclear: 0, notSent: 0, queued: 0 } satisfies Tally;
		const { sample } = forge();
		const rig = alice();
		const refs = await Promise.all(Array.from({ length: 5 }, () => newTicket(forge())));
		let cut = 0;
		// Counts only rounds whose connection broke during a write.
		for (let round = 0; cut < counts({ least: 40, first: 15, small: 40, full: 1000 }); round += 1) {
			const ref = refs[random(refs.length)];
			assert.ok(ref);
			const before = await onForge(forge(), ref);
			const wish = someWish(random, before.status);
			await sample.fault(traffic.changes, someFault(random));
			if (random(4) === 0) {
				// The lookup of the write fails too, sometimes on every attempt.
				await sample.fault(traffic.readingOf(ref), { kind: 'reset', at: 'headers' }, random(12));
			}
			await sample.forgetRequests();
			const outcome = await rig.writes.write(ref, wish, wanted()).catch(notSent);
			tally[outcome.kind] += 1;
			const sent = (await sample.requests()).filter(traffic.isChange).map(({ path, question }) => question ?? path);
			assert.equal(new Set(sent).size, sent.length, `a write is never sent twice by itself: ${sent.join(' ')}`);
			assert.ok(outcome.kind !== 'notSent' || sent.length === 0);
			cut += sent.length === 0 ? 0 : 1;
			await sample.clearFaults();
			const after = await onForge(forge(), ref);
			const isThere = holds(wish, before, after);
			const where = `seed ${seed()}, round ${round}: ${outcome.kind} ${JSON.stringify(wish)}`;
			switch (outcome.kind) {
				case 'done':
					assert.deepEqual(outcome.deviations, [], where);
					assert.ok(isThere, where);
					break;
				case 'arrived':
					assert.ok(isThere, where);
					break;
				case 'missing':
					assert.ok(!isThere, where);
					// The user resends the missing part.
					await rig.writes.write(ref, outcome.left, wanted());
					break;
				case 'queued':
					await rig.sender.sendNow(wanted());
					// Nobody has read the ticket in this window, so the user decides about its status.
					for (const { id, progress } of rig.outbox.items()) {
						assert.ok(progress.kind === 'conflict' && progress.now, where);
						const held = rig.outbox.hold(id);
						await held?.change({ progress: { kind: 'waiting' }, basis: progress.now });
						held?.release();
					}
					await rig.sender.sendNow(wanted());
					assert.deepEqual(rig.outbox.items(), [], where);
					break;
				case 'notSent':
				case 'unclear':
					// The user checks, and resends only a missing write.
					if (!isThere) {
						await rig.writes.write(ref, wish, wanted());
					}
			}
			assert.ok(holds(wish, before, await onForge(forge(), ref)), where);
		}
		assert.ok(tally.arrived > 0 && tally.missing > 0, JSON.stringify(tally));
		if (runsAll()) {
			console.log(`      ${dialect}: ${JSON.stringify(tally)}`);
		}
		rig.dispose();
	});
});

type Tally = Record<WriteOutcome['kind'] | 'notSent', number>;

/** The read before the write failed. */
function notSent(error: unknown): { readonly kind: 'notSent' } {
	assert.ok(isForgeError(error) && error.problem.kind === 'unreachable', String(error));
	return { kind: 'notSent' };
}

type Random = ReturnType<typeof randomInts>;
type State = Awaited<ReturnType<typeof onForge>>;

const faults: readonly SampleFault[] = [
	{ kind: 'reset', at: 'headers' },
	{ kind: 'reset', at: 'applied' },
	{ kind: 'reset', at: 'middle' },
	{ kind: 'reset', at: 'end' },
];

function someFault(random: Random): SampleFault {
	return faults[random(faults.length)] ?? { kind: 'truncate' };
}

/** Few texts, so that rounds often repeat one. */
function someWish(random: Random, status: string): TicketRequest {
	const comment = { comment: ['Works here.', 'Still there.', 'Line one\n\nline two'][random(3)] ?? '' };
	const move: TicketRequest =
		status === 'resolved'
			? { move: { kind: 'reopen' } }
			: { move: { kind: 'resolve', resolution: random(2) === 0 ? 'fixed' : 'wont_fix' } };
	const name = labels[random(labels.length)] ?? 'k1';
	const tagged: TicketRequest = { labels: random(2) === 0 ? { add: [name], remove: [] } : { add: [], remove: [name] } };
	const choices: readonly TicketRequest[] = [
		comment,
		move,
		{ ...comment, ...move },
		tagged,
		{ ...comment, ...move, ...tagged },
	];
	return choices[random(choices.length)] ?? comment;
}

/**
 * True if exactly the requested change happened since `before`: each comment once, the move and the labels as
 * requested.
 */
function holds({ comment, move, labels: wish }: TicketRequest, before: State, after: State): boolean {
	const said = comment === undefined ? before.said : [...before.said, comment];
	const names = new Set(before.labels.split(' ').filter(Boolean));
	wish?.add.forEach((name) => names.add(name));
	wish?.remove.forEach((name) => names.delete(name));
	const target = move ? { status: statusWanted(move), resolution: resolutionWanted(move, before) } : before;
	return isDeepStrictEqual(after, {
		said,
		labels: [...names].toSorted().join(' '),
		status: target.status,
		resolution: target.resolution ?? after.resolution,
	});
}

/** The server decides whether a reopened ticket keeps its resolution. */
function resolutionWanted(move: StatusMove, { resolution }: State): string | undefined {
	return move.kind === 'resolve' ? move.resolution : move.kind === 'set' ? resolution : undefined;
}
