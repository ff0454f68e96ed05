import assert from 'node:assert/strict';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Connection } from '../../src/store/connection.ts';
import { findMail } from '../../src/store/lists/findMail.ts';
import { keptMails } from '../../src/store/lists/keptMails.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { PatchsetReview } from '../../src/store/lists/patchsets/patchsetReview.ts';
import { contractSuite, type ContractForge, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { mailStores } from '../support/mailStores.ts';
import { patchText } from '../support/makeSeries.ts';
import { textsInMemory } from '../support/textsInMemory.ts';
import type { SampleUser } from '../support/sampleForge.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const devel: ListRef = { owner: '~alice', name: 'lantern-devel' };
const users: ListRef = { owner: '~alice', name: 'lantern-users' };

type Stores = Pick<Connection, 'lists' | 'texts' | 'reviews' | 'mentions' | 'people'>;

interface DeliveredMail {
	readonly id: string;
	readonly subject: string;
	readonly answers?: string;
	readonly from?: string;
	readonly text: string;
}

interface StoresAtForge {
	/** New stores of one account, with empty caches. */
	readonly storesOf: (user: SampleUser, ...followed: readonly string[]) => Stores;
	readonly patchsetNamed: (stores: Stores, subject: string, version?: number) => Promise<PatchsetRef>;
	/** Delivers a mail to the list. */
	readonly deliver: (mail: DeliveredMail) => Promise<void>;
}

function storesAt(forge: () => ContractForge): StoresAtForge {
	function storesOf(user: SampleUser, ...followed: readonly string[]): Stores {
		const client = forge().as(user);
		const lists = new ListStore({
			journal: journalInMemory(),
			api: client.lists,
			me: `~${user}`,
			followed: keptNames(...followed),
		});
		return { lists, ...mailStores({ lists, forge: client }) };
	}

	async function patchsetNamed({ lists }: Stores, subject: string, version = 1): Promise<PatchsetRef> {
		let known = await lists.patchsets(devel).first(wanted());
		const find = (): (typeof known.items)[number] | undefined =>
			known.items.find((each) => each.subject === subject && each.version === version);
		while (find() === undefined && known.completeness.kind === 'more') {
			known = await lists.patchsets(devel).more(wanted());
		}
		return { list: devel, id: find()?.id ?? assert.fail(`${subject} v${version}`) };
	}

	async function deliver(mail: DeliveredMail): Promise<void> {
		await forge().sample.act('/lists/mail', {
			list: '~alice/lantern-devel',
			mail: [
				`From: ${mail.from ?? 'Bob Builder <bob@forge.test>'}`,
				'To: ~alice/lantern-devel@lists.forge.test',
				`Subject: ${mail.subject}`,
				`Message-ID: <${mail.id}@contract.test>`,
				...(mail.answers === undefined ? [] : [`In-Reply-To: <${mail.answers}@contract.test>`]),
				'',
				...mail.text.split('\n'),
			].join('\r\n'),
		});
	}

	return { storesOf, patchsetNamed, deliver };
}

protocolSuite('stores of mails, patchsets and people', { inBoth: true }, ({ dialect, forge }) => {
	const { storesOf, patchsetNamed, deliver } = storesAt(forge);

	test('a conversation is in reading order, with no reply before its parent', async () => {
		const stores = storesOf('bob');
		const { mails, threadId } = await stores.reviews.read(await patchsetNamed(stores, 'plugins: a sandbox'), wanted());
		assert.equal(mails[0]?.id, threadId);
		const places = new Map(mails.map(({ id }, place) => [id, place]));
		for (const { id, parentId } of mails) {
			assert.ok(parentId === undefined || (places.get(parentId) ?? -1) < (places.get(id) ?? 0));
		}
		assert.ok(mails.every(({ reading }) => reading.kind === 'read'));
	});

	test('the store finds the cover letter even if the server does not name it', async () => {
		const stores = storesOf('bob');
		const ref = await patchsetNamed(stores, 'packaging: tidy the scripts');
		assert.equal(stores.lists.knownPatchset(ref)?.coverLetter !== undefined, dialect !== 'field');
		const { series } = await stores.reviews.read(ref, wanted());
		assert.equal(series.cover?.subject, '[PATCH lantern 0/3] packaging: tidy the scripts');
		assert.deepEqual(
			series.patches.map(({ index }) => index),
			[1, 2, 3],
		);
		assert.ok(series.stat.files > 0);
	});

	test('the store links versions by the server’s data, else by subject and sender', async () => {
		const stores = storesOf('bob');
		const newest = await patchsetNamed(stores, 'manual: one voice', 3);
		const { versions } = await stores.reviews.read(newest, wanted());
		assert.deepEqual(
			versions.map(({ patchset }) => patchset.version),
			[1, 2, 3],
		);
		const first = await patchsetNamed(stores, 'fold: nest as deep as you like', 1);
		assert.deepEqual(
			(await stores.reviews.read(first, wanted())).versions.map(({ link }) => link),
			[undefined, dialect === 'field' ? 'subject' : 'forge'],
		);
	});

	test('a version sent as a reply reads like a patchset of the server, also by number alone', async () => {
		const stores = storesOf('bob');
		await deliver({ id: 'lamp1', subject: '[PATCH lantern] lamp: hello', text: patchText('lamp.c') });
		const answers = 'lamp1';
		await deliver({ id: 'lamp2', answers, subject: '[PATCH lantern v2 1/2] lamp: hello', text: patchText('lamp.c') });
		await deliver({ id: 'lamp3', answers, subject: '[PATCH lantern v2 2/2] lamp: bye', text: patchText('bye.c') });
		const from = 'Mallory <mallory@evil.test>';
		await deliver({ id: 'lamp4', answers, from, subject: '[PATCH lantern v3] lamp: hello', text: patchText('lamp.c') });
		const first = await patchsetNamed(stores, 'lamp: hello');
		const { versions } = await stores.reviews.read(first, wanted());
		assert.deepEqual(
			versions.map(({ patchset, link }) => [patchset.version, link]),
			[
				[1, undefined],
				[2, 'thread'],
			],
		);
		const ref = { list: devel, id: versions[1]?.patchset.id ?? assert.fail('no second version') };
		assert.ok(firstMailOfFormed(ref.id));
		const { series, patchset, failures } = await storesOf('carol').reviews.read(ref, wanted());
		assert.deepEqual(failures, []);
		assert.deepEqual([patchset.subject, patchset.prefix, patchset.status], ['lamp: hello', 'lantern', 'proposed']);
		assert.deepEqual(
			series.patches.map(({ mail, patch }) => [mail.subject, patch.diff.files.length]),
			[
				['[PATCH lantern v2 1/2] lamp: hello', 1],
				['[PATCH lantern v2 2/2] lamp: bye', 1],
			],
		);
	});

	test('the store reads further pages to find versions', async () => {
		const stores = storesOf('bob');
		const all = await allPatchsets(stores);
		const oldest = all.findLast(({ version }) => version > 1);
		assert.ok(oldest);
		const fresh = storesOf('bob');
		const { versions } = await fresh.reviews.read({ list: devel, id: oldest.id }, wanted());
		assert.equal(versions[0]?.patchset.version, 1);
	});

	async function allPatchsets({ lists }: Stores): Promise<readonly PatchsetReview['patchset'][]> {
		let known = await lists.patchsets(devel).first(wanted());
		while (known.completeness.kind === 'more') {
			known = await lists.patchsets(devel).more(wanted());
		}
		return known.items;
	}

	test('every patchset of the list is readable and names its reviewers', async () => {
		const stores = storesOf('carol');
		const all = await allPatchsets(stores);
		let trailers = 0;
		for (const { id } of all) {
			const standing = await stores.reviews.read({ list: devel, id }, wanted());
			assert.ok(standing.series.patches.length > 0, standing.patchset.subject);
			assert.deepEqual(standing.failures, []);
			trailers += standing.trailers.length;
		}
		assert.ok(trailers > 10);
	});

	test('the store sorts a series that arrived out of order, and says so', async () => {
		const cover = 'shuffled-0';
		await deliver({ id: cover, subject: '[PATCH lantern 0/3] keys: shuffled', text: 'Reasons.' });
		for (const index of [3, 1, 2]) {
			await deliver({
				id: `shuffled-${index}`,
				subject: `[PATCH lantern ${index}/3] keys: part ${index}`,
				answers: cover,
				text: patchText(`src/part${index}.c`),
			});
		}
		await deliver({
			id: 'shuffled-answer',
			subject: 'Re: [PATCH lantern 2/3] keys: part 2',
			answers: 'shuffled-2',
			from: 'Carol <carol@forge.test>',
			text: 'Fine.\n\nReviewed-by: Carol <carol@forge.test>\n',
		});
		const stores = storesOf('bob');
		const { series, trailers, mails } = await stores.reviews.read(
			await patchsetNamed(stores, 'keys: shuffled'),
			wanted(),
		);
		assert.equal(series.cover?.subject, '[PATCH lantern 0/3] keys: shuffled');
		assert.deepEqual(
			series.patches.map(({ index, patch }) => [index, patch.diff.files[0]?.newPath]),
			[1, 2, 3].map((index) => [index, `src/part${index}.c`]),
		);
		assert.ok(series.problems.some(({ kind }) => kind === 'wrongOrder'));
		assert.deepEqual(
			trailers.map(({ key, person, patchIndexes }) => [key, person.address, patchIndexes]),
			[['Reviewed-by', 'carol@forge.test', [2]]],
		);
		assert.equal(mails.length, 5);
	});

	test('a mail is readable after its notification, at the cost of the changed data only', async () => {
		await deliver({ id: 'news-1', subject: '[PATCH lantern] keys: news', text: patchText('src/news.c') });
		const stores = storesOf('bob');
		const ref = await patchsetNamed(stores, 'keys: news');
		const before = await stores.reviews.read(ref, wanted());
		assert.equal(before.mails.length, 1);
		await deliver({
			id: 'news-2',
			subject: 'Re: [PATCH lantern] keys: news',
			answers: 'news-1',
			from: 'Alice <alice@forge.test>',
			text: 'Acked-by: Alice <alice@forge.test>\n',
		});
		const arrived = await forge().as('bob').lists.email({ messageId: '<news-2@contract.test>', list: devel }, wanted());
		await forge().sample.forgetRequests();
		stores.lists.apply({ kind: 'mailArrived', list: devel, mail: arrived });
		const after = await stores.reviews.read(ref, wanted());
		assert.deepEqual(
			after.trailers.map(({ key }) => key),
			['Acked-by'],
		);
		assert.equal((await forge().sample.requests()).length, dialect === 'graphql' ? 2 : 1);
	});

	test('the store finds tickets that patches name, with mail and patchset', async () => {
		const stores = storesOf('bob');
		const todo = new URL(forge().instance.areas.todo ?? '').origin;
		await deliver({
			id: 'ticket-1',
			subject: '[PATCH lantern] keys: a ticket',
			text: patchText('src/ticket.c', `Compare ~alice/lantern#7 and ${todo}/~alice/lantern/8.`),
		});
		const ref = await patchsetNamed(stores, 'keys: a ticket');
		const { tickets } = await stores.reviews.read(ref, wanted());
		assert.ok(tickets.some(({ owner, name, id }) => owner === '~alice' && name === 'lantern' && id === 7));
		const [mention] = stores.mentions.of({ tracker: { owner: '~alice', name: 'lantern' }, id: 7 });
		assert.deepEqual([mention?.patchsetId, mention?.list], [ref.id, devel]);
	});

	test('a new status shows in the review, and the server rejects it from others', async () => {
		const alice = storesOf('alice');
		const ref = await patchsetNamed(alice, 'build: a target for fuzzing');
		await alice.reviews.read(ref, wanted());
		await alice.lists.setStatus(ref, 'needs_revision', wanted());
		assert.equal(alice.reviews.known(ref)?.patchset.status, 'needs_revision');
		await alice.lists.setStatus(ref, 'proposed', wanted());
		const bob = storesOf('bob');
		assert.deepEqual(await problemFrom(bob.lists.setStatus(ref, 'applied', wanted())), { kind: 'notAllowed' });
	});

	test('the store finds a person’s patchsets in all lists, with their status', async () => {
		const { people } = storesOf('bob');
		const { items, lists, failure } = await people.readSent('~bob', { deeper: false }, wanted());
		assert.equal(failure, undefined);
		assert.ok(lists.length > 2 && lists.every(({ part }) => part.kind === 'known'));
		const subjects = items.map(({ patchset }) => `${patchset.subject} v${patchset.version}`);
		for (const expected of ['fold: nest as deep as you like v2', 'plugins: a sandbox v1']) {
			assert.ok(subjects.includes(expected), expected);
		}
		assert.ok(!subjects.includes('manual: one voice v3'));
	});

	test('the owner creates, describes and deletes a list with its subscription', async () => {
		const { lists } = storesOf('alice');
		await Promise.all([lists.own.first(wanted()), lists.subscriptions.first(wanted())]);
		const ref = { owner: '~alice', name: 'made-by-store' };
		await lists.writes.create({ name: ref.name, description: 'First' }, wanted());
		assert.ok((await lists.own.first(wanted())).items.some(({ name }) => name === ref.name));
		assert.ok(lists.collection.subscription(ref));
		await lists.writes.describe(ref, 'Second', wanted());
		assert.equal(lists.collection.known(ref)?.description, 'Second');
		assert.ok(lists.writes.remove);
		await lists.writes.remove(ref, wanted());
		assert.equal(lists.collection.known(ref), undefined);
		assert.deepEqual(await problemFrom(lists.list(ref, wanted())), { kind: 'notFound' });
	});

	test('the store subscribes to a list and unsubscribes', async () => {
		const { lists } = storesOf('erin');
		await lists.subscriptions.first(wanted());
		await lists.unsubscribe(users, wanted()).catch(() => undefined);
		await lists.subscribe(users, wanted());
		assert.equal(lists.collection.subscription(users)?.list.name, users.name);
		const again = storesOf('erin');
		await again.lists.unsubscribe(users, wanted());
		assert.equal(again.lists.collection.subscription(users), undefined);
	});

	test('a list includes the permissions to browse, reply, post and moderate', async () => {
		const { lists } = storesOf('bob');
		const { permissions } = await lists.list(devel, wanted());
		assert.ok(permissions?.account?.includes('browse'));
		assert.ok(!permissions?.nonsubscriber?.includes('moderate'));
	});

	test('the sample forge reports no unexpected crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

/** These requests exist only in REST, as do people by their address. */
contractSuite('caches of mails and people', { inBoth: true }, ({ dialect, forge }) => {
	const isField = dialect === 'field';
	const { storesOf, patchsetNamed, deliver } = storesAt(forge);

	/** The number of single requests per mail. */
	async function mailRequests(): Promise<ReadonlyMap<string, number>> {
		const counts = new Map<string, number>();
		for (const { path } of await forge().sample.requests()) {
			const id = /\/emails\/(\d+)$/.exec(path)?.[1];
			if (id !== undefined) {
				counts.set(id, (counts.get(id) ?? 0) + 1);
			}
		}
		return counts;
	}

	test('a patchset with its conversation reads each mail once, from short and from full threads', async () => {
		const stores = storesOf('bob');
		const ref = await patchsetNamed(stores, 'plugins: a sandbox');
		await forge().sample.forgetRequests();
		const standing = await stores.reviews.read(ref, wanted());
		assert.ok(standing.mails.length > 10);
		assert.deepEqual(standing.failures, []);
		const counts = await mailRequests();
		assert.ok([...counts.values()].every((count) => count === 1));
		// In the field, all mails but the cover letter arrive with their thread and patches.
		assert.equal(counts.size, isField ? 1 : standing.mails.length - standing.series.patches.length);
		await forge().sample.forgetRequests();
		await Promise.all([
			stores.reviews.read(ref, wanted()),
			stores.lists.thread(devel, standing.threadId ?? 0, wanted()),
			stores.texts.readAll(
				standing.mails.map(({ id }) => id),
				wanted(),
			),
		]);
		assert.deepEqual(await forge().sample.requests(), []);
	});

	test('a cached patchset costs four requests in another window: itself, its list’s rows and its thread', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());

		/** Opens the page and returns its requests. */
		async function opened(ref: PatchsetRef): Promise<readonly string[]> {
			const client = forge().as('bob');
			const lists = new ListStore({
				journal: journalInMemory(),
				api: client.lists,
				me: '~bob',
				followed: keptNames(),
				disk,
			});
			await forge().sample.forgetRequests();
			await lists.renewPatchset(ref, wanted());
			const standing = await mailStores({ lists, forge: client }).reviews.read(ref, wanted());
			assert.ok(standing.mails.length > 10);
			assert.deepEqual(standing.failures, []);
			return (await forge().sample.requests()).map(({ path }) => path.replace(/.*\/(?=[a-z])/, '').replace(/\?.*/, ''));
		}

		const ref = await patchsetNamed(storesOf('bob'), 'plugins: a sandbox');
		const first = await opened(ref);
		const again = await opened(ref);
		assert.deepEqual(
			again.map((path) => path.replace(/\/\d+$/, '')),
			['patchsets', 'patchsets', 'posts', 'thread'],
		);
		// In the field, texts arrive with the conversation and the patches.
		assert.equal(first.length, isField ? 6 : 18);
	});

	test('a mail opened by its address costs one request, and none in another window', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());
		const subject = '[PATCH lantern 0/3] packaging: tidy the scripts';
		const first = storesOf('bob');
		const { series } = await first.reviews.read(await patchsetNamed(first, 'packaging: tidy the scripts'), wanted());
		const messageId = series.cover?.messageId ?? '';

		/** Opens the mail and returns its requests: lookup, conversation and text. */
		async function opened(): Promise<readonly string[]> {
			await forge().sample.forgetRequests();
			const lists = new ListStore({
				journal: journalInMemory(),
				api: forge().as('bob').lists,
				me: '~bob',
				followed: keptNames(),
				disk,
			});
			const found = await findMail(lists, { messageId, list: devel }, wanted());
			assert.equal(found?.mail.subject, subject);
			await lists.thread(devel, found.mail.id, wanted());
			await lists.mails.mail(found.mail.id, wanted());
			return (await forge().sample.requests()).map(({ path }) => decodeURIComponent(path).replace(/\d+$/, 'N'));
		}

		const thread = `/api/thread/${messageId}`;
		assert.deepEqual(await opened(), isField ? [thread] : [thread, '/api/emails/N']);
		assert.deepEqual(await opened(), ['/api/thread/N']);
	});

	test('the store finds people by name and by address, with their objects', async () => {
		const { people } = storesOf('carol');
		const byName = await people.read('~bob', wanted());
		assert.equal(byName.profile.kind === 'known' && byName.profile.value?.email, 'bob@forge.test');
		for (const part of [byName.trackers, byName.lists, byName.repositories]) {
			assert.equal(part.kind, 'known');
		}
		assert.ok(byName.repositories.kind === 'known' && byName.repositories.value.items.length > 0);
		const byAddress = await people.read('Bob@forge.test', wanted());
		assert.equal(byAddress.account, '~bob');
		assert.deepEqual(byAddress.repositories, byName.repositories);
		assert.ok(byName.mails.kind === 'known' && byAddress.mails.kind === 'known');
		const ids = byName.mails.value.items.map(({ id }) => id);
		assert.deepEqual(
			byAddress.mails.value.items.map(({ id }) => id),
			ids,
		);
		const last = await people.more('~bob', 'mails', wanted());
		assert.ok(last.mails.kind === 'known' && last.mails.value.items.length >= ids.length);
	});

	test('an address without an account has the mails that it sent', async () => {
		const stranger = 'stranger@elsewhere.test';
		await deliver({ id: 'stranger-1', subject: 'Hello', from: `Stranger <${stranger}>`, text: 'Good day.' });
		await deliver({ id: 'stranger-2', subject: 'Not theirs', from: 'Other <other@elsewhere.test>', text: stranger });
		const { people } = storesOf('carol', '~alice/lantern-devel');
		const { account, mails, trackers } = await people.read(stranger, wanted());
		assert.equal(account, undefined);
		assert.ok(mails.kind === 'known');
		assert.deepEqual(
			mails.value.items.map(({ subject }) => subject),
			['Hello'],
		);
		assert.ok(trackers.kind === 'known' && trackers.value.items.length === 0);
	});
});
