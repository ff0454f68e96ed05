import type { Suggestion } from './reviewDraft.ts';

/** Where suggested lines go. */
export interface FixUpPlace {
	readonly path: string;
	/** The first of the original lines, numbered as in the patched file. */
	readonly firstLine: number;
}

/**
 * A suggestion as a diff against the patched file. It is indented: at the margin a forge would take the reply for a patch,
 * and a mark would make it something that the patch is quoted with.
 */
export function fixUpLines({ path, firstLine }: FixUpPlace, { original, replacement }: Suggestion): readonly string[] {
	const head = sharedLines(original, replacement);
	const tail = sharedLines(original.slice(head).toReversed(), replacement.slice(head).toReversed());
	const [old, fresh] = [original, replacement].map((lines) => lines.slice(head, lines.length - tail));
	const lines = [
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -${range(firstLine, original.length)} +${range(firstLine, replacement.length)} @@`,
		...original.slice(0, head).map((line) => ` ${line}`),
		...(old ?? []).map((line) => `-${line}`),
		...(fresh ?? []).map((line) => `+${line}`),
		...original.slice(original.length - tail).map((line) => ` ${line}`),
	];
	return lines.map((line) => `    ${oneRow(line)}`);
}

/** How many lines are the same from the first on. */
function sharedLines(one: readonly string[], other: readonly string[]): number {
	const end = one.findIndex((line, at) => line !== other[at]);
	return Math.min(end === -1 ? one.length : end, other.length);
}

/** A side without lines stands behind the line before. */
function range(first: number, count: number): string {
	return `${count === 0 ? first - 1 : first},${count}`;
}

function oneRow(line: string): string {
	return line.replaceAll(/[\r\n]+/g, '');
}
