/** No real thread is deeper. */
const deepest = 40;
/** Maximum blanks before a mark. */
const mostIndent = 3;

/** Quote marks of unusual mail programs, besides `>`. */
export const rareMarks = ['|', ':', '}', '#', '%'] as const;
export type RareMark = (typeof rareMarks)[number] | 'initials';

export interface MarkedLine {
	readonly depth: number;
	/** The text after the first mark, the second, and so on. */
	readonly behind: readonly string[];
}

/** Strips the marks of a line; `undefined` without any. `rare`: accepted marks besides `>`. */
export function marked(line: string, rare: ReadonlySet<RareMark>): MarkedLine | undefined {
	const behind: string[] = [];
	for (let at = markEnd(line, 0, rare); at !== -1 && behind.length < deepest; at = markEnd(line, at, rare)) {
		behind.push(line.slice(at));
	}
	return behind.length === 0 ? undefined : { depth: behind.length, behind };
}

/** Offset after the mark at `from`, skipping blanks; -1 without a mark. */
function markEnd(line: string, from: number, rare: ReadonlySet<RareMark>): number {
	let at = from;
	while (at < from + mostIndent && isBlank(line.charCodeAt(at))) {
		at += 1;
	}
	if (line[at] === '>' || line[at] === '\u00BB') {
		return at + 1;
	}
	if (line.startsWith('&gt;', at)) {
		return at + 4;
	}
	return rare.size === 0 ? -1 : rareEnd(line, at, rare);
}

function rareEnd(line: string, at: number, rare: ReadonlySet<RareMark>): number {
	if (rareMarks.some((mark) => mark === line[at] && rare.has(mark))) {
		return at + 1;
	}
	const initials = rare.has('initials') ? initialsAt(line, at) : undefined;
	return initials === undefined ? -1 : at + initials.length;
}

/** For example `ML>`. */
function initialsAt(line: string, at: number): string | undefined {
	return /^[A-Za-z]{1,5}>/.exec(line.slice(at, at + 6))?.[0];
}

function isBlank(code: number): boolean {
	return code === 0x20 || code === 0x09 || code === 0xa0;
}

const usualMarks: ReadonlySet<RareMark> = new Set();

/** The possible rare mark of a line, after its usual ones. */
export function rareMarkOf(line: string): { readonly mark: RareMark; readonly behind: string } | undefined {
	const usual = marked(line, usualMarks);
	const rest = (usual?.behind.at(-1) ?? line).slice(0, 2000).trimStart();
	const mark = rareMarks.find((each) => rest.startsWith(each));
	if (mark !== undefined) {
		return { mark, behind: rest.slice(1) };
	}
	const initials = initialsAt(rest, 0);
	return initials === undefined ? undefined : { mark: 'initials', behind: rest.slice(initials.length) };
}
