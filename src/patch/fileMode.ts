const mostMode = 0o177_777;

/**
 * The mode that stands in a line at offset `at`, as six octal digits. It is read as a number, as git reads it: blanks and
 * noughts before it do not change it. `undefined` when no such number stands there, or more than a number.
 */
export function modeAt(line: string, at: number): string | undefined {
	const digits = /^[\t\v\f\r ]*\+?([0-7]+)(?=[\t\v\f\r ]|$)/.exec(line.slice(at))?.[1];
	const mode = digits === undefined ? Number.NaN : Number.parseInt(digits, 8);
	return mode <= mostMode ? mode.toString(8).padStart(6, '0') : undefined;
}
