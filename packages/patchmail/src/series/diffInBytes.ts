import { byteText } from '../patch/byteText.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import type { DiffInText, PatchMail } from './seriesReading.ts';

/**
 * The diff in bytes, one character each, with the same files. `bytes`: those of the mail, if known; else the text is
 * UTF-8. File names stay decoded.
 */
export function diffInBytes(shown: DiffInText, bytes: string | undefined): DiffInText {
	const { diff, diffText } = shown;
	if (!/\P{ASCII}/u.test(diffText.slice(diff.start, diff.end))) {
		return shown;
	}
	for (const text of [bytes ?? '', byteText(Buffer.from(diffText))]) {
		const { files, ...read } = parseDiff(text);
		if (files.length === diff.files.length) {
			const named = files.map((file, at) => {
				const { oldPath, newPath } = diff.files[at]!;
				return { ...file, oldPath, newPath };
			});
			return { diff: { ...read, files: named }, diffText: text };
		}
	}
	return shown;
}

/** Callers ask for each file of a patch. */
const shownWhereGitDiffers = new WeakMap<PatchMail, DiffInText>();

/** The shown diff in bytes, even where git applies another one. */
export function shownInBytes(patch: PatchMail): DiffInText {
	if (!patch.gitDiff) {
		return patch.bytes;
	}
	const known = shownWhereGitDiffers.get(patch) ?? diffInBytes(patch, undefined);
	shownWhereGitDiffers.set(patch, known);
	return known;
}
