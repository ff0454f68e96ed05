export function withoutBlankEnds(
	lines: readonly string[],
	isBlank = (line: string): boolean => line.trim() === '',
): readonly string[] {
	let start = 0;
	let end = lines.length;
	while (start < end && isBlank(lines[start]!)) {
		start += 1;
	}
	while (end > start && isBlank(lines[end - 1]!)) {
		end -= 1;
	}
	return lines.slice(start, end);
}
