/** A moment that matters, and the sources on the stack then, with those of whoever asked for it earlier. */
export interface Moment {
	readonly name: 'port' | 'request' | 'store' | 'mail' | 'parsed' | 'row' | 'told' | 'command';
	/** What it is about: the call, the row, the text that is parsed. */
	readonly about: string;
	/** Innermost first. */
	readonly files: readonly string[];
}

/** A function that was called. */
export interface Run {
	readonly file: string;
	readonly name: string;
	readonly calls: number;
}

/** What was seen between an event and its result. */
export interface Trace {
	readonly moments: readonly Moment[];
	readonly runs: readonly Run[];
}

/** A file of the main line, and the first moment at which it was on the stack. */
export interface Step {
	readonly file: string;
	readonly moment: Moment['name'];
}

/** The files that were on the stack at any of the moments: outermost first, in the order of the moments. */
export function mainLine({ moments }: Trace): readonly Step[] {
	const steps = new Map<string, Step>();
	for (const { name, files } of moments) {
		for (const file of files.toReversed()) {
			if (!steps.has(file)) {
				steps.set(file, { file, moment: name });
			}
		}
	}
	return [...steps.values()];
}

/** How often each row was told to the editor, by its id, the most often told first. */
export function toldRows({ moments }: Trace): readonly (readonly [string, number])[] {
	return counted(moments, 'told').toSorted(([, one], [, other]) => other - one);
}

/** Texts that were parsed as diffs more than once. */
export function parsedAgain({ moments }: Trace): readonly string[] {
	return counted(moments, 'parsed').flatMap(([text, count]) => (count > 1 ? [text] : []));
}

/** How often there was such a moment. */
export function timesOf({ moments }: Trace, name: Moment['name']): number {
	return moments.filter((moment) => moment.name === name).length;
}

function counted(moments: readonly Moment[], name: Moment['name']): readonly (readonly [string, number])[] {
	const counts = new Map<string, number>();
	for (const { about } of moments.filter((moment) => moment.name === name)) {
		counts.set(about, (counts.get(about) ?? 0) + 1);
	}
	return [...counts];
}
