import type { FileDiff } from '../patch/fileDiff.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import type { PatchMail } from '../series/seriesReading.ts';

/** A patch for comparing versions, without line numbers and ids, which every rebase changes. */
export interface RangePatch {
	/** For display, usually abbreviated; `undefined` when the mail doesn't state its commit. */
	readonly id: string | undefined;
	readonly title: string;
	/** Author, message and diff. */
	readonly lines: readonly string[];
	/** Number of lines above the diff. */
	readonly diffFrom: number;
	/** Number of diff lines, without blank lines between files. */
	readonly diffSize: number;
	/** Ids of binary files: their diff has no lines to compare. */
	readonly binaries: string;
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

/**
 * Formats a patch mail like `git range-diff` formats commits. If the mail cannot represent the commit message (a
 * multi-line title, a line `---`), uses the result of `git am`.
 */
export function rangePatch(
	patch: Omit<PatchMail, 'gitDiff' | 'gitMessage' | 'bytes' | 'charset' | 'baseCommit'>,
	id: string | undefined,
): RangePatch {
	const { author, subject, message, diff, diffText } = patch;
	const body = message === '' ? [] : ['', ...message.split('\n')];
	const head = [
		' ## Metadata ##',
		`Author: ${author ? `${author.name} <${author.address}>` : ''}`,
		'',
		' ## Commit message ##',
		...[subject, ...body].map((line) => `    ${withoutTabs(line)}`).map(withoutBlanksAtEnd),
		...(diff.files.length === 0 ? [] : ['']),
	];
	const files = diff.files.map((file) => fileLines(diffText, file));
	const lines = files.flatMap((each, index) => (index === 0 ? each : ['', ...each]));
	const binaries = diff.files.filter(({ content }) => content.kind === 'binary');
	return {
		id,
		title: subject,
		lines: [...head, ...lines],
		diffFrom: diff.files.length === 0 ? 0 : head.length,
		diffSize: files.reduce((sum, each) => sum + each.length, 0),
		binaries: binaries.map(({ newPath, newId }) => `${newPath ?? ''} ${newId ?? ''}\n`).join(''),
	};
}

/** Fallback for an unparsable mail: all its lines. */
export function rawPatch(title: string, text: string): RangePatch {
	const lines = text.split('\n');
	return {
		id: undefined,
		title,
		lines: ['## Raw mail ##', ...lines],
		diffFrom: 1,
		diffSize: lines.length,
		binaries: '',
	};
}

/** A loop, because a regular expression for trailing blanks takes quadratic time. */
function withoutBlanksAtEnd(line: string): string {
	let end = line.length;
	while (end > 0 && /[ \t\n\v\f\r]/.test(line.charAt(end - 1))) {
		end--;
	}
	return line.slice(0, end);
}

const tabStop = 8;

/** `git log` expands tabs in messages. */
function withoutTabs(line: string): string {
	const [first = '', ...others] = line.split('\t');
	return others.reduce(
		(text, part) => ({
			shown: `${text.shown}${' '.repeat(tabStop - (columnsOf(text.last) % tabStop))}${part}`,
			last: part,
		}),
		{ shown: first, last: first },
	).shown;
}

const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u;

function columnsOf(text: string): number {
	return Array.from(text).reduce(
		(sum, sign) => sum + (/\p{Mn}|\p{Me}|\p{Cf}/u.test(sign) ? 0 : wide.test(sign) ? 2 : 1),
		0,
	);
}

function fileLines(text: string, file: FileDiff): readonly string[] {
	const { content, oldPath, newPath } = file;
	const name = newPath ?? oldPath;
	const title = ` ## ${fileTitle(file)} ##`;
	if (content.kind !== 'text') {
		return [title, ` Binary files ${oldPath ?? '/dev/null'} and ${newPath ?? '/dev/null'} differ`];
	}
	const lines = [title];
	for (const hunk of content.hunks) {
		lines.push(hunk.section === '' ? '@@' : `@@ ${name}: ${hunk.section}`);
		for (const { kind, text: bare, hasLineEnd, start, end } of hunkLines(text, hunk)) {
			const sign = signs[kind];
			// Most mails have the line as it is shown, and a part of their text costs less than a new one.
			const isAsSent = end - start === bare.length + 1 && text.startsWith(sign, start);
			lines.push(isAsSent ? text.slice(start, end) : `${sign}${bare}`);
			if (!hasLineEnd) {
				lines.push(' \\ No newline at end of file');
			}
		}
	}
	return lines;
}

function fileTitle({ change, oldPath = '', newPath = '', oldMode, newMode }: FileDiff): string {
	const mode =
		oldMode !== undefined && newMode !== undefined && oldMode !== newMode
			? ` (mode change ${oldMode} => ${newMode})`
			: '';
	switch (change) {
		case 'added':
			return `${newPath} (new)`;
		case 'deleted':
			return `${oldPath} (deleted)`;
		case 'renamed':
			return `${oldPath} => ${newPath}${mode}`;
		case 'copied':
		case 'modified':
			return `${newPath}${mode}`;
	}
}
