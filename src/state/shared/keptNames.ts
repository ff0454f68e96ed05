/** Names that outlive the window, such as the trackers that somebody follows. */
export interface KeptNames {
	all(): readonly string[];
	keep(names: readonly string[]): Promise<void>;
}
