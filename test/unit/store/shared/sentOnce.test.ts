import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Comment } from 'sourcehut/port/ticket.ts';
import type { Label } from 'sourcehut/port/tracker.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import { isInDoubt, sendOnce } from '../../../../src/store/shared/sentOnce.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { withEditing } from '../../../support/fakeEditing.ts';
import { fakeTrackers, type FakeTrackers } from '../../../support/fakeForge.ts';
import { fakeLists } from '../../../support/fakeLists.ts';
import { fakeStore, makeRepository, quill, quillWorld } from '../../../support/fakeRepositories.ts';
import { makeList, makeSubscription } from '../../../support/makeMail.ts';
import { makeComment, makeEvent, makeLabel, makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { writeRig } from '../../../support/writeRig.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const alpha = { owner: '~alice', name: 'alpha' };
const ref = { tracker: alpha, id: 1 };
const write = { kind: 'removeTicket', ref } as const;

/** A user who aborts after the forge completes the request, before the response. */
class Impatient {
	readonly #abort = new AbortController();
	readonly signal = this.#abort.signal;

	done(): never {
		this.#abort.abort();
		throw this.signal.reason;
	}
}

/** A tracker with one labelled ticket. */
function ticketWorld(): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.labels.set('~alice/alpha', [makeLabel('bug')]);
	fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 1, labels: ['bug'] })]);
	return fake;
}

suite('write sent once', () => {
	async function ended(
		fail: () => Error | undefined,
		{ found, isEnding = false }: { readonly found?: () => Promise<string | undefined>; readonly isEnding?: boolean },
	): Promise<readonly [outcome: unknown, looks: number]> {
		const person = new AbortController();
		const looking = isEnding ? AbortSignal.abort() : never;
		let looks = 0;
		const send = sendOnce<'removeTicket', string>(journalInMemory(), 'removeTicket', async (_, signal) => {
			looks += 1;
			assert.equal(signal, looking);
			return found?.();
		});
		const outcome = await send(
			write,
			async () => {
				const error = fail();
				if (error === undefined) {
					person.abort();
					throw person.signal.reason;
				}
				throw error;
			},
			{ signal: person.signal, looking },
		).catch((error: unknown) => error);
		return [outcome instanceof ForgeError ? outcome.problem : outcome instanceof Error ? outcome.name : outcome, looks];
	}
	const givesUp = (): undefined => undefined;

	test('is looked up after an abort, and ends as aborted only if not found', async () => {
		assert.deepEqual(await ended(givesUp, { found: async () => 'found' }), ['found', 1]);
		assert.deepEqual(await ended(givesUp, {}), ['AbortError', 1]);
		const failing = (): Promise<never> => Promise.reject(new ForgeError({ kind: 'notFound' }));
		assert.deepEqual(await ended(givesUp, { found: failing }), ['AbortError', 1]);
	});

	test('is looked up if it may have arrived, and never after the account is removed', async () => {
		const lost: Problem = { kind: 'unreachable', reason: 'reset', host: 'x' };
		const refused: Problem = { kind: 'unreachable', reason: 'refused', host: 'x' };
		const unsent = new ForgeError(refused, { isUnsent: true });
		const found = async (): Promise<string> => 'found';
		assert.deepEqual(await ended(() => new ForgeError(lost), { found }), ['found', 1]);
		assert.deepEqual(await ended(() => new ForgeError(lost), { found, isEnding: true }), [lost, 0]);
		assert.deepEqual(await ended(givesUp, { found, isEnding: true }), ['AbortError', 0]);
		assert.deepEqual(await ended(() => unsent, { found }), [refused, 0]);
		assert.deepEqual(await ended(() => new ForgeError({ kind: 'notAllowed' }), { found }), [{ kind: 'notAllowed' }, 0]);
		assert.deepEqual(await ended(() => new TypeError('Ours'), { found }), ['TypeError', 0]);
	});

	test('is not sent after an earlier abort', async () => {
		const unwanted = { signal: AbortSignal.abort(), looking: never };
		await assert.rejects(
			sendOnce(journalInMemory(), 'removeTicket', () => assert.fail('Looked for'))(
				write,
				() => assert.fail('Sent'),
				unwanted,
			),
			{ name: 'AbortError' },
		);
	});
});

suite('completed write after an abort', () => {
	test('the store applies a renamed and deleted label', async () => {
		const { world, api } = ticketWorld();
		const person = new Impatient();
		const other = new Impatient();
		const all = (): Label[] => world.labels.get('~alice/alpha') ?? [];
		const { store, writes } = writeRig(
			{
				...api,
				labelMaking: {
					create: () => assert.fail('Nobody makes one'),
					async change(_, name, change) {
						world.labels.set(
							'~alice/alpha',
							all().map((each) => (each.name === name ? { ...each, ...change } : each)),
						);
						return person.done();
					},
					async remove(_, name) {
						world.labels.set(
							'~alice/alpha',
							all().filter((each) => each.name !== name),
						);
						return other.done();
					},
				},
			},
			{ clock: eagerClock() },
		);
		await Promise.all([store.tickets(alpha, never), store.trackers.readLabels(alpha, never)]);
		await writes.labels?.change(alpha, 'bug', { name: 'defect' }, person.signal);
		const known = (): unknown => [
			store.trackers.knownLabels(alpha).map(({ name }) => name),
			store.knownTicket(ref)?.labels,
		];
		assert.deepEqual(known(), [['defect'], ['defect']]);
		await writes.labels?.remove(alpha, 'defect', other.signal);
		assert.deepEqual(known(), [[], []]);
	});

	test('the store does not confuse the new name with an existing label or repository', async () => {
		const { world, api } = ticketWorld();
		world.labels.get('~alice/alpha')?.push(makeLabel('docs'));
		const person = new Impatient();
		const labelMaking = {
			create: () => assert.fail('Nobody makes one'),
			change: async () => person.done(),
			remove: () => assert.fail('Nobody deletes one'),
		};
		const { store, writes } = writeRig({ ...api, labelMaking }, { clock: eagerClock() });
		await store.tickets(alpha, never);
		const isAbort = { name: 'AbortError' };
		await assert.rejects(async () => writes.labels?.change(alpha, 'bug', { name: 'docs' }, person.signal), isAbort);
		assert.deepEqual(store.knownTicket(ref)?.labels, ['bug']);

		const fake = quillWorld();
		fake.world.repositories.push(makeRepository('pen', { id: 2 }));
		const other = new Impatient();
		const repositories = fakeStore({ ...fake, api: { ...fake.api, update: async () => other.done() } });
		await repositories.own.first(never);
		await assert.rejects(repositories.writes.change(quill, { name: 'pen' }, other.signal), isAbort);
		assert.equal(repositories.metadata.known(quill)?.id, 1);
	});

	test('the store rejects a rename without the new name, and reports doubt if the old name is missing too', async () => {
		const fake = quillWorld();
		const { repositories } = fake.world;
		const lost = new ForgeError({ kind: 'serverError', status: 500 });
		const store = fakeStore({ ...fake, api: { ...fake.api, update: () => Promise.reject(lost) } });
		await store.own.first(never);
		await assert.rejects(store.writes.change(quill, { name: 'pen' }, never), lost);
		repositories.length = 0;
		const isDoubted = (error: unknown): boolean => isInDoubt(error);
		await assert.rejects(store.writes.change(quill, { name: 'pen' }, never), isDoubted);
	});

	test('the store does not take an existing name for a new creation', async () => {
		const isAbort = { name: 'AbortError' };
		const creation = (): { readonly signal: AbortSignal; readonly create: () => Promise<never> } => {
			const person = new Impatient();
			return { signal: person.signal, create: async () => person.done() };
		};
		const tracker = creation();
		const label = creation();
		const { writes } = writeRig(
			{
				...ticketWorld().api,
				create: tracker.create,
				labelMaking: {
					create: label.create,
					change: () => assert.fail('Nobody changes one'),
					remove: () => assert.fail('Nobody deletes one'),
				},
			},
			{ clock: eagerClock() },
		);
		await assert.rejects(writes.trackers.create({ name: 'alpha' }, tracker.signal), isAbort);
		await assert.rejects(async () => writes.labels?.create(alpha, makeLabel('bug'), label.signal), isAbort);

		const { world, api } = fakeLists();
		world.lists.push(makeList({ name: 'old' }));
		const list = creation();
		const lists = new ListStore({
			journal: journalInMemory(),
			api: { ...api, create: list.create },
			me: '~alice',
			followed: keptNames(),
		});
		await assert.rejects(lists.writes.create({ name: 'old' }, list.signal), isAbort);

		const fake = quillWorld();
		const repository = creation();
		const repositories = fakeStore({ ...fake, api: { ...fake.api, create: repository.create } });
		await assert.rejects(
			repositories.writes.create({ name: 'quill', visibility: 'public' }, repository.signal),
			isAbort,
		);
	});

	test('the store accepts a creation that a proxy sent twice, despite a rejected second try', async () => {
		const taken = new ForgeError({ kind: 'invalid', errors: [{ field: 'name', reason: 'Name is in use' }] });
		const { world, api } = ticketWorld();
		const { store, writes } = writeRig(
			{
				...api,
				async create({ name }) {
					world.trackers.push(makeTracker({ id: 2, name }));
					throw taken;
				},
			},
			{ clock: eagerClock() },
		);
		assert.equal((await writes.trackers.create({ name: 'fresh' }, never)).id, 2);
		assert.ok(store.trackers.known({ owner: '~alice', name: 'fresh' }));
		const refused = writeRig({ ...api, create: () => Promise.reject(taken) }, { clock: eagerClock() });
		await assert.rejects(refused.writes.trackers.create({ name: 'alpha' }, never), taken);
		await assert.rejects(refused.writes.trackers.create({ name: 'absent' }, never), taken);
	});

	test('the journal reports a crashed creation under an existing name as missing', async () => {
		const { world, api } = fakeLists();
		world.lists.push(makeList({ name: 'old' }));
		const journal = journalInMemory();
		const store = new ListStore({ journal, api, me: '~alice', followed: keptNames() });
		assert.ok(store.writes);
		const lookup = async (isTaken: boolean): Promise<string> => {
			const write = { kind: 'makeList', name: 'old', ...(isTaken ? { isTaken } : {}) } as const;
			return (await journal.look({ id: '1', write, progress: 'inDoubt', sentMs: 0 }, never)).kind;
		};
		assert.deepEqual([await lookup(false), await lookup(true)], ['there', 'notThere']);
	});

	test('the store applies a created and deleted tracker', async () => {
		const { world, api } = ticketWorld();
		const person = new Impatient();
		const other = new Impatient();
		const { store, writes } = writeRig(
			{
				...api,
				async create({ name }) {
					world.trackers.push(makeTracker({ id: 2, name }));
					return person.done();
				},
				async remove() {
					world.trackers.pop();
					return other.done();
				},
			},
			{ clock: eagerClock() },
		);
		await store.ownTrackers(never);
		await writes.trackers.create({ name: 'fresh', visibility: 'public' }, person.signal);
		const names = async (): Promise<readonly string[]> =>
			(await store.ownTrackers(never)).items.map(({ name }) => name);
		assert.deepEqual(await names(), ['alpha', 'fresh']);
		await writes.trackers.remove({ owner: '~alice', name: 'fresh' }, other.signal);
		assert.deepEqual(await names(), ['alpha']);
	});

	test('the store applies an edited ticket and a deleted one', async () => {
		const fake = ticketWorld();
		const { world } = fake;
		const person = new Impatient();
		const other = new Impatient();
		world.after = () => person.done();
		const { store, writes } = writeRig(
			{
				...withEditing(fake),
				async removeTicket() {
					world.tickets.set('~alice/alpha', []);
					return other.done();
				},
			},
			{ clock: eagerClock() },
		);
		await store.tickets(alpha, never);
		await writes.editTicket?.(ref, { title: 'Other' }, person.signal);
		assert.equal(store.knownTicket(ref)?.title, 'Other');
		await writes.removeTicket?.(ref, other.signal);
		assert.equal(store.knownTicket(ref), undefined);
	});

	test('the store applies an edited comment under its new number', async () => {
		const { world, api } = ticketWorld();
		const person = new Impatient();
		const comment = makeComment('Before', { id: 5 });
		const event = makeEvent({ id: 3, kinds: ['comment'], comment });
		world.events.set('~alice/alpha#1', [event]);
		const editComment = async (): Promise<Comment> => {
			world.events.set('~alice/alpha#1', [{ ...event, comment: makeComment('After', { id: 6 }) }]);
			return person.done();
		};
		const { store, writes } = writeRig({ ...api, editComment }, { clock: eagerClock() });
		await store.events(ref, never);
		await writes.editComment?.({ ref, event, comment, text: 'After' }, person.signal);
		assert.equal(store.knownEvents(ref)?.items[0]?.comment?.id, 6);
		world.before = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		const unread = new Impatient();
		const failing = writeRig({ ...api, editComment: async () => unread.done() }, { clock: eagerClock() });
		const change = { ref, event, comment, text: 'After' };
		await assert.rejects(async () => failing.writes.editComment?.(change, unread.signal), { name: 'AbortError' });
	});

	test('the store applies a new ticket subscription', async () => {
		const { api } = ticketWorld();
		const person = new Impatient();
		let isSubscribed = false;
		const subscriptions = {
			isSubscribed: async () => isSubscribed,
			async setSubscribed() {
				isSubscribed = true;
				return person.done();
			},
		};
		const { writes } = writeRig({ ...api, subscriptions }, { clock: eagerClock() });
		const to = { kind: 'ticket', ref } as const;
		await writes.subscriptions?.set(to, true, person.signal);
		assert.equal(writes.subscriptions?.known(to), true);
	});

	test('the store applies a created and deleted list', async () => {
		const { world, api } = fakeLists();
		const person = new Impatient();
		const other = new Impatient();
		const store = new ListStore({
			journal: journalInMemory(),
			api: {
				...api,
				async create({ name }) {
					const list = makeList({ name });
					world.lists.push(list);
					world.subscriptions.push(makeSubscription(list));
					return person.done();
				},
				async remove() {
					world.lists.pop();
					return other.done();
				},
			},
			me: '~alice',
			followed: keptNames(),
		});
		await Promise.all([store.own.first(never), store.subscriptions.first(never)]);
		const fresh = { owner: '~alice', name: 'fresh' };
		await store.writes.create({ name: 'fresh' }, person.signal);
		assert.ok(store.collection.known(fresh));
		assert.ok(store.collection.subscription(fresh));
		assert.equal(await store.writes.remove?.(fresh, other.signal), true);
		assert.equal(store.collection.known(fresh), undefined);
	});

	test('the store applies a renamed repository and a deleted one', async () => {
		const fake = quillWorld();
		const { repositories } = fake.world;
		const person = new Impatient();
		const other = new Impatient();
		const store = fakeStore({
			...fake,
			api: {
				...fake.api,
				async update() {
					repositories.splice(0, repositories.length, makeRepository('pen'));
					return person.done();
				},
				async remove() {
					repositories.length = 0;
					return other.done();
				},
			},
		});
		await store.own.first(never);
		const { repository } = await store.writes.change(quill, { name: 'pen' }, person.signal);
		assert.equal(repository.name, 'pen');
		assert.ok(store.metadata.known({ owner: '~alice', name: 'pen' }));
		await store.writes.remove({ owner: '~alice', name: 'pen' }, other.signal);
		assert.equal(store.metadata.known({ owner: '~alice', name: 'pen' }), undefined);
	});
});
