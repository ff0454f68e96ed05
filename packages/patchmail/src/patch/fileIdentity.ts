import { createHash } from 'node:crypto';
import type { FileDiff } from './fileDiff.ts';

/**
 * Hash of a patch's change to one file. Line numbers, the mail and the version of the series do not affect it. Unlike
 * in `git patch-id`, whitespace counts, because many languages give it a meaning. Collision-resistant. Takes linear
 * time.
 */
export function fileIdentity(text: string, file: FileDiff): string {
	const hash = createHash('sha256');
	const { change, oldPath, newPath, oldMode, newMode, content, damage } = file;
	hash.update(JSON.stringify([change, oldPath, newPath, oldMode, newMode, content.kind]));
	// Without ids and line numbers, because every rebase changes those.
	let pieces: readonly { readonly start: number; readonly end: number }[] = [file];
	if (damage.length === 0 && content.kind === 'text') {
		pieces = content.hunks;
	} else if (damage.length === 0 && content.kind === 'binary' && content.forward) {
		pieces = [content.forward];
	}
	for (const { start, end } of pieces) {
		hash.update(`${end - start} ${text.slice(start, end)}`);
	}
	return hash.digest('base64url');
}
