import type { FileDiff, ParsedDiff } from './fileDiff.ts';
import { patchId } from './patchId.ts';
import { reversedHunk } from './reverseText.ts';

/**
 * The id of the patch that takes another back, as `git revert` makes it. `undefined` where the patch does not say all that
 * its reverse would: for copies, merges and what is damaged.
 */
export function reversedPatchId(text: string, { files }: Pick<ParsedDiff, 'files'>): string | undefined {
	const reversed = files.toSorted(inOrderOfReverse).map((file) => reversedFile(text, file));
	return reversed.includes(undefined) ? undefined : patchId(reversed.join(''));
}

/**
 * Git writes files in the order of their new names, and what goes before what comes in its place. It counts files without
 * lines as part of the next one, so that the order matters.
 */
function inOrderOfReverse(one: FileDiff, other: FileDiff): number {
	const [name, otherName] = [nameBefore(one), nameBefore(other)];
	return name === otherName ? Number(goesBack(other)) - Number(goesBack(one)) : name < otherName ? -1 : 1;
}

function nameBefore({ oldPath, newPath }: FileDiff): string {
	return oldPath ?? newPath ?? '';
}

/** Whether the reverse deletes it. */
function goesBack({ oldPath }: FileDiff): boolean {
	return oldPath === undefined;
}

function reversedFile(text: string, { change, content, damage, start, end }: FileDiff): string | undefined {
	if (change === 'copied' || content.kind === 'combined' || damage.length > 0) {
		return undefined;
	}
	const lines = text.slice(start, end).split(/\r?\n/);
	const behind = lines.findIndex((line) => line === '' || /^(?:@@ |GIT binary patch|Binary files |-- $)/.test(line));
	const header = reversedHeader(behind === -1 ? lines : lines.slice(0, behind));
	// Of binary content an id tells no more than that there is some.
	const rest = content.kind === 'text' ? content.hunks.map((hunk) => reversedHunk(text, hunk)) : ['GIT binary patch\n'];
	return [...header.map((line) => `${line}\n`), ...rest].join('');
}

/** Lines of the header as they stand in the reverse, in the order in which git writes them. */
function reversedHeader(lines: readonly string[]): readonly string[] {
	const after = (start: string): string | undefined =>
		lines.find((line) => line.startsWith(start))?.slice(start.length);
	const [from, to] = [after('rename from '), after('rename to ')];
	const [oldMode, newMode] = [after('old mode '), after('new mode ')];
	const [oldName, newName] = [after('--- '), after('+++ ')];
	return lines.flatMap((line): readonly string[] => {
		const [, start = ''] =
			/^(diff --git |new file mode |deleted file mode |old mode |new mode |rename from |rename to |index |--- |\+\+\+ )/.exec(
				line,
			) ?? [];
		const rest = line.slice(start.length);
		switch (start) {
			case 'diff --git ':
				return [from === undefined || to === undefined ? line : `${start}${named('a/', to)} ${named('b/', from)}`];
			case 'new file mode ':
				return [`deleted file mode ${rest}`];
			case 'deleted file mode ':
				return [`new file mode ${rest}`];
			case 'old mode ':
				return [`${start}${newMode ?? rest}`];
			case 'new mode ':
				return [`${start}${oldMode ?? rest}`];
			case 'rename from ':
				return [`${start}${to ?? rest}`];
			case 'rename to ':
				return [`${start}${from ?? rest}`];
			case 'index ':
				return [line.replace(/^index ([0-9a-f]+)\.\.([0-9a-f]+)/, 'index $2..$1')];
			case '--- ':
				return [`${start}${onSide('a/', newName ?? rest)}`];
			case '+++ ':
				return [`${start}${onSide('b/', oldName ?? rest)}`];
			default:
				return [line];
		}
	});
}

/** A path behind the name of its side; quotes are put around both. */
function named(side: 'a/' | 'b/', path: string): string {
	return path.startsWith('"') ? `"${side}${path.slice(1)}` : `${side}${path}`;
}

/** What stands behind `---` or `+++`, on the other side. */
function onSide(side: 'a/' | 'b/', name: string): string {
	return name.replace(/^("?)[ab]\//, `$1${side}`);
}
