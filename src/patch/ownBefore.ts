import { binaryContent } from './binaryContent.ts';
import { canProve, isStated } from './blobId.ts';
import { contentTexts } from './byteText.ts';
import type { BinaryData, FileDiff, Hunk } from './fileDiff.ts';
import { hunkLines } from './hunkLines.ts';

/** Why no content can make a file's diff whole. */
export type NeverWhole =
	| 'damaged'
	/** A merge's diff. */
	| 'merge'
	/** What stands in a submodule is another repository's; the patch tells all that changes here. */
	| 'submodule'
	/** The patch only says that a binary file differs. */
	| 'notIncluded'
	| 'tooLarge';

/** What has to be known before a file's diff can be shown whole. */
export type OwnBefore =
	/** The file is new. */
	| { readonly kind: 'nothing' }
	/** The patch shows all of the file, and its id proves it. */
	| { readonly kind: 'content'; readonly content: Uint8Array }
	/** The rest has to be found: at this path, by this id, which may be cut short and may be missing. */
	| { readonly kind: 'wanted'; readonly path: string; readonly id: string | undefined }
	| { readonly kind: 'never'; readonly reason: NeverWhole };

/** 2 MiB: reading, applying and hashing more lines than that would be felt. */
export const mostTextBytes = 2 * 1024 * 1024;

const submoduleMode = '160000';

/** Tells what is missing to show the diff of one file, whose offsets point into `text`, with all lines around it. */
export function ownBefore(text: string, file: FileDiff): OwnBefore {
	const reason = neverWhole(file);
	if (reason !== undefined) {
		return { kind: 'never', reason };
	}
	if (file.oldPath === undefined) {
		return { kind: 'nothing' };
	}
	const content = contentIn(text, file);
	const id = canProve(file.oldId) ? file.oldId : undefined;
	return content ? { kind: 'content', content } : { kind: 'wanted', path: file.oldPath, id };
}

function neverWhole({ content, damage, oldMode, newMode, start, end }: FileDiff): NeverWhole | undefined {
	if (content.kind === 'combined') {
		return 'merge';
	}
	if (damage.length > 0) {
		return 'damaged';
	}
	if (oldMode === submoduleMode || newMode === submoduleMode) {
		return 'submodule';
	}
	if (content.kind === 'binary') {
		return content.forward ? undefined : 'notIncluded';
	}
	return end - start > mostTextBytes ? 'tooLarge' : undefined;
}

/** What the patch itself holds of the content before, where its id proves that this is all of it. */
function contentIn(text: string, { content, oldId }: FileDiff): Uint8Array | undefined {
	if (!canProve(oldId) || content.kind === 'combined') {
		return undefined;
	}
	const candidates = content.kind === 'binary' ? literal(text, content.reverse) : oldSides(text, content.hunks);
	for (const candidate of candidates) {
		if (isStated(candidate, oldId)) {
			return candidate;
		}
	}
	return undefined;
}

function* literal(text: string, data: BinaryData | undefined): Generator<Uint8Array, undefined> {
	const outcome = data?.method === 'literal' ? binaryContent(text, data) : undefined;
	if (outcome?.kind === 'content') {
		yield outcome.content;
	}
}

/** The old side of a single hunk that begins with the file, in all ways in which it may have been written. */
function* oldSides(text: string, hunks: readonly Hunk[]): Generator<Uint8Array, undefined> {
	const [hunk, ...others] = hunks;
	if (others.length > 0 || (hunk?.oldStart ?? 0) > 1) {
		return;
	}
	const before = hunk ? oldText(text, hunk) : '';
	for (const { bytesOf } of contentTexts(new Uint8Array())) {
		const bytes = bytesOf(before);
		if (bytes) {
			yield bytes;
		}
	}
}

function oldText(text: string, hunk: Hunk): string {
	const lines: string[] = [];
	for (const line of hunkLines(text, hunk)) {
		if (line.kind !== 'added') {
			lines.push(line.hasLineEnd ? `${line.text}\n` : line.text);
		}
	}
	return lines.join('');
}
