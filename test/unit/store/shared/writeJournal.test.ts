import assert from 'node:assert/strict';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { keptIn } from '../../../../src/store/shared/keptText.ts';
import {
	planWrites,
	writeJournal,
	type JournalFailure,
	type JournalPlace,
	type WriteJournal,
} from '../../../../src/store/shared/writeJournal.ts';
import {
	journalText,
	type JournalEntry,
	type SentDraft,
	type TicketFacts,
	type WriteOf,
} from '../../../../src/store/shared/writeRecord.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fullDisk, journalDisk, type JournalDisk } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ref: TicketRef = { tracker, id: 1 };
const remove: WriteOf<'removeTicket'> = { kind: 'removeTicket', ref };
const comment = (text: string): WriteOf<'ticket'> => ({ kind: 'ticket', ref, wish: { comment: text } });
const facts = (label: string): TicketFacts => ({
	status: 'reported',
	resolution: 'unresolved',
	labels: [label],
	assignees: [],
});
const sentAtMs = fakeClock().nowMs();

interface Bench {
	readonly disk: JournalDisk;
	readonly place: ReturnType<JournalDisk['window']>;
	readonly journal: WriteJournal;
	readonly failures: JournalFailure[];
}

/** A window with a disk; `change` overrides its storage. */
function opened({
	disk = journalDisk(),
	name = 'one',
	change,
}: { readonly disk?: JournalDisk; readonly name?: string; readonly change?: Partial<JournalPlace> } = {}): Bench {
	const place = Object.assign(disk.window(), change);
	const journal = writeJournal(place, name, fakeClock());
	const failures: JournalFailure[] = [];
	journal.onDidFail((failure) => failures.push(failure));
	return { disk, place, journal, failures };
}

/** Entries on a disk with their progress. */
function onDisk(disk: JournalDisk): readonly string[] {
	return entriesOn(disk).map(({ id, progress }) => `${id} ${progress}`);
}

function entriesOn(disk: JournalDisk): readonly JournalEntry[] {
	return disk.texts().flatMap((text) => keptIn(text, journalText, undefined)?.entries ?? assert.fail(text));
}

const idsOf = (entries: readonly JournalEntry[]): readonly string[] => entries.map(({ id }) => id);
const openIds = ({ journal }: Pick<Bench, 'journal'>): readonly string[] =>
	journal.open().map(({ entry: { id }, isMissing }) => (isMissing ? `${id} missing` : id));

suite('write journal', () => {
	test('stores a write before its request, and deletes its file after the response', async () => {
		const { disk, journal } = opened();
		const write = journal.begin(remove);
		await write.persist({ newestEventId: 7, facts: facts('old') });
		assert.deepEqual(JSON.parse(disk.texts()[0] ?? ''), {
			entries: [
				{ id: 'one-1', write: remove, progress: 'pending', sentMs: sentAtMs, newestEventId: 7, before: facts('old') },
			],
			sent: [],
		});
		await write.arrived();
		assert.deepEqual(disk.texts(), []);
		const refused = journal.begin(remove);
		await refused.persist();
		await refused.failed();
		assert.deepEqual(disk.texts(), []);
	});

	test('keeps a write with a lost response until a lookup finds it, across a restart', async () => {
		const bench = opened();
		const write = bench.journal.begin(remove);
		await write.persist();
		await write.inDoubt();
		assert.deepEqual([onDisk(bench.disk), openIds(bench)], [['one-1 inDoubt'], ['one-1']]);
		const found = bench.journal.begin(comment('Hi'));
		await found.persist();
		assert.deepEqual(openIds(bench), ['one-1'], 'one that is under way is not in doubt');
		await found.inDoubt();
		await found.arrived();
		assert.deepEqual(onDisk(bench.disk), ['one-1 inDoubt']);
		bench.place.kill();
		const next = opened({ disk: bench.disk, name: 'two' });
		assert.deepEqual([idsOf(next.journal.adopted()), openIds(next)], [['one-1'], ['one-1']]);
	});

	test('writes nothing without entries to keep or adopt', async () => {
		let writes = 0;
		const { journal } = opened({ change: { write: async () => void (writes += 1) } });
		assert.deepEqual(journal.adopted(), []);
		await journal.begin(remove).arrived();
		assert.equal(writes, 0);
	});

	test('does not renew an empty window, but still adopts entries', async () => {
		let renewals = 0;
		const ages: number[] = [];
		const bench = opened({
			change: {
				renew: () => void (renewals += 1),
				adopt(minAgeMs) {
					ages.push(minAgeMs);
					return [];
				},
			},
		});
		bench.journal.adopted();
		await bench.journal.begin(remove).persist();
		bench.journal.adopted();
		// At startup a window immediately adopts its file from before a reload.
		assert.deepEqual([renewals, ages], [1, [0, 30_000, 30_000]]);
		bench.journal.adopted();
		assert.equal(renewals, 2);
	});

	test('adopts a pending write of a dead window as doubtful, reports it once, and deletes the file', async () => {
		const bench = opened();
		await bench.journal.begin(remove).persist();
		bench.place.kill();
		const { disk, journal } = opened({ disk: bench.disk, name: 'two' });
		await journal.begin(comment('Next')).persist();
		assert.deepEqual(onDisk(disk), ['one-1 inDoubt', 'two-1 pending']);
		const settled: JournalEntry[] = [];
		journal.onDidSettle((entry) => settled.push(entry));
		const [entry] = journal.adopted();
		assert.ok(entry);
		journal.reported(entry, false);
		assert.deepEqual([idsOf(settled), idsOf(journal.adopted())], [['one-1'], []]);
		assert.deepEqual(openIds({ journal }), ['one-1'], 'it is still in doubt, and not missing');
	});

	test('offers a missing write again until the user sends or closes it', async () => {
		const bench = opened();
		await bench.journal.begin(remove).persist();
		await bench.journal.begin(comment('Hi')).persist();
		await bench.journal.begin(comment('Ho')).persist();
		bench.place.kill();
		const next = opened({ disk: bench.disk, name: 'two' });
		for (const entry of next.journal.adopted()) {
			await next.journal.handle(entry).failed();
			next.journal.reported(entry, true);
		}
		assert.deepEqual([onDisk(next.disk), openIds(next)], [[], ['one-1 missing', 'one-2 missing', 'one-3 missing']]);
		await next.journal.close('one-1');
		const [again, failing] = next.journal.open();
		assert.ok(again && failing);
		await next.journal.handle(again.entry).arrived();
		await next.journal.handle(failing.entry).failed();
		assert.deepEqual(openIds(next), []);
	});

	test('sets torn and foreign files aside, and takes valid entries of a damaged one', async () => {
		const aside: string[] = [];
		const sound = { id: 'x-1', write: remove, progress: 'inDoubt', sentMs: 1 };
		const texts = [
			'{"entries":[{"id"',
			'[]',
			JSON.stringify({ entries: [{ ...sound, progress: 'flying' }, sound], sent: [] }),
		];
		let left = texts.map((text) => ({ text, remove: () => undefined, setAside: () => void aside.push(text) }));
		const { journal } = opened({ change: { adopt: () => left.splice(0) } });
		assert.deepEqual(idsOf(journal.adopted()), ['x-1']);
		left = [{ text: '{"entries":[{"id"', remove: () => undefined, setAside: () => void aside.push('torn') }];
		const torn = opened({ change: { adopt: () => left.splice(0) } });
		await torn.journal.close('none');
		assert.deepEqual(torn.disk.texts(), []);
		assert.deepEqual(aside, [...texts, 'torn']);
	});

	test('deletes the file of a dead window only after it saves the entries itself', async () => {
		const bench = opened();
		await bench.journal.begin(remove).persist();
		bench.place.kill();
		bench.disk.isFull = true;
		const next = opened({ disk: bench.disk, name: 'two' });
		await next.journal.begin(comment('Hi')).persist();
		assert.deepEqual(onDisk(bench.disk), ['one-1 pending']);
		assert.deepEqual(
			next.failures.map(({ isUnsent }) => isUnsent),
			[false, true],
		);
		bench.disk.isFull = false;
		next.place.kill();
		assert.deepEqual(idsOf(opened({ disk: bench.disk, name: 'three' }).journal.adopted()), ['one-1']);
	});

	test('settles no adopted write before it deletes every adopted file, so no entry is reported twice', async () => {
		const done: string[] = [];
		const writes: (() => void)[] = [];
		const left = ['x-1', 'x-2'].map((id) => ({
			text: JSON.stringify({ entries: [{ id, write: remove, progress: 'inDoubt', sentMs: 1 }], sent: [] }),
			remove: () => void done.push(`${id} removed`),
			setAside: () => assert.fail('it is whole'),
		}));
		const { journal } = opened({
			change: {
				adopt: () => left.splice(0, 1),
				write: () => new Promise((resolve) => void writes.push(resolve)),
			},
		});
		journal.adopted();
		const closing = journal.close('x-2').then(() => done.push('closed'));
		// The disk delays the first of three writes.
		writes.slice(1).forEach((resolve) => resolve());
		await new Promise(setImmediate);
		assert.ok(!done.includes('closed'), done.join());
		writes[0]?.();
		await closing;
		assert.deepEqual(done.toSorted(), ['closed', 'x-1 removed', 'x-2 removed']);
	});

	test('reports a disk error during adoption or deletion', async () => {
		const broken = fullDisk();
		const fail = (): never => {
			throw broken;
		};
		let isBroken = false;
		const unreadable = opened({ change: { adopt: () => (isBroken ? fail() : []) } });
		isBroken = true;
		assert.deepEqual(unreadable.journal.adopted(), []);
		assert.deepEqual(unreadable.failures, [{ error: broken, isUnsent: false }]);

		const files = [{ text: '{"entries":[],"sent":[]}', remove: fail, setAside: fail }];
		const stuck = opened({ change: { adopt: () => files.splice(0) } });
		await stuck.journal.begin(remove).persist();
		assert.deepEqual(stuck.failures, [{ error: broken, isUnsent: false }]);
	});

	test('sends despite a full disk, with one report until a write succeeds', async () => {
		const { disk, journal, failures } = opened();
		disk.isFull = true;
		await journal.begin(remove).persist();
		const second = journal.begin(comment('Hi'));
		await second.persist();
		await second.inDoubt();
		assert.deepEqual(
			failures.map(({ isUnsent }) => isUnsent),
			[true],
		);
		disk.isFull = false;
		await second.inDoubt();
		disk.isFull = true;
		// The failed request is worse than the failed response, so it is reported again.
		await second.inDoubt();
		await second.inDoubt();
		await journal.begin(remove).persist();
		assert.deepEqual(
			failures.map(({ isUnsent }) => isUnsent),
			[true, false, true],
		);
	});

	test('distinguishes an unsaved request from an unsaved response on a full disk', async () => {
		const reports = async (act: (bench: Bench) => Promise<unknown>): Promise<readonly boolean[]> => {
			const bench = opened();
			await bench.journal.begin(remove).persist();
			await bench.journal.begin(remove).persist();
			bench.disk.isFull = true;
			await act(bench);
			return bench.failures.map(({ isUnsent }) => isUnsent);
		};
		assert.deepEqual(await reports(({ journal }) => journal.plan([remove])), [true]);
		assert.deepEqual(await reports(({ journal }) => journal.close('one-1')), [false]);
	});

	test('looks up a write by its kind, and returns unknown without a lookup', async () => {
		const { journal } = opened();
		const looked: unknown[] = [];
		journal.registerLookup('makeList', () => assert.fail('Another kind'));
		journal.registerLookup('removeTicket', async (write, { id }, looking) => {
			looked.push(write, id, looking);
			return { kind: 'notThere' };
		});
		const entry: JournalEntry = { id: 'a', write: remove, progress: 'inDoubt', sentMs: 1 };
		assert.deepEqual(await journal.look(entry, never), { kind: 'notThere' });
		assert.deepEqual(looked, [remove, 'a', never]);
		assert.deepEqual(await journal.look({ ...entry, write: comment('Hi') }, never), { kind: 'unknown' });
	});

	test('deletes the drafts of a delivered write, and remembers the last one per place after a restart', async () => {
		const bench = opened();
		const told: unknown[] = [];
		const drafts = (key: string, atMs: number): readonly SentDraft[] => [{ key, atMs }];
		bench.journal.onDelivered(async (write) => {
			told.push(write);
			return [...drafts('a', 1), ...drafts('a', 2)];
		});
		bench.journal.onDelivered(() => assert.fail('Ended')).dispose();
		await bench.journal.begin(comment('Hi')).arrived({ write: comment('H') });
		assert.deepEqual(told, [comment('H')], 'the part that arrived');
		// An empty journal has nothing urgent to write.
		const write = bench.journal.begin(remove);
		await write.persist();
		await write.arrived();
		assert.deepEqual(bench.journal.sent('a'), { key: 'a', atMs: 2 });
		assert.equal(bench.journal.sent('b'), undefined);
		bench.place.kill();
		const next = opened({ disk: bench.disk, name: 'two' });
		assert.deepEqual(next.journal.sent('a'), { key: 'a', atMs: 2 });
		next.journal.onDelivered(async () => Array.from({ length: 20 }, (_, at) => ({ key: `k${at}`, atMs: 3 })));
		await next.journal.begin(remove).arrived();
		assert.deepEqual([next.journal.sent('a'), next.journal.sent('k0')?.atMs], [undefined, 3], 'only the newest');
		assert.deepEqual(bench.failures, []);
	});

	test('keeps a delivered write whose draft deletion failed, for the next window', async () => {
		const { disk, journal, failures } = opened();
		const error = fullDisk();
		journal.onDelivered(() => Promise.reject(error));
		const write = journal.begin(comment('Hi'));
		await write.persist();
		await write.arrived();
		assert.deepEqual([onDisk(disk), failures], [['one-1 inDoubt'], [{ error, isUnsent: false }]]);
	});

	test('ends the doubt of an earlier equal write after a later success', async () => {
		const bench = opened();
		for (const text of ['Hi', 'Ho', 'Hi']) {
			const write = bench.journal.begin(comment(text));
			await write.persist();
			await (text === 'Hi' && openIds(bench).length > 1 ? write.arrived() : write.inDoubt());
		}
		assert.deepEqual([openIds(bench), onDisk(bench.disk)], [['one-2'], ['one-2 inDoubt']]);
	});

	test('does not end an equal pending write', async () => {
		const { disk, journal } = opened();
		const [first, second] = [journal.begin(comment('Hi')), journal.begin(comment('Hi'))];
		await first.persist();
		await second.persist();
		await first.arrived();
		assert.deepEqual(onDisk(disk), ['one-2 pending']);
	});

	test('does not restore a write that the user closed before its response', async () => {
		const bench = opened();
		const write = bench.journal.begin(remove);
		await write.persist();
		await bench.journal.close(write.id);
		await write.inDoubt();
		await write.arrived();
		assert.deepEqual([openIds(bench), bench.disk.texts()], [[], []]);
	});

	test('writes nothing after its account closes, and leaves its file to other windows despite errors', async () => {
		const bench = opened();
		const write = bench.journal.begin(remove);
		await write.persist();
		bench.journal.dispose();
		await write.arrived();
		const next = opened({ disk: bench.disk, name: 'two' });
		assert.deepEqual(idsOf(next.journal.adopted()), ['one-1']);

		const error = fullDisk();
		let refuse: ((reason: unknown) => void) | undefined;
		const stuck = opened({
			change: {
				write: () => new Promise((_, reject) => (refuse = reject)),
				release() {
					throw error;
				},
			},
		});
		const writing = stuck.journal.begin(remove).persist();
		assert.throws(() => stuck.journal.dispose(), error);
		refuse?.(error);
		await writing;
		assert.deepEqual(stuck.failures, []);
	});
});

suite('bulk action in the journal', () => {
	const writes = ['a', 'b', 'c'].map(comment);

	test('is on disk in full before its first request, and deleted at its end', async () => {
		const { disk, journal } = opened();
		const planned = await planWrites(journal, writes, async (write, from, signal) => {
			assert.equal(signal, never);
			const made = journal.begin(write, from);
			await made.persist();
			const during = onDisk(disk);
			await made.arrived();
			return during;
		});
		assert.deepEqual(onDisk(disk), ['one-2 waiting', 'one-3 waiting', 'one-4 waiting']);
		assert.deepEqual(await planned.send(1, never), ['one-2 waiting', 'one-3 pending', 'one-4 waiting']);
		assert.deepEqual(onDisk(disk), ['one-2 waiting', 'one-3 done', 'one-4 waiting']);
		await assert.rejects(planned.send(3, never), RangeError);
		await planned.end();
		assert.deepEqual(disk.texts(), []);
	});

	test('keeps delivered parts with their facts for Undo, and lets a rejected part wait', async () => {
		const { disk, journal } = opened();
		const { ids } = await journal.plan(writes);
		const [first, second, third] = ids.map((id, at) => journal.begin(writes[at] ?? assert.fail(), id));
		await first?.arrived({ write: comment('only this'), before: facts('x'), after: facts('y') });
		await second?.persist({ facts: facts('x') });
		await second?.arrived();
		await third?.persist();
		await third?.failed();
		assert.deepEqual(
			entriesOn(disk).map(({ write, progress, before, after }) => [write, progress, before, after]),
			[
				[comment('only this'), 'done', facts('x'), facts('y')],
				[comment('b'), 'done', facts('x'), undefined],
				[comment('c'), 'waiting', undefined, undefined],
			],
		);
	});

	test('leaves its doubtful parts as single writes', async () => {
		const bench = opened();
		const plan = await bench.journal.plan(writes);
		for (const [at, newestEventId] of [undefined, 7].entries()) {
			const write = bench.journal.begin(writes[at] ?? assert.fail(), plan.ids[at]);
			await write.persist({ newestEventId, facts: facts('x') });
			await write.inDoubt();
		}
		await plan.end();
		assert.deepEqual(entriesOn(bench.disk), [
			{ id: 'one-2', write: comment('a'), progress: 'inDoubt', sentMs: sentAtMs },
			{ id: 'one-3', write: comment('b'), progress: 'inDoubt', sentMs: sentAtMs, newestEventId: 7 },
		]);
	});

	test('does not restore a part that the user closed', async () => {
		const { disk, journal } = opened();
		const plan = await journal.plan(writes);
		await journal.close('one-2');
		await plan.end();
		assert.deepEqual(disk.texts(), []);
	});

	test('deletes its file when it cannot save a sent part, because "Continue" would send it twice', async () => {
		const bench = opened();
		const { ids } = await bench.journal.plan(writes);
		bench.place.kill();
		bench.disk.isFull = true;
		const next = opened({ disk: bench.disk, name: 'two' });
		const [waiting] = next.journal.adopted();
		assert.ok(waiting);
		assert.deepEqual([ids[0], waiting.progress, onDisk(bench.disk).length], [waiting.id, 'waiting', 3]);
		await next.journal.handle(waiting).persist();
		assert.deepEqual(next.disk.texts(), []);
	});

	test('keeps its file if the account closes before a part is sent', async () => {
		const { disk, journal } = opened();
		const { ids } = await journal.plan(writes);
		journal.dispose();
		await journal.begin(comment('a'), ids[0]).persist();
		assert.equal(onDisk(disk).length, 3);
	});

	test('keeps the newest event from before the first try of a part', async () => {
		const { disk, journal } = opened();
		const { ids } = await journal.plan(writes);
		const first = journal.begin(comment('a'), ids[0]);
		await first.persist({ newestEventId: 7 });
		await first.failed();
		await journal.begin(comment('a'), ids[0]).persist();
		assert.equal(entriesOn(disk)[0]?.newestEventId, 7);
	});

	test('reports a disk error if it cannot delete that file', async () => {
		const broken = fullDisk();
		let isBroken = false;
		const { journal, failures } = opened({
			change: { write: async () => (isBroken ? Promise.reject(broken) : undefined) },
		});
		const { ids } = await journal.plan(writes);
		isBroken = true;
		await journal.begin(writes[0] ?? assert.fail(), ids[0]).persist();
		assert.deepEqual(failures, [
			{ error: broken, isUnsent: true },
			{ error: broken, isUnsent: true },
		]);
	});
});
