/** Lines beyond these would bury what the ticket is about. */
const mostLines = 60;

/** A code excerpt with its position. */
export interface QuotedCode {
	readonly lines: readonly string[];
	/** The editor's name of the language. */
	readonly language: string;
	/** Readable path, such as `src/wick.c`. */
	readonly path: string;
	/** Counts from 1. */
	readonly firstLine: number;
}

/** Code in a fence that nothing in it can close; without the blanks that all lines begin with. */
export function fencedCode({ lines, language }: Pick<QuotedCode, 'lines' | 'language'>): string {
	const shown = withoutIndent(lines.slice(0, mostLines));
	const longest = Math.max(2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length));
	const fence = '`'.repeat(longest + 1);
	const rest = lines.length > mostLines ? ['…'] : [];
	return [`${fence}${/^[\w+#-]+$/.test(language) ? language : ''}`, ...shown, ...rest, fence].join('\n');
}

function withoutIndent(lines: readonly string[]): readonly string[] {
	const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
	const [first = '', ...others] = indents;
	let common = first.length;
	for (const indent of others) {
		while (common > 0 && indent.slice(0, common) !== first.slice(0, common)) {
			common -= 1;
		}
	}
	return lines.map((line) => (line.trim() === '' ? '' : line.slice(common)));
}
