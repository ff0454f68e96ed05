import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ProgramName } from './gitFailure.ts';

export interface ProgramPlaces {
	/** The variable PATH. */
	readonly path: string;
	readonly isWindows: boolean;
	/** Workspace folders: they may contain a malicious `git.exe`, so PATH entries inside are ignored. */
	readonly refusedFolders: readonly string[];
}

/**
 * Absolute path of a program. An absolute `hint` from the user or the editor wins. Otherwise searches PATH, except for
 * relative folders and paths inside open folders, by name or through links.
 */
export async function findProgram(
	name: ProgramName,
	{ path, isWindows, refusedFolders }: ProgramPlaces,
	hint?: string,
): Promise<string | undefined> {
	const hinted = hint !== undefined && isAbsolute(hint) ? [hint] : [];
	const file = isWindows ? `${name}.exe` : name;
	for (const candidate of hinted) {
		if (await isProgram(candidate)) {
			return candidate;
		}
	}
	const open = (await placesOf(refusedFolders)).filter((folder) => dirname(folder) !== folder);
	const folders = absoluteFolders(path);
	// In parallel, because each check waits for the disk. PATH order decides.
	const areThere = await Promise.all(folders.map((folder) => isProgram(join(folder, file))));
	for (const folder of folders.filter((_, at) => areThere[at] === true)) {
		const candidate = join(folder, file);
		if (!(await liesIn(open, [folder, candidate]))) {
			return candidate;
		}
	}
	return undefined;
}

/** Paths and their link targets. */
async function placesOf(paths: readonly string[]): Promise<readonly string[]> {
	const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
	return [...paths, ...real];
}

async function liesIn(folders: readonly string[], paths: readonly string[]): Promise<boolean> {
	const places = await placesOf(paths);
	return places.some((place) => folders.some((folder) => isInside(place, folder)));
}

/** PATH folders that do not depend on the working directory. */
export function absoluteFolders(path: string): readonly string[] {
	return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

function isInside(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Like a shell, skips files that are not executable. */
async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
