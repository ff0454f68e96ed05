/** Input of "go to file". Lines and columns count from 1. */
export interface TypedPath {
	/** The search text without line and column. */
	readonly text: string;
	readonly line: number | undefined;
	readonly column: number | undefined;
}

/** `main.c:12`, `main.c:12:3`, and incomplete forms while typing. */
const atLine = /^(.+?):(\d{0,7})(?::(\d{0,7}))?$/s;

/** Splits off line and column. */
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
