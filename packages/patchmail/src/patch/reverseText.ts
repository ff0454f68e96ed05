import { pushAll } from '@forge-desk/base/longArrays.ts';
import { applyDiff } from './applyDiff.ts';
import type { Hunk } from './fileDiff.ts';
import { hunkLines, type HunkLine } from './hunkLines.ts';
import { parseDiff } from './parseDiff.ts';

/** Whether a content already has the changes of hunks in `text`: reversed, they apply without fuzz. */
export function isApplied(content: string, text: string, hunks: readonly Hunk[]): boolean {
	const reverse = `--- a/x\n+++ b/x\n${hunks.map((hunk) => reversedHunk(text, hunk)).join('')}`;
	const [diff] = parseDiff(reverse).files;
	const outcome = diff && applyDiff(content, reverse, diff);
	return outcome?.kind === 'applied' && outcome.hunks.every(({ fuzz }) => fuzz === 0);
}

export function reversedHunk(text: string, hunk: Hunk): string {
	const { oldStart, oldLines, newStart, newLines } = hunk;
	const lines = [`@@ -${newStart},${newLines} +${oldStart},${oldLines} @@\n`];
	let added: string[] = [];
	for (const line of hunkLines(text, hunk)) {
		// Diffs have removed lines before added ones.
		if (line.kind === 'removed') {
			added.push(written('+', line));
		} else if (line.kind === 'added') {
			lines.push(written('-', line));
		} else {
			pushAll(lines, [...added, written(' ', line)]);
			added = [];
		}
	}
	return [...lines, ...added].join('');
}

function written(sign: string, { text, hasLineEnd }: HunkLine): string {
	return `${sign}${text}\n${hasLineEnd ? '' : '\\ No newline at end of file\n'}`;
}
