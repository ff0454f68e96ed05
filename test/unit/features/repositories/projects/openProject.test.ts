import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Project } from 'sourcehut/port/project.ts';
import { reachedBy } from '../../../../../src/editor/accounts/session.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { knownProjects } from '../../../../../src/store/repositories/knownProjects.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections, sampleInstance } from '../../../../support/fakeConnection.ts';
import { inProject, listedProjects, nothingKnown } from '../../../../support/makeProject.ts';
import { makeSession } from '../../../../support/makeSession.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { openProject } = await import('../../../../../src/features/repositories/projects/openProject.ts');

const connectionKey = 'sample-alice';
const lamp = { owner: '~alice', name: 'lamp' };
const devel = { owner: '~alice', name: 'lamp-devel' };
const lamps: Project = {
	name: 'Lamps $(zap)',
	repositories: [inProject(lamp), inProject({ owner: '~alice', name: 'shades' })],
	trackers: [inProject(lamp)],
	lists: [inProject(devel)],
};

function run(subject: unknown, tell: () => readonly Project[], isPart = false): Promise<void> {
	const projects = knownProjects({
		api: { projectsOf: async () => listedProjects(tell(), isPart) },
		clock: fakeClock(),
		resources: nothingKnown,
	});
	const connection = standFor<Connection>({ key: connectionKey, instance: sampleInstance, projects });
	return openProject(fakeConnections(connection), subject, new AbortController().signal);
}

suite('opening other parts of a project', () => {
	setup(resetStub);

	test('offers all other parts by kind, and opens the chosen one', async () => {
		stubbed.answers.push('Tracker ~alice/lamp');
		await run({ kind: 'repository', connectionKey, ref: lamp }, () => [lamps]);
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['Repository ~alice/shades', 'Lamps $\u2060(zap)'],
				['Tracker ~alice/lamp', 'Lamps $\u2060(zap)'],
				['Mailing list ~alice/lamp-devel', 'Lamps $\u2060(zap)'],
			],
		);
		assert.deepEqual(stubbed.executed, ['forge.trackers.show']);
	});

	test('leads back from the row of a list', async () => {
		stubbed.answers.push('Repository ~alice/lamp');
		const row = { item: {}, subject: { kind: 'list', connectionKey, ref: devel } };
		await run(row, () => [lamps]);
		assert.deepEqual(stubbed.executed, ['forge.repositories.open']);
	});

	test('reports a subject without a project, and one alone in its project', async () => {
		await run({ kind: 'list', connectionKey, ref: lamp }, () => [lamps]);
		const alone = { name: 'Alone', repositories: [inProject(lamp)], trackers: [], lists: [] };
		await run({ kind: 'repository', connectionKey, ref: lamp }, () => [alone]);
		assert.deepEqual(stubbed.shown, [
			'~alice/lamp is in no project of its owner.',
			'~alice/lamp is alone in its project.',
		]);
		assert.deepEqual(stubbed.executed, []);
	});

	test('never presents a part of the projects as all', async () => {
		await run({ kind: 'list', connectionKey, ref: lamp }, () => [lamps], true);
		assert.deepEqual(stubbed.shown, [
			'The forge lists only a part of the projects of ~alice. Nothing there is with ~alice/lamp.',
		]);
		stubbed.answers.push('Tracker ~alice/lamp');
		await run({ kind: 'repository', connectionKey, ref: lamp }, () => [lamps], true);
		assert.deepEqual(stubbed.hints, ['The forge lists only a part of the projects of ~alice.']);
	});

	test('reports a refusal of the forge, and points to the setting for a missing hub', async () => {
		const refused = (): never => {
			throw new ForgeError({ kind: 'notAllowed' });
		};
		await assert.rejects(run({ kind: 'tracker', connectionKey, ref: lamp }, refused), isForgeError);
		const without = standFor<Connection>({ key: connectionKey, instance: sampleInstance, projects: undefined });
		const subject = { kind: 'tracker', connectionKey, ref: lamp };
		stubbed.answers.push('Open Settings');
		await openProject(fakeConnections(without), subject, new AbortController().signal);
		assert.match(stubbed.shown.join(), /as "hub"\.$/);
		await Promise.resolve();
		assert.deepEqual(stubbed.executed, ['workbench.action.openSettings']);
	});

	test('offers a new sign-in when the settings name the hub only since the last one', async () => {
		const instance = reachedBy(makeSession(), { ...sampleInstance, hub: 'https://hub.forge.example' });
		const without = standFor<Connection>({ key: connectionKey, instance, projects: undefined });
		stubbed.answers.push('Sign In…');
		await openProject(
			fakeConnections(without),
			{ kind: 'tracker', connectionKey, ref: lamp },
			new AbortController().signal,
		);
		assert.match(stubbed.shown.join(), /Sign in again to use it\.$/);
		await Promise.resolve();
		assert.deepEqual(stubbed.executed, ['forge.accounts.signIn']);
	});

	test('says that REST has no projects when the settings name the hub', async () => {
		const instance = { ...sampleInstance, hub: 'https://hub.forge.example' };
		const without = standFor<Connection>({ key: connectionKey, instance, projects: undefined });
		await openProject(
			fakeConnections(without),
			{ kind: 'tracker', connectionKey, ref: lamp },
			new AbortController().signal,
		);
		assert.match(stubbed.shown.join(), /use REST\.$/);
	});
});
