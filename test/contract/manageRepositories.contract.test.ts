import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import { keptNames, type ForgeConnection } from '../support/fakeConnection.ts';
import { fakeStore } from '../support/fakeRepositories.ts';
import { allItems, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { standFor } from '../support/standFor.ts';
import type { FaultMatch } from '../support/sampleForge.ts';
import { resetStub } from '../support/vscodeValues.ts';

const { changeRepository } = await import('../../src/features/repositories/manage/manageFeature.ts');
const { defaultRevision } = await import('../../src/features/repositories/subjects/defaultRevision.ts');
const { renamedFollows } = await import('../../src/features/repositories/manage/renamedFollows.ts');

const lantern: RepositoryRef = { owner: '~alice', name: 'lantern' };
const lamp: RepositoryRef = { owner: '~alice', name: 'lamp' };

function connectionOf(forge: Forge, ...followed: readonly string[]): ForgeConnection {
	const world = { api: forge.repositories };
	const repositories = fakeStore(standFor<Parameters<typeof fakeStore>[0]>(world), {
		me: forge.me,
		followed: keptNames(...followed),
	});
	return standFor<ForgeConnection>({ key: 'key', me: forge.me, forge, repositories });
}

protocolSuite('own repositories', {}, ({ forge, has, testWith }) => {
	setup(async () => {
		resetStub();
		await forge().sample.reset();
	});

	test('a change keeps all other fields, and an empty text removes the description', async () => {
		const connection = connectionOf(forge().as('alice'));
		const before = await connection.forge.repositories.repository(lantern, wanted());
		const { repository: hidden } = await changeRepository(connection, lantern, { visibility: 'unlisted' }, wanted());
		assert.deepEqual([hidden.description, hidden.visibility], [before.description, 'unlisted']);
		const { repository: bare } = await changeRepository(connection, lantern, { description: '' }, wanted());
		assert.deepEqual([bare.description, bare.visibility, bare.name], [undefined, 'unlisted', 'lantern']);
	});

	test('a repository whose default branch is missing shows its existing branch', async () => {
		const ref = { owner: '~alice', name: 'headless' };
		const { repositories } = connectionOf(forge().as('alice'));
		await repositories.writes.create({ name: ref.name }, wanted());
		const files = { 'README.md': 'Hello\n' };
		pushToForge(forge().sample, { repository: ref.name, branch: 'trunk', message: 'Begin', files, isNewBranch: true });
		const revision = await defaultRevision(repositories, ref, wanted());
		assert.equal(revision, 'trunk');
		assert.equal((await repositories.log(ref, revision).first(wanted())).items.length, 1);
	});

	const namesOf = (all: readonly Reference[]): readonly string[] => all.map(({ name, target }) => `${name} ${target}`);

	test('a rename keeps number, references and objects, and the old name stops working unless it redirects', async () => {
		const connection = connectionOf(forge().as('alice'));
		const { repositories } = connection.forge;
		const before = await allItems(repositories.references(lantern, wanted()));
		const { id } = await repositories.repository(lantern, wanted());
		assert.equal((await changeRepository(connection, lantern, { name: 'lamp' }, wanted())).repository.id, id);
		assert.deepEqual(namesOf(await allItems(repositories.references(lamp, wanted()))), namesOf(before));
		if (!has('repositories.nowCalled')) {
			for (const work of [
				() => repositories.repository(lantern, wanted()),
				() => allItems(repositories.references(lantern, wanted())),
			]) {
				assert.deepEqual(await problemFrom(work()), { kind: 'notFound' });
			}
		}
	});

	testWith('repositories.nowCalled', 'an old name leads to the new one, including everything below it', async () => {
		const connection = connectionOf(forge().as('alice'));
		const { repositories } = connection.forge;
		const before = await allItems(repositories.references(lantern, wanted()));
		await changeRepository(connection, lantern, { name: 'lamp' }, wanted());
		assert.equal((await repositories.repository(lantern, wanted())).name, 'lamp');
		assert.deepEqual(namesOf(await allItems(repositories.references(lantern, wanted()))), namesOf(before));
	});

	testWith(
		'repositories.setDefaultBranch',
		'the new default branch determines HEAD, its log and its files',
		async () => {
			const { repositories, forge: ports } = connectionOf(forge().as('alice'));
			const branchOf = async (owner: 'alice' | 'bob'): Promise<string | undefined> =>
				forge().as(owner).repositories.defaultBranch?.(lantern, wanted());
			const names = await allItems(ports.repositories.references(lantern, wanted()));
			const other = names.find(({ name }) => name.startsWith('refs/heads/') && name !== 'refs/heads/master');
			assert.ok(other);
			assert.deepEqual(await repositories.names.defaultBranch(lantern, wanted()), { name: 'master', isCertain: true });
			const branch = other.name.slice('refs/heads/'.length);
			await repositories.writes.setDefaultBranch?.(lantern, branch, wanted());
			assert.deepEqual(await repositories.names.defaultBranch(lantern, wanted()), { name: branch, isCertain: true });
			assert.equal(await branchOf('bob'), branch);
			const [newest] = await allItems(ports.repositories.log(lantern, undefined, wanted()));
			assert.equal(newest?.id, other.target);
			assert.equal((await repositories.folders.standing(lantern, 'HEAD', wanted()))?.commit.id, other.target);
		},
	);

	testWith(
		'repositories.setDefaultBranch',
		'the server rejects a missing branch, and a change by another user',
		async () => {
			const { repositories } = forge().as('alice');
			const refused = await problemFrom(
				Promise.resolve(repositories.setDefaultBranch?.(lantern, 'no-such-branch', wanted())),
			);
			assert.ok(refused.kind === 'invalid' && refused.errors.some(({ field }) => field === 'HEAD'));
			const others = forge().as('bob').repositories.setDefaultBranch?.(lantern, 'master', wanted());
			assert.deepEqual(await problemFrom(Promise.resolve(others)), { kind: 'notAllowed' });
			assert.equal(await repositories.defaultBranch?.(lantern, wanted()), 'master');
		},
	);

	test('a follower finds the repository under its new name', async () => {
		const ids = keptNames();
		const bob = connectionOf(forge().as('bob'), '~alice/lantern');
		const follows = renamedFollows(() => ids);
		await follows.remember(bob, lantern, wanted());
		await changeRepository(connectionOf(forge().as('alice')), lantern, { name: 'lamp' }, wanted());
		assert.equal(await follows.carryOver(bob, lantern, wanted()), true);
		assert.deepEqual(bob.repositories.followed.all(), [lamp]);
	});

	test('the server rejects a used name in any case with its field, and changes nothing', async () => {
		const connection = connectionOf(forge().as('alice'));
		for (const name of ['Scratch', 'scratch']) {
			const problem = await problemFrom(changeRepository(connection, lantern, { name }, wanted()));
			assert.ok(problem.kind === 'invalid' && problem.errors.some(({ field }) => field === 'name'), name);
		}
		assert.equal((await connection.forge.repositories.repository(lantern, wanted())).name, 'lantern');
	});
});

protocolSuite('lost responses to changes of own repositories', {}, ({ dialect, forge, testWith }) => {
	const change: FaultMatch =
		dialect === 'graphql' ? { area: 'git', question: '^mutation ' } : { area: 'git', method: 'PUT' };

	setup(async () => {
		resetStub();
		await forge().sample.reset();
	});

	test('the client detects whether a change with a lost response arrived', async () => {
		const connection = connectionOf(forge().as('alice'));
		const { sample } = forge();
		await sample.fault(change, { kind: 'reset', at: 'applied' });
		const { repository } = await changeRepository(connection, lantern, { name: 'lamp' }, wanted());
		assert.equal(repository.name, 'lamp');
		await sample.fault(change, { kind: 'status', status: 502 });
		assert.equal(
			(await problemFrom(changeRepository(connection, lamp, { name: 'torch' }, wanted()))).kind,
			'serverError',
		);
		assert.equal((await connection.forge.repositories.repository(lamp, wanted())).name, 'lamp');
	});

	testWith(
		'repositories.setDefaultBranch',
		'the client detects a default branch that it set despite a lost response',
		async () => {
			const { repositories, forge: ports } = connectionOf(forge().as('alice'));
			const { sample } = forge();
			const names = await allItems(ports.repositories.references(lantern, wanted()));
			const other = names.find(({ name }) => name.startsWith('refs/heads/') && name !== 'refs/heads/master');
			const branch = other?.name.slice('refs/heads/'.length) ?? '';
			await sample.fault(change, { kind: 'reset', at: 'applied' });
			await repositories.writes.setDefaultBranch?.(lantern, branch, wanted());
			await sample.fault(change, { kind: 'status', status: 502 });
			const failed = await problemFrom(
				Promise.resolve(repositories.writes.setDefaultBranch?.(lantern, 'master', wanted())),
			);
			assert.equal(failed.kind, 'serverError');
			assert.deepEqual(await repositories.names.defaultBranch(lantern, wanted()), { name: branch, isCertain: true });
		},
	);
});
