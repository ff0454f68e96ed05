import { regularFile } from './fileInClone.ts';

/** Which of these files of a worktree still have lines that git put around a conflict. Links are not followed. */
export async function withConflictMarkers(folder: string, paths: readonly string[]): Promise<readonly string[]> {
	const marked: string[] = [];
	for (const path of paths) {
		const text = (await regularFile(folder, path))?.toString('latin1') ?? '';
		if (hasConflictMarkers(text)) {
			marked.push(path);
		}
	}
	return marked;
}

/** Whether a text has lines that git put around a conflict. */
export function hasConflictMarkers(text: string): boolean {
	return /^<{7} /m.test(text) && /^>{7} /m.test(text);
}
