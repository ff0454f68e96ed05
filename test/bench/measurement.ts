/** `full` gives figures that can be judged; `smallest` only shows that a measurement works, in as little time as possible. */
export type Size = 'full' | 'smallest';

/** `drifted`: the baseline wandered too far while it was measured, so it judges nobody. */
export type Verdict = 'met' | 'not met' | 'drifted';

/** A number that was measured, and what was hoped for. */
export interface Figure {
	readonly name: string;
	readonly goal: string;
	readonly measured: number;
	/** `measured` for people, with its unit. */
	readonly shown: string;
	readonly verdict: Verdict;
	readonly detail: string;
}

/** What is measured in one go. It stands alone: it starts what it needs, and ends it. */
export interface Measurement {
	readonly name: string;
	/** The user who notices when its figures get worse. */
	readonly feltBy: string;
	/** It starts the editor, whose windows leave a processor free most of the time. */
	readonly isInEditor: boolean;
	/** Proves that what it compares is the same work; throws where it is not. */
	readonly measure: (size: Size) => Promise<readonly Figure[]>;
}

/** What became of a measurement. */
export type Outcome = Measured | Broken;

export interface Measured {
	readonly kind: 'measured';
	readonly name: string;
	readonly figures: readonly Figure[];
	/** How often it was measured, because of drift. */
	readonly attempts: number;
	readonly tookMs: number;
}

export interface Broken {
	readonly kind: 'broken';
	readonly name: string;
	readonly reason: string;
	readonly tookMs: number;
}
