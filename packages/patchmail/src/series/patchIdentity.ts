import { fileIdentity } from '../patch/fileIdentity.ts';
import type { PatchMail } from './seriesReading.ts';

const known = new WeakMap<PatchMail, string>();

/**
 * Equal for patches with the same changes, as in `git patch-id --verbatim`: message, line numbers, blob ids and the order
 * of files do not count, whitespace does. `undefined` without a diff, and where git applies another one than shown.
 */
export function patchIdentity(patch: PatchMail): string | undefined {
	// A review of the shown diff says nothing about the other one.
	if (patch.diff.files.length === 0 || patch.gitDiff !== undefined) {
		return undefined;
	}
	const { diff, diffText } = patch.bytes;
	const files = (): readonly string[] => diff.files.map((file) => fileIdentity(diffText, file)).toSorted();
	const identity = known.get(patch) ?? files().join(' ');
	known.set(patch, identity);
	return identity;
}
