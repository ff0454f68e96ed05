import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { watchedName } from '../../../../src/store/inbox/watched.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget, type RequestBudget } from '../../../../src/store/background/requestBudget.ts';
import { openInbox, type Inbox } from '../../../../src/store/inbox/inbox.ts';
import { repositoryPosition } from '../../../../src/store/inbox/pushNotices.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import type { RepositoryStoreChange } from '../../../../src/store/repositories/repositoryChange.ts';
import { repositoryWatch, type RepositoryWatch } from '../../../../src/store/watch/repositoryWatch.ts';
import { watchReadings, type WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { counts, seed } from '../../../support/counts.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { fake as fakeOf } from '../../../support/fake.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { fakeRepositories, fakeStore, makeRepository } from '../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makePushSaid } from '../support/makePushSaid.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const followed: RepositoryRef = { owner: '~bob', name: 'quill' };
const commits = ['a', 'b', 'c'].map((letter) => letter.repeat(40));

class World {
	readonly fake = fakeRepositories();
	readonly kept: KeptText = keptInMemory();
	readonly clock: FakeClock = fakeClock();

	/** Replaces the references. */
	lead(names: Readonly<Record<string, string | undefined>>): void {
		const references = Object.entries(names).flatMap(([name, target]) =>
			target === undefined ? [] : [{ name, target }],
		);
		this.fake.world.references.set('~bob/quill', references);
	}

	open(): Window {
		return new Window(this);
	}

	asked(): number {
		return this.fake.world.calls.filter((call) => call.startsWith('references')).length;
	}
}

class Window {
	readonly inbox: Inbox;
	readonly readings: WatchReadings;
	readonly changes: RepositoryStoreChange[] = [];
	readonly repositories: RepositoryStore;
	readonly watch: RepositoryWatch;
	readonly #owned = new Disposables();
	readonly #clock: FakeClock;
	readonly #budget: RequestBudget;

	constructor({ fake, kept, clock }: World) {
		this.#clock = clock;
		const budget = requestBudget(() => 600, clock);
		this.#budget = budget;
		const loop = this.#owned.add(
			backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock),
		);
		const inbox = this.#owned.add(openInbox(kept, new Emitter<void>().event, clock));
		this.inbox = inbox;
		this.readings = this.#owned.add(watchReadings({ loop, budget }, clock));
		const repositories = this.#owned.add(fakeStore(fake, { followed: keptNames('~bob/quill') }));
		this.repositories = repositories;
		repositories.onDidChange((change) => this.changes.push(change));
		this.watch = this.#owned.add(
			repositoryWatch(
				fakeOf<WatchContext>({
					repositories,
					inbox,
					background: { loop, budget },
					readings: this.readings,
					me: '~alice',
					clock,
					random: () => 0.5,
				}),
				false,
			),
		);
	}

	/** Inbox entries, newest first. */
	told(): readonly string[] {
		return this.inbox
			.items()
			.map(({ entry: { event } }) =>
				event.kind === 'pushed'
					? event.changes.map(({ name, old, now }) => `${name} ${old?.[0] ?? '-'}>${now?.[0] ?? '-'}`).join(', ')
					: event.kind,
			);
	}

	/** Requests by the budget's count. */
	spent(): number {
		return this.#budget.spent();
	}

	/** Delivers pushes and makes the poll due. */
	say(...pushes: readonly PushSaid[]): void {
		pushes.forEach((push) => this.watch.said(followed, push));
		this.watch.due(followed, this.#clock.nowMs());
	}

	async pass(totalMs: number): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += 5 * secondMs) {
			this.#clock.advance(5 * secondMs);
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	close(): void {
		this.#owned.dispose();
	}
}

suite('repository watch', () => {
	const [one, two, three] = commits;

	test('reads as many as share a request in one turn, and one of them may be missing', async () => {
		const world = new World();
		const names = ['a', 'b', 'c', 'd'].map((letter) => `~bob/${letter}`);
		for (const name of names) {
			world.fake.world.references.set(name, [{ name: 'refs/heads/main', target: 'a'.repeat(40) }]);
		}
		world.lead({ 'refs/heads/main': one });
		Object.assign(world.fake.api, { referencesTogether: 3 });
		const window = world.open();
		names.forEach((name) => window.inbox.choose(`repository ${name}`, 'everything'));
		const turns: (readonly string[])[] = [];
		let turn: string[] | undefined;
		world.fake.world.before = (call) => {
			if (!turn) {
				turn = [];
				turns.push(turn);
				setImmediate(() => (turn = undefined));
			}
			turn.push(call.split(' ')[1] ?? '');
			if (call.includes('~bob/b')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		await window.pass(minuteMs);
		assert.deepEqual(turns, [
			['~bob/b', '~bob/c', '~bob/a'],
			['~bob/quill', '~bob/d'],
		]);
		assert.equal(window.spent(), 2);
		for (const name of names) {
			world.fake.world.references.set(name, [{ name: 'refs/heads/main', target: 'b'.repeat(40) }]);
		}
		await window.pass(30 * minuteMs);
		assert.equal(window.told().length, 3, 'the missing one hides no other');
		window.close();
	});

	test('reports moved, new and deleted references, across two windows', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one, 'refs/heads/old': one });
		const first = world.open();
		await first.pass(minuteMs);
		assert.deepEqual(first.told(), []);
		first.close();
		const second = world.open();
		const perhapsOld: boolean[] = [];
		second.inbox.onDidChange(({ arrived, isPerhapsOld }) => arrived.length > 0 && perhapsOld.push(isPerhapsOld));
		// Meanwhile a view shows the references.
		await second.repositories.references(followed).first(new AbortController().signal);
		world.lead({ 'refs/heads/main': two, 'refs/tags/v1': one });
		await second.pass(minuteMs);
		assert.deepEqual(second.told(), ['refs/heads/main a>b, refs/tags/v1 ->a, refs/heads/old a>-']);
		assert.deepEqual(second.changes, [{ kind: 'moved', ref: followed }]);
		world.lead({ 'refs/heads/main': three, 'refs/tags/v1': one });
		await second.pass(30 * minuteMs);
		assert.deepEqual(second.told()[0], 'refs/heads/main b>c');
		// A push has no time, so the first one may be older than the window.
		assert.deepEqual(perhapsOld, [true, false]);
		second.close();
	});

	test('takes no reference for deleted or new if a list of several pages may be incomplete', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one, 'refs/tags/v1': one });
		const window = world.open();
		await window.pass(minuteMs);
		// Like GraphQL without git: references are lost between two pages, and the last page has no completeness.
		let asked = 0;
		world.fake.api.targets = async function* () {
			asked += 1;
			await Promise.resolve();
			const items = [{ name: 'refs/heads/main', target: one ?? '' }];
			yield { items, seen: 1, completeness: { kind: 'more', total: undefined } };
			yield { items: [], seen: 1, completeness: { kind: 'unstated' } };
		};
		await window.pass(30 * minuteMs);
		assert.ok(asked > 0);
		delete world.fake.api.targets;
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), []);
		window.close();
	});

	test('polls less and less often while quiet, without a change event, and never when muted', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one });
		const window = world.open();
		await window.pass(60 * minuteMs);
		const firstHour = world.asked();
		await window.pass(60 * minuteMs);
		assert.ok(world.asked() - firstHour <= 5, `${world.asked() - firstHour} requests`);
		assert.ok(firstHour > world.asked() - firstHour);
		assert.deepEqual(window.changes, []);
		window.inbox.choose(repositoryPosition(followed), 'nothing');
		const before = world.asked();
		await window.pass(60 * minuteMs);
		assert.equal(world.asked(), before);
		window.close();
	});

	test('skips pushes from the time of a mute, and reports later ones', async () => {
		const world = new World();
		world.fake.world.repositories.push(makeRepository('quill', { owner: { canonicalName: '~bob', name: 'bob' } }));
		world.lead({ 'refs/heads/main': one });
		const window = world.open();
		await window.pass(minuteMs);
		window.inbox.choose(repositoryPosition(followed), 'nothing');
		await window.pass(minuteMs);
		world.lead({ 'refs/heads/main': two });
		await window.pass(30 * minuteMs);
		window.inbox.choose(repositoryPosition(followed), 'usual');
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), []);
		await window.repositories.unfollow(followed);
		await window.pass(minuteMs);
		world.lead({ 'refs/heads/main': three });
		await window.pass(30 * minuteMs);
		await window.repositories.follow(followed, new AbortController().signal);
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), []);
		world.lead({ 'refs/heads/main': one });
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), ['refs/heads/main c>a']);
		window.close();
	});

	test('includes watched repositories that are not followed', async () => {
		const world = new World();
		const [mine, theirs] = [
			{ owner: '~alice', name: 'Lantern' },
			{ owner: '~bob', name: 'ink' },
		];
		const lead = (target: string | undefined): void =>
			[mine, theirs].forEach((ref) =>
				world.fake.world.references.set(`${ref.owner}/${ref.name}`, [
					{ name: 'refs/heads/main', target: target ?? '' },
				]),
			);
		lead(one);
		const window = world.open();
		window.inbox.choose('repository ~alice/Lantern', 'everything');
		window.inbox.choose('repository ~bob/ink', 'concerns');
		await window.pass(minuteMs);
		lead(two);
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['refs/heads/main a>b']);
		world.fake.world.before = () => {
			throw new ForgeError({ kind: 'notFound' });
		};
		await window.pass(60 * minuteMs);
		assert.deepEqual(
			window.readings
				.all()
				.map(({ watched, readMs, hasFailed }) => [watchedName(watched), readMs !== undefined, hasFailed]),
			[
				['repository ~alice/Lantern', true, true],
				['repository ~bob/quill', true, true],
			],
		);
		assert.deepEqual(
			window.inbox.items().map(({ entry: { thing } }) => thing),
			[{ kind: 'repository', ref: mine }],
		);
		window.close();
	});

	test('names the pusher from a delivery if the references match', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one });
		const window = world.open();
		await window.pass(minuteMs);
		const by = (): readonly (readonly [string | undefined, unknown])[] =>
			window.inbox.items().map(({ entry }) => [entry.by, entry.event.kind === 'pushed' && entry.event.changes]);
		const tag = { name: 'refs/tags/v1', old: undefined, now: two, isAnnotatedTag: true };
		const moved = { name: 'refs/heads/main', old: one, now: two, isAnnotatedTag: false };
		window.say(
			makePushSaid('1', '~carol', { 'refs/heads/main': [one, two] }),
			makePushSaid('2', '~bob', { 'refs/tags/v1': [undefined, two, 'Version 1'], 'refs/heads/gone': [one, undefined] }),
		);
		world.lead({ 'refs/heads/main': two, 'refs/tags/v1': two });
		await window.pass(minuteMs);
		assert.deepEqual(
			new Map(by()),
			new Map([
				['~bob', [tag]],
				['~carol', [moved]],
			]),
		);
		// A delivery for an earlier read, and one for a change that no read shows.
		window.say(makePushSaid('3', '~mallory', { 'refs/heads/main': [two, one] }));
		await window.pass(minuteMs);
		assert.equal(by().length, 2);
		world.lead({ 'refs/heads/main': one, 'refs/tags/v1': two });
		await window.pass(30 * minuteMs);
		assert.deepEqual(by()[0], [undefined, [{ ...moved, old: two, now: one }]]);
		window.close();
	});

	test('reports own pushes as read if a delivery names the pusher', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one });
		const window = world.open();
		await window.pass(minuteMs);
		const states = (): readonly (readonly [string | undefined, string])[] =>
			window.inbox.items().map(({ entry, state }) => [entry.by, state]);
		window.say(makePushSaid('1', '~alice', { 'refs/heads/main': [one, two] }));
		world.lead({ 'refs/heads/main': two });
		await window.pass(minuteMs);
		assert.deepEqual(states(), [['~alice', 'read']]);
		assert.deepEqual(window.changes, []);
		// Together with another pusher in one read, and then without a pusher.
		window.say(
			makePushSaid('2', '~alice', { 'refs/heads/main': [two, three] }),
			makePushSaid('3', '~carol', { 'refs/heads/next': [undefined, one] }),
		);
		world.lead({ 'refs/heads/main': three, 'refs/heads/next': one });
		await window.pass(minuteMs);
		world.lead({ 'refs/heads/main': one, 'refs/heads/next': one });
		await window.pass(30 * minuteMs);
		assert.deepEqual(
			states().toSorted((a, b) => String(a).localeCompare(String(b))),
			[
				[undefined, 'unread'],
				['~alice', 'read'],
				['~alice', 'read'],
				['~carol', 'unread'],
			].toSorted((a, b) => String(a).localeCompare(String(b))),
		);
		window.close();
	});

	test('reports each move of a reference that goes back and forth', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one });
		const first = world.open();
		await first.pass(minuteMs);
		for (const target of [two, one, two]) {
			world.lead({ 'refs/heads/main': target });
			await first.pass(30 * minuteMs);
		}
		const back = ['refs/heads/main a>b', 'refs/heads/main b>a', 'refs/heads/main a>b'];
		assert.deepEqual(first.told(), back);
		first.close();
		const second = world.open();
		// The poll of another window and late or repeated deliveries add nothing.
		second.say(...['1', '2', '2'].map((id) => makePushSaid(id, '~carol', { 'refs/heads/main': [one, two] })));
		await second.pass(30 * minuteMs);
		assert.deepEqual(second.told(), back);
		world.lead({ 'refs/heads/main': one });
		await second.pass(30 * minuteMs);
		assert.deepEqual(second.told(), ['refs/heads/main b>a', ...back]);
		second.close();
	});

	test('reports each read once and without a gap, for any deliveries in any order', async () => {
		const steps = fc.array(
			fc.record({
				to: fc.nat(2),
				/** Indexes of pushes delivered now, newest first. */
				delivered: fc.array(fc.nat(5), { maxLength: 3 }),
				waitMs: fc.constantFrom(0, 3 * minuteMs, 30 * minuteMs),
				isNewWindow: fc.boolean(),
			}),
			{ minLength: 3, maxLength: 8 },
		);
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const world = new World();
				const pushes: PushSaid[] = [];
				let at = one;
				world.lead({ 'refs/heads/main': at });
				let window = world.open();
				await window.pass(minuteMs);
				for (const { to, delivered, waitMs, isNewWindow } of all) {
					pushes.unshift(makePushSaid(`${pushes.length}`, '~carol', { 'refs/heads/main': [at, commits[to]] }));
					at = commits[to];
					world.lead({ 'refs/heads/main': at });
					window.say(...delivered.flatMap((which) => pushes[which] ?? []));
					await window.pass(waitMs);
					if (isNewWindow) {
						window.close();
						window = world.open();
					}
				}
				await window.pass(30 * minuteMs);
				const moves = window.inbox
					.items()
					.flatMap(({ entry }) => (entry.event.kind === 'pushed' ? entry.event.changes : []));
				const path = moves.toReversed();
				assert.deepEqual(
					path.map(({ old }) => old),
					[one, ...path.map(({ now }) => now)].slice(0, path.length),
				);
				assert.equal(path.at(-1)?.now ?? one, at);
				window.close();
			}),
			{ numRuns: counts({ small: 15, full: 500 }), seed: seed() },
		);
	});

	test('creates one entry for two reads of the same push', async () => {
		const world = new World();
		world.lead({ 'refs/heads/main': one });
		const [a, b] = [world.open(), world.open()];
		await a.pass(minuteMs);
		world.lead({ 'refs/heads/main': two });
		await a.pass(30 * minuteMs);
		a.inbox.setState([], 'read');
		b.inbox.setState([], 'read');
		assert.deepEqual([a.told(), b.told()], [['refs/heads/main a>b'], ['refs/heads/main a>b']]);
		a.close();
		b.close();
	});
});
