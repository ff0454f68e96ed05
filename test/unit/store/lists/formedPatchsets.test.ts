import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { formedIn, partsIn, serverRows, type FormedPatchset } from '../../../../src/store/lists/formedSets.ts';
import { keptMails } from '../../../../src/store/lists/keptMails.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import type { MailSummary } from '../../../../src/store/lists/mailSummary.ts';
import type { PageRead } from '../../../../src/store/shared/pageRead.ts';
import { counts } from '../../../support/counts.ts';
import { growthOf, mostGrowth } from '../../../support/cpuTime.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, type FakeLists } from '../../../support/fakeLists.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';
import { makeMail, makePatchset } from '../../../support/makeMail.ts';
import { patchText } from '../../../support/makeSeries.ts';
import { makeUser, someTimeMs } from '../../../support/makeTicket.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const base = makePatchset({ id: 7, messageId: '<m1@forge.test>', subject: 'fold' });

interface Written {
	readonly from?: string;
	readonly account?: string;
	readonly patchsetId?: number;
}

function summary(
	id: number,
	subject: string,
	{ from = 'Bob Builder <bob@forge.test>', account = 'bob', patchsetId }: Written = {},
): MailSummary {
	const sender = account === '' ? undefined : makeUser(account);
	const { envelope: _text, ...mail } = makeMail({
		id,
		subject,
		sender,
		patchsetId,
		threadId: id === 1 ? undefined : 1,
	});
	return { ...mail, changes: undefined, from };
}

const first = summary(1, '[PATCH proj] fold', { patchsetId: 7 });

function formed(mails: readonly MailSummary[], of: Patchset = base): readonly FormedPatchset[] {
	const server = {
		listed: () => [of],
		patchset: (id: number) => (id === of.id ? of : undefined),
		series: () => undefined,
	};
	return formedIn(1, partsIn(mails), serverRows(server)).formed;
}

function told(mails: readonly MailSummary[], of?: Patchset): readonly (readonly unknown[])[] {
	return formed(mails, of).map(({ patchset, series }) => [
		patchset.version,
		patchset.id - formedPatchsetId(0),
		series.cover?.id,
		...series.patches.map(({ id }) => id),
		...(patchset.formed?.isByOther === true ? ['other'] : []),
	]);
}

suite('patchsets formed from replies', () => {
	test('hold the messages of a version by number, with the subject of the first message', () => {
		const mails = [
			first,
			summary(7, '[PATCH proj v3 2/2] b'),
			summary(6, '[PATCH proj v3 1/2] a'),
			summary(5, '[PATCH proj v3 0/2] all'),
			summary(4, '[PATCH proj v2 1/3] a'),
		];
		assert.deepEqual(told(mails), [
			[2, 4, undefined, 4],
			[3, 5, 5, 6, 7],
		]);
		const [, third] = formed(mails);
		assert.equal(third?.patchset.subject, 'all');
		assert.equal(third?.patchset.prefix, 'proj');
		assert.equal(third?.patchset.supersedesId, 7);
		assert.equal(third?.patchset.submitter, 'Bob Builder <bob@forge.test>');
	});

	test('exclude replies, doubtful senders, lone cover letters and messages of a patchset', () => {
		const none = [
			summary(4, 'Re: [PATCH proj v2] fold'),
			summary(4, '[PATCH proj v2] fold', { from: '' }),
			summary(4, '[PATCH proj v2] fold', { from: '"bob@forge.test" <mallory@evil.test>' }),
			summary(4, 'fold, v2'),
			summary(4, '[PATCH proj v2 0/2] fold'),
			summary(4, '[PATCH proj v2] fold', { patchsetId: 8 }),
		];
		none.forEach((mail) => assert.deepEqual(told([first, mail]), [], mail.subject));
		const planted = { from: 'Mallory <mallory@evil.test>', account: 'mallory' };
		const part = summary(4, '[PATCH proj v2 1/2] fold', planted);
		assert.deepEqual(told([first, part]), [[2, 4, undefined, 4, 'other']]);
		assert.deepEqual(told([first, part, summary(5, '[PATCH proj v2 2/2] fold')]), [[2, 5, undefined, 5]]);
	});

	test('tell people behind the address of the list apart', () => {
		const via = (id: number, name: string, subject: string, patchsetId?: number): MailSummary =>
			summary(id, subject, {
				from: `${name} via dev <~ann/dev@lists.forge.test>`,
				account: '',
				...(patchsetId === undefined ? {} : { patchsetId }),
			});
		const root = via(1, 'Ann', '[PATCH 1/1] One', 7);
		const ofAnn = makePatchset({ ...base, submitter: root.from });
		assert.deepEqual(told([root, via(4, 'Eve', '[PATCH v2 1/1] One')], ofAnn), [[2, 4, undefined, 4, 'other']]);
		const [own] = formed([root, via(4, 'Ann', '[PATCH v2 1/1] One')], ofAnn);
		assert.equal(own?.patchset.formed?.isSenderCertain, false);
		const known = summary(1, '[PATCH 1/1] One', { patchsetId: 7 });
		assert.deepEqual(told([known, via(4, 'Bob Builder', '[PATCH v2 1/1] One')]), [[2, 4, undefined, 4, 'other']]);
		assert.deepEqual(told([known, summary(4, '[PATCH v2 1/1] One')]), [[2, 4, undefined, 4]]);
	});

	test('have one sender, and are by someone else if he did not send the first patch', () => {
		const mallory = { from: 'Mallory <mallory@evil.test>', account: 'mallory' };
		const root = summary(1, '[PATCH proj] fold', { patchsetId: 7 });
		const claim = summary(2, '[PATCH proj] maybe so', mallory);
		assert.deepEqual(told([root, claim, summary(4, '[PATCH proj v2] fold: speed up', mallory)]), [
			[1, 2, undefined, 2, 'other'],
			[2, 4, undefined, 4, 'other'],
		]);
		const planted = summary(3, '[PATCH proj v2 1/2] a', mallory);
		const own = [
			summary(4, '[PATCH proj v2 0/2] all'),
			summary(5, '[PATCH proj v2 1/2] a'),
			summary(6, '[PATCH proj v2 2/2] b'),
		];
		assert.deepEqual(told([root, claim, planted, ...own]), [
			[1, 2, undefined, 2, 'other'],
			[2, 4, 4, 5, 6],
		]);
		const ofTwo = { ...claim, patchsetId: 7 };
		assert.deepEqual(told([root, ofTwo, planted, ...own]), [[2, 4, 4, 5, 6]]);
		const elsewhere = { from: 'Bob Builder <bob@work.test>' };
		const mixed = [summary(4, '[PATCH proj v2 1/2] a'), summary(5, '[PATCH proj v2 2/2] b', elsewhere)];
		assert.deepEqual(told([root, ...mixed]), [[2, 4, undefined, 4, 5]]);
	});

	test('separate series of one version by prefix and count, and drop incomplete ones next to a complete one', () => {
		const fixup = summary(3, '[PATCH proj v2] fixup of docs');
		const series = [
			summary(4, '[PATCH proj v2 0/2] all'),
			summary(5, '[PATCH proj v2 1/2] a'),
			summary(6, '[PATCH proj v2 2/2] b'),
		];
		assert.deepEqual(told([first, fixup, ...series]), [
			[2, 3, undefined, 3],
			[2, 4, 4, 5, 6],
		]);
		assert.deepEqual(told([first, fixup, ...series.slice(0, 2)]), [[2, 3, undefined, 3]]);
		const web = [summary(7, '[PATCH web v2 1/2] a'), summary(8, '[PATCH web v2 2/2] b')];
		assert.deepEqual(told([first, ...series, ...web]), [
			[2, 4, 4, 5, 6],
			[2, 7, undefined, 7, 8],
		]);
	});

	test('identify the sender by account if only short forms are loaded', () => {
		const { from: _one, ...root } = first;
		const { from: _other, ...next } = summary(4, '[PATCH proj v2] fold');
		assert.deepEqual(told([root, next]), [[2, 4, undefined, 4]]);
		assert.deepEqual(told([root, { ...next, sender: makeUser('mallory') }]), [[2, 4, undefined, 4, 'other']]);
		assert.deepEqual(
			told([
				{ ...root, sender: undefined },
				{ ...next, sender: undefined },
			]),
			[],
		);
	});

	test('exist even if the server names the patchset of no message', () => {
		const untold = summary(1, '[PATCH proj] fold');
		const next = summary(4, '[PATCH proj v2] fold');
		assert.deepEqual(told([untold, next]), [[2, 4, undefined, 4]]);
		const titled = { ...base, submitter: undefined, messageId: undefined };
		const copy = { from: 'Mallory <mallory@evil.test>', account: 'mallory' };
		const copied = [summary(2, '[PATCH proj] fold', copy), summary(3, '[PATCH proj v2] fold', copy)];
		assert.deepEqual(told([untold, ...copied, next], titled), [
			[1, 2, undefined, 2, 'other'],
			[2, 3, undefined, 3, 'other'],
			[2, 4, undefined, 4],
		]);
		const other = makePatchset({ id: 8, version: 2, messageId: next.messageId, subject: 'fold' });
		const server = { patchset: () => base, series: () => undefined };
		assert.deepEqual(
			formedIn(1, partsIn([untold, next]), serverRows({ ...server, listed: () => [other, base] })).formed,
			[],
		);
	});

	test('have the status that the thread got after they arrived', () => {
		const next = summary(4, '[PATCH proj v2] fold');
		const statusWith = (change: Partial<Patchset>): unknown =>
			formed([first, next], { ...base, ...change })[0]?.patchset.status;
		const later = next.createdMs + 1;
		assert.equal(statusWith({ status: 'needs_revision', updatedMs: next.createdMs - 1 }), 'proposed');
		assert.equal(statusWith({ status: 'applied', updatedMs: later }), 'applied');
		assert.equal(statusWith({ status: 'superseded', updatedMs: later }), 'proposed');
	});
});

/** Patchset 7 (message 1), with its second version as messages 4 and 5 in the same thread. Patchset 6 is older. */
function world(): FakeLists {
	const lists = fakeLists();
	const mail = (id: number, subject: string, file: string, threadId?: number): Email =>
		makeMail({
			id,
			subject,
			threadId,
			parentId: threadId,
			isPatch: true,
			patchsetId: threadId === undefined ? id + 6 : undefined,
			list: { name: 'devel', owner: makeUser('alice') },
			text: patchText(file),
		});
	const root = mail(1, '[PATCH proj] fold', 'a.c');
	lists.world.mails.push(
		root,
		mail(4, '[PATCH proj v2 1/2] fold', 'a.c', 1),
		mail(5, '[PATCH proj v2 2/2] unfold', 'b.c', 1),
	);
	lists.world.series.set(7, [root]);
	lists.world.patchsets.set('~alice/devel', [
		makePatchset({ id: 7, subject: 'fold', createdMs: someTimeMs + 1 }),
		makePatchset({ id: 6, subject: 'other', messageId: '<other@forge.test>', createdMs: someTimeMs }),
	]);
	return lists;
}

const second = formedPatchsetId(4);

function allOf(items: readonly Patchset[]): PageRead<Patchset> {
	return { place: 'all', items, completeness: { kind: 'complete' }, stamp: 1 };
}

interface Flood {
	readonly patchsets: readonly Patchset[];
	readonly mails: readonly MailSummary[];
}

/** `size` versions in one thread, and `size` patchsets. */
function floodOf(size: number): Flood {
	return {
		patchsets: Array.from({ length: size }, (_, at) =>
			makePatchset({ id: 7 + at, messageId: `<m${at === 0 ? 1 : at + 1_000_000}@forge.test>` }),
		),
		mails: Array.from({ length: size }, (_, at) => summary(at + 2, `[PATCH proj v${at + 2}] fold`)),
	};
}

/** A store that loaded the thread and the list with all versions. */
function flooded({ patchsets, mails }: Flood): ListStore {
	const store = storeOf(fakeLists());
	store.apply({ kind: 'patchsetsRead', list: devel, page: allOf(patchsets) });
	store.apply({ kind: 'threadRead', list: devel, id: 1, mails: [first], begun: 1 });
	store.apply(...mails.map((mail) => ({ kind: 'mailArrived', list: devel, mail }) as const));
	return store;
}

function storeOf({ api }: FakeLists, disk = keptMails(textsInMemory(), fakeClock())): ListStore {
	return new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames(), disk });
}

suite('formed patchsets in the list store', () => {
	test('are sorted by date, and never last on a page with a next one', async () => {
		const lists = world();
		lists.world.pageSize = 1;
		const store = storeOf(lists);
		await store.patchsets(devel).first(never);
		const changes: string[] = [];
		store.onDidChange(({ kind }) => changes.push(kind));
		await store.thread(devel, 1, never);
		assert.ok(changes.includes('patchsets'));
		const ids = (): readonly number[] => (store.patchsets(devel).known()?.items ?? []).map(({ id }) => id);
		assert.deepEqual(ids(), [second, 7]);
		assert.deepEqual(store.patchsets(devel).known()?.completeness, { kind: 'more', total: 3 });
		assert.equal(store.patchsets(devel).known()?.items, store.patchsets(devel).known()?.items);
		assert.deepEqual(
			(await store.patchsets(devel).more(never)).items.map(({ id }) => id),
			[second, 7, 6],
		);
		assert.deepEqual(
			store
				.patchsets(devel)
				.ofServer()
				?.items.map(({ id }) => id),
			[7, 6],
		);
		const all = lists.world.patchsets.get('~alice/devel') ?? [];
		lists.world.patchsets.set(
			'~alice/devel',
			all.map((each) => ({ ...each, createdMs: someTimeMs + 100 })),
		);
		store.forget(devel);
		assert.deepEqual(
			(await store.patchsets(devel).first(never)).items.map(({ id }) => id),
			[7],
		);
		assert.deepEqual(
			(await store.patchsets(devel).more(never)).items.map(({ id }) => id),
			[7, 6, second],
		);
	});

	test('load like any other, and their messages refer to them', async () => {
		const store = storeOf(world());
		const patchset = await store.patchset({ list: devel, id: second }, never);
		assert.equal(patchset.version, 2);
		const { patches } = await store.series({ list: devel, id: second }, never);
		assert.deepEqual(
			patches.map(({ id }) => id),
			[4, 5],
		);
		assert.equal(store.knownSeries({ list: devel, id: second })?.patches, patches);
		assert.equal(store.knownMail(5)?.patchsetId, second);
		assert.deepEqual(
			store.knownThread(devel, 1)?.map(({ patchsetId }) => patchsetId),
			[7, second, second],
		);
	});

	test('form from mails of listings before their thread was read', () => {
		const lists = world();
		const store = storeOf(lists);
		const short = ({ envelope: _text, isPatch: _patch, ...mail }: Email): ShortEmail => mail;
		const [root, ...replies] = lists.world.mails.map(short);
		const versions = (): readonly number[] => store.knownPatchsets(devel).map(({ version }) => version);
		store.apply({ kind: 'patchsetsRead', list: devel, page: allOf(lists.world.patchsets.get('~alice/devel') ?? []) });
		store.apply({ kind: 'mailsSeen', list: devel, mails: replies });
		assert.deepEqual(versions(), [1, 1], 'the first message of the thread is unknown');
		const page = { place: 'all', items: [root!], completeness: { kind: 'complete' }, stamp: 1 } as const;
		store.apply({ kind: 'postsRead', list: devel, page });
		store.apply({ kind: 'mailsSeen', list: devel, mails: replies.slice(1) });
		assert.deepEqual(versions(), [1, 1], 'the second patch alone is no version');
		store.apply({ kind: 'mailsSeen', list: devel, mails: replies });
		assert.deepEqual(versions(), [2, 1, 1]);
		assert.deepEqual(lists.world.calls, []);
	});

	test('form from first messages if each patch of a series has a thread', () => {
		const store = storeOf(fakeLists());
		const item = (id: number, index: number): ShortEmail =>
			makeMail({ id, subject: `[PATCH proj ${index}/2] part ${index}` });
		const page = {
			place: 'all',
			items: [item(12, 2), item(11, 1)],
			completeness: { kind: 'complete' },
			stamp: 1,
		} as const;
		store.apply({ kind: 'patchsetsRead', list: devel, page: allOf([]) });
		store.apply({ kind: 'postsRead', list: devel, page });
		assert.deepEqual(
			store
				.knownPatchsets(devel)
				.map(({ id }) => store.knownSeries({ list: devel, id })?.patches.map((mail) => mail.id)),
			[[11, 12]],
		);
	});

	test('form again in the next window, without a request while the forge is unavailable', async () => {
		const lists = world();
		const disk = keptMails(textsInMemory(), fakeClock());
		const before = storeOf(lists, disk);
		await before.patchsets(devel).first(never);
		await before.patchset({ list: devel, id: second }, never);
		lists.world.calls.length = 0;
		const store = storeOf(lists, disk);
		const listing = await store.patchsets(devel).cached(never);
		assert.ok(listing.items.some(({ id }) => id === second));
		assert.equal(store.knownPatchset({ list: devel, id: second })?.version, 2);
		assert.ok(!lists.world.calls.some((call) => call.startsWith('thread')), lists.world.calls.join());
	});

	test('leave stored threads of earlier windows alone until those load', async () => {
		const lists = world();
		const disk = keptMails(textsInMemory(), fakeClock());
		disk.keepFormed(devel, [10, 20, 30]);
		const store = storeOf(lists, disk);
		await store.thread(devel, 1, never);
		await new Promise(setImmediate);
		assert.deepEqual(await disk.formed(devel), [10, 20, 30, 1]);
		const [root] = lists.world.mails.splice(0);
		lists.world.mails.push(root!);
		store.forget(devel);
		await store.thread(devel, 1, never);
		assert.deepEqual(await disk.formed(devel), [10, 20, 30]);
	});

	test('never appear in a request to the server', async () => {
		const lists = world();
		const store = storeOf(lists);
		const ref = { list: devel, id: second };
		await store.patchset(ref, never);
		await store.series(ref, never);
		await store.renewPatchset(ref, never);
		await store.recall(devel, 'patchset', second);
		await assert.rejects(store.setStatus(ref, 'applied', never), isForgeError);
		await assert.rejects(store.patchset({ list: devel, id: formedPatchsetId(99) }, never), isForgeError);
		assert.deepEqual(
			lists.world.calls.filter((call) => call.includes(String(second)) || call.includes(String(formedPatchsetId(99)))),
			[],
		);
		assert.ok(lists.world.calls.includes('patchset ~alice/devel 7'), 'its thread has one status, which was read');
	});

	test('follow changes of the server patchset and the series', () => {
		const lists = world();
		const store = storeOf(lists);
		const ref = { list: devel, id: second };
		const mails = lists.world.mails.map((mail) => ({
			...mail,
			patchsetId: undefined,
			isPatch: true,
			changes: undefined,
		}));
		const other = makePatchset({ id: 7, messageId: '<other@forge.test>', updatedMs: someTimeMs + 100 });
		store.apply({ kind: 'patchsetsRead', list: devel, page: allOf([other]) });
		store.apply({ kind: 'threadRead', list: devel, id: 1, mails, begun: 1 });
		const rows = (): readonly number[] => store.knownPatchsets(devel).map(({ id }) => id);
		assert.deepEqual(rows(), [7]);
		const patches = mails.slice(0, 1);
		store.apply({ kind: 'seriesRead', ref: { list: devel, id: 7 }, series: { cover: undefined, patches } });
		assert.ok(rows().includes(second));
		assert.equal(store.knownPatchset(ref)?.status, 'proposed');
		store.apply({ kind: 'patchsetChanged', list: devel, patchset: { ...other, status: 'applied' } });
		assert.equal(store.knownPatchset(ref)?.status, 'applied');
		const own = makePatchset({ id: 8, messageId: mails[1]?.messageId });
		store.apply({ kind: 'patchsetsRead', list: devel, page: allOf([own, other]) });
		assert.equal(store.knownPatchset(ref)?.id, 8, 'the server has a patchset of these mails');
	});

	test('are the newest fifty of a thread; the store counts the others', () => {
		const store = flooded(floodOf(60));
		const versions =
			store
				.patchsets(devel)
				.known()
				?.items.map(({ version }) => version) ?? [];
		assert.deepEqual(
			versions.filter((version) => version > 1),
			Array.from({ length: 50 }, (_, at) => 61 - at),
		);
		assert.equal(store.versionsLeftOut(devel, 1), 10);
		assert.equal(store.versionsLeftOut(devel, undefined), 0);
	});

	test('form in time proportional to their number', function () {
		this.timeout(120_000);
		const run = (flood: Flood): void =>
			assert.equal(flooded(flood).patchsets(devel).known()?.items.length, flood.patchsets.length + 50);
		const growth = growthOf(run, floodOf, counts({ small: 1000, full: 4000 }));
		assert.ok(growth <= mostGrowth, `twice as many take ${growth} times as long`);
	});

	test('grow with each delivered message', async () => {
		const lists = world();
		const late = lists.world.mails.pop()!;
		const store = storeOf(lists);
		await store.patchsets(devel).first(never);
		await store.thread(devel, 1, never);
		const patches = (): readonly number[] | undefined =>
			store.knownSeries({ list: devel, id: second })?.patches.map(({ id }) => id);
		assert.deepEqual(patches(), [4]);
		store.apply({ kind: 'mailArrived', list: devel, mail: late });
		assert.deepEqual(patches(), [4, 5]);
	});
});
