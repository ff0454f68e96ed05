/** A stored set of names, such as followed trackers. */
export interface KeptNames {
	all(): readonly string[];
	keep(names: readonly string[]): Promise<void>;
}
