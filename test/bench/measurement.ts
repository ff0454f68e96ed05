/** `full` gives figures with verdicts; `smallest` only shows that a measurement works, as fast as possible. */
export type Size = 'full' | 'smallest';

/** `drifted`: the baseline moved too much for a verdict. */
export type Verdict = 'met' | 'not met' | 'drifted';

export interface Figure {
	readonly name: string;
	readonly goal: string;
	readonly measured: number;
	/** `measured` for people, with its unit. */
	readonly shown: string;
	readonly verdict: Verdict;
	readonly detail: string;
}

/** Independent of others: starts and ends all its resources. */
export interface Measurement {
	readonly name: string;
	/** The user who notices when its figures get worse. */
	readonly feltBy: string;
	/** Starts the editor, whose windows leave a processor free most of the time. */
	readonly isInEditor: boolean;
	/** Throws unless both contenders do the same work; an `AbsentPeer` skips the measurement. */
	readonly measure: (size: Size) => Promise<readonly Figure[]>;
}

export type Outcome = Measured | Unmeasured;

export interface Measured {
	readonly kind: 'measured';
	readonly name: string;
	readonly figures: readonly Figure[];
	/** More than one after drift. */
	readonly attempts: number;
	readonly tookMs: number;
}

export interface Unmeasured {
	/** `skipped`: a program that it compares with is not installed. */
	readonly kind: 'broken' | 'skipped';
	readonly name: string;
	readonly reason: string;
	readonly tookMs: number;
}
