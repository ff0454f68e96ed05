import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from '../../../../src/forge/forgeError.ts';
import type { Forge, ListApi } from '../../../../src/forge/forge.ts';
import type { MailingList, Email } from '../../../../src/forge/list.ts';
import type { Repository } from '../../../../src/forge/repository.ts';
import type { Tracker } from '../../../../src/forge/tracker.ts';
import type { Connection } from '../../../../src/state/connection.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';
import { standFor } from '../../../support/standFor.ts';
import { makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { openDestination } = await import('../../../../src/editor/openDestination.ts');

const { signal: never } = new AbortController();
const ref = { owner: '~alice', name: 'alpha' };
const key = 'sample-alice';

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
	readonly email?: Email;
}

function connection({ tracker, list, repository, email }: There): Connection {
	return standFor<Connection>({
		key,
		instance: sampleInstance,
		tickets: standFor<Connection['tickets']>({ tracker: reads(tracker) }),
		lists: standFor<Connection['lists']>({ list: reads(list) }),
		repositories: standFor<Connection['repositories']>({ repository: reads(repository) }),
		forge: standFor<Forge>({ lists: standFor<ListApi>({ email: reads(email) }) }),
	});
}

setup(resetStub);

suite('going to a name', () => {
	test('the only thing of that name opens at once', async () => {
		await openDestination(connection({ tracker: makeTracker() }), { kind: 'named', ref }, never);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed, stubbed.asked],
			[['forge.tickets.open'], [{ kind: 'tracker', connectionKey: key, ref }], []],
		);
	});

	test('of several things the user chooses one', async () => {
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

	test('an area that fails hides nothing of what the others have, and is told where they have nothing', async () => {
		const failing = (there: There): Connection =>
			standFor<Connection>({
				...connection(there),
				lists: standFor<Connection['lists']>({
					list: () => Promise.reject(new ForgeError({ kind: 'serverError', status: 502 })),
				}),
			});
		await openDestination(failing({ tracker: makeTracker() }), { kind: 'named', ref }, never);
		assert.deepEqual(stubbed.executed, ['forge.tickets.open']);
		await assert.rejects(openDestination(failing({}), { kind: 'named', ref }, never), ForgeError);
		assert.deepEqual(stubbed.shown, []);
	});

	test('where there is nothing of that name, that is said', async () => {
		await openDestination(connection({}), { kind: 'named', ref }, never);
		assert.deepEqual(stubbed.shown, [
			'Sample has no tracker, list or repository called ~alice/alpha that you may see.',
		]);
		assert.deepEqual(stubbed.executed, []);
	});
});

suite('going to a mail', () => {
	const mail = { kind: 'mail', messageId: '<m1@forge.test>', list: undefined } as const;

	test('its number and its list are asked of the forge', async () => {
		const email = standFor<Email>({ id: 5, list: { name: 'devel', owner: makeUser('bob') } });
		await openDestination(connection({ email }), mail, never);
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

	test('a Message-ID that the forge does not know is told', async () => {
		await openDestination(connection({}), mail, never);
		assert.deepEqual(stubbed.shown, ['Sample has no mail with this Message-ID.']);
	});
});

suite('going to a place in a repository', () => {
	test('a folder offers its files, though its address looks like that of a file', async () => {
		const entry = { name: 'src', id: 't1', type: 'tree', mode: 16_384 } as const;
		const there = standFor<Connection>({
			key,
			instance: sampleInstance,
			repositories: standFor<Connection['repositories']>({ find: async () => ({ kind: 'entry', entry }) }),
		});
		const at = { ref: 'master', path: 'src' };
		await openDestination(there, { kind: 'file', ref, at, lines: undefined }, never);
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[['forge.repositories.openFile'], [{ kind: 'folder', connectionKey: key, ref, at }]],
		);
	});
});
