import { Buffer } from 'node:buffer';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { FileDiff } from './fileDiff.ts';
import { patchChain } from './patchChain.ts';
import { applySparse, unknownText, type SparseText } from './sparseText.ts';
import type { TriedPatch } from './trySeries.ts';

/** A made-up base file. `mode`: six octal digits. */
export interface BaseFile {
	readonly content: Uint8Array;
	readonly mode: string;
}

/** The blobs of an empty file by both hashes, as git abbreviates them. */
const emptyBlob = /^(?:e69de29|473a0f4)/;
/** Git's default number of context lines. */
const usualContext = 3;

/**
 * Base files for patches in bytes, by path: lines from the hunks at their stated positions, made-up lines between.
 * `undefined` for contradicting, damaged and binary patches, and for submodules.
 */
export function baseFiles(patches: readonly PatchFiles[]): ReadonlyMap<string, BaseFile> | undefined {
	const base = new Map<string, BaseFile>();
	for (const diffs of diffsByFile(patches)) {
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

type PatchFiles = Pick<TriedPatch, 'diffText'> & { readonly diff: { readonly files: readonly FileDiff[] } };

interface DiffOfFile {
	readonly diff: FileDiff;
	readonly diffText: string;
}

/** Consecutive diffs per file, including files that another file replaces later. */
function diffsByFile(patches: readonly PatchFiles[]): readonly (readonly DiffOfFile[])[] {
	const chain = patchChain(patches.map(({ diff }) => diff));
	const files: DiffOfFile[][] = [];
	const known = new Map<string, DiffOfFile[]>();
	for (const [patch, { diff: all, diffText }] of patches.entries()) {
		for (const [file, diff] of all.files.entries()) {
			const before = chain.follows({ patch, file });
			const earlier = before && known.get(`${before.patch} ${before.file}`);
			// Later diffs may change the source of a copy differently.
			const diffs = earlier && diff.change !== 'copied' ? earlier : [...(earlier ?? [])];
			if (diffs !== earlier) {
				files.push(diffs);
			}
			diffs.push({ diff, diffText });
			known.set(`${patch} ${file}`, diffs);
		}
	}
	return files;
}

function contentOf(diffs: readonly DiffOfFile[]): string | undefined {
	let text: SparseText | undefined = unknownText(true);
	for (const { diff, diffText } of diffs) {
		text = text && applySparse(text, diffText, diff);
	}
	if (!text) {
		return undefined;
	}
	const isUntouched = diffs.every(({ diff: { content } }) => content.kind === 'text' && content.hunks.length === 0);
	// Git deletes a file without hunks only if it is empty.
	const isEmptyDeletion = isUntouched && diffs.at(-1)?.diff.change === 'deleted';
	if (isEmptyDeletion || emptyBlob.test(diffs[0]?.diff.oldId ?? '')) {
		return '';
	}
	const { learnt } = text;
	const last = maxOf([0, ...learnt.keys()]);
	const lines = Array.from({ length: last }, (_, at) => {
		const line = learnt.get(at + 1);
		return line ? `${line.text}${line.hasLineEnd ? '\n' : ''}` : madeUp(at + 1);
	});
	// Git writes less context behind the last change at the end of a file alone.
	const reachesEnd = diffs.some(
		({ diff: { content } }) =>
			content.kind === 'text' && (content.hunks.at(-1)?.trailing ?? usualContext) < usualContext,
	);
	const isEnd = learnt.get(last)?.hasLineEnd === false || reachesEnd;
	return [...lines, ...(isEnd ? [] : [madeUp(last + 1)])].join('');
}

function madeUp(line: number): string {
	return `\u0001 line ${line}\n`;
}
