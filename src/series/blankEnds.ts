/** Lines without the blank ones at both ends. */
export function withoutBlankEnds(lines: readonly string[]): readonly string[] {
	let start = 0;
	let end = lines.length;
	while (start < end && lines[start]?.trim() === '') {
		start += 1;
	}
	while (end > start && lines[end - 1]?.trim() === '') {
		end -= 1;
	}
	return lines.slice(start, end);
}
