import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Repository } from 'sourcehut/port/repository.ts';
import type { KeptNames } from '../../../../../src/store/shared/keptNames.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { fakeRepositories, makeRepository, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk, type RepositoryDesk } from '../../../../support/repositoryDesk.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { renamedFollows } = await import('../../../../../src/features/repositories/manage/renamedFollows.ts');
const { repositoryTree } = await import('../../../../../src/features/repositories/tree/repositoryTree.ts');

const never = new AbortController().signal;
const wick = { owner: '~bob', name: 'wick' };

function bobs(name: string, id: number): Repository {
	return makeRepository(name, { id, owner: { canonicalName: '~bob', name: 'bob' } });
}

suite('renamed repositories of others', () => {
	let fake: FakeRepositories;
	let desk: RepositoryDesk;
	let ids: KeptNames;
	setup(() => {
		resetStub();
		fake = fakeRepositories();
		fake.world.repositories.push(bobs('other', 1), bobs('wick', 2));
		fake.world.pageSize = 1;
		desk = repositoryDesk(fake, {}, '~bob/wick', '~bob/other');
		ids = keptNames();
	});

	function rename(from: string, to: string): void {
		const { repositories } = fake.world;
		const at = repositories.findIndex(({ name }) => name === from);
		repositories.splice(at, 1, { ...bobs(to, repositories[at]?.id ?? 0) });
	}

	test('remembers the id once, and uses it to find the new name', async () => {
		const follows = renamedFollows(() => ids);
		const { connection, followed } = desk;
		await follows.remember(connection, wick, never);
		await follows.remember(connection, wick, never);
		assert.deepEqual(ids.all(), ['2 ~bob/wick']);
		assert.deepEqual(fake.world.calls, ['repository ~bob/wick']);
		rename('wick', 'candle');
		assert.equal(await follows.carryOver(connection, wick, never), true);
		assert.deepEqual(followed.all(), ['~bob/candle', '~bob/other']);
		assert.deepEqual(ids.all(), ['2 ~bob/candle']);
		assert.deepEqual(stubbed.shown, ['~bob/wick was renamed to ~bob/candle. You follow it under its new name.']);
	});

	test('follows a new name in the forge’s response immediately, with one message', async () => {
		const told = { owner: '~bob', name: 'candle' };
		fake.world.repositories.push(bobs('candle', 2));
		const telling = repositoryDesk(
			fake,
			{
				nowCalled: (ref) => (ref.name === 'wick' ? told : ref),
				repository: () => Promise.resolve(bobs('candle', 2)),
			},
			'~bob/wick',
		);
		const follows = renamedFollows(() => ids);
		await ids.keep(['2 ~bob/wick']);
		await follows.remember(telling.connection, wick, never);
		await follows.remember(telling.connection, wick, never);
		await follows.remember(telling.connection, told, never);
		assert.deepEqual(telling.followed.all(), ['~bob/candle']);
		assert.deepEqual(ids.all(), ['2 ~bob/candle']);
		assert.deepEqual(stubbed.shown, ['~bob/wick was renamed to ~bob/candle. You follow it under its new name.']);
	});

	test('keeps following a deleted repository, and one without a known id', async () => {
		const follows = renamedFollows(() => ids);
		const { connection, followed } = desk;
		assert.equal(await follows.carryOver(connection, wick, never), false);
		await follows.remember(connection, wick, never);
		fake.world.repositories.pop();
		assert.equal(await follows.carryOver(connection, wick, never), false);
		assert.deepEqual(followed.all(), ['~bob/wick', '~bob/other']);
		assert.deepEqual(stubbed.shown, []);
	});

	test('follows the repository, not another one under its old name', async () => {
		const { connection, followed } = desk;
		await renamedFollows(() => ids).remember(connection, wick, never);
		rename('wick', 'candle');
		fake.world.repositories.push(bobs('wick', 9));
		connection.repositories.forget();
		await connection.repositories.metadata.get(wick, never);
		await renamedFollows(() => ids).remember(connection, wick, never);
		assert.deepEqual(followed.all(), ['~bob/candle', '~bob/other']);
	});

	test('the view finds the new name when the user opens the row', async () => {
		const follows = renamedFollows(() => ids);
		const { connections, connection } = desk;
		await follows.remember(connection, wick, never);
		rename('wick', 'candle');
		fake.world.before = (call) => {
			if (call.startsWith('references ~bob/wick')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const tree = repositoryTree(
			partial<RepositoriesContext>({
				connections,
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
			}),
			follows,
		);
		const gone = (await tree.roots(never)).find(({ item }) => item.label === 'wick');
		assert.ok(gone);
		const labels = async (): Promise<readonly unknown[]> => (await tree.roots(never)).map(({ item }) => item.label);
		await gone.children?.(never);
		assert.deepEqual(await labels(), ['candle', 'other']);
		tree.dispose();
	});
});
