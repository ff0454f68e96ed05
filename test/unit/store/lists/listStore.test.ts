import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { listRefOf } from '../../../../src/store/lists/lists.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import type { ListStoreChange } from '../../../../src/store/lists/listChange.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, type FakeLists, type FakeListWorld } from '../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const bobs = { owner: '~bob', name: 'bobs' };

interface Set extends FakeLists {
	readonly store: ListStore;
	readonly heard: ListStoreChange[];
}

function made(...followed: readonly string[]): Set {
	const { world, api } = fakeLists();
	world.lists.push(makeList(), makeList({ name: 'bobs', owner: makeUser('bob') }));
	world.patchsets.set('~alice/devel', [makePatchset({ id: 2, version: 2 }), makePatchset({ id: 1 })]);
	const store = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames(...followed) });
	const heard: ListStoreChange[] = [];
	store.onDidChange((change) => heard.push(change));
	return { world, api, store, heard };
}

/** `[PATCH 0/2]` as message 10, the patches as 11 and 12. */
function withSeries(world: FakeListWorld): void {
	const cover = makeMail({ id: 10, subject: '[PATCH proj 0/2] Improve', patchsetId: 1 });
	const patches = [1, 2].map((index) =>
		makeMail({
			id: 10 + index,
			subject: `[PATCH proj ${index}/2] Part ${index}`,
			parentId: 10,
			threadId: 10,
			patchsetId: 1,
			isPatch: true,
			text: '---\r\n 1 file changed, 2 insertions(+)\r\n\r\ndiff --git a/a b/a',
		}),
	);
	world.mails.push(cover, ...patches);
	world.series.set(1, patches);
}

suite('list store', () => {
	test('shares one request between concurrent reads, and later reads need none', async () => {
		const { world, store } = made();
		await Promise.all([store.patchsets(devel).first(never), store.patchsets(devel).first(never)]);
		await store.patchsets({ owner: '~alice', name: 'Devel' }).first(never);
		assert.deepEqual(world.calls, ['patchsets ~alice/devel 0']);
	});

	test('unfollows a list regardless of case', async () => {
		const { store } = made('~bob/Bobs');
		await store.unfollow(bobs);
		assert.deepEqual(store.followed.all(), []);
	});

	test('follows an existing list once, but never an own one', async () => {
		const { store, heard } = made();
		await store.follow(bobs, never);
		await store.follow(bobs, never);
		await store.follow(devel, never);
		assert.deepEqual(store.followed.all(), [bobs]);
		await assert.rejects(store.follow({ owner: '~bob', name: 'none' }, never));
		await store.unfollow(bobs);
		assert.deepEqual(store.followed.all(), []);
		assert.deepEqual(heard, [{ kind: 'lists' }, { kind: 'lists' }]);
	});

	test('applies the response of the forge to a new or ended subscription', async () => {
		const { world, store, heard } = made();
		await store.subscriptions.first(never);
		await store.subscribe(bobs, never);
		assert.equal(store.collection.subscription(bobs)?.list.name, 'bobs');
		await store.unsubscribe(bobs, never);
		assert.equal(store.collection.subscription(bobs), undefined);
		assert.deepEqual(world.subscriptions, []);
		assert.deepEqual(heard, [{ kind: 'lists' }, { kind: 'lists' }]);
	});

	test('adopts a subscription that another client created', async () => {
		const { world, api } = made();
		const error = new ForgeError({ kind: 'invalid', errors: [{ field: 'list', reason: 'Already subscribed' }] });
		const store = new ListStore({
			journal: journalInMemory(),
			api: { ...api, subscribe: () => Promise.reject(error) },
			me: '~alice',
			followed: keptNames(),
		});
		await store.subscriptions.first(never);
		await assert.rejects(store.subscribe(bobs, never), error);
		world.subscriptions.push(makeSubscription(makeList({ name: 'bobs', owner: makeUser('bob') }), 7));
		assert.equal((await store.subscribe(bobs, never)).id, 7);
		assert.equal(store.collection.subscription(bobs)?.id, 7);
	});

	test('finds a subscription on a later page before it unsubscribes', async () => {
		const { world, store } = made();
		world.pageSize = 1;
		world.subscriptions.push(
			makeSubscription(makeList(), 1),
			makeSubscription(makeList({ name: 'bobs', owner: makeUser('bob') }), 2),
		);
		await store.unsubscribe(bobs, never);
		assert.deepEqual(
			world.subscriptions.map(({ id }) => id),
			[1],
		);
		await assert.rejects(
			store.unsubscribe(bobs, never),
			(error) => isForgeError(error) && error.problem.kind === 'notFound',
		);
	});

	test('sends a status once and keeps the response', async () => {
		const { world, store, heard } = made();
		await store.patchsets(devel).first(never);
		const ref = { list: devel, id: 1 };
		const answered = await store.setStatus(ref, 'approved', never);
		assert.equal(answered.patchset.status, 'approved');
		assert.equal(store.knownPatchset(ref)?.status, 'approved');
		assert.deepEqual(world.calls.slice(1), ['status ~alice/devel 1 approved']);
		assert.deepEqual(heard, [{ kind: 'patchset', patchset: ref }]);
	});

	test('ignores a response that is older than a status change', async () => {
		const { world, store } = made();
		const ref = { list: devel, id: 1 };
		const gate = Promise.withResolvers<void>();
		const old = makePatchset({ id: 1 });
		world.before = (call) => (call.startsWith('patchset ') ? gate.promise : undefined);
		const late = store.renewPatchset(ref, never);
		store.apply({ kind: 'patchsetChanged', list: devel, patchset: { ...old, status: 'applied' } });
		gate.resolve();
		assert.equal((await late).status, 'applied');
	});

	test('reports a changed patchset list for a new patchset', async () => {
		const { store, heard } = made();
		await store.patchsets(devel).first(never);
		store.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 9 }) });
		store.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 9, status: 'applied' }) });
		assert.deepEqual(heard, [
			{ kind: 'patchsets', list: devel },
			{ kind: 'patchset', patchset: { list: devel, id: 9 } },
		]);
	});

	test('takes the parent of the first patch as cover letter, and reads the stats of each patch', async () => {
		const { world, store, heard } = made();
		withSeries(world);
		const { cover, patches } = await store.series({ list: devel, id: 1 }, never);
		assert.equal(cover?.id, 10);
		assert.deepEqual(
			patches.map(({ id, changes }) => [id, changes?.insertions]),
			[
				[11, 2],
				[12, 2],
			],
		);
		assert.equal('envelope' in (patches[0] ?? {}), false);
		await store.series({ list: devel, id: 1 }, never);
		assert.deepEqual(world.calls, ['patches 1 0', 'email 10']);
		assert.deepEqual(heard, [{ kind: 'patchset', patchset: { list: devel, id: 1 } }]);
	});

	test('takes the sender’s message above the first patch as cover letter, whatever its subject', async () => {
		for (const subject of ['[PATCHSET 0/2] Improve', 'Improve the modules, v2']) {
			const { world, store } = made();
			withSeries(world);
			world.mails.splice(0, 1, makeMail({ id: 10, subject }));
			assert.equal((await store.series({ list: devel, id: 1 }, never)).cover?.id, 10, subject);
		}
	});

	test('skips the search if the server names the cover letter', async () => {
		const { world, store } = made();
		withSeries(world);
		store.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ coverLetter: makeMail({ id: 10 }) }),
		});
		assert.equal((await store.series({ list: devel, id: 1 }, never)).cover?.id, 10);
		assert.deepEqual(world.calls, ['patches 1 0']);
	});

	for (const [what, answered] of [
		['a message of an earlier version', makeMail({ id: 10, subject: '[PATCH proj v3 0/2] Improve' })],
		['a reply in a discussion', makeMail({ id: 10, subject: 'Re: [PATCH proj 0/2] Improve' })],
		[
			'a message of another sender',
			makeMail({
				id: 10,
				subject: 'Could somebody fix this?',
				sender: makeUser('carol'),
				envelope: 'From: Carol <carol@forge.test>\r\nSubject: Could somebody fix this?\r\n\r\nPlease.\r\n',
			}),
		],
	] as const) {
		test(`takes no cover letter from ${what}`, async () => {
			const { world, store } = made();
			withSeries(world);
			world.mails.splice(0, 1, answered);
			assert.equal((await store.series({ list: devel, id: 1 }, never)).cover, undefined);
		});
	}

	test('shows a series without its missing cover letter', async () => {
		const { world, store } = made();
		withSeries(world);
		world.mails.splice(0, 1);
		const { cover, patches } = await store.series({ list: devel, id: 1 }, never);
		assert.deepEqual([cover, patches.length], [undefined, 2]);
	});

	test('reads a message once, from whichever response', async () => {
		const { world, store } = made();
		withSeries(world);
		await store.series({ list: devel, id: 1 }, never);
		assert.match((await store.mails.mail(11, never)).envelope, /diff --git/);
		await Promise.all([store.mails.mail(10, never), store.mails.mail(10, never)]);
		assert.deepEqual(world.calls, ['patches 1 0', 'email 10']);
		assert.equal(store.knownMail(99), undefined);
	});

	test('caches a thread until a new message arrives', async () => {
		const { world, store, heard } = made();
		withSeries(world);
		assert.equal((await store.thread(devel, 10, never)).length, 3);
		await store.thread(devel, 10, never);
		const answer = makeMail({ id: 13, parentId: 11, threadId: 10 });
		world.mails.push(answer);
		store.apply({ kind: 'mailArrived', list: devel, mail: answer });
		assert.equal((await store.thread(devel, 10, never)).length, 4);
		assert.deepEqual(world.calls, ['thread 10', 'thread 10']);
		const thread = { kind: 'thread', list: devel, id: 10 };
		assert.deepEqual(heard, [thread, thread, thread]);
		store.apply({ kind: 'mailArrived', list: devel, mail: answer });
		assert.equal((await store.thread(devel, 10, never)).length, 4);
		assert.deepEqual([heard.length, world.calls.length], [3, 2], 'it is known already');
	});

	test('reports no change when a reloaded thread is the same', async () => {
		const { world, store, heard } = made();
		withSeries(world);
		const before = await store.thread(devel, 10, never);
		store.forget(devel);
		heard.length = 0;
		assert.equal(await store.thread(devel, 10, never), before);
		assert.deepEqual(heard, []);
		assert.equal(world.calls.length, 2);
	});

	test('changes its data only through apply', async () => {
		const { world, store } = made();
		withSeries(world);
		const entered = new Set<string>();
		store.apply = ({ kind }) => void entered.add(kind);
		const ref = { list: devel, id: 1 };
		await Promise.all([
			store.own.first(never),
			store.subscriptions.first(never),
			store.subscriptions.renewAll(() => undefined, never),
		]);
		await Promise.all([store.patchsets(devel).first(never), store.posts(devel).first(never), store.list(devel, never)]);
		await Promise.all([store.renewPatchset(ref, never), store.series(ref, never), store.thread(devel, 10, never)]);
		assert.deepEqual([...entered].toSorted(), [
			'listRead',
			'ownListsRead',
			'patchsetRead',
			'patchsetsRead',
			'postsRead',
			'seriesRead',
			'subscriptionsRead',
			'threadRead',
		]);
		assert.deepEqual(
			[
				store.collection.known(devel),
				store.patchsets(devel).known(),
				store.posts(devel).known(),
				store.knownPatchset(ref),
			],
			[undefined, undefined, undefined, undefined],
		);
		assert.deepEqual([store.knownSeries(ref), store.knownThread(devel, 10)], [undefined, undefined]);
	});

	test('drops lists and subscriptions after a full reload without them', async () => {
		const { world, store, heard } = made();
		world.lists.push(makeList({ name: 'users' }));
		world.subscriptions.push(makeSubscription(makeList({ name: 'bobs', owner: makeUser('bob') }), 1));
		await Promise.all([store.own.first(never), store.subscriptions.first(never)]);
		heard.length = 0;
		world.subscriptions.length = 0;
		await store.subscriptions.renewAll(() => undefined, never);
		assert.deepEqual(store.subscriptions.known()?.items, []);
		world.lists.length = 0;
		await store.own.renewAll(() => undefined, never);
		assert.deepEqual(store.own.known()?.items, []);
		assert.deepEqual(heard, [{ kind: 'lists' }, { kind: 'lists' }]);
	});

	test('reports nothing for data that only confirms the cache', async () => {
		const { world, store, heard } = made();
		withSeries(world);
		world.subscriptions.push(makeSubscription(makeList(), 1));
		world.posts.set('~alice/devel', [makeMail({ id: 10, subject: '[PATCH proj 0/2] Improve' })]);
		const ref = { list: devel, id: 1 };
		await Promise.all([store.own.first(never), store.subscriptions.first(never)]);
		await Promise.all([store.patchsets(devel).first(never), store.posts(devel).first(never), store.series(ref, never)]);
		const counts = new Map<string, number>();
		const confirm = async (what: string, read: () => unknown): Promise<void> => {
			heard.length = 0;
			await read();
			counts.set(what, heard.length);
		};
		const gone = { owner: '~bob', name: 'gone' };
		await confirm('read on', async () => {
			await Promise.all([store.own.more(never), store.subscriptions.more(never)]);
			await Promise.all([store.patchsets(devel).more(never), store.posts(devel).more(never)]);
		});
		await confirm('read again', async () => {
			await Promise.all([store.subscriptions.renewAll(() => undefined, never), store.collection.read(devel, never)]);
			await Promise.all([store.renewPatchset(ref, never), store.series(ref, never)]);
		});
		await confirm('told again', () => {
			store.apply({ kind: 'listChanged', list: makeList() });
			store.apply({ kind: 'subscribed', subscription: makeSubscription(makeList(), 1) });
			store.apply({ kind: 'unsubscribed', subscriptionId: 77 });
			store.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 1 }) });
			store.apply({
				kind: 'mailArrived',
				list: devel,
				mail: makeMail({ id: 10, subject: '[PATCH proj 0/2] Improve' }),
			});
			store.apply({ kind: 'listDeleted', list: gone });
		});
		await confirm('unfollowed what is not followed', () => store.unfollow(gone));
		assert.deepEqual(
			[...counts],
			[
				['read on', 0],
				['read again', 0],
				['told again', 0],
				['unfollowed what is not followed', 0],
			],
		);
	});

	test('reports a difference once, for any number of readers and sources', async () => {
		const { world, store, heard } = made();
		withSeries(world);
		world.pageSize = 1;
		world.lists.push(makeList({ name: 'users' }));
		world.posts.set('~alice/devel', [makeMail({ id: 20 }), makeMail({ id: 19 })]);
		const ref = { list: devel, id: 1 };
		await Promise.all([store.own.first(never), store.patchsets(devel).first(never), store.posts(devel).first(never)]);
		const twice = async (read: () => unknown): Promise<readonly ListStoreChange[]> => {
			heard.length = 0;
			await Promise.all([read(), read()]);
			return [...heard];
		};
		const patchset: ListStoreChange = { kind: 'patchset', patchset: ref };
		assert.deepEqual(await twice(() => store.own.more(never)), [{ kind: 'lists' }]);
		assert.deepEqual(await twice(() => store.patchsets(devel).more(never)), [{ kind: 'patchsets', list: devel }]);
		assert.deepEqual(await twice(() => store.posts(devel).more(never)), [{ kind: 'posts', list: devel }]);
		assert.deepEqual(await twice(() => store.series(ref, never)), [patchset]);
		assert.deepEqual(await twice(() => store.thread(devel, 10, never)), [{ kind: 'thread', list: devel, id: 10 }]);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		assert.deepEqual(await twice(() => store.renewPatchset(ref, never)), [patchset]);
		const list = makeList({ description: 'New' });
		assert.deepEqual(await twice(() => store.apply({ kind: 'listChanged', list })), [{ kind: 'list', list: devel }]);
		assert.deepEqual(await twice(() => store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 21 }) })), [
			{ kind: 'posts', list: devel },
		]);
		assert.deepEqual(await twice(() => store.apply({ kind: 'listDeleted', list: devel })), [{ kind: 'lists' }]);
	});

	test('reports each thing that a page changes, including the first page', async () => {
		const { world, store, heard } = made();
		const ref = { list: devel, id: 1 };
		await Promise.all([store.renewPatchset(ref, never), store.renewPatchset({ list: devel, id: 2 }, never)]);
		await store.collection.read(devel, never);
		store.apply({ kind: 'subscribed', subscription: makeSubscription(makeList(), 1) });
		store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 10 }) });
		heard.length = 0;
		const patchset: ListStoreChange = { kind: 'patchset', patchset: ref };
		world.patchsets.set('~alice/devel', [
			makePatchset({ id: 2, version: 2 }),
			makePatchset({ id: 1, status: 'applied' }),
		]);
		await store.patchsets(devel).first(never);
		assert.deepEqual(heard.splice(0), [patchset], 'the other one is as it was');
		world.lists.splice(0, 1, makeList({ description: 'New' }));
		await store.own.first(never);
		assert.deepEqual(heard.splice(0), [{ kind: 'list', list: devel }]);
		world.subscriptions.push({ ...makeSubscription(makeList(), 1), createdMs: 1 });
		await store.subscriptions.first(never);
		assert.deepEqual(heard.splice(0), [{ kind: 'lists' }]);
		world.posts.set('~alice/devel', [makeMail({ id: 10, subject: 'New' })]);
		await store.posts(devel).first(never);
		assert.deepEqual(heard.splice(0), [{ kind: 'posts', list: devel }]);
		store.forget(devel);
		heard.length = 0;
		world.patchsets.set('~alice/devel', [makePatchset({ id: 3 }), makePatchset({ id: 1, status: 'rejected' })]);
		await store.patchsets(devel).first(never);
		assert.deepEqual(heard, [patchset], 'what came is told to who asked');
	});

	test('does not cache a thread read before a new message', async () => {
		const { world, store } = made();
		withSeries(world);
		const gate = Promise.withResolvers<void>();
		world.before = () => gate.promise;
		const late = store.thread(devel, 10, never);
		store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 13, threadId: 10 }) });
		gate.resolve();
		await late;
		assert.equal(store.knownThread(devel, 10), undefined);
	});

	/** Delays responses for a thread by Message-ID until `goOn`; others return immediately. */
	function holdNamedThreads({ api }: Set): { readonly goOn: () => void } {
		const thread = api.thread.bind(api);
		const gate = Promise.withResolvers<void>();
		api.thread = async (id, signal) => {
			const mails = await thread(id, signal);
			await (typeof id === 'object' ? gate.promise : undefined);
			return mails;
		};
		return { goOn: gate.resolve };
	}

	const place = { messageId: '<m10@forge.test>', list: devel };

	test('does not cache a thread read by Message-ID before a new message', async () => {
		const lists = made();
		const { world, store } = lists;
		withSeries(world);
		const { goOn } = holdNamedThreads(lists);
		const late = store.threadNamed(place, never);
		await new Promise(setImmediate);
		store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 13, threadId: 10 }) });
		goOn();
		assert.equal((await late).length, 3);
		assert.equal(store.knownThread(devel, 10), undefined);
	});

	test('keeps a newer thread when an older read ends later', async () => {
		const lists = made();
		const { world, store, heard } = lists;
		withSeries(world);
		const { goOn } = holdNamedThreads(lists);
		const late = store.threadNamed(place, never);
		await new Promise(setImmediate);
		world.mails.push(makeMail({ id: 13, parentId: 11, threadId: 10 }));
		const newer = await store.thread(devel, 10, never);
		const { length } = heard;
		goOn();
		assert.equal((await late).length, 4);
		assert.equal(store.knownThread(devel, 10), newer);
		assert.equal(heard.length, length);
	});

	test('shares one request between concurrent reads by Message-ID', async () => {
		const { world, store } = made();
		withSeries(world);
		await Promise.all([store.threadNamed(place, never), store.threadNamed(place, never)]);
		assert.deepEqual(world.calls, ['thread <m10@forge.test>']);
	});

	test('caches a thread read by one of its replies under its first message', async () => {
		const { world, store, api } = made();
		withSeries(world);
		const whole = await api.thread(10, never);
		const answer = whole.find(({ id }) => id !== 10);
		assert.ok(answer);
		// Some servers return the whole thread of a message.
		api.thread = async () => whole;
		const read = await store.threadNamed({ messageId: answer.messageId, list: devel }, never);
		assert.equal(read.length, whole.length);
		assert.equal(store.knownThread(devel, 10)?.length, whole.length);
		assert.equal(store.knownThread(devel, answer.id), undefined);
	});

	test('reloads patchsets and posts after it forgets a list, but no messages or other lists', async () => {
		const { world, store } = made();
		withSeries(world);
		await store.patchsets(devel).first(never);
		await store.posts(bobs).first(never);
		await store.series({ list: devel, id: 1 }, never);
		store.forget(devel);
		world.calls.length = 0;
		await store.patchsets(devel).first(never);
		await store.posts(bobs).first(never);
		await store.mails.mail(10, never);
		assert.deepEqual(world.calls, ['patchsets ~alice/devel 0']);
	});

	test('drops a deleted list and its subscription', async () => {
		const { world, store } = made();
		world.subscriptions.push(makeSubscription(makeList()));
		await Promise.all([store.own.first(never), store.subscriptions.first(never)]);
		store.apply({ kind: 'listDeleted', list: devel });
		assert.deepEqual((await store.own.first(never)).items, []);
		assert.deepEqual((await store.subscriptions.first(never)).items, []);
	});

	test('does not list a list again after a deletion during a read', async () => {
		for (const isListRead of [false, true]) {
			const { world, store } = made();
			world.subscriptions.push(makeSubscription(makeList()));
			await (isListRead ? store.subscriptions.first(never) : undefined);
			const gate = Promise.withResolvers<void>();
			// A pending request returns the state before the deletion.
			world.before = () => gate.promise;
			const reading = Promise.all([
				store.own.first(never),
				isListRead ? store.subscriptions.renewAll(() => undefined, never) : store.subscriptions.first(never),
				store.collection.read(devel, never),
			]);
			store.apply({ kind: 'listDeleted', list: devel });
			gate.resolve();
			await reading;
			assert.deepEqual([(await store.own.first(never)).items, store.collection.known(devel)], [[], undefined]);
			assert.deepEqual((await store.subscriptions.first(never)).items, []);
			assert.equal((await store.collection.read(devel, never)).name, 'devel', 'a reading that began later is believed');
			assert.equal((await store.own.first(never)).items.length, 1);
		}
	});

	test('shows a new list immediately, with the subscription from its server', async () => {
		const { world, store, heard } = made();
		await Promise.all([store.own.first(never), store.subscriptions.first(never)]);
		const list = await store.writes.create({ name: 'fresh', description: 'New' }, never);
		assert.deepEqual([list.name, list.description], ['fresh', 'New']);
		assert.deepEqual(
			(await store.own.first(never)).items.map(({ name }) => name),
			['devel', 'fresh'],
		);
		assert.ok(store.collection.subscription({ owner: '~alice', name: 'fresh' }));
		assert.deepEqual(heard, [{ kind: 'lists' }, { kind: 'lists' }]);
		assert.equal(world.calls.filter((call) => call.startsWith('create')).length, 1);
	});

	test('treats a list as created even if its subscription fails to load', async () => {
		const { world, store } = made();
		await store.subscriptions.first(never);
		world.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		assert.equal((await store.writes.create({ name: 'fresh' }, never)).name, 'fresh');
		assert.ok(store.collection.known({ owner: '~alice', name: 'fresh' }));
	});

	test('sends a description once and keeps the response', async () => {
		const { world, store, heard } = made();
		await store.own.first(never);
		assert.equal((await store.writes.describe(devel, 'Other', never)).description, 'Other');
		assert.equal(store.collection.known(devel)?.description, 'Other');
		assert.deepEqual(world.calls.slice(1), ['update devel']);
		assert.deepEqual(heard, [{ kind: 'list', list: devel }]);
	});

	test('deletes a list if the server supports it', async () => {
		const { world, store, heard } = made();
		await store.own.first(never);
		await store.writes.remove?.(devel, never);
		assert.deepEqual((await store.own.first(never)).items, []);
		assert.deepEqual(world.calls.slice(1), ['remove devel']);
		assert.deepEqual(heard, [{ kind: 'lists' }]);
		const { api } = fakeLists();
		delete api.remove;
		assert.equal(
			new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() }).writes.remove,
			undefined,
		);
	});

	test('rejects changes of another owner’s list without a request', async () => {
		const { world, store } = made();
		const isNotAllowed = (error: unknown): boolean => isForgeError(error) && error.problem.kind === 'notAllowed';
		await assert.rejects(store.writes.describe(bobs, 'Mine', never), isNotAllowed);
		await assert.rejects(async () => store.writes.remove?.(bobs, never), isNotAllowed);
		assert.deepEqual(world.calls, []);
	});

	test('cancels pending reads on dispose', async () => {
		const { world, store } = made();
		world.before = () => new Promise(() => undefined);
		const waiting = [
			store.patchsets(devel).first(never),
			store.mails.mail(1, never),
			store.thread(devel, 1, never),
			store.list(bobs, never),
		];
		store.dispose();
		const results = await Promise.allSettled(waiting);
		assert.deepEqual(
			results.map(({ status }) => status),
			Array(4).fill('rejected'),
		);
	});

	test('parses list names with an account or an address as owner', () => {
		assert.deepEqual(listRefOf('~bob/x'), { owner: '~bob', name: 'x' });
		assert.deepEqual(listRefOf('bob@forge.test/x'), { owner: 'bob@forge.test', name: 'x' });
		assert.equal(listRefOf('~bob'), undefined);
		assert.equal(listRefOf('~bob/x/y'), undefined);
	});
});
