import type { FileDiff, ParsedDiff } from './fileDiff.ts';
import { patchId } from './patchId.ts';
import { reversedHunk } from './reverseText.ts';

/**
 * Patch id of the reverse patch, as from `git revert`. `undefined` for copies, merges and damaged diffs, because those
 * do not contain everything that the reverse needs.
 */
export function reversedPatchId(text: string, { files }: Pick<ParsedDiff, 'files'>): string | undefined {
	// Git sorts files by their new names, with a deletion before a file that takes its place.
	// The order affects the id: git hashes files without lines as part of the next file.
	const inOrder = files.toSorted((one, other) => {
		const [name, otherName] = [(one.oldPath ?? one.newPath)!, (other.oldPath ?? other.newPath)!];
		if (name === otherName) {
			return Number(other.oldPath === undefined) - Number(one.oldPath === undefined);
		}
		return name < otherName ? -1 : 1;
	});
	const reversed = inOrder.map((file) => reversedFile(text, file));
	return reversed.includes(undefined) ? undefined : patchId(reversed.join(''));
}

function reversedFile(text: string, { change, content, damage, start, end }: FileDiff): string | undefined {
	if (change === 'copied' || content.kind === 'combined' || damage.length > 0) {
		return undefined;
	}
	const lines = text.slice(start, end).split(/\r?\n/);
	const behind = lines.findIndex((line) => line === '' || /^(?:@@ |GIT binary patch|Binary files |-- $)/.test(line));
	const header = reversedHeader(behind === -1 ? lines : lines.slice(0, behind));
	// The id ignores the binary data itself.
	const rest = content.kind === 'text' ? content.hunks.map((hunk) => reversedHunk(text, hunk)) : ['GIT binary patch\n'];
	return [...header.map((line) => `${line}\n`), ...rest].join('');
}

/** Header lines of the reverse, in git's order. */
function reversedHeader(lines: readonly string[]): readonly string[] {
	// First of each kind. A header may lack one of two lines.
	const rests = new Map<string, string>();
	for (const line of lines) {
		const start = startOf(line);
		rests.set(start, rests.get(start) ?? line.slice(start.length));
	}
	const after = (start: string, otherwise = ''): string => rests.get(start) ?? otherwise;
	const [from, to] = [after('rename from '), after('rename to ')];
	return lines.map((line) => {
		const start = startOf(line);
		const rest = line.slice(start.length);
		switch (start) {
			case 'diff --git ':
				return from === '' || to === '' ? line : `${start}${named('a/', to)} ${named('b/', from)}`;
			case 'new file mode ':
				return `deleted file mode ${rest}`;
			case 'deleted file mode ':
				return `new file mode ${rest}`;
			case 'old mode ':
				return `${start}${after('new mode ', rest)}`;
			case 'new mode ':
				return `${start}${after('old mode ', rest)}`;
			case 'rename from ':
				return `${start}${after('rename to ', rest)}`;
			case 'rename to ':
				return `${start}${after('rename from ', rest)}`;
			case 'index ':
				return line.replace(/^index ([0-9a-f]+)\.\.([0-9a-f]+)/, 'index $2..$1');
			case '--- ':
				return `${start}${onSide('a/', after('+++ ', rest))}`;
			case '+++ ':
				return `${start}${onSide('b/', after('--- ', rest))}`;
			default:
				return line;
		}
	});
}

/** Empty for an unknown line. */
function startOf(line: string): string {
	return (
		/^(?:diff --git |new file mode |deleted file mode |old mode |new mode |rename from |rename to |index |--- |\+\+\+ )/.exec(
			line,
		)?.[0] ?? ''
	);
}

/** Inserts the side after an opening quote, if any. */
function named(side: 'a/' | 'b/', path: string): string {
	return path.startsWith('"') ? `"${side}${path.slice(1)}` : `${side}${path}`;
}

/** Replaces the side of a name in a `---` or `+++` line. */
function onSide(side: 'a/' | 'b/', name: string): string {
	return name.replace(/^("?)[ab]\//, `$1${side}`);
}
