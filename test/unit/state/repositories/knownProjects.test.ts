import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from '../../../../src/forge/forgeError.ts';
import type { Project } from '../../../../src/forge/project.ts';
import { knownProjects } from '../../../../src/state/repositories/knownProjects.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;
const lamp = { owner: '~alice', name: 'lamp' };
const project: Project = { name: 'Lamps', repositories: [lamp], trackers: [], lists: [] };

suite('which project a repository is in', () => {
	test('is asked of its owner once a day, for all of their repositories', async () => {
		const clock = fakeClock();
		const asked: string[] = [];
		const known = knownProjects({ projectsOf: async (owner) => (asked.push(owner), [project]) }, clock);
		assert.equal(await known.ofRepository(lamp, never), project);
		assert.equal(await known.ofRepository({ ...lamp, name: 'shed' }, never), undefined);
		assert.equal(await known.ofRepository({ ...lamp, owner: '~bob' }, never), undefined);
		clock.advance(23 * hourMs);
		await known.ofRepository(lamp, never);
		assert.deepEqual(asked, ['~alice', '~bob']);
		clock.advance(2 * hourMs);
		await known.ofRepository(lamp, never);
		assert.deepEqual(asked, ['~alice', '~bob', '~alice']);
	});

	test('is not known where the forge does not tell, and is not asked for at once again', async () => {
		const clock = fakeClock();
		let count = 0;
		let isAway = true;
		const known = knownProjects(
			{
				async projectsOf() {
					count += 1;
					if (isAway) {
						throw new ForgeError({ kind: 'notOffered' });
					}
					return [project];
				},
			},
			clock,
		);
		assert.equal(await known.ofRepository(lamp, never), undefined);
		assert.equal(await known.ofRepository(lamp, never), undefined);
		assert.equal(count, 1);
		clock.advance(hourMs);
		isAway = false;
		assert.equal(await known.ofRepository(lamp, never), project);
		clock.advance(25 * hourMs);
		isAway = true;
		assert.equal(await known.ofRepository(lamp, never), project);
		assert.equal(count, 3);
	});

	test('what was given up is asked for again', async () => {
		const ending = new AbortController();
		ending.abort();
		let count = 0;
		const known = knownProjects(
			{
				async projectsOf(_, signal) {
					count += 1;
					signal.throwIfAborted();
					return [project];
				},
			},
			fakeClock(),
		);
		await assert.rejects(known.ofRepository(lamp, ending.signal), { name: 'AbortError' });
		assert.equal(await known.ofRepository(lamp, never), project);
		assert.equal(count, 2);
	});

	test('whoever asks for the projects of something hears why they cannot be told, and is told as soon as they can', async () => {
		const clock = fakeClock();
		let isAway = true;
		let count = 0;
		const bulbs = { owner: '~alice', name: 'bulbs' };
		const both: Project = { name: 'Both', repositories: [lamp], trackers: [bulbs], lists: [] };
		const known = knownProjects(
			{
				async projectsOf() {
					count += 1;
					if (isAway) {
						throw new ForgeError({ kind: 'notAllowed' });
					}
					return [project, both];
				},
			},
			clock,
		);
		assert.equal(await known.ofRepository(lamp, never), undefined);
		await assert.rejects(known.having({ kind: 'repository', ref: lamp }, never), isForgeError);
		isAway = false;
		assert.deepEqual(await known.having({ kind: 'repository', ref: lamp }, never), [project, both]);
		assert.deepEqual(await known.having({ kind: 'tracker', ref: bulbs }, never), [both]);
		assert.deepEqual(await known.having({ kind: 'list', ref: bulbs }, never), [], 'a list of the name of a tracker');
		assert.equal(count, 3);
	});
});
