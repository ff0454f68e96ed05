import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileInClone } from './fileInClone.ts';

/** A larger file is nobody's text, and is not read. */
const mostBytes = 16_000_000;

/** Which of these files of a worktree still have lines that git put around a conflict. Links are not followed. */
export async function withConflictMarkers(folder: string, paths: readonly string[]): Promise<readonly string[]> {
	const marked: string[] = [];
	for (const path of paths) {
		if (await isMarked(folder, path)) {
			marked.push(path);
		}
	}
	return marked;
}

async function isMarked(folder: string, path: string): Promise<boolean> {
	if ((await fileInClone(folder, path)) !== 'file') {
		return false;
	}
	const file = join(folder, path);
	const found = await lstat(file).catch(() => undefined);
	if (found?.isFile() !== true || found.size > mostBytes) {
		return false;
	}
	const text = await readFile(file, 'latin1');
	return /^<{7} /m.test(text) && /^>{7} /m.test(text);
}
