import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email, MailingList, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { watchedName } from '../../../../src/store/inbox/watched.ts';
import { openInbox, type Inbox } from '../../../../src/store/inbox/inbox.ts';
import { listWatch } from '../../../../src/store/watch/listWatch.ts';
import { placeOfList } from '../../../../src/store/watch/listPlaces.ts';
import { watchReadings, type WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import type { ForgeConnection } from '../../../support/fakeConnection.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { fake as fakeOf } from '../../../support/fake.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const devel = makeList();
const others = makeList({ name: 'others', owner: makeUser('bob'), id: 2 });
const never = new AbortController().signal;

interface Sent extends Partial<ShortEmail> {
	readonly id: number;
	readonly text?: string;
	readonly to?: string;
	readonly who?: string;
	readonly list?: MailingList;
}

/** A forge with an own and a subscribed list, across several windows. */
class World {
	readonly fake = fakeLists();
	readonly kept: KeptText = keptInMemory();
	readonly clock: FakeClock = fakeClock();

	constructor(hasSearch = true) {
		const { api, world } = this.fake;
		if (!hasSearch) {
			Object.assign(api, { search: undefined, mails: this.fake.allMails });
		}
		world.lists.push(devel, others);
		world.subscriptions.push(makeSubscription(devel, 1), makeSubscription(others, 2));
		this.send({ id: 1, subject: 'Welcome' });
		this.send({ id: 2, subject: '[PATCH 1/2] Mine', who: 'alice', list: others, patchsetId: 1 });
		this.receive(makePatchset({ id: 1, subject: 'Mine', submitter: 'Alice <alice@forge.test>' }), others);
	}

	/** Sends a message to a list; as on real servers, posts contain only first messages. */
	send({ text = 'Hello', to = 'list@forge.test', who = 'bob', list = devel, ...change }: Sent): void {
		const { world } = this.fake;
		const subject = change.subject ?? 'A mail';
		const envelope = `From: ${who}@forge.test\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
		const mail: Email = makeMail({ createdMs: this.clock.nowMs(), sender: makeUser(who), ...change, list, envelope });
		world.mails.push(mail);
		if (mail.threadId === undefined) {
			const name = refText({ owner: list.owner.canonicalName, name: list.name });
			world.posts.set(name, [mail, ...(world.posts.get(name) ?? [])]);
		}
	}

	receive(patchset: Patchset, list: MailingList): void {
		const name = refText({ owner: list.owner.canonicalName, name: list.name });
		const rest = (this.fake.world.patchsets.get(name) ?? []).filter(({ id }) => id !== patchset.id);
		this.fake.world.patchsets.set(
			name,
			[patchset, ...rest].toSorted((a, b) => b.id - a.id),
		);
	}

	/** Number of requests for messages or patchsets of a list. */
	rowsAskedOf(name: string): number {
		return this.fake.world.calls.filter((call) => /^(?:posts|patchsets|search)/.test(call) && call.includes(name))
			.length;
	}

	open(): Window {
		return new Window(this);
	}
}

class Window {
	readonly inbox: Inbox;
	readonly connection: ForgeConnection;
	readonly readings: WatchReadings;
	readonly #owned = new Disposables();
	readonly #clock: FakeClock;

	constructor({ fake, kept, clock }: World) {
		this.#clock = clock;
		const budget = requestBudget(() => 600, clock);
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const alice = {
			...makeUser('alice'),
			email: 'alice@forge.test',
			url: undefined,
			location: undefined,
			bio: undefined,
		};
		this.connection = listConnection(fake.api, '~alice', undefined, [alice]);
		const { lists, texts, people, reviews } = this.connection;
		const loop = this.#owned.add(backgroundLoop(presence, budget, clock));
		this.inbox = this.#owned.add(openInbox(kept, new Emitter<void>().event, clock));
		this.readings = this.#owned.add(watchReadings({ loop, budget }, clock));
		this.#owned.add(
			listWatch(
				fakeOf<WatchContext>({
					lists,
					texts,
					people,
					reviews,
					inbox: this.inbox,
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

	/** Inbox entries, oldest first. */
	told(): readonly string[] {
		return this.inbox
			.items()
			.map(({ entry: { thing, reason, event } }) => {
				const what = event.kind === 'mailArrived' ? `mail ${event.mailId}` : event.kind;
				return `${thing.kind} ${'subject' in thing ? thing.subject : ''} ${reason}: ${what}`;
			})
			.toSorted();
	}

	async pass(totalMs: number): Promise<void> {
		await passTime(this.#clock, totalMs);
	}

	close(): void {
		this.#owned.dispose();
	}
}

suite('list watch', function () {
	this.timeout(20_000);

	test('skips earlier messages and reports every new one of an own list', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		assert.deepEqual(window.told(), []);
		world.send({ id: 10, subject: 'A question' });
		world.send({ id: 11, subject: 'Re: A question', threadId: 10 });
		world.send({ id: 12, subject: 'By myself', who: 'alice' });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['thread A question followed: mail 10', 'thread A question followed: mail 11']);
		window.close();
	});

	test('changes a thread once for all replies of one read', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		const changes: string[] = [];
		window.connection.lists.onDidChange(({ kind }) => changes.push(kind));
		for (let id = 10; id < 30; id += 1) {
			world.send({ id, subject: `[PATCH v${id}] Welcome`, threadId: 1 });
		}
		await window.pass(20 * minuteMs);
		assert.equal(changes.filter((kind) => kind === 'thread').length, 1);
		window.close();
	});

	test('finds replies on a server that lists all messages instead of searching', async () => {
		const world = new World(false);
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 10, subject: 'A question' });
		world.send({ id: 11, subject: 'Re: A question', threadId: 10 });
		world.send({ id: 12, subject: 'Re: [PATCH 1/2] Mine', threadId: 2, patchsetId: 1, list: others });
		world.send({ id: 13, subject: 'Re: Between others', threadId: 9, list: others });
		await window.pass(30 * minuteMs);
		world.send({ id: 14, subject: 'Re: A question', threadId: 10 });
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), [
			'patchset Mine answered: mail 12',
			'thread A question followed: mail 10',
			'thread A question followed: mail 11',
			'thread A question followed: mail 14',
		]);
		const { items = [] } = window.connection.lists.posts({ owner: '~alice', name: devel.name }).known() ?? {};
		assert.deepEqual(
			items.map(({ id }) => id),
			[10, 1],
		);
		window.close();
	});

	test('reports only replies to own patches, mentions and direct messages on other lists', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 20, subject: 'Re: [PATCH 1/2] Mine', threadId: 2, patchsetId: 1, list: others });
		world.send({ id: 21, subject: 'Between others', list: others });
		world.send({ id: 22, subject: 'Help', text: 'Perhaps ~alice knows.', list: others });
		world.send({ id: 23, subject: 'For you', to: 'Alice <ALICE@forge.test>', list: others });
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), [
			'patchset Mine answered: mail 20',
			'thread For you mentioned: mail 23',
			'thread Help mentioned: mail 22',
		]);
		window.close();
	});

	test('reports a series once, as a review request or as the new version of a reviewed one', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 30, subject: '[PATCH 0/1] Theirs', list: others, patchsetId: 5, to: 'alice@forge.test' });
		world.send({ id: 31, subject: '[PATCH 1/1] Part', list: others, threadId: 30, patchsetId: 5 });
		world.receive(makePatchset({ id: 5, subject: 'Theirs', messageId: '<m31@forge.test>' }), others);
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['patchset Theirs reviewAsked: patchsetReceived']);
		world.send({ id: 32, subject: 'Re: [PATCH 0/1] Theirs', list: others, threadId: 30, who: 'alice' });
		await window.pass(20 * minuteMs);
		world.send({ id: 40, subject: '[PATCH v2 0/1] Theirs', list: others, patchsetId: 6 });
		world.receive(makePatchset({ id: 6, subject: 'Theirs', version: 2, messageId: '<m41@forge.test>' }), others);
		await window.pass(30 * minuteMs);
		assert.deepEqual(window.told(), [
			'patchset Theirs newVersion: patchsetReceived',
			'patchset Theirs reviewAsked: patchsetReceived',
		]);
		window.close();
	});

	test('finds the new version of a reviewed series like other views of versions', async () => {
		const told = async (second: Parameters<typeof makePatchset>[0]): Promise<string | undefined> => {
			const world = new World();
			const window = world.open();
			await window.pass(minuteMs);
			world.send({ id: 30, subject: '[PATCH 1/1] Theirs', list: others, patchsetId: 5, to: 'alice@forge.test' });
			world.receive(makePatchset({ id: 5, subject: 'Theirs', messageId: '<m30@forge.test>' }), others);
			await window.pass(20 * minuteMs);
			world.send({ id: 32, subject: 'Re: [PATCH 1/1] Theirs', list: others, threadId: 30, who: 'alice' });
			await window.pass(20 * minuteMs);
			world.send({ id: 40, subject: '[PATCH v2 1/1] Renamed', list: others, patchsetId: 6 });
			world.receive(makePatchset({ id: 6, version: 2, messageId: '<m40@forge.test>', ...second }), others);
			await window.pass(30 * minuteMs);
			const [reason] = window.told().flatMap((each) => / (\w+): patchsetReceived$/.exec(each)?.[1] ?? []);
			window.close();
			return reason;
		};
		assert.equal(await told({ subject: 'Renamed', supersedesId: 5 }), 'newVersion', 'the server says so');
		assert.equal(await told({ subject: 'Theirs', prefix: 'v2 proj', version: 1 }), 'newVersion', 'its sender says so');
		assert.equal(await told({ subject: 'Theirs', submitter: 'Eve <eve@forge.test>' }), 'reviewAsked');
	});

	test('reports a version sent as a reply to an earlier one, once for all its patches', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 30, subject: '[PATCH 1/1] Theirs', list: others, patchsetId: 5 });
		world.receive(makePatchset({ id: 5, subject: 'Theirs', messageId: '<m30@forge.test>' }), others);
		world.send({ id: 32, subject: 'Re: [PATCH 1/1] Theirs', list: others, threadId: 30, who: 'alice' });
		await window.pass(25 * minuteMs);
		world.send({ id: 40, subject: '[PATCH v2 1/2] Theirs', list: others, threadId: 30 });
		world.send({ id: 41, subject: '[PATCH v2 2/2] More', list: others, threadId: 30 });
		await window.pass(25 * minuteMs);
		assert.deepEqual(window.told(), ['patchset Theirs newVersion: mail 40']);
		window.close();
	});

	test('reports an incomplete series after the time to form a patchset, in the next window too', async () => {
		const world = new World();
		const first = world.open();
		await first.pass(minuteMs);
		world.send({ id: 50, subject: '[PATCH 1/3] Gap', list: devel });
		world.send({ id: 51, subject: '[PATCH 3/3] Gap', list: devel, threadId: 50 });
		world.send({ id: 60, subject: '[PATCH] Whole', list: devel });
		await first.pass(4 * minuteMs);
		const { mails, posts } = world.fake.world;
		for (const all of [mails, posts.get('~alice/devel') ?? []]) {
			all.forEach((mail, at) => mail.id === 60 && all.splice(at, 1, { ...mail, patchsetId: 9 }));
		}
		world.receive(makePatchset({ id: 9, subject: 'Whole' }), devel);
		await first.pass(3 * minuteMs);
		assert.deepEqual(first.told(), ['patchset Whole followed: patchsetReceived']);
		first.close();
		const second = world.open();
		await second.pass(40 * minuteMs);
		assert.deepEqual(second.told(), [
			'patchset Whole followed: patchsetReceived',
			'thread [PATCH 1/3] Gap followed: mail 50',
		]);
		second.close();
	});

	test('reports a status change of an own patch by others, even from a time without windows', async () => {
		const world = new World();
		const first = world.open();
		await first.pass(minuteMs);
		first.close();
		const marked = makePatchset({ id: 1, subject: 'Mine', submitter: 'Alice <alice@forge.test>', status: 'applied' });
		world.receive(marked, others);
		world.receive(makePatchset({ id: 8, subject: 'Of devel' }), devel);
		const second = world.open();
		await second.pass(20 * minuteMs);
		assert.deepEqual(second.told(), [
			'patchset Mine answered: patchsetMarked',
			'patchset Of devel followed: patchsetReceived',
		]);
		const list = { owner: '~alice', name: 'devel' };
		await second.connection.lists.setStatus({ list, id: 8 }, 'approved', never);
		await second.pass(30 * minuteMs);
		assert.equal(second.told().length, 2);
		second.close();
	});

	test('reports a message that never loads without its text, and the following ones', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 60, subject: 'Broken' });
		world.send({ id: 61, subject: 'Whole' });
		world.fake.world.before = (call) => {
			if (call === 'email 60') {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await window.pass(60 * minuteMs);
		assert.deepEqual(window.told(), ['thread Broken followed: mail 60', 'thread Whole followed: mail 61']);
		assert.equal(world.fake.world.calls.filter((call) => call === 'email 60').length, 3);
		window.close();
	});

	test('reports a mention after its list was unreadable for hours', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 70, subject: 'A question', text: 'What does ~alice think?', list: others });
		let isAway = true;
		world.fake.world.before = (call) => {
			// Rows load once more, so the message is found; everything afterwards fails.
			if (isAway && (call === 'email 70' || world.fake.world.calls.includes('email 70'))) {
				throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' });
			}
		};
		await window.pass(2 * 60 * minuteMs);
		assert.deepEqual(window.told(), []);
		isAway = false;
		await window.pass(15 * minuteMs);
		assert.deepEqual(window.told(), ['thread A question mentioned: mail 70']);
		window.close();
	});

	test('recovers soon after the forge is back, however long it was unavailable', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(minuteMs);
		world.fake.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' });
		};
		await window.pass(5 * 60 * minuteMs);
		world.fake.world.before = () => undefined;
		world.send({ id: 71, subject: 'Meanwhile' });
		await window.pass(11 * minuteMs);
		assert.deepEqual(window.told(), ['thread Meanwhile followed: mail 71']);
		window.close();
	});

	test('requests nothing of a muted list, and resumes after a restart', async () => {
		const world = new World();
		const first = world.open();
		await first.pass(minuteMs);
		first.inbox.choose(placeOfList({ owner: '~alice', name: 'devel' }), 'nothing');
		world.send({ id: 50, subject: 'Unheard' });
		const before = world.rowsAskedOf('devel');
		assert.ok(before > 0);
		await first.pass(2 * 60 * minuteMs);
		assert.deepEqual(first.told(), []);
		assert.equal(world.rowsAskedOf('devel'), before);
		first.inbox.choose(placeOfList({ owner: '~alice', name: 'devel' }), 'usual');
		await first.pass(minuteMs);
		world.send({ id: 51, subject: 'Heard' });
		world.send({ id: 52, subject: 'Heard as well' });
		world.fake.world.before = (call) => (call === 'email 52' ? first.close() : undefined);
		await first.pass(20 * minuteMs);
		world.fake.world.before = () => undefined;
		const second = world.open();
		await second.pass(20 * minuteMs);
		assert.deepEqual(second.told(), ['thread Heard as well followed: mail 52', 'thread Heard followed: mail 51']);
		second.close();
	});

	test('includes all pages of subscriptions', async () => {
		const world = new World();
		world.fake.world.pageSize = 1;
		const window = world.open();
		await window.pass(minuteMs);
		world.send({ id: 22, subject: 'Help', text: 'Perhaps ~alice knows.', list: others });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['thread Help mentioned: mail 22']);
		window.close();
	});

	test('reports only later messages after a short mute', async () => {
		const world = new World();
		const window = world.open();
		await window.pass(10 * minuteMs);
		window.inbox.choose(placeOfList({ owner: '~alice', name: 'devel' }), 'nothing');
		world.send({ id: 50, subject: 'Unheard' });
		await window.pass(10 * secondMs);
		window.inbox.choose(placeOfList({ owner: '~alice', name: 'devel' }), 'usual');
		await window.pass(10 * secondMs);
		world.send({ id: 51, subject: 'Heard' });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['thread Heard followed: mail 51']);
		window.close();
	});

	for (const { server, most } of [
		{ server: 'that searches texts', most: 120 },
		{ server: 'that refuses the search', most: 340 },
	]) {
		test(`finds the mentions among 300 new threads with few requests on a server ${server}`, async () => {
			const world = new World();
			const { api, world: forge } = world.fake;
			forge.pageSize = 50;
			const search = api.search?.bind(api);
			assert.ok(search);
			Object.assign(api, {
				async *search(ref: { readonly name: string }, terms: string, signal: AbortSignal) {
					if (terms.startsWith('is:')) {
						return yield* search({ owner: '~bob', ...ref }, terms, signal);
					}
					forge.calls.push(`search ${terms}`);
					if (most > 120) {
						throw new ForgeError({ kind: 'invalid', errors: [] });
					}
					const items = forge.mails
						.filter(({ list, envelope }) => list?.name === ref.name && envelope.includes(terms.replace(/^\w+:/, '')))
						.toReversed();
					yield { items, completeness: { kind: 'complete' } };
				},
			});
			const window = world.open();
			await window.pass(10 * minuteMs);
			for (let id = 100; id < 400; id += 1) {
				const text = id === 103 || id === 390 ? 'Perhaps ~alice knows.' : 'Hello';
				world.send({
					id,
					subject: `Thread ${id}`,
					text,
					list: others,
					...(id === 105 ? { to: 'alice@forge.test' } : {}),
				});
			}
			const before = forge.calls.length;
			await window.pass(40 * minuteMs);
			assert.deepEqual(window.told(), [
				'thread Thread 103 mentioned: mail 103',
				'thread Thread 105 mentioned: mail 105',
				'thread Thread 390 mentioned: mail 390',
			]);
			const asked = forge.calls.length - before;
			assert.ok(asked <= most, `${asked} requests`);
			window.close();
		});
	}

	test('resumes after a mute while the clock was ahead', async () => {
		const world = new World();
		const devel = placeOfList({ owner: '~alice', name: 'devel' });
		const aheadMs = 48 * 60 * minuteMs;
		world.clock.advance(aheadMs);
		const first = world.open();
		await first.pass(10 * minuteMs);
		first.inbox.choose(devel, 'nothing');
		await first.pass(10 * minuteMs);
		first.close();
		world.clock.advance(-aheadMs);
		const second = world.open();
		second.inbox.choose(devel, 'usual');
		await second.pass(10 * minuteMs);
		world.send({ id: 51, subject: 'Heard' });
		await second.pass(20 * minuteMs);
		assert.deepEqual(second.told(), ['thread Heard followed: mail 51']);
		second.close();
	});

	test('reports one watched thread of an unfollowed list and all of a watched list, but nothing else', async () => {
		const world = new World();
		const [strange, chosen] = [
			makeList({ name: 'strange', owner: makeUser('bob'), id: 3 }),
			makeList({ name: 'Chosen', owner: makeUser('bob'), id: 4 }),
		];
		world.fake.world.lists.push(strange, chosen);
		world.send({ id: 60, subject: 'The thread', list: strange });
		const window = world.open();
		window.inbox.choose('thread ~bob/strange 60', 'everything');
		window.inbox.choose('list ~bob/Chosen', 'everything');
		await window.pass(minuteMs);
		assert.deepEqual(window.told(), []);
		world.send({ id: 61, subject: 'Re: The thread', threadId: 60, list: strange });
		world.send({ id: 62, subject: 'For ~alice', text: 'For ~alice', list: strange });
		world.send({ id: 63, subject: 'Anything', list: chosen });
		await window.pass(20 * minuteMs);
		assert.deepEqual(window.told(), ['thread Anything followed: mail 63', 'thread The thread followed: mail 61']);
		assert.deepEqual(
			window.readings
				.all()
				.map(({ watched, readMs, hasFailed }) => [watchedName(watched), readMs !== undefined, hasFailed]),
			[
				['list ~bob/strange', true, false],
				['list ~bob/Chosen', true, false],
				['list ~alice/devel', true, false],
				['list ~bob/others', true, false],
			],
		);
		const before = world.rowsAskedOf('trange') + world.rowsAskedOf('hosen');
		assert.ok(before > 0);
		window.inbox.choose('thread ~bob/strange 60', 'usual');
		window.inbox.choose('list ~bob/Chosen', 'nothing');
		await window.pass(2 * 60 * minuteMs);
		assert.equal(world.rowsAskedOf('trange') + world.rowsAskedOf('hosen'), before);
		window.close();
	});
});
