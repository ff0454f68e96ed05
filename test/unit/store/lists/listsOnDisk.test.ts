import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { PatchsetTool } from 'sourcehut/port/list.ts';
import { threadsWithReplies } from '../../../../src/store/lists/listThreads.ts';
import { keptMails } from '../../../../src/store/lists/keptMails.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, type FakeListWorld } from '../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { textsInMemory, type TextsInMemory } from '../../../support/textsInMemory.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const ref = { list: devel, id: 1 };

const tool: PatchsetTool = { id: 3, updatedMs: 5, state: 'other:queued', details: 'job 3' };
const kept = makePatchset({ id: 1, supersedesId: 9, tools: [tool] });

/** A window with a patchset, `[PATCH 0/2]` as message 10, its patches as 11 and 12, and a reply as 13. */
function openWindow(
	disk: TextsInMemory,
	clock = fakeClock(),
): { readonly world: FakeListWorld; readonly store: ListStore } {
	const { world, api } = fakeLists();
	const cover = makeMail({ id: 10, subject: '[PATCH proj 0/2] Improve', patchsetId: 1 });
	const patches = [1, 2].map((index) =>
		makeMail({
			id: 10 + index,
			subject: `[PATCH proj ${index}/2] Part ${index}`,
			parentId: 10,
			threadId: 10,
			patchsetId: 1,
			patchset: { version: 1, status: 'proposed' },
			isPatch: true,
			text: '---\r\n 1 file changed, 2 insertions(+)\r\n\r\ndiff --git a/a b/a',
		}),
	);
	world.mails.push(cover, ...patches, makeMail({ id: 13, parentId: 12, threadId: 10 }));
	world.series.set(1, patches);
	world.patchsets.set('~alice/devel', [kept]);
	return {
		world,
		store: new ListStore({
			journal: journalInMemory(),
			api,
			me: '~alice',
			followed: keptNames(),
			disk: keptMails(disk, clock),
		}),
	};
}

const dayMs = 86_400_000;
const offline = (): ForgeError => new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });

/** An offline window after another one that loaded the patchset and its thread. */
async function readInOther(disk: TextsInMemory, error: ForgeError): Promise<ReturnType<typeof openWindow>> {
	const { store } = openWindow(disk);
	await store.patchset(ref, never);
	await store.thread(devel, 10, never);
	const away = openWindow(disk, fakeClock(fakeClock().nowMs() + dayMs));
	away.world.before = () => Promise.reject(error);
	return away;
}

suite('stored threads and patchsets', () => {
	test('reload in each window while the forge is online', async () => {
		const disk = textsInMemory();
		await readInOther(disk, offline());
		const { world, store } = openWindow(disk);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		world.mails.push(makeMail({ id: 14, parentId: 13, threadId: 10 }));
		assert.equal((await store.patchset(ref, never)).status, 'applied');
		assert.equal((await store.thread(devel, 10, never)).length, 5);
		assert.deepEqual([store.patchsetBefore(ref), store.threadBefore(devel, 10)], [undefined, undefined]);
		assert.deepEqual(world.calls, ['patchset ~alice/devel 1', 'thread 10']);
	});

	test('appear while the forge is offline, with the time of their last read', async () => {
		const { store } = await readInOther(textsInMemory(), offline());
		const heard: string[] = [];
		store.onDidChange(({ kind }) => heard.push(kind));
		await assert.rejects(store.renewPatchset(ref, never), { problem: offline().problem });
		assert.deepEqual(store.knownPatchset(ref), kept);
		assert.deepEqual(await store.patchset(ref, never), kept);
		const mails = await store.thread(devel, 10, never);
		assert.deepEqual(
			mails.map(({ id, isPatch, patchset }) => [id, isPatch, patchset?.status]),
			[
				[10, false, undefined],
				[11, true, 'proposed'],
				[12, true, 'proposed'],
				[13, false, undefined],
			],
		);
		assert.equal(await store.thread(devel, 10, never), mails);
		assert.equal(store.patchsetBefore(ref)?.readAtMs, fakeClock().nowMs());
		assert.equal(store.threadBefore(devel, 10)?.readAtMs, fakeClock().nowMs());
		// Unchanged data is reported once, for any number of reads.
		assert.deepEqual(heard, ['patchset', 'thread']);
	});

	for (const problem of [
		{ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' },
		{ kind: 'serverError', status: 502 },
		{ kind: 'rateLimited', untilMs: undefined },
		{ kind: 'browserCheck', host: 'lists.forge.test' },
		{ kind: 'tooLarge', limitBytes: 5 },
		{ kind: 'notUnderstood', where: 'results', why: 'damaged' },
		{ kind: 'notFound', partialHost: 'lists.forge.test' },
	] as const) {
		test(`stay with their age after a failed read, also without a copy on the disk: ${problem.kind}`, async () => {
			const clock = fakeClock();
			const { world, store } = openWindow({ ...textsInMemory(), keep: () => undefined }, clock);
			const readAtMs = clock.nowMs();
			const rows = await store.patchsets(devel).first(never);
			await store.posts(devel).first(never);
			const mails = await store.thread(devel, 10, never);
			clock.advance(dayMs);
			store.forget();
			world.before = () => Promise.reject(new ForgeError(problem));
			assert.deepEqual((await store.patchsets(devel).first(never)).items, rows.items);
			await store.posts(devel).first(never);
			assert.deepEqual(await store.thread(devel, 10, never), mails);
			assert.deepEqual(await store.patchset(ref, never), kept);
			const befores = [store.threadBefore(devel, 10), store.patchsets(devel).before(), store.posts(devel).before()];
			for (const before of befores) {
				assert.equal(before?.readAtMs, readAtMs);
				assert.deepEqual(before.error, new ForgeError(problem));
			}
			world.before = () => undefined;
			store.forgetThread(devel, 10);
			await store.thread(devel, 10, never);
			assert.equal(store.threadBefore(devel, 10), undefined);
		});
	}

	test('are gone after an answer of the forge, also without a copy on the disk', async () => {
		const { world, store } = openWindow({ ...textsInMemory(), keep: () => undefined });
		await store.thread(devel, 10, never);
		store.forget();
		world.before = () => Promise.reject(new ForgeError({ kind: 'notFound' }));
		await assert.rejects(store.thread(devel, 10, never), { problem: { kind: 'notFound' } });
		assert.equal(store.knownThread(devel, 10), undefined);
	});

	test('lose a row that is no patchset, and tell it once', async () => {
		const { world, store } = openWindow(textsInMemory());
		world.patchsets.set('~alice/devel', [makePatchset({ id: 7, isGuess: true }), kept]);
		await store.patchsets(devel).first(never);
		const heard: unknown[] = [];
		store.onDidChange((change) => heard.push(change));
		for (const because of [undefined, 'noPatches'] as const) {
			world.before = () => Promise.reject(new ForgeError({ kind: 'notFound', ...(because ? { because } : {}) }));
			await assert.rejects(store.patchset({ list: devel, id: 7 }, never), ForgeError);
			assert.equal(store.knownPatchsets(devel).length, because ? 1 : 2);
		}
		assert.deepEqual(heard, [{ kind: 'patchsets', list: devel }]);
	});

	test('lists and rows reload after the first response of the forge, not after a read from disk', async () => {
		const disk = textsInMemory();
		const earlier = openWindow(disk);
		earlier.world.lists.push(makeList());
		await Promise.all([earlier.store.own.first(never), earlier.store.patchsets(devel).first(never)]);
		await earlier.store.thread(devel, 10, never);
		const { store, world } = openWindow(disk);
		world.lists.push(makeList());
		world.before = () => Promise.reject(offline());
		await Promise.all([store.own.first(never), store.patchsets(devel).first(never)]);
		assert.ok(store.own.before()?.error && store.patchsets(devel).before()?.error);
		world.calls.length = 0;
		await store.thread(devel, 10, never);
		assert.deepEqual(world.calls, ['thread 10']);
		world.before = () => undefined;
		await store.renewPatchset(ref, never);
		await new Promise((resolve) => void setImmediate(resolve));
		assert.deepEqual([store.own.before(), store.patchsets(devel).before()], [undefined, undefined]);
	});

	test('the newest reply from an earlier window moves its thread up', async () => {
		const disk = textsInMemory();
		const { store } = openWindow(disk);
		await store.thread(devel, 10, never);
		store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 31, threadId: 30 }) });
		const later = openWindow(disk);
		later.world.posts.set('~alice/devel', [makeMail({ id: 40 }), makeMail({ id: 30 }), makeMail({ id: 10 })]);
		assert.equal(later.store.newestReply(devel, 10), undefined);
		const { items } = await later.store.postsAtOnce(devel, never);
		const newest = makeMail({ id: 41, threadId: 10 });
		later.store.apply({ kind: 'mailArrived', list: devel, mail: newest });
		const threads = threadsWithReplies(items, (id) => later.store.newestReply(devel, id));
		assert.deepEqual(
			threads.map(({ id, latest }) => [id, latest.id]),
			[
				[10, 41],
				[40, 40],
				[30, 31],
			],
		);
		// An older reply changes nothing.
		later.store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 15, threadId: 10 }) });
		assert.equal(later.store.newestReply(devel, 10)?.id, 41);
	});

	test('a reply that arrives before the stored replies load is merged with them', async () => {
		const texts = textsInMemory();
		const stored = keptMails(texts, fakeClock()).replies(devel);
		const items = [3, 2, 1].map((id) => makeMail({ id: id + 100, threadId: id }));
		stored.keep({ items, completeness: { kind: 'unstated' } });
		let writes = 0;
		const { store } = openWindow({
			...texts,
			keep: (name, text) => {
				writes += name.startsWith('replies') ? 1 : 0;
				texts.keep(name, text);
			},
		});
		store.apply({ kind: 'mailArrived', list: devel, mail: makeMail({ id: 109, threadId: 9 }) });
		await new Promise(setImmediate);
		const kept = await stored.read();
		assert.deepEqual(
			kept?.value.items.map(({ threadId }) => threadId),
			[9, 3, 2, 1],
		);
		assert.equal(writes, 1);
	});

	test('reload when the forge is back online', async () => {
		const { world, store } = await readInOther(textsInMemory(), offline());
		await store.patchset(ref, never);
		await store.thread(devel, 10, never);
		world.before = () => undefined;
		world.mails.push(makeMail({ id: 14, parentId: 13, threadId: 10 }));
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		assert.equal((await store.patchset(ref, never)).status, 'applied');
		assert.equal((await store.thread(devel, 10, never)).length, 5);
		assert.deepEqual([store.patchsetBefore(ref), store.threadBefore(devel, 10)], [undefined, undefined]);
	});

	test('lose their age once the forge confirms them', async () => {
		const { world, store } = await readInOther(textsInMemory(), offline());
		await store.patchset(ref, never);
		await store.thread(devel, 10, never);
		const heard: string[] = [];
		store.onDidChange(({ kind }) => heard.push(kind));
		world.before = () => undefined;
		await Promise.all([store.patchset(ref, never), store.thread(devel, 10, never)]);
		assert.deepEqual([store.patchsetBefore(ref), store.threadBefore(devel, 10)], [undefined, undefined]);
		assert.deepEqual(heard, ['patchset', 'thread']);
	});

	test('lose their age once a page of patchsets includes them', async () => {
		const { world, store } = await readInOther(textsInMemory(), offline());
		await store.patchset(ref, never);
		const heard: unknown[] = [];
		store.onDidChange((change) => heard.push(change));
		world.before = () => undefined;
		await store.patchsets(devel).first(never);
		assert.equal(store.patchsetBefore(ref), undefined);
		assert.deepEqual(heard, [{ kind: 'patchset', patchset: ref }]);
	});

	test('stay hidden when the forge denies access', async () => {
		for (const kind of ['notFound', 'notAllowed'] as const) {
			const { store } = await readInOther(textsInMemory(), new ForgeError({ kind }));
			await assert.rejects(store.patchset(ref, never), { problem: { kind } });
			await assert.rejects(store.thread(devel, 10, never), { problem: { kind } });
		}
	});

	/** A window with a pending request, after another one that loaded the patchset and its thread. */
	async function whileAsked(): Promise<
		ReturnType<typeof openWindow> & { readonly answer: PromiseWithResolvers<void>; readonly heard: string[] }
	> {
		const made = await readInOther(disk, offline());
		const answer = Promise.withResolvers<void>();
		made.world.before = () => answer.promise;
		const heard: string[] = [];
		made.store.onDidChange(({ kind }) => heard.push(kind));
		await Promise.all([made.store.recall(devel, 'patchset', 1), made.store.recall(devel, 'thread', 10)]);
		return { ...made, answer, heard };
	}

	let disk = textsInMemory();
	setup(() => (disk = textsInMemory()));

	test('appear with their age before the forge responds, and then follow its response', async () => {
		const { world, store, answer, heard } = await whileAsked();
		assert.deepEqual([store.knownPatchset(ref), store.knownThread(devel, 10)?.length], [kept, 4]);
		for (const before of [store.patchsetBefore(ref), store.threadBefore(devel, 10)]) {
			assert.deepEqual([before?.readAtMs, before?.error], [fakeClock().nowMs(), undefined]);
		}
		assert.deepEqual([world.calls, heard], [[], ['patchset', 'thread']]);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		world.mails.push(makeMail({ id: 14, parentId: 13, threadId: 10 }));
		const asked = Promise.all([store.patchset(ref, never), store.thread(devel, 10, never)]);
		answer.resolve();
		const [patchset, mails] = await asked;
		assert.deepEqual([patchset.status, mails.length], ['applied', 5]);
		assert.deepEqual([store.patchsetBefore(ref), store.threadBefore(devel, 10)], [undefined, undefined]);
		assert.deepEqual(world.calls, ['patchset ~alice/devel 1', 'thread 10']);
		assert.deepEqual(heard, ['patchset', 'thread', 'patchset', 'thread']);
	});

	test('stay while the forge is offline, with a single report', async () => {
		const { store, answer, heard } = await whileAsked();
		answer.reject(offline());
		assert.deepEqual(await store.patchset(ref, never), kept);
		assert.equal((await store.thread(devel, 10, never)).length, 4);
		assert.ok(store.patchsetBefore(ref)?.error instanceof ForgeError);
		assert.ok(store.threadBefore(devel, 10)?.error instanceof ForgeError);
		assert.deepEqual(heard, ['patchset', 'thread', 'patchset', 'thread']);
		await Promise.all([store.patchset(ref, never), store.thread(devel, 10, never)]);
		assert.equal(heard.length, 4);
	});

	for (const kind of ['notFound', 'notAllowed'] as const) {
		test(`disappear permanently after a refusal: ${kind}`, async () => {
			const { store, answer, heard } = await whileAsked();
			answer.reject(new ForgeError({ kind }));
			await assert.rejects(store.patchset(ref, never), ForgeError);
			await assert.rejects(store.thread(devel, 10, never), ForgeError);
			await Promise.all([store.recall(devel, 'patchset', 1), store.recall(devel, 'thread', 10)]);
			assert.deepEqual([store.knownPatchset(ref), store.knownThread(devel, 10)], [undefined, undefined]);
			assert.deepEqual(heard, ['patchset', 'thread', 'patchset', 'thread']);
			const isKept = [...disk.texts.keys()].some((name) => /^(?:patchset|thread) /.test(name));
			assert.equal(isKept, false, 'what is refused is not kept');
		});
	}

	for (const problem of [
		{ kind: 'notUnderstood', where: 'id', why: 'it is none' },
		{ kind: 'browserCheck', host: 'forge.test' },
		{ kind: 'redirected', toHost: 'portal.test' },
		{ kind: 'serverError', status: 502 },
	] as const) {
		test(`stay with their age where nothing of them arrives: ${problem.kind}`, async () => {
			const { store, answer } = await whileAsked();
			answer.reject(new ForgeError(problem));
			assert.deepEqual(await store.patchset(ref, never), kept);
			assert.equal((await store.thread(devel, 10, never)).length, 4);
			assert.ok(store.patchsetBefore(ref)?.error instanceof ForgeError);
			assert.ok(store.threadBefore(devel, 10)?.error instanceof ForgeError);
		});

		test(`all loaded rows stay with their age after a failed refresh: ${problem.kind}`, async () => {
			const { world, store } = openWindow(textsInMemory());
			const all = Array.from({ length: 700 }, (_, at) => makePatchset({ id: 900 - at, createdMs: 900 - at }));
			world.patchsets.set('~alice/devel', all);
			const rows = store.patchsets(devel);
			for (let listing = await rows.first(never); listing.completeness.kind === 'more';) {
				listing = await rows.more(never);
			}
			world.before = () => Promise.reject(new ForgeError(problem));
			store.forget(devel);
			await rows.first(never);
			assert.equal(rows.known()?.items.length, 700);
			assert.ok(rows.before()?.error instanceof ForgeError);
			assert.ok((rows.before()?.readAtMs ?? 0) > 0);
			// A second failed refresh, and then an answer.
			store.forget(devel);
			await rows.first(never);
			assert.equal(rows.known()?.items.length, 700);
			world.before = () => Promise.resolve();
			world.patchsets.set('~alice/devel', all.slice(0, 3));
			store.forget(devel);
			await rows.first(never);
			assert.deepEqual([rows.known()?.items.length, rows.before()], [3, undefined]);
		});
	}

	test('never replace newer data', async () => {
		await readInOther(disk, offline());
		const { world, store } = openWindow(disk);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		await Promise.all([store.patchset(ref, never), store.thread(devel, 10, never)]);
		await Promise.all([store.recall(devel, 'patchset', 1), store.recall(devel, 'thread', 10)]);
		assert.equal(store.knownPatchset(ref)?.status, 'applied');
		assert.deepEqual([store.patchsetBefore(ref), store.threadBefore(devel, 10)], [undefined, undefined]);
	});

	test('rows disappear from disk after the forge denies access', async () => {
		const disk = textsInMemory();
		await openWindow(disk).store.patchsets(devel).first(never);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
		await assert.rejects(away.store.patchsets(devel).first(never), { problem: { kind: 'notAllowed' } });
		away.world.before = () => Promise.reject(offline());
		await assert.rejects(away.store.patchsets(devel).first(never), { problem: offline().problem });
	});

	test('a huge thread is not stored, because serialization would block longer than a frame', async () => {
		const disk = textsInMemory();
		const { world, store } = openWindow(disk);
		world.mails.push(...Array.from({ length: 5000 }, (_, at) => makeMail({ id: 100 + at, threadId: 10 })));
		await store.thread(devel, 10, never);
		assert.deepEqual(
			[...disk.texts.keys()].filter((name) => name.startsWith('thread ')),
			[],
		);
	});

	test('a status change updates the disk', async () => {
		const disk = textsInMemory();
		await openWindow(disk).store.setStatus(ref, 'approved', never);
		const { world, store } = openWindow(disk);
		world.before = () => Promise.reject(offline());
		assert.equal((await store.patchset(ref, never)).status, 'approved');
	});

	for (const [what, change] of [
		['with an unknown status', (text: string) => text.replace('"status":"proposed"', '"status":"other:proposed"')],
		['without its time', (text: string) => text.replace('"readAtMs"', '"readAt"')],
		['of another list', (text: string) => text.replace('~alice/devel', '~alice/other')],
	] as const) {
		test(`a file ${what} is ignored`, async () => {
			const disk = textsInMemory();
			const { store } = await readInOther(disk, offline());
			for (const [name, text] of [...disk.texts].filter(([each]) => /^(?:patchset|thread) /.test(each))) {
				assert.notEqual(change(text), text);
				disk.texts.set(name, change(text));
			}
			await assert.rejects(store.patchset(ref, never));
			await assert.rejects(store.thread(devel, 10, never));
		});
	}
});

suite('stored list rows', () => {
	/** The same window with lists, subscriptions and all kinds of posts. */
	function windowWithRows(disk: TextsInMemory, clock = fakeClock()): ReturnType<typeof openWindow> {
		const made = openWindow(disk, clock);
		const permissions = { nonsubscriber: undefined, subscriber: ['browse', 'other:dance'], account: [] } as const;
		made.world.lists.push(
			makeList({ permissions, extra: [{ name: 'colour', json: '"red"' }] }),
			makeList({ name: 'users' }),
		);
		made.world.subscriptions.push(makeSubscription(makeList(), 1));
		const { id, createdMs, subject, messageId, parentId, threadId, list, sender, patchsetId } = makeMail({ id: 10 });
		made.world.posts.set('~alice/devel', [
			{ id, createdMs, subject, messageId, parentId, threadId, list, sender, patchsetId },
		]);
		return made;
	}

	async function readAll({ store }: ReturnType<typeof openWindow>): Promise<readonly unknown[]> {
		return [
			await store.own.first(never),
			await store.subscriptions.first(never),
			await store.patchsets(devel).first(never),
			await store.posts(devel).first(never),
		];
	}

	function beforeOf({ store }: ReturnType<typeof openWindow>): readonly unknown[] {
		return [store.collection.oldest(), store.patchsets(devel).before(), store.posts(devel).before()].map(
			(each) => each?.readAtMs,
		);
	}

	test('reload in each window while the forge is online', async () => {
		const disk = textsInMemory();
		await readAll(windowWithRows(disk));
		const again = windowWithRows(disk);
		again.world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'applied' })]);
		await readAll(again);
		assert.equal(again.store.knownPatchset(ref)?.status, 'applied');
		assert.deepEqual(again.world.calls, [
			'lists 0',
			'subscriptions 0',
			'patchsets ~alice/devel 0',
			'posts ~alice/devel 0',
		]);
		assert.deepEqual(beforeOf(again), [undefined, undefined, undefined]);
	});

	test('appear while the forge is offline, with the time of their last read', async () => {
		const disk = textsInMemory();
		const clock = fakeClock();
		const rows = await readAll(windowWithRows(disk, clock));
		const away = windowWithRows(disk, fakeClock(clock.nowMs() + dayMs));
		away.world.before = () => Promise.reject(offline());
		// JSON omits undefined values.
		const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
		assert.deepEqual(plain(await readAll(away)), plain(rows));
		assert.deepEqual(beforeOf(away), [clock.nowMs(), clock.nowMs(), clock.nowMs()]);
		assert.equal(away.store.patchsetBefore(ref)?.readAtMs, clock.nowMs());
		const calls = away.world.calls.length;
		await readAll(away);
		assert.equal(away.world.calls.length, calls, 'a row that is drawn again asks for nothing');
	});

	test('reload on a retry or for the next page, and stay if that fails', async () => {
		const disk = textsInMemory();
		await readAll(windowWithRows(disk));
		const away = windowWithRows(disk);
		away.world.before = () => Promise.reject(offline());
		await readAll(away);
		await assert.rejects(away.store.patchsets(devel).more(never));
		assert.equal(away.store.patchsets(devel).known()?.items.length, 1);
		away.store.forget(devel);
		assert.equal((await away.store.patchsets(devel).first(never)).items.length, 1);
		away.world.before = () => undefined;
		away.world.patchsets.set('~alice/devel', [makePatchset({ id: 2, status: 'applied' })]);
		await away.store.patchsets(devel).more(never);
		assert.deepEqual(
			away.store
				.patchsets(devel)
				.known()
				?.items.map(({ id }) => id),
			[2],
		);
		assert.equal(away.store.patchsets(devel).before(), undefined);
	});

	test('never contain message texts', async () => {
		const disk = textsInMemory();
		const one = windowWithRows(disk);
		one.world.posts.set('~alice/devel', [makeMail({ id: 10, text: 'long and secret' })]);
		await readAll(one);
		const kept = disk.texts.get('posts ~alice/devel') ?? '';
		assert.deepEqual([kept.includes('"id":10'), kept.includes('secret')], [true, false]);
	});

	test('include a later status change', async () => {
		const disk = textsInMemory();
		const one = windowWithRows(disk);
		await readAll(one);
		await one.store.setStatus(ref, 'approved', never);
		const away = windowWithRows(disk);
		away.world.before = () => Promise.reject(offline());
		assert.equal((await away.store.patchsets(devel).first(never)).items[0]?.status, 'approved');
	});

	test('include the new subscription to a recreated list', async () => {
		const { world, store } = windowWithRows(textsInMemory());
		await store.subscriptions.first(never);
		store.apply({ kind: 'listDeleted', list: devel });
		world.subscriptions.splice(0);
		const { id: renewed } = await store.subscribe(devel, never);
		await store.subscriptions.renewAll(() => undefined, never);
		store.forget();
		world.before = () => Promise.reject(offline());
		const { items } = await store.subscriptions.first(never);
		assert.deepEqual(
			items.map(({ id }) => id),
			[renewed],
		);
	});

	test('of a long list are its first rows, marked as incomplete', async () => {
		const disk = textsInMemory();
		const one = windowWithRows(disk);
		one.world.pageSize = 900;
		one.world.patchsets.set(
			'~alice/devel',
			Array.from({ length: 800 }, (_, at) => makePatchset({ id: 800 - at })),
		);
		await readAll(one);
		const away = windowWithRows(disk);
		away.world.before = () => Promise.reject(offline());
		const { items, completeness } = await away.store.patchsets(devel).first(never);
		assert.deepEqual([items.length, items[0]?.id, completeness], [500, 800, { kind: 'more', total: 800 }]);
	});

	test('stay hidden when the forge denies access or the file is damaged', async () => {
		const disk = textsInMemory();
		await readAll(windowWithRows(disk));
		const refused = windowWithRows(disk);
		refused.world.before = () => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
		await assert.rejects(refused.store.patchsets(devel).first(never), { problem: { kind: 'notAllowed' } });
		for (const [name, text] of disk.texts) {
			disk.texts.set(name, text.replace('"kind":"complete"', '"kind":"whole"'));
		}
		const away = windowWithRows(disk);
		away.world.before = () => Promise.reject(offline());
		for (const read of [
			away.store.own.first(never),
			away.store.subscriptions.first(never),
			away.store.patchsets(devel).first(never),
			away.store.posts(devel).first(never),
		]) {
			await assert.rejects(read, { problem: offline().problem });
		}
	});
});

suite('stored series', () => {
	test('save the requests for messages in another window', async () => {
		const disk = textsInMemory();
		const before = await openWindow(disk).store.series(ref, never);
		const { world, store } = openWindow(disk);
		const { cover, patches } = await store.series(ref, never);
		assert.deepEqual(cover, before.cover);
		// The patchset status within the messages may be stale.
		assert.deepEqual(
			patches,
			before.patches.map(({ patchset: _status, ...patch }) => patch),
		);
		assert.equal((await store.mails.mail(12, never)).messageId, '<m12@forge.test>');
		assert.deepEqual(world.calls, []);
	});

	test('are not saved without a cover letter that may load later', async () => {
		const disk = textsInMemory();
		const closed = openWindow(disk);
		closed.world.before = (call) =>
			call === 'email 10' ? Promise.reject(new ForgeError({ kind: 'notAllowed' })) : undefined;
		assert.equal((await closed.store.series(ref, never)).cover, undefined);
		assert.equal((await openWindow(disk).store.series(ref, never)).cover?.id, 10);
	});

	for (const [what, change] of [
		['without a patch', (text: string) => text.replace('"patches":[', '"patches":[null,')],
		['with a fractional count', (text: string) => text.replace('"insertions":2', '"insertions":2.5')],
		['of another patchset', (text: string) => text.replace('"name":"series ', '"name":"series x')],
		['of another version', (text: string) => text.replace('"version":1', '"version":9')],
		['without content', () => ''],
	] as const) {
		test(`a file ${what} disappears, and the series reloads`, async () => {
			const disk = textsInMemory();
			await openWindow(disk).store.series(ref, never);
			const name = [...disk.texts.keys()].find((each) => each.startsWith('series ')) ?? '';
			const changed = change(disk.texts.get(name) ?? '');
			assert.notEqual(changed, disk.texts.get(name));
			disk.texts.set(name, changed);
			const { world, store } = openWindow(disk);
			assert.equal((await store.series(ref, never)).patches.length, 2);
			assert.deepEqual(world.calls, ['patches 1 0']);
		});
	}
});
