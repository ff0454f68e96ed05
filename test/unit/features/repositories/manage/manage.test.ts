import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { NewRepository, RepositoryChanges, RepositoryRef } from 'sourcehut/port/repository.ts';
import {
	fakeRepositories,
	makeRepository,
	quill,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk, type RepositoryDesk } from '../../../../support/repositoryDesk.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { createRepository } = await import('../../../../../src/features/repositories/manage/manageFeature.ts');
const { deleteOwned } = await import('../../../../../src/editor/owned/askOwned.ts');
const { nameComplaint } = await import('../../../../../src/editor/owned/newOwned.ts');
const { editRepository } = await import('../../../../../src/features/repositories/manage/manageFeature.ts');
const { changeRepository } = await import('../../../../../src/features/repositories/manage/manageFeature.ts');
const { ownTarget } = await import('../../../../../src/editor/owned/askOwned.ts');
const { repositoryKind } = await import('../../../../../src/features/repositories/subjects/repositoryKind.ts');

const never = new AbortController().signal;
const lost: Problem = { kind: 'unreachable', reason: 'reset', host: 'git.forge.test' };
const pen = { owner: '~alice', name: 'pen' };

interface Managed extends RepositoryDesk {
	readonly fake: FakeRepositories;
	/** Failures of the next writes. With `isDone`, the write takes effect anyway. */
	readonly failures: { readonly problem: Problem; readonly isDone: boolean }[];
	/** Removes the repository from responses to changes. With a problem, later reads fail. */
	readonly answerNothing: (problem: Problem | undefined) => void;
}

/** `~alice/quill` on a forge that creates, changes and deletes. */
function desk(): Managed {
	const fake = fakeRepositories();
	const { repositories } = fake.world;
	repositories.push(makeRepository('quill', { id: 7, visibility: 'private', description: 'Old' }));
	const failures: { problem: Problem; isDone: boolean }[] = [];
	function written<T>(write: () => T): T {
		const failure = failures.shift();
		const result = failure?.isDone === false ? undefined : write();
		if (failure) {
			throw new ForgeError(failure.problem);
		}
		assert.ok(result !== undefined);
		return result;
	}
	let answered = <T>(value: T): T | undefined => value;
	const api: Partial<RepositoryApi> = {
		create: async ({ name, description, visibility }: NewRepository) =>
			written(() => {
				const made = makeRepository(name, { id: 8, description, visibility: visibility ?? 'public' });
				repositories.push(made);
				return made;
			}),
		update: async ({ name }: RepositoryRef, changes: RepositoryChanges) =>
			answered(
				written(() => {
					const at = repositories.findIndex((each) => each.name === name);
					const now = { ...makeRepository(name), ...repositories[at], ...changes };
					repositories.splice(at, 1, { ...now, description: now.description === '' ? undefined : now.description });
					return repositories[at];
				}),
			),
		remove: async ({ name }: RepositoryRef) => {
			written(() =>
				repositories.splice(
					repositories.findIndex((each) => each.name === name),
					1,
				),
			);
		},
	};
	return {
		...repositoryDesk(fake, api),
		fake,
		failures,
		answerNothing(problem) {
			answered = () => {
				fake.world.before = () => (problem ? Promise.reject(new ForgeError(problem)) : undefined);
				return undefined;
			};
		},
	};
}

suite('repository management', () => {
	setup(resetStub);

	test('rejects a name before it is sent only when every server would reject it', () => {
		for (const name of ['', 'a b', 'ä', 'a/b', '.', '..', '-$(trash)', 'x'.repeat(257), 'QUILL']) {
			assert.notEqual(nameComplaint(repositoryKind, name, ['quill']), undefined, name);
		}
		for (const name of ['pen', '-pen', '_pen', '.pen', '9pen', 'x'.repeat(256)]) {
			assert.equal(nameComplaint(repositoryKind, name, ['quill']), undefined, name);
		}
	});

	test('looks a new name up once, before the request', async () => {
		const { connection, fake } = desk();
		stubbed.answers.push('pen', 'Unlisted', 'A *pen*');
		await createRepository(new Map(), connection, never);
		const known = connection.repositories.metadata.known(pen);
		assert.deepEqual([known?.description, known?.visibility], ['A *pen*', 'unlisted']);
		const calls = fake.world.calls.filter((call) => call.endsWith('~alice/pen'));
		assert.deepEqual(calls, ['repository ~alice/pen']);
	});

	test('the notice about a new repository offers its page and a clone', async () => {
		for (const [action, command] of [
			['Open', 'forge.repositories.open'],
			['Clone…', 'forge.repositories.clone'],
		] as const) {
			resetStub();
			stubbed.answers.push('pen', 'Public', '', action);
			await createRepository(new Map(), desk().connection, never);
			await new Promise((resolve) => void setImmediate(resolve));
			const about = { kind: 'repository', connectionKey: 'alice.sample', ref: pen };
			assert.deepEqual([stubbed.executed, stubbed.passed], [[command], [about]]);
		}
	});

	test('shows a rejection with the typed text, and prefills that text after any other failure', async () => {
		const { connection, failures } = desk();
		const unmade = new Map<string, NewRepository>();
		const errors = [{ field: 'name', reason: 'Must not begin with a digit' }];
		failures.push({ problem: { kind: 'invalid', errors }, isDone: false });
		failures.push({ problem: { kind: 'serverError', status: 503 }, isDone: false });
		stubbed.answers.push('9pen', 'Private', 'A pen', 'pen', 'Private', 'A pen');
		await assert.rejects(createRepository(unmade, connection, never), {
			name: 'ForgeError',
		});
		assert.deepEqual(stubbed.prefilled, ['', '', '9pen', 'A pen']);
		assert.match(stubbed.prompts[2] ?? '', /Must not begin with a digit/);
		// Pressing Enter again must not make a private repository public.
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['Private', 'previous choice'],
				['Public', undefined],
				['Unlisted', undefined],
			],
		);
		stubbed.prefilled.length = 0;
		stubbed.answers.push('pen', 'Private', 'A pen');
		await createRepository(unmade, connection, never);
		assert.deepEqual(stubbed.prefilled, ['pen', 'A pen']);
		assert.equal(unmade.size, 0);
	});

	test('counts a repository as created after a lost response only when it exists', async () => {
		const { connection, failures, fake } = desk();
		const unmade = new Map();
		failures.push({ problem: lost, isDone: false });
		stubbed.answers.push('pen', 'Public', '');
		await assert.rejects(createRepository(unmade, connection, never), { name: 'ForgeError' });
		failures.push({ problem: lost, isDone: true });
		stubbed.answers.push('pen', 'Public', '');
		await createRepository(unmade, connection, never);
		assert.equal(fake.world.repositories.length, 2);
		assert.ok(connection.repositories.metadata.known(pen));
	});

	test('keeps a rejected name for editing, and reports a rename to all listeners', async () => {
		const { connection, failures } = desk();
		const told: string[] = [];
		connection.repositories.onDidChange((change) => {
			if (change.kind === 'renamed') {
				told.push(`${change.from.name} ${change.to.name}`);
			}
		});
		failures.push({ problem: { kind: 'invalid', errors: [{ field: 'name', reason: 'Taken' }] }, isDone: false });
		stubbed.answers.push('Name…', 'ink', 'pen');
		const editDescription = () => Promise.reject(new Error('Not asked for'));
		const subject = { kind: 'repository', connectionKey: connection.key, ref: quill } as const;
		await editRepository(
			partial<RepositoriesContext>({ problems: quietProblems, editDescription }),
			connection,
			subject,
			never,
		);
		assert.deepEqual(stubbed.prefilled, ['quill', 'ink']);
		assert.deepEqual(told, ['quill pen']);
		assert.equal(connection.repositories.metadata.known(pen)?.id, 7);
	});

	test('asks before it makes a private repository visible', async () => {
		const { connection, fake } = desk();
		const editDescription = () => Promise.resolve();
		const subject = { kind: 'repository', connectionKey: connection.key, ref: quill } as const;
		const edit = (): Promise<void> =>
			editRepository(
				partial<RepositoriesContext>({ problems: quietProblems, editDescription }),
				connection,
				subject,
				never,
			);
		stubbed.answers.push('Visibility…', 'Public', undefined);
		await assert.rejects(edit(), isAbort);
		assert.deepEqual([stubbed.offered[0]?.label, stubbed.offered[0]?.description], ['Private', 'current']);
		assert.equal(fake.world.repositories[0]?.visibility, 'private');
		stubbed.answers.push('Visibility…', 'Public', 'Make Visible');
		await edit();
		assert.equal(fake.world.repositories[0]?.visibility, 'public');
	});

	test('looks up changes after a lost response, and an empty text removes the description', async () => {
		const { connection, failures } = desk();
		failures.push({ problem: lost, isDone: true });
		const described = await changeRepository(connection, quill, { description: '' }, never);
		assert.equal(described.repository.description, undefined);
		failures.push({ problem: lost, isDone: false });
		await assert.rejects(changeRepository(connection, quill, { description: 'New' }, never), { name: 'ForgeError' });
		failures.push({ problem: lost, isDone: true });
		assert.equal((await changeRepository(connection, quill, { name: 'pen' }, never)).repository.name, 'pen');
		assert.ok(connection.repositories.metadata.known(pen));
	});

	for (const [what, problem, suffix] of [
		['cannot be read afterwards', { kind: 'rateLimited', untilMs: undefined }, ' The forge said: rateLimited.'],
		['is missing afterwards', { kind: 'notFound' }, ' The forge said: notFound.'],
		['can be read afterwards', undefined, ''],
	] as const) {
		test(`reports a change as done without the repository in the response, when it ${what}`, async () => {
			for (const [answers, name, done] of [
				[['Name…', 'pen'], 'pen', 'Renamed quill to pen'],
				[['Visibility…', 'Public', 'Make Visible'], 'quill', 'Changed the visibility of ~alice/quill'],
			] as const) {
				resetStub();
				const { connection, fake, answerNothing } = desk();
				const told: string[] = [];
				connection.repositories.onDidChange(({ kind }) => told.push(kind));
				const subject = { kind: 'repository', connectionKey: connection.key, ref: quill } as const;
				const parts = partial<RepositoriesContext>({
					problems: quietProblems,
					editDescription: () => Promise.resolve(),
				});
				answerNothing(problem);
				stubbed.answers.push(...answers);
				await editRepository(parts, connection, subject, never);
				const said = problem ? `${done}, but the repository could not be loaded again.${suffix}` : done;
				assert.equal(stubbed.shown.at(-1), said);
				const known = connection.repositories.metadata.known({ ...quill, name });
				const visibility = name === 'quill' ? 'public' : 'private';
				assert.deepEqual([known?.id, known?.description, known?.visibility], [7, 'Old', visibility]);
				assert.deepEqual(told, [name === 'pen' ? 'renamed' : 'repository']);
				const looks = fake.world.calls.filter((call) => call === `repository ~alice/${name}`);
				assert.equal(looks.length, name === 'pen' ? 1 : 2, 'before it is asked for, and once after it was changed');
			}
		});
	}

	test('finds a description after a lost response despite other line endings', async () => {
		const { connection, failures, fake } = desk();
		failures.push({ problem: lost, isDone: true });
		fake.world.before = (call) => {
			if (call === 'repository ~alice/quill' && failures.length === 0) {
				const [now = makeRepository('quill')] = fake.world.repositories;
				fake.world.repositories.splice(0, 1, { ...now, description: now.description?.replaceAll('\n', '\r\n') });
			}
		};
		const { repository } = await changeRepository(connection, quill, { description: 'One\ntwo\n' }, never);
		assert.equal(repository.description, 'One\r\ntwo\r\n');
	});

	test('deleting requires the full name, and looks the repository up after a lost response', async () => {
		const { connection, failures, fake } = desk();
		stubbed.answers.push('Continue…', 'quill');
		await assert.rejects(deleteOwned(repositoryKind, connection, quill, never), isAbort);
		assert.match(stubbed.shown.join(), /Type ~alice\/quill exactly/);
		failures.push({ problem: lost, isDone: false });
		stubbed.answers.push('Continue…', '~alice/quill');
		await assert.rejects(deleteOwned(repositoryKind, connection, quill, never), { name: 'ForgeError' });
		failures.push({ problem: lost, isDone: true });
		stubbed.answers.push('Continue…', '~alice/quill');
		await deleteOwned(repositoryKind, connection, quill, never);
		assert.equal(stubbed.shown.at(-1), 'Deleted ~alice/quill');
		assert.deepEqual(new Set(stubbed.warned), new Set(['Delete ~alice/quill?']));
		assert.deepEqual(fake.world.repositories, []);
		assert.equal(connection.repositories.metadata.known(quill), undefined);
	});

	test('manages only own repositories', async () => {
		const { connections } = desk();
		const others = { kind: 'repository', connectionKey: 'alice.sample', ref: { owner: '~bob', name: 'pen' } };
		await assert.rejects(ownTarget(repositoryKind, connections, others, never), isAbort);
		assert.match(stubbed.shown.join(), /Only ~bob/);
		stubbed.answers.push('quill');
		assert.deepEqual((await ownTarget(repositoryKind, connections, undefined, never)).ref, quill);
	});
});
