import assert from 'node:assert/strict';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import { problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';

protocolSuite('projects', {}, ({ forge, testWith }) => {
	testWith('projects', 'are the visible projects of their owner, with their visible contents', async () => {
		const [own, others] = [forge().as('alice').projects, forge().as('bob').projects];
		assert.ok(own && others);
		const { repositories, trackers, lists } = forge().as('alice');
		// Each by the id from its own service.
		const refTo = (name: string): NamedRef => ({ owner: '~alice', name });
		const as = (name: string, { rid = 'untold' }: { readonly rid?: string }): object => ({ ...refTo(name), rid });
		const repository = async (name: string): Promise<object> =>
			as(name, await repositories.repository(refTo(name), wanted()));
		const tracker = async (name: string): Promise<object> => as(name, await trackers.tracker(refTo(name), wanted()));
		const list = async (name: string): Promise<object> => as(name, await lists.list(refTo(name), wanted()));
		const lantern = {
			name: 'lantern',
			repositories: [await repository('lantern'), await repository('lantern-plugins')],
			trackers: [await tracker('lantern'), await tracker('lantern-plugins')],
			lists: [await list('lantern-devel'), await list('lantern-announce')],
		};
		const papers = {
			name: 'papers',
			repositories: [await repository('diary')],
			trackers: [await tracker('announce')],
			lists: [],
		};
		const sorted = async (projects: typeof own): Promise<unknown> =>
			(await projects.projectsOf('~alice', wanted())).projects.toSorted((one, other) =>
				one.name < other.name ? -1 : 1,
			);
		assert.deepEqual(await sorted(own), [lantern, papers]);
		assert.deepEqual(await sorted(others), [lantern]);
		assert.deepEqual(await own.projectsOf('~erin', wanted()), { projects: [], isPart: false });
	});

	testWith('projects', 'fail without a permission of their service, and the token still works elsewhere', async () => {
		const { sample } = forge();
		const scopes = ['git.sr.ht/REPOSITORIES:RO', 'git.sr.ht/PROFILE:RO', 'hub.sr.ht/PROFILE:RO'];
		const token = await sample.token('alice', scopes);
		const client = forge().withToken('alice', () => token);
		assert.ok(client.projects);
		const problem = await problemFrom(client.projects.projectsOf('~alice', wanted()));
		assert.deepEqual(
			[problem.kind, problem.kind === 'missingScope' && problem.asWritten],
			['missingScope', 'hub.sr.ht/PROJECTS:RO'],
		);
		assert.equal(
			(await client.repositories.repository({ owner: '~alice', name: 'lantern' }, wanted())).name,
			'lantern',
		);
	});
});
