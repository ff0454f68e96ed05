import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { LineHunk } from '../patch/lineDiff.ts';
import type { RangePair } from './rangeDiff.ts';
import type { RangePatch } from './rangePatch.ts';

const indent = '    ';

/** Formats a range-diff like git. A missing id becomes dashes; git uses the length of the first id. */
export function rangeDiffText(
	pairs: readonly RangePair[],
	before: readonly RangePatch[],
	after: readonly RangePatch[],
): string {
	const width = String(1 + Math.max(before.length, after.length)).length;
	const [first] = pairs;
	const dashes = '-'.repeat((first && (patchBefore(first, before) ?? patchAfter(first, after))?.id)?.length ?? 7);
	return pairs
		.map((pair) => {
			const [old, young] = [patchBefore(pair, before), patchAfter(pair, after)];
			const sides = [
				side({ index: pair.kind === 'added' ? undefined : pair.old, id: old?.id, width, dashes }),
				pairSigns[pair.kind],
				side({ index: pair.kind === 'removed' ? undefined : pair.new, id: young?.id, width, dashes }),
				(old ?? young)!.title,
			];
			return `${sides.join(' ')}\n${pair.kind === 'changed' ? changesText(pair.hunks, old!.lines, young!.lines) : ''}`;
		})
		.join('');
}

function patchBefore(pair: RangePair, before: readonly RangePatch[]): RangePatch | undefined {
	return pair.kind === 'added' ? undefined : before[pair.old];
}

function patchAfter(pair: RangePair, after: readonly RangePatch[]): RangePatch | undefined {
	return pair.kind === 'removed' ? undefined : after[pair.new];
}

const pairSigns: Readonly<Record<RangePair['kind'], string>> = { removed: '<', added: '>', same: '=', changed: '!' };

interface Side {
	/** From 0. */
	readonly index: number | undefined;
	readonly id: string | undefined;
	readonly width: number;
	readonly dashes: string;
}

function side({ index, id, width, dashes }: Side): string {
	const number = index === undefined ? '-' : String(index + 1);
	return `${number.padStart(width)}:  ${id ?? dashes}`;
}

function changesText(hunks: readonly LineHunk[], before: readonly string[], after: readonly string[]): string {
	const lines: string[] = [];
	let section = '';
	let searched = 0;
	for (const hunk of hunks) {
		section = sectionAbove(before, hunk.oldFrom, searched) ?? section;
		searched = hunk.oldFrom;
		pushAll(lines, [section === '' ? '@@' : `@@ ${section}`, ...hunkText(hunk, before, after)]);
	}
	return lines.map((line) => `${indent}${line}\n`).join('');
}

function* hunkText(
	{ changes, oldFrom, oldTo }: LineHunk,
	before: readonly string[],
	after: readonly string[],
): Generator<string, void> {
	let at = oldFrom;
	for (const { oldFrom: from, removed, newFrom, added } of changes) {
		yield* before.slice(at, from).map((line) => ` ${line}`);
		yield* before.slice(from, from + removed).map((line) => `-${line}`);
		yield* after.slice(newFrom, newFrom + added).map((line) => `+${line}`);
		at = from + removed;
	}
	yield* before.slice(at, oldTo).map((line) => ` ${line}`);
}

const mostBytes = 80;
/** Git's blanks: tab, line feed, carriage return and space. */
const blanks: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/** The last line above that names a file, a section or a function, down to `limit`. */
function sectionAbove(lines: readonly string[], from: number, limit: number): string | undefined {
	for (let at = from - 1; at >= limit; at--) {
		const line = lines[at]!;
		const found = /^ ## (.*) ##$/s.exec(line) ?? /^.?@@ (.*)$/su.exec(line);
		if (found) {
			// Git truncates to this many bytes, trims blanks, then drops a partial character.
			const bytes = new TextEncoder().encode(found[1]).subarray(0, mostBytes);
			const end = bytes.findLastIndex((byte) => !blanks.has(byte)) + 1;
			// With `stream`, the decoder buffers a partial character instead of replacing it.
			return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true });
		}
	}
	return undefined;
}
