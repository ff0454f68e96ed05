import { byteText } from '../patch/byteText.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import type { DiffInText, PatchMail } from './seriesReading.ts';

/**
 * A diff in bytes, one character for each, with the same files. `bytes`: the mail's own, where they are known; else the text
 * is UTF-8. The names stay as they were decoded.
 */
export function diffInBytes(shown: DiffInText, bytes: string | undefined): DiffInText {
	const { diff, diffText } = shown;
	if (!/\P{ASCII}/u.test(diffText.slice(diff.start, diff.end))) {
		return shown;
	}
	for (const text of [bytes ?? '', byteText(Buffer.from(diffText))]) {
		const { files, ...read } = parseDiff(text);
		if (files.length === diff.files.length) {
			const named = files.map((file, at) => ({
				...file,
				oldPath: diff.files[at]?.oldPath,
				newPath: diff.files[at]?.newPath,
			}));
			return { diff: { ...read, files: named }, diffText: text };
		}
	}
	return shown;
}

/** The diff that is shown, in bytes where git applies the same diff. */
export function shownInBytes({ gitDiff, bytes, diff, diffText }: PatchMail): DiffInText {
	return gitDiff ? { diff, diffText } : bytes;
}
