/** A project with the names of its parts. */
export interface ToldProject {
	readonly owner: string;
	readonly name: string;
	readonly description?: string;
	readonly isPrivate?: boolean;
	readonly repositories: readonly string[];
	readonly trackers: readonly string[];
	readonly lists: readonly string[];
}

/** The projects of the sample world. */
export const toldProjects: readonly ToldProject[] = [
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
