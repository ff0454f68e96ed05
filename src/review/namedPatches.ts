import type { SeriesReading } from '../series/seriesReading.ts';
import type { ReplyLine } from './replyLines.ts';

/** Longer lines contain more than a patch name. */
const longest = 120;
const numbered = /(?:^|[\s[(#])(\d{1,4})\/(\d{1,4})(?=$|[\s\]):,.])/;
const called = /(?:^|\s)patch #?(\d{1,4})(?=$|[\s:,.])/i;

/** For each reply line, the last patch named above it, as in `In 2/3:` or `[PATCH 2/3]`. */
export function namedPatches(
	lines: readonly ReplyLine[],
	{ patches, count }: SeriesReading,
): readonly (number | undefined)[] {
	const byIndex = new Map(patches.map(({ index, mail }) => [index, mail.id]));
	let last: number | undefined;
	return lines.map((line) => {
		const text = 'text' in line && line.text.length <= longest ? line.text : '';
		const [, index, of] = numbered.exec(text) ?? called.exec(text) ?? [];
		if (index !== undefined && (of === undefined || Number(of) === count)) {
			last = byIndex.get(Number(index)) ?? last;
		}
		return last;
	});
}
