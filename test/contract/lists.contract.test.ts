import assert from 'node:assert/strict';
import { findMail } from '../../src/store/lists/findMail.ts';
import { type ListStore, uncachedListReads } from '../../src/store/lists/listStore.ts';
import { standFor } from '../support/standFor.ts';
import type { Email, ListRef, ShortEmail } from 'sourcehut/port/list.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { agedProtocolSuite, allItems, allPages, contractSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { askGraphql } from '../support/askGraphql.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const devel: ListRef = { owner: '~alice', name: 'lantern-devel' };
const users: ListRef = { owner: '~alice', name: 'lantern-users' };

/** The longest series on the list. */
async function longestSeries({ lists }: Forge): Promise<{ readonly id: number; readonly patches: readonly Email[] }> {
	let longest: { readonly id: number; readonly patches: readonly Email[] } = { id: 0, patches: [] };
	for (const { id } of await allItems(lists.patchsets(devel, wanted()))) {
		const patches = await allItems(lists.patches({ list: devel, id }, wanted()));
		longest = patches.length > longest.patches.length ? { id, patches } : longest;
	}
	return longest;
}

agedProtocolSuite('lists', { inBoth: true }, ({ dialect, forge, testWith }) => {
	const isField = dialect === 'field';
	const isDocument = dialect === 'document';
	const isGraphql = dialect === 'graphql';

	const series = (): ReturnType<typeof longestSeries> => longestSeries(forge().as('alice'));

	test('own lists and other people’s lists list alike', async () => {
		const own = await allItems(forge().as('alice').lists.lists(undefined, wanted()));
		assert.ok(own.some(({ name }) => name === 'lantern-devel'));
		assert.ok(own.every(({ owner }) => owner.canonicalName === '~alice'));
		assert.ok(own.every(({ permissions }) => permissions !== undefined));
		const seen = await allItems(forge().as('bob').lists.lists('~alice', wanted()));
		assert.ok(seen.some(({ name }) => name === 'lantern-users'));
		const { permissions, ...read } = await forge().as('bob').lists.list(devel, wanted());
		const { permissions: asOwner, ...listed } = own.find(({ name }) => name === 'lantern-devel') ?? assert.fail();
		assert.deepEqual(read, listed);
		// GraphQL also returns the account's own permissions.
		assert.equal(asOwner?.mine?.includes('moderate') ?? false, isGraphql);
		assert.deepEqual({ ...permissions, mine: undefined }, { ...asOwner, mine: undefined });
		const announce = own.find(({ name }) => name === 'lantern-announce')?.permissions;
		assert.deepEqual(announce?.account, ['browse'], 'everybody may read it, and nobody write');
	});

	testWith(
		'lists.mails',
		'the client lists all mails with replies if the server cannot list a person’s mails',
		async () => {
			const { lists } = forge().as('bob');
			assert.ok(lists.mails !== undefined && lists.emailsOf === undefined);
			const pages = await allPages(lists.mails(devel, wanted()));
			const mails = pages.flatMap(({ items }) => items);
			assert.ok(
				mails.some(({ threadId }) => threadId !== undefined) && mails.some(({ threadId }) => threadId === undefined),
			);
			assert.ok(mails.some(({ sender }) => sender?.canonicalName === '~alice'));
			const inOrder = mails.toSorted((one, other) => other.createdMs - one.createdMs);
			assert.deepEqual(
				mails.map(({ createdMs }) => createdMs),
				inOrder.map(({ createdMs }) => createdMs),
			);
			assert.equal(pages.at(-1)?.completeness.kind, 'unstated', 'between pages some are lost');
		},
	);

	test('the owner creates, describes and deletes a list', async () => {
		const { lists } = forge().as('alice');
		const made = await lists.create({ name: 'made-here', description: 'First' }, wanted());
		assert.deepEqual([made.name, made.description], ['made-here', 'First']);
		assert.equal((await lists.update({ owner: '~alice', name: 'made-here' }, 'Other', wanted())).description, 'Other');
		await lists.remove?.({ owner: '~alice', name: 'made-here' }, wanted());
		const gone = lists.list({ owner: '~alice', name: 'made-here' }, wanted());
		assert.deepEqual(await problemFrom(gone), { kind: 'notFound' });
	});

	test('the server rejects an invalid name with its field and without markup', async () => {
		const problem = await problemFrom(forge().as('alice').lists.create({ name: 'No Way' }, wanted()));
		assert.ok(problem.kind === 'invalid' && problem.errors.some(({ field }) => field === 'name'));
		assert.doesNotMatch(JSON.stringify(problem), /[<>]/);
	});

	test('posts are unique, start threads where the server lists those, and state their completeness', async () => {
		const pages = await allPages(forge().as('bob').lists.posts(users, wanted()));
		const mails = pages.flatMap(({ items }) => items);
		assert.equal(new Set(mails.map(({ id }) => id)).size, mails.length);
		assert.ok(mails.length > (isDocument ? 90 : 20));
		assert.ok(mails.every(({ list }) => list?.name === 'lantern-users'));
		assert.equal(
			mails.every(({ threadId }) => threadId === undefined),
			!isDocument,
		);
		// GraphQL loses threads between pages, so only a single page is known to be complete.
		const isWhole = isField || (isGraphql && pages.length === 1);
		assert.equal(pages.at(-1)?.completeness.kind, isWhole ? 'complete' : 'unstated');
	});

	test('a mail is the same by number and by Message-ID, with its raw text', async () => {
		const { lists } = forge().as('bob');
		const [listed] = await allItems(lists.posts(devel, wanted()));
		assert.ok(listed);
		const mail = await lists.email(listed.id, wanted());
		assert.deepEqual(await lists.email({ messageId: listed.messageId, list: devel }, wanted()), mail);
		// Servers keep the mbox "From " line; "the original email" of the document has none.
		assert.equal(mail.envelope.startsWith('From nobody '), isField);
		assert.match(mail.envelope, /\r\n\r\n/);
		assert.ok(mail.envelope.includes(mail.messageId));
		const { subject, messageId, createdMs } = mail;
		assert.deepEqual([subject, messageId, createdMs], [listed.subject, listed.messageId, listed.createdMs]);
	});

	test('a thread comes in reading order, with no reply before its parent', async () => {
		const { lists } = forge().as('bob');
		const starters = (await allItems(lists.posts(devel, wanted()))).filter(({ threadId }) => threadId === undefined);
		let longest: readonly (Email | ShortEmail)[] = [];
		for (const { id } of starters) {
			const thread = await lists.thread(id, wanted());
			assert.equal(thread[0]?.id, id);
			const places = new Map(thread.map((mail, place) => [mail.id, place]));
			assert.ok(
				thread.every(({ id: own, parentId }) => {
					const parent = parentId === undefined ? undefined : places.get(parentId);
					return parent === undefined || parent < (places.get(own) ?? 0);
				}),
			);
			longest = thread.length > longest.length ? thread : longest;
		}
		assert.ok(longest.length > 5);
		assert.equal(
			longest.every((mail) => 'envelope' in mail),
			!isDocument,
		);
		assert.deepEqual(await lists.thread({ messageId: longest[0]?.messageId ?? '', list: devel }, wanted()), longest);
	});

	test('patches come in series order, with their text and without the cover letter', async () => {
		const { id, patches } = await series();
		assert.ok(patches.length > 3);
		const places = patches.map(({ subject }) => Number(/ ?(\d+)\/\d+\]/.exec(subject)?.[1]));
		assert.deepEqual(
			places,
			places.map((_, place) => place + 1),
		);
		assert.ok(patches.every(({ isPatch }) => isPatch));
		assert.ok(patches.every(({ patchsetId }) => patchsetId === (isDocument ? undefined : id)));
	});

	test('a patchset is the same as in the listing, with the data that its server reports', async () => {
		const { lists } = forge().as('bob');
		const patchsets = await allItems(lists.patchsets(devel, wanted()));
		assert.ok(patchsets.length > 15);
		for (const listed of patchsets.slice(0, 5)) {
			assert.deepEqual(await lists.patchset({ list: devel, id: listed.id }, wanted()), listed);
		}
		assert.equal(
			patchsets.every(({ submitter }) => submitter !== undefined),
			!isDocument,
		);
		assert.equal(
			patchsets.every(({ list }) => list?.name === 'lantern-devel'),
			!isField,
		);
		assert.equal(
			patchsets.some(({ coverLetter }) => coverLetter !== undefined),
			!isField,
		);
	});

	test('a patchset includes the results of tools if its server reports them', async () => {
		const { lists } = forge().as('alice');
		const { id } = await series();
		const ref = { list: devel, id };
		if (!isGraphql) {
			assert.ok(!('tools' in (await lists.patchset(ref, wanted()))));
			return;
		}
		const asked = { area: 'lists', variables: { id }, token: forge().sample.tokens.alice } as const;
		const made = 'mutation Made($id: Int!) { createTool(patchsetID: $id, details: "**1** of 2", icon: FAILED) { id } }';
		assert.equal((await askGraphql(forge().sample, made, asked)).status, 200);
		const [tool] = (await lists.patchset(ref, wanted())).tools ?? [];
		assert.deepEqual([tool?.state, tool?.details], ['failed', '**1** of 2']);
	});

	test('only the owner of the list can set a status, and can set any status', async () => {
		const { lists } = forge().as('alice');
		const { id } = await series();
		const ref = { list: devel, id };
		for (const status of ['approved', 'rejected', 'needs_revision', 'superseded', 'applied', 'proposed'] as const) {
			assert.equal((await lists.setPatchsetStatus(ref, status, wanted())).status, status);
			assert.equal((await lists.patchset(ref, wanted())).status, status);
		}
		const byBob = forge().as('bob').lists.setPatchsetStatus(ref, 'applied', wanted());
		assert.deepEqual(await problemFrom(byBob), { kind: 'notAllowed' });
	});

	test('the client subscribes to a list and unsubscribes', async () => {
		const { lists } = forge().as('erin');
		const made = await lists.subscribe(devel, wanted());
		assert.deepEqual(made.list, { name: 'lantern-devel', owner: { canonicalName: '~alice', name: 'alice' } });
		assert.ok((await allItems(lists.subscriptions([], wanted()))).some(({ id }) => id === made.id));
		if (isGraphql) {
			assert.deepEqual(await lists.subscribe(devel, wanted()), made);
		} else {
			const again = await problemFrom(lists.subscribe(devel, wanted()));
			assert.equal(again.kind === 'invalid' && again.errors[0]?.field, 'list');
		}
		await lists.unsubscribe(made, wanted());
		assert.ok((await allItems(lists.subscriptions([], wanted()))).every(({ id }) => id !== made.id));
	});

	test('the client updates and deletes a recreated list under its new number', async () => {
		const { lists } = forge().as('alice');
		const elsewhere = forge().as('alice').lists;
		const ref = { owner: '~alice', name: 'twice-made' };
		const again = async (): Promise<void> => {
			await elsewhere.remove?.(ref, wanted());
			await elsewhere.create({ name: ref.name }, wanted());
		};
		await lists.create({ name: ref.name }, wanted());
		await lists.list(ref, wanted());
		await again();
		assert.equal((await lists.update(ref, 'Second', wanted())).description, 'Second');
		await again();
		const { webhooks } = forge().as('alice');
		const family = { kind: 'list', ref } as const;
		const events = webhooks.offers(family).events.all.slice(0, 1);
		await again();
		await webhooks.create(family, { url: 'http://127.0.0.1:9/', events }, wanted());
		await again();
		await lists.remove?.(ref, wanted());
		assert.deepEqual(await problemFrom(lists.list(ref, wanted())), { kind: 'notFound' });
	});

	test('the client reports missing lists, patchsets, mails and threads as not found', async () => {
		const { lists } = forge().as('bob');
		const nothing = { owner: '~alice', name: 'no-such' };
		for (const work of [
			() => lists.list(nothing, wanted()),
			() => allItems(lists.posts(nothing, wanted())),
			() => allItems(lists.patchsets(nothing, wanted())),
			() => lists.patchset({ list: devel, id: 99_999 }, wanted()),
			() => allItems(lists.patches({ list: devel, id: 99_999 }, wanted())),
			() => lists.email(99_999, wanted()),
			() => lists.email({ messageId: '<no-such@forge.test>', list: devel }, wanted()),
			() => lists.thread(99_999, wanted()),
			() => lists.subscribe(nothing, wanted()),
		]) {
			assert.deepEqual(await problemFrom(work()), { kind: 'notFound' });
		}
	});

	testWith(
		'lists.archive',
		'the archive of a list contains every raw mail, or only those of the last days',
		async () => {
			const { lists } = forge().as('bob');
			assert.ok(lists.archive !== undefined);
			const read = async (ref: ListRef, sinceDays?: number): Promise<readonly string[]> => {
				const mails: string[] = [];
				for await (const piece of lists.archive?.(ref, { sinceDays, mostBytes: 16_000_000 }, wanted()) ?? []) {
					mails.push(...piece.mails);
				}
				return mails;
			};
			const all = await read(devel);
			const { patches } = await series();
			for (const { envelope } of patches) {
				assert.ok(all.includes(envelope.replaceAll('\r\n', '\n')), 'a patch is in it as it came');
			}
			assert.ok(all.length > 100, `${all.length} mails`);
			const [some, none] = [await read(devel, 60), await read(devel, 1)];
			assert.ok(some.length < all.length && none.length <= some.length, `${some.length} and ${none.length} mails`);
			assert.deepEqual(all.slice(all.length - some.length), some);
			const tooMuch = lists.archive(devel, { sinceDays: undefined, mostBytes: 1000 }, wanted());
			assert.deepEqual(await problemFrom(tooMuch.next()), { kind: 'tooLarge', limitBytes: 1000 });
			const nothing = lists.archive({ owner: '~bob', name: 'nothing' }, { sinceDays: 1, mostBytes: 1000 }, wanted());
			assert.deepEqual(await problemFrom(nothing.next()), { kind: 'notFound' });
		},
	);

	testWith('lists.search', 'a search finds mails by the server’s rules', async () => {
		const { lists } = forge().as('bob');
		const patches = await allItems(lists.search?.(devel, 'is:patch', wanted()) ?? lists.posts(devel, wanted()));
		assert.ok(patches.length > 20);
		assert.ok(patches.every(({ subject }) => /\[.*PATCH/.test(subject)));
	});

	testWith('lists.emailsOf', 'the mails of a person come in pages', async () => {
		const pages = await allPages(forge().as('alice').lists.emailsOf?.(undefined, wanted()) ?? assert.fail());
		assert.ok(pages.flatMap(({ items }) => items).every(({ sender }) => sender?.canonicalName === '~alice'));
		assert.equal(pages.length, isField ? 2 : 1);
	});

	testWith('lists.subscription', 'the subscriber reads a subscription by its number', async () => {
		const { lists } = forge().as('erin');
		const made = await lists.subscribe(devel, wanted());
		assert.deepEqual((await lists.subscription?.(made.id, wanted())) ?? assert.fail(), made);
		await lists.unsubscribe(made, wanted());
		assert.deepEqual(await problemFrom(lists.subscription?.(made.id, wanted()) ?? assert.fail()), { kind: 'notFound' });
		const [own] = await allItems(forge().as('alice').lists.subscriptions([], wanted()));
		assert.ok(own);
		const problem = await problemFrom(forge().as('bob').lists.subscription?.(own.id, wanted()) ?? assert.fail());
		assert.ok(problem.kind === 'notAllowed' || problem.kind === 'notFound');
	});

	test('the sample forge reports no unexpected crash', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

/** Message-IDs, statuses and scopes as REST requests have them. */
contractSuite('lists over REST', { inBoth: true }, ({ dialect, forge }) => {
	const isField = dialect === 'field';
	const series = (): ReturnType<typeof longestSeries> => longestSeries(forge().as('alice'));

	test('the client finds a Message-ID without its list', async () => {
		const { lists } = forge().as('bob');
		const [listed] = await allItems(lists.posts(devel, wanted()));
		assert.ok(listed);
		const mail = await lists.email({ messageId: listed.messageId, list: undefined }, wanted());
		assert.equal(mail.id, listed.id);
	});

	test('a mail with a slash in its Message-ID is only available by number and by search, and the client says so', async () => {
		const { sample } = forge();
		await sample.act('/lists/mail', {
			list: '~alice/lantern-users',
			mail: [
				'From: Bob <bob@forge.test>',
				'To: ~alice/lantern-users@lists.forge.test',
				'Subject: A slash',
				'Message-ID: <a/b@forge.test>',
				'',
				'Hello',
				'',
			].join('\r\n'),
		});
		const { lists } = forge().as('bob');
		const found = (await allItems(lists.posts(users, wanted()))).find(({ subject }) => subject === 'A slash');
		assert.equal(found?.messageId, '<a/b@forge.test>');
		await sample.forgetRequests();
		const problem = await problemFrom(lists.email({ messageId: '<a/b@forge.test>', list: undefined }, wanted()));
		assert.equal(problem.kind === 'invalid' && problem.errors[0]?.own, 'slashInMessageId');
		assert.deepEqual(await sample.requests(), []);
		assert.equal((await lists.email(found.id, wanted())).subject, 'A slash');
		const knowsNothing = standFor<ListStore>({
			knownMailNamed: () => undefined,
			mails: standFor<ListStore['mails']>({
				hereNamed: () => Promise.resolve(undefined),
				foundNamed: () => undefined,
			}),
			uncached: uncachedListReads(lists),
		});
		const parts = { lists: knowsNothing };
		const place = { messageId: '<a/b@forge.test>', list: users };
		assert.equal((await findMail(parts.lists, place, wanted()))?.mail.id, found.id);
		assert.equal(await findMail(parts.lists, { ...place, messageId: '<a/c@forge.test>' }, wanted()), undefined);
	});

	test('the client sends an unknown status as spelled, and the forge rejects it unless it has that status', async () => {
		const { lists } = forge().as('alice');
		const { id } = await series();
		const ref = { list: devel, id };
		assert.equal((await problemFrom(lists.setPatchsetStatus(ref, 'other:on hold', wanted()))).kind, 'invalid');
		// Known statuses never have the prefix, so the server receives the bare word.
		assert.equal((await lists.setPatchsetStatus(ref, 'other:approved', wanted())).status, 'approved');
		assert.equal((await lists.setPatchsetStatus(ref, 'proposed', wanted())).status, 'proposed');
	});

	test('setting a patchset status requests the scope that the server requires', async () => {
		const { sample, instance } = forge();
		const token = await sample.token('alice', restProtocol(instance).grantsOf('patches:read'));
		const wishes: unknown[] = [];
		const { lists } = forge().withToken('alice', ({ scope }) => {
			wishes.push(scope);
			return token;
		});
		const { id } = await series();
		const mark = lists.setPatchsetStatus({ list: devel, id }, 'approved', wanted());
		if (isField) {
			const problem = await problemFrom(mark);
			assert.equal(problem.kind === 'missingScope' && problem.scope, 'patches:write');
		} else {
			assert.equal((await mark).status, 'approved');
		}
		assert.deepEqual(wishes, ['patches:write']);
	});
});
