import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { OwnersProjects, Project, ProjectPart } from 'sourcehut/port/project.ts';
import {
	knownProjects,
	type KnownProjects,
	type KnownResources,
	keptProjects,
} from '../../../../src/store/repositories/knownProjects.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { inProject, listedProjects, nothingKnown } from '../../../support/makeProject.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;
const lamp = { owner: '~alice', name: 'lamp' };
const project: Project = { name: 'Lamps', repositories: [inProject(lamp)], trackers: [], lists: [] };
/** Current names by resource id. */
function calledNow(kind: ProjectPart['kind'], names: Readonly<Record<string, NamedRef>>): KnownResources {
	const isIt = (each: NamedRef, ref: NamedRef): boolean => each.owner === ref.owner && each.name === ref.name;
	return {
		ridOf: (part) =>
			part.kind === kind ? Object.entries(names).find(([, each]) => isIt(each, part.ref))?.[0] : undefined,
		refOf: (of, rid) => (of === kind ? names[rid] : undefined),
	};
}

suite('known projects', () => {
	test('load once a day per owner, for all repositories', async () => {
		const clock = fakeClock();
		const asked: string[] = [];
		const known = knownProjects({
			api: { projectsOf: async (owner) => (asked.push(owner), listedProjects([project])) },
			clock,
			resources: nothingKnown,
		});
		assert.deepEqual(await known.ofRepository(lamp, never), project);
		assert.equal(await known.ofRepository({ ...lamp, name: 'shed' }, never), undefined);
		assert.equal(await known.ofRepository({ ...lamp, owner: '~bob' }, never), undefined);
		clock.advance(23 * hourMs);
		await known.ofRepository(lamp, never);
		assert.deepEqual(asked, ['~alice', '~bob']);
		clock.advance(2 * hourMs);
		await known.ofRepository(lamp, never);
		assert.deepEqual(asked, ['~alice', '~bob', '~alice']);
	});

	test('share one request between concurrent callers', async () => {
		const answer = Promise.withResolvers<OwnersProjects>();
		let count = 0;
		const projectsOf = (): Promise<OwnersProjects> => {
			count += 1;
			return answer.promise;
		};
		const known = knownProjects({ api: { projectsOf }, clock: fakeClock(), resources: nothingKnown });
		const row = { kind: 'repository', ref: lamp } as const;
		const asking = [known.ofRepository(lamp, never), known.having(row, never), known.ofRepository(lamp, never)];
		answer.resolve(listedProjects([project]));
		assert.deepEqual(await Promise.all(asking), [project, listedProjects([project]), project]);
		assert.deepEqual([await known.having(row, never), count], [listedProjects([project]), 1]);
	});

	test('are empty after a failure, with a pause before the next request', async () => {
		const clock = fakeClock();
		let count = 0;
		let isAway = true;
		const known = knownProjects({
			api: {
				async projectsOf() {
					count += 1;
					if (isAway) {
						throw new ForgeError({ kind: 'notOffered' });
					}
					return listedProjects([project]);
				},
			},
			clock,
			resources: nothingKnown,
		});
		assert.equal(await known.ofRepository(lamp, never), undefined);
		assert.equal(await known.ofRepository(lamp, never), undefined);
		assert.equal(count, 1);
		clock.advance(hourMs);
		isAway = false;
		assert.deepEqual(await known.ofRepository(lamp, never), project);
		clock.advance(25 * hourMs);
		isAway = true;
		assert.deepEqual(await known.ofRepository(lamp, never), project);
		assert.equal(count, 3);
	});

	test('load again after an abort', async () => {
		const ending = new AbortController();
		const begun = Promise.withResolvers<undefined>();
		let count = 0;
		const known = knownProjects({
			api: {
				async projectsOf(_, signal) {
					count += 1;
					begun.resolve(undefined);
					await Promise.resolve();
					signal.throwIfAborted();
					return listedProjects([project]);
				},
			},
			clock: fakeClock(),
			resources: nothingKnown,
		});
		const asking = known.ofRepository(lamp, ending.signal);
		await begun.promise;
		ending.abort();
		await assert.rejects(asking, { name: 'AbortError' });
		assert.deepEqual(await known.ofRepository(lamp, never), project);
		assert.equal(count, 2);
	});

	test('report the failure to an explicit reader, and load on its next try', async () => {
		const clock = fakeClock();
		let isAway = true;
		let count = 0;
		const bulbs = { owner: '~alice', name: 'bulbs' };
		const both: Project = {
			name: 'Both',
			repositories: [inProject(lamp)],
			trackers: [inProject(bulbs)],
			lists: [],
		};
		const known = knownProjects({
			api: {
				async projectsOf() {
					count += 1;
					if (isAway) {
						throw new ForgeError({ kind: 'notAllowed' });
					}
					return listedProjects([project, both]);
				},
			},
			clock,
			resources: nothingKnown,
		});
		assert.equal(await known.ofRepository(lamp, never), undefined);
		await assert.rejects(known.having({ kind: 'repository', ref: lamp }, never), isForgeError);
		isAway = false;
		assert.deepEqual(await known.having({ kind: 'repository', ref: lamp }, never), listedProjects([project, both]));
		assert.deepEqual(await known.having({ kind: 'tracker', ref: bulbs }, never), listedProjects([both]));
		assert.deepEqual(
			await known.having({ kind: 'list', ref: bulbs }, never),
			listedProjects([]),
			'a list of the name of a tracker',
		);
		assert.equal(count, 3);
	});

	const lantern = { owner: '~alice', name: 'lantern' };
	const asking = (told: Project, resources: KnownResources): KnownProjects =>
		knownProjects({ api: { projectsOf: async () => listedProjects([told]) }, clock: fakeClock(), resources });

	test('include a renamed repository or tracker under its new name', async () => {
		const known = asking(project, calledNow('repository', { 'rid of ~alice/lamp': lantern }));
		const found: Project = { ...project, repositories: [inProject(lantern, 'rid of ~alice/lamp')] };
		assert.deepEqual(await known.ofRepository(lantern, never), found);
		assert.deepEqual(await known.ofRepository(lamp, never), found, 'a clone may go on with the address before');
		const bulbs: Project = { ...project, trackers: [inProject(lamp, 'rid of bulbs')] };
		const renamed = asking(bulbs, calledNow('tracker', { 'rid of bulbs': lantern }));
		assert.deepEqual(
			await renamed.having({ kind: 'tracker', ref: lantern }, never),
			listedProjects([{ ...bulbs, trackers: [inProject(lantern, 'rid of bulbs')] }]),
		);
	});

	test('exclude a thing whose name now belongs to another one', async () => {
		const given = calledNow('repository', { 'rid of another': lamp });
		assert.equal(await asking(project, given).ofRepository(lamp, never), undefined);
		const both: Project = { ...project, trackers: [inProject(lamp, 'rid of the first')] };
		const taken = calledNow('tracker', { 'rid of the second': lamp });
		assert.deepEqual(await asking(both, taken).ofRepository(lamp, never), { ...both, trackers: [] });
		assert.deepEqual(await asking(both, taken).having({ kind: 'tracker', ref: lamp }, never), listedProjects([]));
	});

	test('last on disk for a day, and longer while the forge is unavailable', async () => {
		const clock = fakeClock();
		const disk = textsInMemory();
		const asked: string[] = [];
		let isAway = false;
		const projectsOf = async (owner: string): Promise<OwnersProjects> => {
			asked.push(owner);
			if (isAway) {
				throw new ForgeError({ kind: 'notOffered' });
			}
			return listedProjects([project]);
		};
		const hub = 'https://hub.forge.test';
		const window = (at = hub): KnownProjects =>
			knownProjects({ api: { projectsOf }, clock, resources: nothingKnown, disk: keptProjects(disk, at, clock) });
		assert.deepEqual(await window().ofRepository(lamp, never), project);
		clock.advance(20 * hourMs);
		const row = { kind: 'repository', ref: lamp } as const;
		assert.deepEqual(
			[await window().ofRepository(lamp, never), await window().having(row, never)],
			[project, listedProjects([project])],
		);
		assert.deepEqual(asked, ['~alice']);
		const next = window();
		await next.ofRepository(lamp, never);
		clock.advance(5 * hourMs);
		isAway = true;
		// The day starts with the response.
		assert.deepEqual(await next.ofRepository(lamp, never), project);
		assert.deepEqual(await window().ofRepository(lamp, never), project);
		await assert.rejects(window().having(row, never), isForgeError);
		assert.equal(asked.length, 4);
		assert.equal(await window('https://other.forge.test').ofRepository(lamp, never), undefined);
		assert.equal(asked.length, 5);
		for (const [name, text] of disk.texts) {
			disk.texts.set(name, text.replace('"repositories":[', '"repositories":[7,'));
		}
		isAway = false;
		clock.advance(-4 * hourMs);
		assert.deepEqual(await window().ofRepository(lamp, never), project, 'what was damaged is asked for');
		assert.equal(asked.length, 6);
	});

	test('are hidden from a token without the permission', async () => {
		const clock = fakeClock();
		const disk = textsInMemory();
		let isPermitted = true;
		const window = (): KnownProjects =>
			knownProjects({
				api: {
					async projectsOf() {
						if (!isPermitted) {
							const asWritten = 'hub.sr.ht/PROJECTS:RO';
							throw new ForgeError({ kind: 'missingScope', scope: undefined, asWritten, besides: 'projects' });
						}
						return listedProjects([project]);
					},
				},
				clock,
				resources: nothingKnown,
				disk: keptProjects(disk, 'https://hub.forge.test', clock),
			});
		const open = window();
		assert.deepEqual(await open.ofRepository(lamp, never), project);
		clock.advance(25 * hourMs);
		isPermitted = false;
		assert.deepEqual(
			[await open.ofRepository(lamp, never), await window().ofRepository(lamp, never)],
			[undefined, undefined],
		);
		isPermitted = true;
		clock.advance(hourMs);
		assert.deepEqual(
			[await open.ofRepository(lamp, never), await window().ofRepository(lamp, never)],
			[project, project],
		);
	});

	test('load again on demand if something is in no project yet', async () => {
		const clock = fakeClock();
		const disk = textsInMemory();
		let told: readonly Project[] = [];
		let count = 0;
		const window = (): KnownProjects =>
			knownProjects({
				api: { projectsOf: async () => ((count += 1), listedProjects(told)) },
				clock,
				resources: nothingKnown,
				disk: keptProjects(disk, 'https://hub.forge.test', clock),
			});
		const row = { kind: 'repository', ref: lamp } as const;
		const open = window();
		assert.deepEqual(
			[await open.having(row, never), await open.having(row, never), count],
			[listedProjects([]), listedProjects([]), 1],
		);
		told = [project];
		clock.advance(2 * 60_000);
		assert.deepEqual([await open.ofRepository(lamp, never), count], [undefined, 1], 'nobody waits for a folder');
		assert.deepEqual([await window().having(row, never), count], [listedProjects([project]), 2]);
		assert.deepEqual(
			[await open.having(row, never), await open.ofRepository(lamp, never), count],
			[listedProjects([project]), project, 3],
		);
		clock.advance(hourMs);
		assert.deepEqual([await open.having(row, never), count], [listedProjects([project]), 3]);
	});

	test('load again after an incomplete response', async () => {
		const clock = fakeClock();
		const disk = textsInMemory();
		let count = 0;
		const window = (): KnownProjects =>
			knownProjects({
				api: { projectsOf: async () => ((count += 1), listedProjects([], true)) },
				clock,
				resources: nothingKnown,
				disk: keptProjects(disk, 'https://hub.forge.test', clock),
			});
		const row = { kind: 'repository', ref: lamp } as const;
		const open = window();
		assert.deepEqual(
			[await open.having(row, never), await open.having(row, never)],
			[listedProjects([], true), listedProjects([], true)],
		);
		await window().having(row, never);
		assert.equal(count, 3);
	});
});
