/** What is wrong with the planted line, in a word. */
export type FaultKind = 'operator' | 'boundary' | 'guard' | 'field' | 'order' | 'await' | 'account';

/** One fault that can be planted: the product with it is wrong in a way that somebody would suffer from. */
export interface Fault {
	/** Unique, and stable: reports of different days are compared by it. */
	readonly name: string;
	/** A room of ARCHITECTURE.md, or an area of `features`. */
	readonly room: string;
	readonly kind: FaultKind;
	/** Relative to the folder of package.json. */
	readonly file: string;
	/** Stands exactly once in the file. */
	readonly text: string;
	readonly replacement: string;
	/** What somebody would suffer, or why an attacker would like it. */
	readonly harm: string;
}

/** The content with the fault in it. Throws where the text to be replaced is not there exactly once. */
export function plant(fault: Fault, content: string): string {
	const pieces = content.split(fault.text);
	const [before, after] = pieces;
	if (before === undefined || after === undefined || pieces.length > 2) {
		throw new Error(`${fault.name}: its text stands ${pieces.length - 1} times in ${fault.file}`);
	}
	return before + fault.replacement + after;
}
