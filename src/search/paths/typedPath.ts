/** What was typed to go to a file. Lines and columns count from 1, as they are typed. */
export interface TypedPath {
	/** Without the line; what files are looked for by. */
	readonly text: string;
	readonly line: number | undefined;
	readonly column: number | undefined;
}

/** `main.c:12`, `main.c:12:3`, and what stands there while the number is still to come. */
const atLine = /^(.+?):(\d{0,7})(?::(\d{0,7}))?$/s;

/** Takes a line and a column off the end of what was typed. */
export function typedPath(typed: string): TypedPath {
	const [, text, line, column] = atLine.exec(typed) ?? [];
	return text === undefined
		? { text: typed, line: undefined, column: undefined }
		: { text, line: counted(line), column: counted(column) };
}

function counted(digits: string | undefined): number | undefined {
	const number = Number(digits);
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
