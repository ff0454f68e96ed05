import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { Reference } from 'sourcehut/port/repository.ts';
import type { RepositorySubject } from '../../../../../src/features/repositories/subjects/subjects.ts';
import {
	fakeRepositories,
	idOf,
	makeRepository,
	quill,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { repositoryDesk, type RepositoryDesk } from '../../../../support/repositoryDesk.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { setDefaultBranch } = await import('../../../../../src/features/repositories/manage/manageFeature.ts');

const never = new AbortController().signal;
const subject: RepositorySubject = { kind: 'repository', connectionKey: 'alice.sample', ref: quill };

interface Desk extends RepositoryDesk {
	readonly fake: FakeRepositories;
}

/** `~alice/quill` with branches and a tag, in pages of two. */
function desk(...branches: readonly string[]): Desk {
	const fake = fakeRepositories();
	const { world } = fake;
	const references: readonly Reference[] = [
		...branches.map((name, at) => ({ name: `refs/heads/${name}`, target: idOf(at + 1) })),
		{ name: 'refs/tags/v1.0', target: idOf(99) },
	];
	world.repositories.push(makeRepository('quill'));
	world.references.set('~alice/quill', [...references]);
	world.heads.set('~alice/quill', 'main');
	world.pageSize = 2;
	const api: Partial<RepositoryApi> = {
		setDefaultBranch: async (_, branch) => void world.heads.set('~alice/quill', branch),
	};
	return { ...repositoryDesk(fake, api), fake };
}

suite('setting the default branch', () => {
	setup(resetStub);

	test('offers all branches, the current one first, and no tags; the choice becomes the default', async () => {
		const { connection } = desk('a', 'b', 'main', 'x');
		stubbed.answers.push('x');
		await setDefaultBranch(connection, subject, never);
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['main', 'current'],
				['a', undefined],
				['b', undefined],
				['x', undefined],
			],
		);
		assert.deepEqual(await connection.repositories.names.defaultBranch(quill, never), { name: 'x', isCertain: true });
	});

	test('marks an incomplete list of branches', async () => {
		const { fake } = desk('main', 'x');
		const items = [{ name: 'refs/heads/main', target: idOf(1) }];
		const { connection } = repositoryDesk(fake, {
			setDefaultBranch: () => assert.fail('nothing was chosen'),
			async *references() {
				yield await Promise.resolve({ items, seen: 1, completeness: { kind: 'more', total: undefined, isLast: true } });
			},
		});
		stubbed.answers.push(undefined);
		await assert.rejects(setDefaultBranch(connection, subject, never), isAbort);
		assert.deepEqual(stubbed.hints, ['The forge lists only some branches of ~alice/quill.']);
	});

	test('aborts when the user chooses the current one', async () => {
		const { connection, fake } = desk('main', 'x');
		fake.world.heads.set('~alice/quill', 'x');
		stubbed.answers.push('x');
		await assert.rejects(setDefaultBranch(connection, subject, never), isAbort);
	});

	test('reads the current default again before the question', async () => {
		const { connection, fake } = desk('main', 'x');
		await connection.repositories.names.defaultBranch(quill, never);
		fake.world.heads.set('~alice/quill', 'x');
		stubbed.answers.push('main');
		await setDefaultBranch(connection, subject, never);
		assert.equal(fake.world.heads.get('~alice/quill'), 'main');
	});

	test('reports when the repository has no branches', async () => {
		const { connection } = desk();
		await assert.rejects(setDefaultBranch(connection, subject, never), isAbort);
		assert.deepEqual(stubbed.shown, ['~alice/quill has no branches until something is pushed.']);
	});

	test('opens the web page when the forge has no API for the change', async () => {
		const { connection } = repositoryDesk(fakeRepositories());
		await setDefaultBranch(connection, subject, never);
		assert.match(stubbed.opened[0] ?? '', /\/~alice\/quill\/settings\/info$/);
	});
});
