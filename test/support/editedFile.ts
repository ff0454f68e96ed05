import { blobId } from 'patchmail/patch/blobId.ts';

/** `count` lines, `name 1` and so on. */
export function numberedLines(name: string, count = 40): string {
	return Array.from({ length: count }, (_, at) => `${name} ${at + 1}\n`).join('');
}

/** An edit of one line with its git diff. */
export interface EditedFile {
	readonly after: string;
	readonly diff: string;
}

/**
 * Replaces a line between 4 and the last but three, so the diff never shows the whole file. `to`: new path of a moved
 * file.
 */
export function editLine(path: string, before: string, line: number, text: string, to = path): EditedFile {
	const lines = before.split('\n');
	const old = lines.slice(line - 4, line + 3);
	const fresh = old.with(3, text);
	const after = lines.with(line - 1, text).join('\n');
	const moved = to === path ? [] : ['similarity index 90%', `rename from ${path}`, `rename to ${to}`];
	const diff = [
		`diff --git a/${path} b/${to}`,
		...moved,
		`index ${blobId(before).slice(0, 7)}..${blobId(after).slice(0, 7)} 100644`,
		`--- a/${path}`,
		`+++ b/${to}`,
		`@@ -${line - 3},7 +${line - 3},7 @@`,
		...old.slice(0, 3).map((each) => ` ${each}`),
		`-${old[3]}`,
		`+${fresh[3]}`,
		...old.slice(4).map((each) => ` ${each}`),
		'',
	].join('\n');
	return { after, diff };
}
