import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailingList } from 'sourcehut/port/list.ts';
import type { Repository } from 'sourcehut/port/repository.ts';
import type { Tracker } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fakeLists, listConnection, type FakeLists } from '../../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';
import { standFor } from '../../../../support/standFor.ts';
import { makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { openDestination } = await import('../../../../../src/editor/links/openDestination.ts');

const { signal: never } = new AbortController();
const ref = { owner: '~alice', name: 'alpha' };
const key = 'sample-alice';
const connectionKey = key;

function reads<T>(value: T | undefined): () => Promise<T> {
	return async () => {
		if (value === undefined) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return value;
	};
}

interface There {
	readonly tracker?: Tracker;
	readonly list?: MailingList;
	readonly repository?: Repository;
}

function connection({ tracker, list, repository }: There): Connection {
	return standFor<Connection>({
		key,
		instance: sampleInstance,
		tickets: standFor<Connection['tickets']>({ tracker: reads(tracker) }),
		lists: standFor<Connection['lists']>({ list: reads(list) }),
		repositories: standFor<Connection['repositories']>({ metadata: { get: reads(repository) } }),
	});
}

setup(resetStub);

suite('opening a name', () => {
	test('opens the only match without a question', async () => {
		await openDestination(connection({ tracker: makeTracker() }), { kind: 'named', ref }, never);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed, stubbed.asked],
			[['forge.trackers.show'], [{ kind: 'tracker', connectionKey: key, ref }], []],
		);
	});

	test('asks the user to choose among several matches', async () => {
		stubbed.answers.push('Repository ~alice/alpha');
		await openDestination(
			connection({ tracker: makeTracker(), repository: standFor<Repository>({}) }),
			{ kind: 'named', ref },
			never,
		);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Tracker ~alice/alpha', 'Repository ~alice/alpha'],
		);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[['forge.repositories.open'], [{ kind: 'repository', connectionKey: key, ref }]],
		);
	});

	test('ignores a failing area when another one has a match, and fails otherwise', async () => {
		const failing = (there: There): Connection =>
			standFor<Connection>({
				...connection(there),
				lists: standFor<Connection['lists']>({
					list: () => Promise.reject(new ForgeError({ kind: 'serverError', status: 502 })),
				}),
			});
		await openDestination(failing({ tracker: makeTracker() }), { kind: 'named', ref }, never);
		assert.deepEqual(stubbed.executed, ['forge.trackers.show']);
		await assert.rejects(openDestination(failing({}), { kind: 'named', ref }, never), ForgeError);
		assert.deepEqual(stubbed.shown, []);
	});

	test('says when nothing has that name', async () => {
		await openDestination(connection({}), { kind: 'named', ref }, never);
		assert.deepEqual(stubbed.shown, [
			"~alice/alpha is not a tracker, list or repository on Sample, or you don't have access to it.",
		]);
		assert.deepEqual(stubbed.executed, []);
	});
});

suite('opening a message', () => {
	const mail = { kind: 'mail', messageId: '<m1@forge.test>', list: undefined } as const;

	test('looks up the number and the list of the message', async () => {
		const fake = fakeLists();
		fake.world.mails.push(makeMail({ id: 5, messageId: mail.messageId, list: makeList({ owner: makeUser('bob') }) }));
		await openDestination(listConnection(fake.api), mail, never);
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread']);
		assert.deepEqual(stubbed.passed, [
			{
				kind: 'mail',
				connectionKey: key,
				list: { owner: '~bob', name: 'devel' },
				id: 5,
				messageId: '<m1@forge.test>',
			},
		]);
	});

	const slashed = { ...mail, messageId: '<a/b@forge.test>' };
	const devel = { owner: '~alice', name: 'devel' };
	const found = (id: number): unknown => ({
		kind: 'mail',
		connectionKey,
		list: devel,
		id,
		messageId: slashed.messageId,
	});

	/** A forge with a message that servers cannot look up by its Message-ID. */
	function withSlashed(): { readonly fake: FakeLists; readonly there: Connection } {
		const fake = fakeLists();
		const first = makeMail({ id: 5, messageId: '<m5@forge.test>', subject: 'A question' });
		const reply = makeMail({ id: 6, messageId: slashed.messageId, threadId: 5, parentId: 5 });
		fake.world.lists.push(makeList());
		fake.world.mails.push(first, reply);
		fake.world.posts.set('~alice/devel', [reply, first]);
		return { fake, there: listConnection(fake.api) };
	}

	test('requests a message with its thread once, however often its URL opens', async () => {
		const { fake, there } = withSlashed();
		const place = { ...mail, messageId: '<m5@forge.test>', list: devel };
		await openDestination(there, place, never);
		await openDestination(there, place, never);
		// Reads of the page.
		await there.lists.thread(devel, 5, never);
		await there.texts.read(5, never);
		assert.deepEqual([stubbed.passed.length, fake.world.calls], [2, ['thread <m5@forge.test>']]);
	});

	test('requests a reply once, after no thread starts with it', async () => {
		const { fake, there } = withSlashed();
		fake.world.mails.push(makeMail({ id: 7, threadId: 5, parentId: 5 }));
		await openDestination(there, { ...mail, messageId: '<m7@forge.test>', list: devel }, never);
		await there.lists.mails.mail(7, never);
		assert.deepEqual(fake.world.calls, ['thread <m7@forge.test>', 'email <m7@forge.test>']);
	});

	test('finds a Message-ID with a slash by searching its list', async () => {
		const { fake, there } = withSlashed();
		await openDestination(there, { ...slashed, list: devel }, never);
		assert.deepEqual([stubbed.executed, stubbed.passed], [['forge.lists.openThread'], [found(6)]]);
		assert.deepEqual(fake.world.calls, ['search ~alice/devel message-id:a/b@forge.test 0']);
	});

	test('finds a slashed Message-ID in the thread that the URL names, and in the cache without a request', async () => {
		const { fake, there } = withSlashed();
		await openDestination(there, { ...slashed, list: devel, thread: '<m5@forge.test>' }, never);
		assert.deepEqual(stubbed.passed, [found(6)]);
		assert.deepEqual(fake.world.calls, ['thread <m5@forge.test>']);
		fake.world.calls.length = 0;
		await there.lists.posts(devel).first(never);
		fake.world.calls.length = 0;
		await openDestination(there, { ...slashed, list: devel }, never);
		assert.deepEqual([stubbed.passed.at(-1), fake.world.calls], [found(6), []]);
	});

	test('searches the account’s lists for a slashed Message-ID without a list', async () => {
		const { fake, there } = withSlashed();
		await openDestination(there, slashed, never);
		assert.deepEqual(stubbed.passed, [found(6)]);
		fake.world.posts.clear();
		await openDestination(withSlashed().there, { ...slashed, messageId: '<none/b@forge.test>' }, never);
		assert.deepEqual(stubbed.shown, ['Sample has no message with this Message-ID.']);
	});

	test('opens a patchset at the message that the URL names', async () => {
		const { fake, there } = withSlashed();
		fake.world.patchsets.set('~alice/devel', [makePatchset({ id: 7 })]);
		const to = { kind: 'patchset', ref: { list: devel, id: 7 }, mail: '<m5@forge.test>' } as const;
		await openDestination(there, to, never);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[['forge.lists.openThread'], [{ kind: 'mail', connectionKey, list: devel, id: 5, messageId: '<m5@forge.test>' }]],
		);
		await openDestination(there, { ...to, file: 'src/a.c' }, never);
		assert.deepEqual(
			[stubbed.executed.at(-1), stubbed.passed.at(-1)],
			[
				'forge.patchsets.openDiff',
				{ kind: 'patchFile', connectionKey, list: devel, patchsetId: 7, mailId: 5, path: 'src/a.c' },
			],
		);
		await openDestination(there, { ...to, mail: '<gone@forge.test>' }, never);
		assert.equal(stubbed.executed.at(-1), 'forge.patchsets.open');
	});

	test('says when the forge does not know a Message-ID', async () => {
		await openDestination(listConnection(fakeLists().api), mail, never);
		assert.deepEqual(stubbed.shown, ['Sample has no message with this Message-ID.']);
	});
});

suite('opening a place in a repository', () => {
	test('a folder offers its files, though its URL looks like that of a file', async () => {
		const entry = { name: 'src', id: 't1', type: 'tree', mode: 16_384 } as const;
		const there = standFor<Connection>({
			key,
			instance: sampleInstance,
			repositories: standFor<Connection['repositories']>({ folders: { find: async () => ({ kind: 'entry', entry }) } }),
		});
		const at = { ref: 'master', path: 'src' };
		await openDestination(there, { kind: 'file', ref, at, lines: undefined }, never);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[['forge.repositories.openFile'], [{ kind: 'folder', connectionKey: key, ref, at }]],
		);
	});
});
