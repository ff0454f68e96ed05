/** Possible diff lines; they may also be indented code or a list. */
const maybeDiff =
	/^(?:[ \t+-]|@@ |diff --git |(?:old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|index|Binary files|\\ No newline) )/;
/** Certain diff lines. List items are `-` with one space, code is indented deeper, and `+` starts no list. */
const surelyDiff = /^(?:\+|-(?![ -])|- {2,}\S|@@ |diff --git )/;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * The diff lines of a typed text: lines counted by a hunk header, and runs of possible lines with at least one certain
 * line.
 */
export function typedDiffLines(lines: readonly string[]): ReadonlySet<number> {
	const found = new Set(countedLines(lines));
	let run: number[] = [];
	for (let at = 0; at <= lines.length; at += 1) {
		const line = lines[at];
		if (line !== undefined && maybeDiff.test(line)) {
			run.push(at);
			continue;
		}
		if (run.some((each) => surelyDiff.test(lines[each] ?? ''))) {
			withoutBlankEnds(run, lines).forEach((each) => found.add(each));
		}
		run = [];
	}
	return found;
}

/** Hunk headers with their counted lines. A blank line may have lost its single space. */
function* countedLines(lines: readonly string[]): Generator<number> {
	let [before, after] = [0, 0];
	for (const [at, line] of lines.entries()) {
		const header = hunkHeader.exec(line);
		const sign = line === '' ? ' ' : line.charAt(0);
		if (header) {
			[before, after] = [Number(header[1] ?? 1), Number(header[2] ?? 1)];
		} else if ((before > 0 || after > 0) && ' +-\\'.includes(sign)) {
			before -= ' -'.includes(sign) ? 1 : 0;
			after -= ' +'.includes(sign) ? 1 : 0;
		} else {
			[before, after] = [0, 0];
			continue;
		}
		yield at;
	}
}

function withoutBlankEnds(run: readonly number[], lines: readonly string[]): readonly number[] {
	const isText = (at: number): boolean => lines[at]?.trim() !== '';
	return run.slice(run.findIndex(isText), run.findLastIndex(isText) + 1);
}
