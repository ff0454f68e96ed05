import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ProgramName } from './gitFailure.ts';

/** Where programs are looked for. */
export interface ProgramPlaces {
	/** The variable PATH. */
	readonly path: string;
	readonly isWindows: boolean;
	/** Folders that PATH means nothing in: those of the workspace, which may hold a `git.exe` of somebody else. */
	readonly refusedFolders: readonly string[];
}

/**
 * The absolute path of a program. `hint` is what the user or the editor says of it, and is taken when it is absolute. Else
 * the folders of PATH are looked through: never the working directory, no relative folder, and nothing that lies inside of a
 * folder that is open, by its name or by where links lead.
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
	// All at once, since each look waits for the disk; which of them counts is decided in their order.
	const areThere = await Promise.all(folders.map((folder) => isProgram(join(folder, file))));
	for (const folder of folders.filter((_, at) => areThere[at] === true)) {
		const candidate = join(folder, file);
		if (!(await liesIn(open, [folder, candidate]))) {
			return candidate;
		}
	}
	return undefined;
}

/** Folders by their names and by where links lead. */
async function placesOf(paths: readonly string[]): Promise<readonly string[]> {
	const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
	return [...paths, ...real];
}

async function liesIn(folders: readonly string[], paths: readonly string[]): Promise<boolean> {
	const places = await placesOf(paths);
	return places.some((place) => folders.some((folder) => isInside(place, folder)));
}

/** The folders of a PATH in which a program is looked for, whichever folder one stands in. */
export function absoluteFolders(path: string): readonly string[] {
	return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

function isInside(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Like a shell, goes on to the next where something of that name cannot be run. */
async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
