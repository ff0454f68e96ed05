import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { asOfMs, type WatchReading } from '../../../../src/store/watch/watchReadings.ts';
import { watchedKey } from '../../../../src/store/inbox/watched.ts';
import { inRounds } from '../../../support/counts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { testInBoth } from '../../../support/parts.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const trackers = ['~bob/one', '~bob/two', '~bob/long'];
const lists = ['~bob/users', '~bob/devel'];
const repositories = ['~bob/quill', '~bob/ink'];

interface Happened {
	readonly place: string;
	readonly atMs: number;
	/** The new commit of a reference, or the entry id of any other event. */
	readonly id: string;
}

/** Three trackers, two lists and two repositories. `longest`: tickets of a tracker; a refresh reads fewer than 1400. */
function opened(perHour = 300, longest = 1400) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const owner = makeUser('bob');
	for (const [at, [name, count]] of [
		['one', 180],
		['two', 60],
		['long', longest],
	].entries()) {
		const tracker = makeTracker({ id: at + 1, name: String(name), owner });
		forge.trackers.world.trackers.push(tracker);
		const tickets = Array.from({ length: Number(count) }, (_, of) =>
			makeTicket({ id: Number(count) - of, tracker, status: of % 3 === 0 ? 'reported' : 'resolved' }),
		);
		forge.trackers.world.tickets.set(`~bob/${name}`, tickets);
	}
	for (const [at, name] of lists.entries()) {
		forge.lists.world.lists.push(makeList({ id: at + 1, name: name.slice(5), owner }));
	}
	repositories.forEach((name) => forge.push(name, 'refs/heads/main'));
	const window = watchingWindow({ forge, clock, followed: { trackers, lists, repositories }, perHour });
	trackers.forEach((name) => window.inbox.choose(`tracker ${name}`, 'everything'));
	lists.forEach((name) => window.inbox.choose(`list ${name}`, 'everything'));
	const happened: Happened[] = [];
	const note = (place: string, id: string): void => void happened.push({ place, atMs: clock.nowMs(), id });
	const reply = (name: string): void => {
		const id = forge.mail(name);
		const { mails, posts } = forge.lists.world;
		posts.set(
			name,
			(posts.get(name) ?? []).filter((mail) => mail.id !== id),
		);
		const last = mails.pop();
		mails.push(...(last ? [{ ...last, threadId: 1 }] : []));
		note(`list ${name}`, `mail ${name} ${id}`);
	};
	return {
		clock,
		forge,
		window,
		happened,
		comment: (name: string, id: number): void => note(`tracker ${name}`, forge.comment(name, id)),
		mail: (name: string): void => note(`list ${name}`, `mail ${name} ${forge.mail(name)}`),
		reply,
		push: (name: string, tag: string): void => note(`repository ${name}`, forge.push(name, `refs/tags/${tag}`)),
		missing(): readonly Happened[] {
			const entries = window.inbox.items().map(({ entry }) => entry);
			const told = new Set(
				entries.flatMap(({ id, event }) => [
					id,
					...(event.kind === 'pushed' ? event.changes.map(({ now }) => String(now)) : []),
				]),
			);
			return happened.filter(({ id }) => !told.has(id));
		},
		async pass(totalMs: number, stepMs = 1000): Promise<void> {
			for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
				clock.advance(stepMs);
				for (let turn = 0; turn < 6; turn += 1) {
					await new Promise((resolve) => setImmediate(resolve));
				}
			}
		},
	};
}

type World = ReturnType<typeof opened>;

async function refreshed(world: World): Promise<readonly WatchReading[]> {
	const found: (readonly WatchReading[])[] = [];
	void world.window.readings.refresh(new AbortController().signal).then((left) => found.push(left));
	for (let minute = 0; found.length === 0 && minute < 10; minute += 1) {
		await world.pass(minuteMs, 500);
	}
	assert.equal(found.length, 1, 'the refresh ends');
	return found[0] ?? [];
}

suite('inbox refresh', function () {
	this.timeout(120_000);

	for (const server of ['finds replies', 'lists all mails']) {
		test(`finds each of 100 events or names the incomplete source, on a server that ${server}`, async () => {
			await bringsAll(server === 'finds replies');
		});
	}

	async function bringsAll(hasSearch: boolean): Promise<void> {
		const world = opened();
		if (!hasSearch) {
			Object.assign(world.forge.lists.api, { search: undefined, mails: world.forge.lists.allMails });
		}
		await world.pass(70 * minuteMs, 2000);
		for (let count = 0; count < 20; count += 1) {
			world.comment('~bob/one', 1 + count * 9);
			world.comment('~bob/two', 1 + count * 3);
			world.comment('~bob/long', 1 + count * 69);
			world[count % 2 === 0 ? 'mail' : 'reply'](count % 4 < 2 ? '~bob/users' : '~bob/devel');
			world.push(count % 2 === 0 ? '~bob/quill' : '~bob/ink', `v${count}`);
		}
		assert.equal(world.happened.length, 100);
		const reported = (await refreshed(world)).map(({ watched }) => watchedKey(watched));
		assert.deepEqual(
			world.missing().filter(({ place }) => !reported.includes(place)),
			[],
		);
		assert.ok(world.missing().every(({ place }) => place === 'tracker ~bob/long'));
		assert.deepEqual(reported, ['tracker ~bob/long']);
		world.window.dispose();
	}

	test('reports failures, and needs no free budget', async () => {
		const world = opened(60);
		await world.pass(30 * minuteMs, 2000);
		assert.ok(world.window.readings.budget().readyMs > world.clock.nowMs());
		world.forge.lists.world.before = (call) => {
			if (call.includes('devel')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		world.mail('~bob/users');
		world.mail('~bob/devel');
		world.push('~bob/ink', 'v1');
		const reported = (await refreshed(world)).map(({ watched }) => watchedKey(watched));
		assert.ok(reported.includes('list ~bob/devel') && !reported.includes('list ~bob/users'), reported.join());
		assert.deepEqual(
			world.missing().map(({ place }) => place),
			['list ~bob/devel'],
		);
		world.window.dispose();
	});

	testInBoth('misses no event before its reported age or that of any part', async () => {
		const steps = fc.array(
			fc.oneof(
				fc.record({ kind: fc.constantFrom('one', 'two'), of: fc.nat({ max: 59 }) }),
				fc.record({ kind: fc.constantFrom('mail', 'reply', 'push', 'refresh'), of: fc.nat({ max: 1 }) }),
				fc.record({ kind: fc.constantFrom('fail', 'fail', 'heal'), of: fc.nat({ max: 2 }) }),
				fc.record({ kind: fc.constant('pass'), of: fc.integer({ min: 1, max: 25 }) }),
			),
			{ minLength: 5, maxLength: 25 },
		);
		const ages = new Set<number | undefined>();
		await fc.assert(
			fc.asyncProperty(steps, async (all) => {
				const world = opened(200, 30);
				await world.pass(60 * minuteMs, 5000);
				for (const [at, { kind, of }] of all.entries()) {
					switch (kind) {
						case 'one':
						case 'two':
							world.comment(`~bob/${kind}`, of + 1);
							break;
						case 'mail':
						case 'reply':
							world[kind](lists[of] ?? '');
							break;
						case 'push':
							world.push(repositories[of] ?? '', `v${at}`);
							break;
						case 'refresh':
							void world.window.readings.refresh(new AbortController().signal);
							break;
						case 'fail':
						case 'heal':
							for (const area of [world.forge.lists.world, world.forge.trackers.world]) {
								area.before = (call) => {
									if (kind === 'fail' && call.startsWith(['posts', 'email', 'events'][of] ?? '')) {
										throw new ForgeError({ kind: 'serverError', status: 503 });
									}
								};
							}
							break;
						case 'pass':
							await world.pass(of * minuteMs, 5000);
							break;
					}
					for (const each of world.window.readings.all()) {
						const ageMs = asOfMs([{ ...each, readMs: each.olderMs ?? each.readMs }]);
						ages.add(ageMs);
						const place = watchedKey(each.watched);
						const early = world.missing().filter((event) => event.place === place && event.atMs < (ageMs ?? 0));
						assert.deepEqual(early, [], `${place} as of ${ageMs}`);
					}
				}
				world.window.dispose();
			}),
			inRounds({ first: 5, small: 15, full: 100 }),
		);
		assert.ok(ages.size > 10, `${ages.size} ages`);
	});
});
