import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether an inbox of the window has seen a thing, named as the inbox keeps it: what happens to it from then on is news. */
export function isWatched(dataFolder: string, name: string): boolean {
	return globSync(join(dataFolder, 'User/globalStorage/*/texts/*/inbox.json')).some((file) =>
		readFileSync(file, 'utf8').includes(name),
	);
}
