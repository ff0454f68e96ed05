import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { User } from 'sourcehut/port/user.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { ListStore } from '../../../../src/store/lists/listStore.ts';
import { knownPeople, type PersonChange, type PersonStore } from '../../../../src/store/people/knownPeople.ts';
import { textInMemory } from '../../../../src/store/shared/keptText.ts';
import { sentBy } from '../../../../src/store/people/sentBy.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const develOf = { name: 'devel', owner: makeUser('alice') };

function profile(name: string): User {
	return {
		canonicalName: `~${name}`,
		name,
		email: `${name}@forge.test`,
		url: undefined,
		location: undefined,
		bio: 'Hello',
	};
}

interface Rig {
	readonly world: FakeListWorld;
	readonly people: Connection['people'];
	readonly lists: ListStore;
	readonly forge: Forge;
	readonly texts: Connection['texts'];
	readonly heard: PersonChange[];
}

function rig(me = '~alice', ...followed: readonly string[]): Rig {
	const { world, api } = fakeLists(me);
	world.users.push(profile('alice'), profile('bob'));
	world.lists.push(makeList(), makeList({ name: 'bobs', owner: makeUser('bob') }));
	const { people, lists, forge, texts } = listConnection(api, me, keptNames(...followed), world.users);
	const heard: PersonChange[] = [];
	people.onDidChange((change) => heard.push(change));
	return { world, people, lists, forge, texts, heard };
}

function mailFrom(name: string, id: number, change: Partial<Email> = {}): Email {
	return makeMail({ id, sender: makeUser(name), list: develOf, ...change });
}

suite('people', () => {
	test('the user’s own address survives a restart', async () => {
		const address = textInMemory();
		const { lists, forge, texts } = rig();
		const opened = (): PersonStore => knownPeople(forge, lists, texts, address);
		const people = opened();
		assert.equal(people.ownAddress(), undefined);
		await people.ownProfile(never);
		assert.equal(opened().ownAddress(), 'alice@forge.test');
	});

	test('a person combines all parts known to the forge', async () => {
		const { world, people, heard } = rig();
		world.mails.push(mailFrom('bob', 1), mailFrom('bob', 2), mailFrom('alice', 3));
		assert.equal(people.known('~bob'), undefined);
		const person = await people.read('~bob', never);
		assert.deepEqual([person.name, person.account, person.address], ['~bob', '~bob', 'bob@forge.test']);
		assert.equal(person.profile.kind === 'known' && person.profile.value?.bio, 'Hello');
		assert.deepEqual(person.lists.kind === 'known' && person.lists.value.items.map(({ name }) => name), ['bobs']);
		assert.deepEqual(person.mails.kind === 'known' && person.mails.value.items.map(({ id }) => id), [2, 1]);
		assert.equal(person.trackers.kind, 'known');
		assert.equal(person.repositories.kind, 'known');
		assert.equal(people.known('~Bob'), person);
		assert.ok(heard.length > 0 && heard.every(({ name, part }) => name === '~bob' && part === 'person'));
		world.calls.length = 0;
		assert.equal(await people.read('~bob', never), person);
		assert.deepEqual(world.calls, []);
	});

	test('an address resolves to its account', async () => {
		const { world, people } = rig();
		world.mails.push(mailFrom('bob', 1));
		const person = await people.read('bob@forge.test', never);
		assert.deepEqual([person.account, person.address], ['~bob', 'bob@forge.test']);
		assert.equal(person.lists.kind === 'known' && person.lists.value.items.length, 1);
		assert.equal(person.mails.kind === 'known' && person.mails.value.items.length, 1);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('emails')),
			['emails ~bob 0'],
		);
	});

	test('an address without an account has only messages sent from it', async () => {
		const { world, people } = rig('~alice', '~bob/bobs');
		const envelope = (from: string, text: string): string => `From: ${from}\r\nSubject: x\r\n\r\n${text}\r\n`;
		const mails = [
			makeMail({ id: 1, sender: undefined, list: develOf, envelope: envelope('Zoe <zoe@else.test>', 'Hello') }),
			makeMail({
				id: 2,
				sender: undefined,
				list: develOf,
				envelope: envelope('Yan <yan@else.test>', 'zoe@else.test says'),
			}),
			mailFrom('bob', 3, { envelope: envelope('Bob <bob@forge.test>', 'zoe@else.test says') }),
		];
		world.mails.push(...mails);
		world.posts.set('~alice/devel', mails.toReversed());
		const person = await people.read('zoe@else.test', never);
		assert.deepEqual([person.account, person.profile], [undefined, { kind: 'known', value: undefined }]);
		assert.deepEqual(person.lists, { kind: 'known', value: { items: [], completeness: { kind: 'complete' } } });
		assert.deepEqual(person.mails.kind === 'known' && person.mails.value.items.map(({ id }) => id), [1]);
		const more = await people.more('zoe@else.test', 'mails', never);
		assert.equal(more.mails.kind === 'known' && more.mails.value.completeness.kind, 'unstated');
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('search')),
			['search ~alice/devel from:zoe@else.test 0', 'search ~bob/bobs from:zoe@else.test 0'],
		);
		assert.ok(!world.calls.includes('email 3'), 'who has an account is somebody else');
	});

	test('a failed part is reported without hiding the others, and retried at the next read', async () => {
		const { world, people } = rig();
		const error = new ForgeError({ kind: 'serverError', status: 500 });
		world.before = (call) => {
			if (call.startsWith('emails')) {
				throw error;
			}
		};
		const person = await people.read('~bob', never);
		assert.deepEqual(person.mails, { kind: 'failed', error });
		assert.deepEqual([person.profile.kind, person.lists.kind], ['known', 'known']);
		world.before = () => undefined;
		assert.equal((await people.read('~bob', never)).mails.kind, 'known');
	});

	test('an area without the person yields an empty part', async () => {
		const { world, people } = rig();
		world.before = (call) => {
			if (call.startsWith('emails')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const { mails } = await people.read('~bob', never);
		assert.deepEqual(mails, { kind: 'known', value: { items: [], completeness: { kind: 'complete' } } });
	});

	test('a person unknown to every area is reported as such', async () => {
		const { profile: found, lists } = await rig().people.read('~nobody', never);
		assert.ok(found.kind === 'failed' && found.error instanceof ForgeError);
		assert.deepEqual(lists, { kind: 'known', value: { items: [], completeness: { kind: 'complete' } } });
	});

	test('messages of a person from known lists are incomplete if the forge has no list of them', async () => {
		const { world, api } = fakeLists();
		world.users.push(profile('bob'));
		world.lists.push(makeList(), makeList({ id: 2, name: 'users' }));
		world.subscriptions.push(makeSubscription(makeList({ name: 'gone', owner: makeUser('carol') })));
		const mails = [5, 4, 3, 2, 1].map((id) => mailFrom(id % 2 === 0 ? 'bob' : 'alice', id));
		const asked: string[] = [];
		const others = { ...api };
		Reflect.deleteProperty(others, 'emailsOf');
		const { people } = listConnection({
			...others,
			async *mails({ name }) {
				asked.push(name);
				if (name === 'gone') {
					throw new ForgeError({ kind: 'notFound' });
				}
				const here = name === 'devel' ? mails : [];
				for (let from = 0; from === 0 || from < here.length; from += 2) {
					const isLast = from + 2 >= here.length;
					yield {
						items: here.slice(from, from + 2),
						seen: Math.min(here.length, from + 2),
						completeness: isLast ? { kind: 'unstated' } : { kind: 'more', total: undefined },
					};
				}
			},
		});
		const first = await people.read('~bob', never);
		assert.deepEqual(first.mails.kind === 'known' && first.mails.value.items.map(({ id }) => id), [4]);
		assert.equal(first.mails.kind === 'known' && first.mails.value.completeness.kind, 'more');
		const second = await people.more('~bob', 'mails', never);
		assert.deepEqual(second.mails.kind === 'known' && second.mails.value.items.map(({ id }) => id), [4, 2]);
		const last = await people.more('~bob', 'mails', never);
		assert.equal(last.mails.kind === 'known' && last.mails.value.completeness.kind, 'unstated');
		assert.deepEqual(
			asked.toSorted((a, b) => a.localeCompare(b)),
			['devel', 'gone', 'users'],
		);
	});

	test('further messages load page by page', async () => {
		const { world, people } = rig();
		world.pageSize = 2;
		world.mails.push(...[1, 2, 3].map((id) => mailFrom('bob', id)));
		const first = await people.read('~bob', never);
		assert.equal(first.mails.kind === 'known' && first.mails.value.items.length, 2);
		const more = await people.more('~bob', 'mails', never);
		assert.equal(more.mails.kind === 'known' && more.mails.value.items.length, 3);
	});

	test('requests for own things omit the name, to include private ones', async () => {
		const { world, people } = rig();
		await people.read('~alice', never);
		assert.ok(world.calls.includes('lists 0'));
		assert.ok(world.calls.includes('emails (own) 0'));
	});

	test('an aborted read rejects', async () => {
		const { world, people } = rig();
		world.before = () => new Promise(() => undefined);
		const abort = new AbortController();
		const reading = people.read('~bob', abort.signal);
		abort.abort();
		await assert.rejects(reading, { name: 'AbortError' });
	});
});

suite('patchsets sent by a person', () => {
	/** Patchsets of Bob and others in a followed list, a subscribed list and a list with a message of Bob. */
	function sentWorld(): Rig {
		const made = rig('~bob', '~carol/news');
		const { world } = made;
		world.subscriptions.push(makeSubscription(makeList(), 1));
		world.mails.push(
			mailFrom('bob', 9, { list: { name: 'far', owner: makeUser('dave') }, messageId: '<m9@forge.test>' }),
		);
		world.patchsets.set('~alice/devel', [
			makePatchset({ id: 3, createdMs: 30, submitter: 'Bob <BOB@forge.test>' }),
			makePatchset({ id: 2, createdMs: 20, submitter: 'Eve <eve@forge.test>' }),
		]);
		world.patchsets.set('~carol/news', [makePatchset({ id: 4, createdMs: 40 })]);
		world.patchsets.set('~dave/far', [
			makePatchset({ id: 5, createdMs: 10, submitter: 'Robert <rob@home.test>', messageId: '<m9@forge.test>' }),
		]);
		return made;
	}

	test('include all known lists and the lists of their messages, newest first', async () => {
		const { world, people, heard } = sentWorld();
		assert.deepEqual(people.sent('~bob'), { items: [], lists: [], failure: undefined });
		const { items, lists } = await people.readSent('~bob', { deeper: false }, never);
		assert.deepEqual(world.calls.filter((call) => !call.startsWith('patchsets')).toSorted(), [
			'emails (own) 0',
			'lists 0',
			'subscriptions 0',
		]);
		assert.deepEqual(
			items.map(({ ref }) => `${ref.list.owner}/${ref.list.name} ${ref.id}`),
			['~carol/news 4', '~alice/devel 3', '~dave/far 5'],
		);
		assert.deepEqual(
			lists.map(({ list, part }) => [list.name, part.kind]),
			[
				['bobs', 'known'],
				['devel', 'known'],
				['news', 'known'],
				['far', 'known'],
			],
		);
		assert.ok(heard.some(({ part }) => part === 'sent'));
		assert.deepEqual(people.sent('~bob').items, items);
	});

	test('a failed list is reported, and the others load', async () => {
		const { world, people } = sentWorld();
		world.before = (call) => {
			if (call.startsWith('patchsets ~carol/news')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const { items, lists } = await people.readSent('~bob', { deeper: false }, never);
		assert.deepEqual(
			items.map(({ ref }) => ref.id),
			[3, 5],
		);
		assert.deepEqual(
			lists.map(({ part }) => part.kind),
			['known', 'known', 'failed', 'known'],
		);
	});

	test('a failed request for lists is reported, and the known lists are searched', async () => {
		const { world, people } = sentWorld();
		world.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		const { items, failure } = await people.readSent('~bob', { deeper: false }, never);
		assert.ok(failure?.error instanceof ForgeError);
		assert.deepEqual(
			items.map(({ ref }) => ref.id),
			[4, 5],
		);
	});

	test('appear while other lists still load', async () => {
		const { world, people, heard } = sentWorld();
		const gate = Promise.withResolvers<void>();
		world.before = (call) => (call.startsWith('patchsets ~alice/devel') ? gate.promise : undefined);
		const reading = people.readSent('~bob', { deeper: false }, never);
		const halfway = new Promise<void>((resolve) => {
			people.onDidChange(() => {
				if (people.sent('~bob').lists.filter(({ part }) => part.kind === 'known').length === 3) {
					resolve();
				}
			});
		});
		await halfway;
		assert.deepEqual(
			people.sent('~bob').items.map(({ ref }) => ref.id),
			[4, 5],
		);
		gate.resolve();
		assert.equal((await reading).items.length, 3);
		assert.ok(heard.length > 0);
	});

	test('load to a limited depth, and deeper on demand', async () => {
		const { world, people } = sentWorld();
		const others = Array.from({ length: 300 }, (_, at) =>
			makePatchset({ id: 1000 - at, submitter: 'Eve <eve@forge.test>' }),
		);
		world.patchsets.set('~alice/devel', [...others, makePatchset({ id: 3 })]);
		const first = await people.readSent('~bob', { deeper: false }, never);
		assert.ok(!first.items.some(({ ref }) => ref.id === 3));
		assert.deepEqual(first.lists.find(({ list }) => list.name === 'devel')?.part, {
			kind: 'known',
			value: { kind: 'more', total: 301 },
		});
		assert.equal(world.calls.filter((call) => call.startsWith('patchsets ~alice/devel')).length, 2);
		const deeper = people.readSent('~bob', { deeper: true }, never);
		const heard = Promise.withResolvers<void>();
		people.onDidChange(() => heard.resolve());
		await heard.promise;
		assert.ok(people.sent('~bob').lists.some(({ part }) => part.kind === 'reading'));
		await deeper;
		await people.readSent('~bob', { deeper: true }, never);
		await people.readSent('~bob', { deeper: true }, never);
		assert.ok(people.sent('~bob').items.some(({ ref }) => ref.id === 3));
	});

	test('a status change appears without a request', async () => {
		const { people, lists, heard } = sentWorld();
		await people.readSent('~bob', { deeper: false }, never);
		heard.length = 0;
		lists.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ id: 3, createdMs: 30, status: 'applied' }),
		});
		assert.deepEqual(heard, [{ name: '~bob', part: 'sent' }]);
		assert.equal(people.sent('~bob').items.find(({ ref }) => ref.id === 3)?.patchset.status, 'applied');
	});

	for (const [what, patchset, isTheirs] of [
		['the address of the submitter', makePatchset({ submitter: '"B" <Bob@Forge.test>' }), true],
		['a bare address', makePatchset({ submitter: 'bob@forge.test' }), true],
		['the address of someone else', makePatchset({ submitter: 'Bob Builder <eve@forge.test>' }), false],
		['the Message-ID of their message', makePatchset({ submitter: 'x <y@z>', messageId: '<m7@forge.test>' }), true],
		[
			'the sender of the cover letter',
			makePatchset({ submitter: undefined, messageId: undefined, coverLetter: mailFrom('bob', 1) }),
			true,
		],
		[
			'the cover letter of someone else',
			makePatchset({
				subject: 'Part',
				submitter: undefined,
				messageId: undefined,
				coverLetter: mailFrom('eve', 1),
			}),
			false,
		],
		[
			'the subject of their message, without other facts',
			makePatchset({ subject: 'Part', submitter: undefined, messageId: undefined }),
			true,
		],
		[
			'the same subject in another version',
			makePatchset({ subject: 'Part', version: 2, submitter: undefined, messageId: undefined }),
			false,
		],
		[
			'the same subject from somebody else',
			makePatchset({ subject: 'Part', submitter: 'Eve <eve@forge.test>' }),
			false,
		],
	] as const) {
		test(`sender of a patchset: ${what}`, () => {
			const mails = [
				mailFrom('bob', 7, { subject: '[PATCH proj] Part' }),
				mailFrom('bob', 8, { subject: 'Re: [PATCH proj v2] Part' }),
			];
			assert.equal(sentBy({ account: '~bob', address: 'Bob@forge.test', mails })(patchset), isTheirs);
		});
	}
});
