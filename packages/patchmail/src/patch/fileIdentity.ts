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
	for (const [start, end] of damage.length > 0 ? [[file.start, file.end] as const] : pieces(file)) {
		hash.update(`${end - start} ${text.slice(start, end)}`);
	}
	return hash.digest('base64url');
}

/** Ranges of the text to hash, without ids and line numbers, because every rebase changes those. */
function pieces({ content, start, end }: FileDiff): readonly (readonly [start: number, end: number])[] {
	switch (content.kind) {
		case 'text':
			return content.hunks.map((hunk) => [hunk.start, hunk.end]);
		case 'binary':
			return content.forward ? [[content.forward.start, content.forward.end]] : [[start, end]];
		case 'combined':
			return [[start, end]];
	}
}
