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
