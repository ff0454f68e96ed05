import assert from 'node:assert/strict';
import { problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';

protocolSuite('projects', {}, ({ forge, testWith }) => {
	testWith('projects', 'are those of their owner that one may see, with what one may see in them', async () => {
		const [own, others] = [forge().as('alice').projects, forge().as('bob').projects];
		assert.ok(own && others);
		const ref = (name: string): { readonly owner: string; readonly name: string } => ({ owner: '~alice', name });
		const lantern = {
			name: 'lantern',
			repositories: [ref('lantern'), ref('lantern-plugins')],
			trackers: [ref('lantern'), ref('lantern-plugins')],
			lists: [ref('lantern-devel'), ref('lantern-announce')],
		};
		const papers = { name: 'papers', repositories: [ref('diary')], trackers: [ref('announce')], lists: [] };
		const sorted = async (projects: typeof own): Promise<unknown> =>
			(await projects.projectsOf('~alice', wanted())).toSorted((one, other) => (one.name < other.name ? -1 : 1));
		assert.deepEqual(await sorted(own), [lantern, papers]);
		assert.deepEqual(await sorted(others), [lantern]);
		assert.deepEqual(await own.projectsOf('~erin', wanted()), []);
	});

	testWith(
		'projects',
		'are refused without a permission of their service, which says nothing of the token elsewhere',
		async () => {
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
		},
	);
});
