import { isDevNull, pathInLine, quotedPath, type Strip } from './patchPath.ts';
import { lineAt, nextLine } from './textLines.ts';
import type { FileDiff } from './fileDiff.ts';

const starts = ['diff --cc ', 'diff --combined '] as const;
const headerLine = /^(?:index |mode |new file mode |deleted file mode |--- |\+\+\+ |Binary files )/;
const hunkHeader = /^(@{3,17})((?: -\d{1,15}(?:,\d{1,15})?){2,16}) \+(\d{1,15})(?:,(\d{1,15}))? @{3}/;

/**
 * Finds the range and paths of a merge diff at `at`; the viewer shows its text unchanged. `undefined` for other lines.
 */
export function readCombined(text: string, at: number, strip: Strip): FileDiff | undefined {
	const start = starts.find((word) => text.startsWith(word, at));
	const first = nextLine(text, at);
	if (start === undefined || !headerLine.test(text.slice(first, first + 24))) {
		return undefined;
	}
	const named = lineAt(text, at).slice(start.length);
	const path = quotedPath(named, 0)?.path ?? named;
	if (path === '') {
		return undefined;
	}
	const head = readHead(text, first, { oldPath: path, newPath: path }, strip);
	const { oldPath, newPath } = head;
	return {
		change: oldPath === undefined ? 'added' : newPath === undefined ? 'deleted' : 'modified',
		oldPath,
		newPath,
		oldMode: undefined,
		newMode: undefined,
		similarity: undefined,
		oldId: undefined,
		newId: undefined,
		content: { kind: 'combined' },
		added: 0,
		removed: 0,
		damage: [],
		start: at,
		end: hunksEnd(text, head.end),
	};
}

interface Paths {
	readonly oldPath: string | undefined;
	readonly newPath: string | undefined;
}

function readHead(text: string, from: number, named: Paths, strip: Strip): Paths & { readonly end: number } {
	let { oldPath, newPath } = named;
	let end = from;
	while (headerLine.test(text.slice(end, end + 24))) {
		if (text.startsWith('--- ', end)) {
			const line = lineAt(text, end);
			oldPath = isDevNull(line, 4) ? undefined : (pathInLine(line, 4, strip) ?? named.oldPath);
		} else if (text.startsWith('+++ ', end)) {
			const line = lineAt(text, end);
			newPath = isDevNull(line, 4) ? undefined : (pathInLine(line, 4, strip) ?? named.newPath);
		}
		end = nextLine(text, end);
	}
	// A file exists on at least one side, so fall back to the name in the first line.
	return oldPath === undefined && newPath === undefined ? { ...named, end } : { oldPath, newPath, end };
}

function hunksEnd(text: string, from: number): number {
	let end = from;
	while (text.startsWith('@@@', end)) {
		const [, ats = '', olds = '', , lines = '1'] = hunkHeader.exec(text.slice(end, end + 700)) ?? [];
		const counts = olds
			.trim()
			.split(' ')
			.map((range) => Number(range.split(',')[1] ?? '1'));
		if (counts.length !== ats.length - 1) {
			return nextLine(text, end);
		}
		end = hunkEnd(text, nextLine(text, end), counts, Number(lines));
	}
	return end;
}

/** Each line has a column per parent: minus for a line of that parent. The result has the lines without any minus. */
function hunkEnd(text: string, from: number, parents: readonly number[], lines: number): number {
	const left = [...parents];
	let fresh = lines;
	let at = from;
	while (at < text.length && (fresh > 0 || left.some((count) => count > 0))) {
		const written = text.slice(at, at + parents.length);
		const columns = /^[\n\r]/.test(written) ? ' '.repeat(parents.length) : written;
		if (!columns.startsWith('\\') && !/^[ +-]+$/.test(columns)) {
			return at;
		}
		const isGone = columns.includes('-');
		if (!columns.startsWith('\\')) {
			left.forEach((count, column) => {
				const sign = columns.charAt(column);
				left[column] = count - (sign === '-' || (!isGone && sign === ' ') ? 1 : 0);
			});
			fresh -= isGone ? 0 : 1;
		}
		at = nextLine(text, at);
	}
	return text.startsWith('\\ ', at) || /^ +\\ No newline/.test(text.slice(at, at + 32)) ? nextLine(text, at) : at;
}
