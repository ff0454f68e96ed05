import { Buffer } from 'node:buffer';
import type { FileDiff } from './fileDiff.ts';
import { patchChain } from './patchChain.ts';
import { applySparse, unknownText, type SparseText } from './sparseText.ts';
import type { TriedPatch } from './trySeries.ts';

/** A made-up base file. `mode`: six octal digits. */
export interface BaseFile {
	readonly content: Uint8Array;
	readonly mode: string;
}

/** The blob of an empty file, as git abbreviates it. */
const emptyBlob = 'e69de29';
/** Git's default number of context lines. */
const usualContext = 3;

/**
 * Base files for patches in bytes, by path: lines from the hunks at their stated positions, made-up lines between. `undefined`
 * for contradicting, damaged and binary patches, and for submodules.
 */
export function shownBase(
	patches: readonly (Pick<TriedPatch, 'diffText'> & { readonly diff: { readonly files: readonly FileDiff[] } })[],
): ReadonlyMap<string, BaseFile> | undefined {
	const base = new Map<string, BaseFile>();
	for (const { places } of patchChain(patches.map(({ diff }) => diff)).spans) {
		const diffs = places.flatMap(({ patch, file }) => {
			const [diff, diffText] = [patches[patch]?.diff.files[file], patches[patch]?.diffText];
			return diff && diffText !== undefined ? [{ diff, diffText }] : [];
		});
		const first = diffs[0]?.diff;
		const path = first?.oldPath;
		if (first && path !== undefined) {
			const content = contentOf(diffs);
			const mode = first.oldMode ?? first.newMode ?? '100644';
			if (content === undefined || mode === '160000' || base.has(path)) {
				return undefined;
			}
			base.set(path, { content: Buffer.from(content, 'latin1'), mode });
		}
	}
	return base;
}

interface DiffOfFile {
	readonly diff: FileDiff;
	readonly diffText: string;
}

function contentOf(diffs: readonly DiffOfFile[]): string | undefined {
	let text: SparseText | undefined = unknownText(true);
	for (const { diff, diffText } of diffs) {
		text = text && applySparse(text, diffText, diff);
	}
	if (!text) {
		return undefined;
	}
	if (diffs[0]?.diff.oldId?.startsWith(emptyBlob) === true) {
		return '';
	}
	const { learnt } = text;
	const last = Math.max(0, ...learnt.keys());
	const lines = Array.from({ length: last }, (_, at) => {
		const line = learnt.get(at + 1);
		return line ? `${line.text}${line.hasLineEnd ? '\n' : ''}` : madeUp(at + 1);
	});
	const isEnd = learnt.get(last)?.hasLineEnd === false || diffs.some(({ diff }) => reachesEnd(diff));
	return [...lines, ...(isEnd ? [] : [madeUp(last + 1)])].join('');
}

/** Git writes less context behind the last change at the end of a file alone. */
function reachesEnd({ content }: FileDiff): boolean {
	const last = content.kind === 'text' ? content.hunks.at(-1) : undefined;
	return last !== undefined && last.trailing < usualContext;
}

function madeUp(line: number): string {
	return `\u0001 line ${line}\n`;
}
