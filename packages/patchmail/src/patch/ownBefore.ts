import { binaryContent } from './binaryContent.ts';
import { canProve, isStated } from './blobId.ts';
import { contentTexts } from './byteText.ts';
import type { FileDiff, Hunk } from './fileDiff.ts';
import { hunkLines } from './hunkLines.ts';

/** Why a file's diff can never show the whole file. */
export type NeverWhole =
	| 'damaged'
	| 'merge'
	/** Its files belong to another repository, and the patch has the whole change here. */
	| 'submodule'
	/** The patch has no data for its binary file. */
	| 'notIncluded'
	| 'tooLarge';

/** The old content that the whole diff of a file needs. */
export type OwnBefore =
	/** The file is new. */
	| { readonly kind: 'nothing' }
	/** The patch contains the whole old file, and its id proves this. */
	| { readonly kind: 'content'; readonly content: Uint8Array }
	/** To load from this path, or by this possibly abbreviated id. */
	| { readonly kind: 'wanted'; readonly path: string; readonly id: string | undefined }
	| { readonly kind: 'never'; readonly reason: NeverWhole };

/** 2 MiB; more takes noticeable time to parse, apply and hash. */
export const mostTextBytes = 2 * 1024 * 1024;

const submoduleMode = '160000';

/** `text`: target of the offsets in `file`. */
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

/** The old content in the patch itself, if its id proves that it is complete. */
function contentIn(text: string, { content, oldId }: FileDiff): Uint8Array | undefined {
	if (!canProve(oldId) || content.kind === 'combined') {
		return undefined;
	}
	if (content.kind === 'binary') {
		const outcome = content.reverse?.method === 'literal' ? binaryContent(text, content.reverse) : undefined;
		return outcome?.kind === 'content' && isStated(outcome.content, oldId) ? outcome.content : undefined;
	}
	for (const candidate of oldSides(text, content.hunks)) {
		if (isStated(candidate, oldId)) {
			return candidate;
		}
	}
	return undefined;
}

/** The old side of a single hunk at the start of the file, with every possible line end. */
function* oldSides(text: string, hunks: readonly Hunk[]): Generator<Uint8Array, undefined> {
	const [hunk, ...others] = hunks;
	if (others.length > 0 || (hunk?.oldStart ?? 0) > 1) {
		return;
	}
	const lines = hunk ? Array.from(hunkLines(text, hunk)).filter(({ kind }) => kind !== 'added') : [];
	const before = lines.map((line) => (line.hasLineEnd ? `${line.text}\n` : line.text)).join('');
	for (const { bytesOf } of contentTexts(new Uint8Array())) {
		const bytes = bytesOf(before);
		if (bytes) {
			yield bytes;
		}
	}
}
