import { parseDiff } from '../patch/parseDiff.ts';

/**
 * The diff in a comment that changes the lines of a patch, without the indentation of the first line. `undefined` without
 * a sound one: mail programs wrap lines and remove blanks.
 */
export function receivedSuggestion(prose: string): string | undefined {
	const lines = prose.split('\n');
	const first = lines.findIndex(
		(line, at) =>
			/^[ \t]*diff --git /.test(line) || (/^[ \t]*--- \S/.test(line) && /^[ \t]*\+\+\+ \S/.test(lines[at + 1] ?? '')),
	);
	if (first === -1) {
		return undefined;
	}
	const [indent = ''] = /^[ \t]*/.exec(lines[first] ?? '') ?? [];
	const inside = lines.slice(first).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
	const text = `${inside.join('\n')}\n`;
	const { files, start, end } = parseDiff(text);
	const isSound = files.every(
		({ change, damage, content }) =>
			change === 'modified' && damage.length === 0 && content.kind === 'text' && content.hunks.length > 0,
	);
	return files.length > 0 && isSound ? text.slice(start, end) : undefined;
}
