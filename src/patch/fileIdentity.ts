import { createHash } from 'node:crypto';
import type { FileDiff } from './fileDiff.ts';

/**
 * Names what a patch does to a file: the same wherever the file's lines have moved to, in whichever patch, mail or version
 * of a series it stands. Unlike in `git patch-id`, blanks count: in many languages they mean something. Nobody can make two
 * changes of one name. Takes time in proportion to the diff.
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

/** What of the text counts: no ids and no numbers of lines, which every rebase changes. */
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
