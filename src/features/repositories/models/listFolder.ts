import { largestAnswerBytes, numberField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { treeOrPart } from '../../../store/repositories/repositoryFolders.ts';
import type { TreeEntry } from '../../../forge/port/repository.ts';
import type { Connections } from '../../../store/connection.ts';
import { entryKind, isSafeName } from '../../../store/repositories/repositoryEntries.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { placeField } from './toolPlace.ts';
import { commitOf, headText, nameText } from './toolTexts.ts';

/** Default and maximum of listed entries. */
const mostEntries = 1000;
/** Maximum bytes of the frame and the head lines. */
const headBytes = 6 * 1024;

/** Entries of a folder with their kinds, cut to the answer size. */
export async function listFolder(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const place = placeField(input, connections);
	const limit = numberField(input, 'limit', { usual: mostEntries, most: mostEntries });
	const first = numberField(input, 'firstEntry', { usual: 1, most: Number.MAX_SAFE_INTEGER });
	const { connection, ref, at } = place;
	const commit = await commitOf(place, signal);
	if (at.path !== '') {
		const found = await connection.repositories.find(ref, { ref: commit, path: at.path }, signal);
		if (found.kind === 'entry' && entryKind(found.entry) !== 'folder') {
			throw new ToolInputError('This is no folder. forge_readFile tells what it is, and reads it if it is a file.');
		}
	}
	const reading = connection.repositories.folder(ref, { ref: commit, path: at.path }, signal);
	const { tree, isWhole } = await treeOrPart(reading);
	const { entries } = tree;
	const shown = thatFit(entries.slice(first - 1, first - 1 + limit));
	const notes = isWhole
		? []
		: ['The folder has more entries, which the forge does not tell. forge_readFile reads them by their paths.'];
	const count = countText({ first, shown: shown.length, all: entries.length });
	const content = [headText(place, commit), ...notes, count, ...shown];
	return untrustedFrame(content.join('\n'), largestAnswerBytes);
}

function countText({
	first,
	shown,
	all,
}: {
	readonly first: number;
	readonly shown: number;
	readonly all: number;
}): string {
	const last = first + shown - 1;
	if (all === 0) {
		return 'The folder is empty.';
	}
	if (shown === 0) {
		return `The folder has ${all} entries; there is no entry ${first}.`;
	}
	if (first === 1 && last === all) {
		return `All ${all} entries:`;
	}
	const rest = last < all ? ` ${all - last} more are left out. Ask again with firstEntry ${last + 1}.` : '';
	return `Entries ${first} to ${last} of ${all}:${rest}`;
}

function thatFit(entries: readonly TreeEntry[]): readonly string[] {
	const lines: string[] = [];
	let roomBytes = largestAnswerBytes - headBytes;
	for (const entry of entries) {
		const line = entryText(entry);
		roomBytes -= Buffer.byteLength(line) + 3;
		if (roomBytes < 0) {
			break;
		}
		lines.push(line);
	}
	return lines;
}

/** Kind first, because a name may contain anything. */
function entryText(entry: TreeEntry): string {
	const name = nameText(entry.name);
	return isSafeName(entry.name)
		? textOfKind(entry, name)
		: `unusable ${name} (no path can hold this name, so it cannot be read)`;
}

function textOfKind(entry: TreeEntry, name: string): string {
	switch (entryKind(entry)) {
		case 'folder':
			return `folder ${name}/`;
		case 'file':
			return `file ${name}`;
		case 'executable':
			return `executable ${name}`;
		case 'symlink':
			return `symlink ${name}`;
		case 'submodule':
			return `submodule ${name} (another repository, at its commit ${nameText(entry.id)})`;
		case 'unknown':
			return `unknown ${name}`;
	}
}
