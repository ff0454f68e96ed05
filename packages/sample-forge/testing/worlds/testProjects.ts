import type { ToldProject } from '../../src/areas/areas.ts';

/** The projects of the tests' world. */
export const testProjects: readonly ToldProject[] = [
	{
		owner: 'alice',
		name: 'lantern',
		description: 'An editor for the terminal',
		repositories: ['lantern', 'lantern-plugins'],
		trackers: ['lantern', 'lantern-plugins'],
		lists: ['lantern-devel', 'lantern-announce'],
	},
	{ owner: 'alice', name: 'papers', isPrivate: true, repositories: ['diary'], trackers: ['announce'], lists: [] },
	{ owner: 'bob', name: 'wick', repositories: ['wick', 'sketches'], trackers: ['wick'], lists: ['wick-devel'] },
];
