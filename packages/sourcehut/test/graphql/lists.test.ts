import assert from 'node:assert/strict';
import type { ListApi } from '../../src/port/forge.ts';
import { graphqlLists } from '../../src/graphql/lists/graphqlLists.ts';
import { allItems, allPages, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { grantToken } from '../../../../test/support/grantToken.ts';
import {
	graphqlServer,
	type Answered,
	type AskedQuery,
	type GraphqlServer,
} from '../../../../test/support/graphqlServer.ts';

const owner = { canonicalName: '~alice' };
const list = { name: 'devel', owner };
const devel = { owner: '~alice', name: 'devel' };
const refused = 'the requested element is null which the schema does not allow';

interface WireMail {
	readonly id: number;
	readonly messageID: string;
}

function wireMail({ id, messageID }: WireMail): object {
	return {
		id,
		received: `2026-11-21T11:46:${String(id % 60).padStart(2, '0')}.5Z`,
		subject: `Mail ${id}`,
		messageID,
		sender: { canonicalName: '~bob', username: 'bob', email: 'bob@lab.example' },
		parent: null,
		patchset: null,
		patch: { index: null, version: null },
		list,
	};
}

const named = (id: number): WireMail => ({ id, messageID: `${id}@lab.example` });

function inMailbox(ids: readonly number[]): string {
	return ids
		.map((id) => `From bob@lab.example Sat Nov 21 11:46:12 2026\nMessage-ID: <${id}@lab.example>\n\nText ${id}\n\n\n`)
		.join('');
}

/** Wraps a result in the list field. */
function inList(answer: object | null): Answered {
	return { data: { user: { list: answer } } };
}

function thread(ids: readonly number[]): object {
	const [first = 0] = ids;
	return {
		replies: ids.length - 1,
		participants: 1,
		root: wireMail(named(first)),
		blocks: ids.map((id) => ({ source: wireMail(named(id)) })),
	};
}

interface Served extends GraphqlServer {
	readonly lists: ListApi;
}

function serve(answer: (asked: AskedQuery) => Answered, files?: (path: string) => string | undefined): Served {
	const server = graphqlServer(answer, files === undefined ? {} : { files });
	return { ...server, lists: graphqlLists(server.caller, server.files) };
}

const head = {
	id: 7,
	...list,
	created: '2026-11-01T00:00:00Z',
	updated: '2026-11-01T00:00:00Z',
	lastActivity: '2026-11-02T00:00:00.25Z',
	description: null,
	access: { browse: true, reply: true, post: false, moderate: false },
};

suite('lists over GraphQL', () => {
	test('have the time of their last message and our permissions', async () => {
		const { lists } = serve(() => inList(head));
		const read = await lists.list(devel, wanted());
		assert.equal(read.updatedMs, Date.UTC(2026, 10, 2, 0, 0, 0, 250));
		assert.deepEqual(read.permissions?.mine, ['browse', 'reply']);
	});

	const page = (ids: readonly number[], cursor: string | null): Answered =>
		inList({ threads: { cursor, results: ids.map((id) => ({ root: wireMail(named(id)) })) } });

	test('a listing of one page is complete, and one of several pages has unknown completeness', async () => {
		const whole = await allPages(serve(() => page([2, 1], null)).lists.posts(devel, wanted()));
		assert.deepEqual(
			whole.map(({ completeness }) => completeness.kind),
			['complete'],
		);
		const parts = await allPages(
			serve(({ variables: { cursor } }) => (cursor === 'x' ? page([1], null) : page([2], 'x'))).lists.posts(
				devel,
				wanted(),
			),
		);
		assert.deepEqual(
			parts.map(({ completeness }) => completeness.kind),
			['more', 'unstated'],
		);
	});

	test('a repeated page ends the listing as incomplete and without a next page', async () => {
		let count = 0;
		const { lists, asked } = serve(() => page([3, 2, 1], `next ${++count}`));
		const [first, again, ...others] = await allPages(lists.posts(devel, wanted()));
		assert.equal(first?.next, 'next 1');
		assert.deepEqual(again, { items: [], seen: 3, completeness: { kind: 'more', total: undefined } });
		assert.deepEqual(others, []);
		assert.equal(asked.length, 2);
	});

	for (const id of [0, 1.5, 2 ** 31, Number.NaN]) {
		test(`number ${id} is never sent, because the server would crash`, async () => {
			const { lists, asked } = serve(() => ({ data: null }));
			const ref = { list: devel, id };
			for (const work of [
				() => lists.email(id, wanted()),
				() => lists.thread(id, wanted()),
				() => lists.patchset(ref, wanted()),
				() => allItems(lists.patches(ref, wanted())),
				() => lists.setPatchsetStatus(ref, 'applied', wanted()),
			]) {
				assert.deepEqual(await problemFrom(work()), { kind: 'notFound' });
			}
			assert.deepEqual(asked, []);
		});
	}

	const patchset = {
		id: 3,
		created: '2026-11-01T00:00:00Z',
		updated: '2026-11-01T00:00:00Z',
		subject: 'One',
		prefix: null,
		version: 1,
		status: 'PROPOSED',
		submitter: owner,
		list,
		coverLetter: null,
		supersededBy: null,
	};

	test('a patchset has its superseded patchset and tool results if the server sends them', async () => {
		const updated = '2026-11-02T00:00:00Z';
		const tools = [
			{ id: 1, updated, icon: 'FAILED', details: '[#7](https://builds.lab.example/7)' },
			{ id: 2, updated, icon: 'QUEUED', details: '' },
		];
		const told = serve(() => ({ data: { patchset: { ...patchset, supersedes: { id: 2 }, tools } } }));
		const { supersedesId, tools: found } = await told.lists.patchset({ list: devel, id: 3 }, wanted());
		assert.equal(supersedesId, 2);
		const updatedMs = Date.UTC(2026, 10, 2);
		assert.deepEqual(found, [
			{ id: 1, updatedMs, state: 'failed', details: '[#7](https://builds.lab.example/7)' },
			{ id: 2, updatedMs, state: 'other:queued', details: '' },
		]);
		const older = await serve(() => ({ data: { patchset } })).lists.patchset({ list: devel, id: 3 }, wanted());
		assert.ok(!('supersedesId' in older) && !('tools' in older));
	});

	test('a write with a null result causes a lookup', async () => {
		const answers =
			(isThere: boolean) =>
			({ name }: AskedQuery) => ({
				data: name === 'UpdatePatchset' ? { updatePatchset: null } : { patchset: isThere ? patchset : null },
			});
		for (const [isThere, kind] of [
			[true, 'notAllowed'],
			[false, 'notFound'],
		] as const) {
			const { lists, names } = serve(answers(isThere));
			assert.deepEqual(await problemFrom(lists.setPatchsetStatus({ list: devel, id: 3 }, 'applied', wanted())), {
				kind,
			});
			assert.deepEqual(names(), ['UpdatePatchset', 'Patchset']);
		}
	});

	test('a write whose number lookup fails counts as unsent', async () => {
		const { lists, asked } = serve(() => ({ status: 500, text: '' }));
		for (const work of [
			() => lists.update(devel, 'Words', wanted()),
			() => lists.remove?.(devel, wanted()) ?? Promise.resolve(),
			() => lists.subscribe(devel, wanted()),
		]) {
			await assert.rejects(work, { problem: { kind: 'serverError', status: 500 }, isUnsent: true });
		}
		assert.ok(asked.every(({ name }) => name === 'List'));
	});

	test('an update of a list uses the current number of its name', async () => {
		let isOurs = true;
		const { lists, names, asked } = serve(({ name }) =>
			name === 'UpdateMailingList' ? { data: { updateMailingList: isOurs ? head : null } } : inList(head),
		);
		await lists.update(devel, 'New', wanted());
		await lists.update({ ...devel, name: 'DEVEL' }, '', wanted());
		assert.deepEqual(names(), ['List', 'UpdateMailingList', 'List', 'List', 'UpdateMailingList', 'List']);
		assert.deepEqual(asked.at(-2)?.variables, { id: 7, input: { description: null } });
		isOurs = false;
		assert.deepEqual(await problemFrom(lists.update(devel, 'No', wanted())), { kind: 'notAllowed' });
		assert.deepEqual(names(), ['List', 'UpdateMailingList', 'List']);
	});
});

suite('list field that needs an optional permission', () => {
	const granted = 'lists.sr.ht/LISTS:RW lists.sr.ht/PROFILE:RO lists.sr.ht/EMAILS:RO';
	const tokenWith = (grants: string): string =>
		grantToken({ expiresS: 2_000_000_000, grants, clientId: '', name: 'alice' });
	const missing = {
		access: { message: 'Access denied, missing ACLS:RO grant', path: ['user', 'lists', 'results', 0, 'access'] },
		// An error without a path.
		patchset: { message: 'Access denied, missing PATCHES:RO grant' },
	};

	function serveWith(token: string, isMissing = true) {
		const server = graphqlServer(
			({ name, query }) => {
				const lacks = query.includes('access{') ? 'access' : query.includes('patchset{') ? 'patchset' : undefined;
				if (isMissing && lacks) {
					return { data: { user: null }, errors: [missing[lacks]] };
				}
				const { access: _, ...bare } = head;
				return name === 'UpdateMailingList'
					? { data: { updateMailingList: bare } }
					: name === 'List'
						? inList(bare)
						: name === 'Mails'
							? inList({ emails: { cursor: null, results: [{ ...wireMail(named(4)), thread: { ...thread([4]) } }] } })
							: { data: { user: { lists: { cursor: null, results: [bare] } } } };
			},
			{ tokens: [token] },
		);
		return { ...server, lists: graphqlLists(server.caller, server.files) };
	}

	test('appears in no request after a response says that the permission is missing', async () => {
		const { lists, names } = serveWith('not-told');
		assert.deepEqual(
			(await allItems(lists.lists(undefined, wanted()))).map(({ name }) => name),
			['devel'],
		);
		assert.deepEqual(
			(await allItems(lists.mails?.(devel, wanted()) ?? assert.fail())).map(({ id }) => id),
			[4],
		);
		assert.deepEqual(names(), ['Lists', 'Lists', 'Mails', 'Mails']);
	});

	test('appears in no request with a token known to lack the permission, nor in a mutation', async () => {
		const { lists, names, asked } = serveWith(tokenWith(granted));
		assert.equal((await allItems(lists.lists(undefined, wanted())))[0]?.permissions, undefined);
		assert.equal((await allItems(lists.mails?.(devel, wanted()) ?? assert.fail()))[0]?.patchsetId, undefined);
		await lists.update(devel, 'Words', wanted());
		assert.deepEqual(names(), ['Lists', 'Mails', 'List', 'UpdateMailingList', 'List']);
		assert.ok(asked.every(({ query }) => !/access\{|patchset\{/.test(query)));
	});

	test('appears in requests with a token that has the permission or all permissions', async () => {
		for (const grants of ['', `${granted} lists.sr.ht/ACLS:RW lists.sr.ht/PATCHES:RO`]) {
			const { lists, asked } = serveWith(tokenWith(grants), false);
			await allItems(lists.lists(undefined, wanted()));
			await allItems(lists.mails?.(devel, wanted()) ?? assert.fail()).catch(() => undefined);
			assert.ok(
				asked.every(({ query }) => /access\{|patchset\{/.test(query)),
				grants,
			);
		}
	});
});

suite('messages over GraphQL', () => {
	test('a thread uses its mailbox, including a message missing from the block list', async () => {
		const { lists, names } = serve(
			({ name, variables }) => {
				const messageId = String(variables['messageId']);
				return name === 'Thread'
					? { data: { email: { thread: thread([1, 2]) } } }
					: inList({
							id: 7,
							message: {
								...wireMail({ id: 3, messageID: messageId.slice(1, -1) }),
								thread: { replies: 2, participants: 1, root: { id: 1 } },
							},
						});
			},
			(path) => (path === '/query/thread/1.mbox' ? inMailbox([1, 2, 3]) : undefined),
		);
		const mails = await lists.thread(2, wanted());
		assert.deepEqual(
			mails.map((mail) => [mail.id, mail.threadId, 'envelope' in mail ? mail.envelope.split('\n')[2] : undefined]),
			[
				[1, undefined, 'Text 1'],
				[2, 1, 'Text 2'],
				[3, 1, 'Text 3'],
			],
		);
		assert.deepEqual(names(), ['Thread', '/query/thread/1.mbox', 'MailOfList']);
	});

	test('an unknown message marks its thread or series as incomplete', async () => {
		const { lists } = serve(
			({ name }) =>
				name === 'MailOfList'
					? inList({ id: 7, message: null })
					: { data: { email: { thread: thread([1]) }, patchset: { thread: thread([1]) } } },
			() => inMailbox([1, 2]),
		);
		assert.equal((await problemFrom(lists.thread(1, wanted()))).kind, 'notUnderstood');
		const [page] = await allPages(lists.patches({ list: devel, id: 5 }, wanted()));
		assert.deepEqual([page?.items.length, page?.completeness.kind], [1, 'more']);
	});

	test('a separate request fetches a message that the mailbox format may have altered', async () => {
		const { lists, names } = serve(
			() => ({ data: { email: { thread: thread([1]) } } }),
			(path) => (path === '/query/email/1' ? 'as it came' : `${inMailbox([1]).trimEnd()}\n>From here\n\n\n`),
		);
		const [mail] = await lists.thread(1, wanted());
		assert.ok(mail && 'envelope' in mail);
		assert.equal(mail.envelope, 'as it came');
		assert.deepEqual(names(), ['Thread', '/query/thread/1.mbox', '/query/email/1']);
	});

	test('a Message-ID is looked up with brackets in its own list, and elsewhere only on older servers', async () => {
		const mail = { ...wireMail(named(1)), thread: { replies: 0, participants: 0, root: { id: 1 } } };
		const newer = serve(
			() => inList({ id: 7, message: mail }),
			() => 'text',
		);
		await newer.lists.email({ messageId: '1@lab.example', list: devel }, wanted());
		assert.equal(newer.asked[0]?.variables['messageId'], '<1@lab.example>');

		const lacking = 'Cannot query field "message" on type "MailingList".';
		let where = list;
		const older = serve(
			({ name, query }) => {
				if (name === 'MailOfList') {
					return query.includes('message(') ? { status: 422, errors: [{ message: lacking }] } : inList({ id: 7 });
				}
				return { data: { message: { ...mail, list: where } } };
			},
			() => 'text',
		);
		const id = { messageId: '<1@lab.example>', list: devel };
		assert.equal((await older.lists.email(id, wanted())).id, 1);
		assert.deepEqual(older.names(), ['MailOfList', 'MailOfList', 'MailAnywhere', '/query/email/1']);
		where = { ...list, name: 'other' };
		assert.deepEqual(await problemFrom(older.lists.email(id, wanted())), { kind: 'notFound' });
		assert.deepEqual(await problemFrom(older.lists.email({ ...id, list: undefined }, wanted())), { kind: 'notFound' });
	});

	test('an empty file counts as not found', async () => {
		const mail = { ...wireMail(named(1)), thread: { replies: 0, participants: 0, root: { id: 1 } } };
		const { lists } = serve(
			() => ({ data: { email: mail } }),
			() => '',
		);
		assert.deepEqual(await problemFrom(lists.email(1, wanted())), { kind: 'notFound' });
	});
});

suite('subscriptions over GraphQL', () => {
	const created = '2026-11-01T00:00:00Z';

	function subscribed(name: string, id: number | null): object {
		return { ...list, name, subscription: id === null ? null : { id, created } };
	}

	test('a hidden list does not hide the others of its page, and the result is never complete', async () => {
		const { lists, names } = serve(({ name, query, variables: { cursor, name: wished } }) => {
			switch (name) {
				case 'SubscribedLists':
					return {
						data: { user: { lists: { cursor: null, results: [subscribed('own', 3), subscribed('own2', null)] } } },
					};
				case 'SubscribedList':
					return { data: { user: { list: subscribed(String(wished), 5) } } };
				case 'List':
					return { data: { user: { list: { ...list, id: 9, name: wished, created, updated: created } } } };
				default:
			}
			if (cursor === 'x') {
				return { data: { subscriptions: { cursor: null, results: [{ id: 1, created, list }] } } };
			}
			return query.includes('list{')
				? {
						data: { subscriptions: null },
						errors: [{ message: refused, path: ['subscriptions', 'results', 0, 'list'] }],
					}
				: { data: { subscriptions: { cursor: 'x', results: [5, 3, 2].map((id) => ({ id, created })) } } };
		});
		await lists.list({ owner: '~bob', name: 'theirs' }, wanted());
		names();
		const pages = await allPages(lists.subscriptions([], wanted()));
		assert.deepEqual(
			pages.map(({ items, completeness }) => [items.map((each) => [each.id, each.list.name]), completeness]),
			[
				[
					[
						[5, 'theirs'],
						[3, 'own'],
					],
					{ kind: 'more', total: undefined },
				],
				[[[1, 'devel']], { kind: 'more', total: 4 }],
			],
		);
		const around = ['SubscribedLists', 'SubscribedList'];
		assert.deepEqual(names(), ['Subscriptions', 'Subscriptions', ...around, 'Subscriptions']);
	});

	test('beyond 25 need a lookup in each known list, and the result is never complete', async () => {
		const listOf = (name: string): object => ({ name, owner: { canonicalName: '~bob' } });
		const { lists, asked } = serve(({ name, variables }) => {
			switch (name) {
				case 'Subscriptions': {
					const results = Array.from({ length: 25 }, (_, at) => ({ id: 100 - at, created, list: listOf(`l${at}`) }));
					return { data: { subscriptions: { cursor: variables['cursor'] === undefined ? 'x' : null, results } } };
				}
				case 'SubscribedLists':
					return { data: { user: { lists: { cursor: null, results: [] } } } };
				default: {
					const number = { followed: 7, l0: 100 }[String(variables['name'])];
					const own = number === undefined ? null : { id: number, created };
					return { data: { user: { list: { ...listOf(String(variables['name'])), subscription: own } } } };
				}
			}
		});
		const named = ['followed', 'l0', 'other'].map((name) => ({ owner: '~bob', name }));
		const pages = await allPages(lists.subscriptions(named, wanted()));
		assert.deepEqual(
			pages.map(({ items, seen, completeness }) => [items.length, seen, completeness]),
			[
				[25, 25, { kind: 'more', total: undefined }],
				[1, 26, { kind: 'more', total: undefined, isLast: true }],
			],
		);
		assert.equal(pages[1]?.items[0]?.list.name, 'followed');
		assert.equal(asked.filter(({ name }) => name === 'SubscribedList').length, 3);
	});

	test('use the current number of a recreated list', async () => {
		let id = 7;
		const { lists, asked, names } = serve(({ name }) => {
			if (name === 'List') {
				return inList({ ...head, id });
			}
			return name === 'SubscribedList'
				? inList({ ...list, subscription: { id: 3, created } })
				: { data: { mailingListSubscribe: { id: 3 }, mailingListUnsubscribe: { id: 3 } } };
		});
		const subscription = await lists.subscribe(devel, wanted());
		id = 8;
		await lists.unsubscribe(subscription, wanted());
		assert.deepEqual(names(), ['List', 'MailingListSubscribe', 'SubscribedList', 'List', 'MailingListUnsubscribe']);
		assert.deepEqual(asked.at(-1)?.variables, { id: 8 });
	});

	test('ending one twice costs one lookup, and fails for a missing list', async () => {
		let isThere = true;
		const { lists, names } = serve(({ name }) =>
			name === 'List' ? inList(isThere ? head : null) : { data: { mailingListUnsubscribe: null } },
		);
		const subscription = {
			id: 3,
			createdMs: 0,
			list: { name: devel.name, owner: { canonicalName: devel.owner, name: 'alice' } },
		};
		await lists.unsubscribe(subscription, wanted());
		assert.deepEqual(names(), ['List', 'MailingListUnsubscribe']);
		isThere = false;
		assert.deepEqual(await problemFrom(lists.unsubscribe(subscription, wanted())), { kind: 'notFound' });
	});

	test('any other error is thrown', async () => {
		const { lists } = serve(() => ({ data: null, errors: [{ message: 'internal system error' }] }));
		assert.equal((await problemFrom(allItems(lists.subscriptions([], wanted())))).kind, 'serverError');
	});
});
