import type { FileDiff } from '../patch/fileDiff.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import type { PatchMail } from '../series/seriesReading.ts';

/** A patch in the form in which versions of it are compared: without numbers of lines and ids, which every rebase changes. */
export interface RangePatch {
	/** As it is shown, mostly cut short; `undefined` where a mail does not tell the commit that it was made from. */
	readonly id: string | undefined;
	readonly title: string;
	/** Who wrote it, the message, and the diff. */
	readonly lines: readonly string[];
	/** How many of the lines stand above the diff. */
	readonly diffFrom: number;
	/** Lines of the diff, blank ones between files left out. */
	readonly diffSize: number;
	/** The ids of binary files: of these no line of the diff tells that they differ. */
	readonly binaries: string;
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

/**
 * Brings a patch mail into the form that `git range-diff` gives to commits. Where a message was written so that a mail
 * cannot hold it (a title over several lines, a line `---`), the form tells what `git am` would make of the mail.
 */
export function rangePatch(
	patch: Omit<PatchMail, 'gitDiff' | 'gitMessage' | 'bytes' | 'charset' | 'baseCommit'>,
	id: string | undefined,
): RangePatch {
	const { author, subject, message, diff, diffText } = patch;
	const head = [
		' ## Metadata ##',
		`Author: ${author ? `${author.name} <${author.address}>` : ''}`,
		'',
		' ## Commit message ##',
		...messageLines(subject, message),
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

/** A patch that was not read: all lines of its mail. */
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

function messageLines(subject: string, message: string): readonly string[] {
	const body = message === '' ? [] : ['', ...message.split('\n')];
	return [subject, ...body].map((line) => `    ${withoutTabs(line)}`).map(withoutBlanksAtEnd);
}

/** Counted by hand: a pattern for the end of a text begins anew at every blank in the middle. */
function withoutBlanksAtEnd(line: string): string {
	let end = line.length;
	while (end > 0 && /[ \t\n\v\f\r]/.test(line.charAt(end - 1))) {
		end--;
	}
	return line.slice(0, end);
}

const tabStop = 8;

/** `git log` shows tabs of messages as blanks. */
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
	const name = newPath ?? oldPath ?? '';
	const title = ` ## ${fileTitle(file)} ##`;
	if (content.kind !== 'text') {
		return [title, ` Binary files ${oldPath ?? '/dev/null'} and ${newPath ?? '/dev/null'} differ`];
	}
	const lines = content.hunks.flatMap((hunk) => [
		hunk.section === '' ? '@@' : `@@ ${name}: ${hunk.section}`,
		...Array.from(hunkLines(text, hunk)).flatMap((line) => {
			const shown = `${signs[line.kind]}${line.text}`;
			return line.hasLineEnd ? [shown] : [shown, ' \\ No newline at end of file'];
		}),
	]);
	return [title, ...lines];
}

function fileTitle({ change, oldPath = '', newPath = '', oldMode, newMode }: FileDiff): string {
	const mode =
		oldMode !== undefined && newMode !== undefined && oldMode !== newMode ? modeChange(oldMode, newMode) : '';
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

function modeChange(oldMode: string, newMode: string): string {
	return ` (mode change ${oldMode} => ${newMode})`;
}
