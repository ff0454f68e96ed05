import { largestAnswerBytes, ToolInputError } from '../../../editor/models/toolInput.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { TreeEntry } from '../../../forge/repository.ts';
import type { Connections } from '../../../state/connection.ts';
import { entryKind } from '../../../state/repositories/repositoryEntries.ts';
import { untrustedFrame } from '../../../text/untrustedFrame.ts';
import { linkOfSubject } from '../subjects/webLink.ts';
import { linesOfFile, type SomeLines } from './linesOfFile.ts';
import { placeField, type ToolPlace } from './toolPlace.ts';
import { commitOf, headText, nameText } from './toolTexts.ts';

/** Maximum size of the frame and the head lines. */
const headBytes = 6 * 1024;

interface Asked {
	readonly first: number;
	readonly last: number;
}

/** A file, or some of its lines, up to the size limit. Describes non-text content in words. */
export async function readFile(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const place = placeField(input, connections);
	const asked = linesField(input);
	const { connection, ref, at } = place;
	if (at.path === '') {
		throw new ToolInputError('Name a file in the field "path"; forge_listFolder shows what is in the root.');
	}
	const commit = await commitOf(place, signal);
	const found = await connection.repositories.find(ref, { ref: commit, path: at.path }, signal);
	if (found.kind === 'root') {
		throw new ForgeError({ kind: 'notFound' });
	}
	return untrustedFrame(await contentOf({ place, commit, entry: found.entry }, asked, signal), largestAnswerBytes);
}

interface FoundEntry {
	readonly place: ToolPlace;
	readonly commit: string;
	readonly entry: TreeEntry;
}

async function contentOf({ place, commit, entry }: FoundEntry, asked: Asked, signal: AbortSignal): Promise<string> {
	const head = headText(place, commit);
	const { connection, ref } = place;
	switch (entryKind(entry)) {
		case 'folder':
			return `${head}\nThis is a folder. forge_listFolder shows what is in it.`;
		case 'submodule':
			return `${head}\nThis is a submodule: another repository, at its commit ${nameText(entry.id)}. Nothing of it is here.`;
		case 'unknown':
			return `${head}\nThis is of a kind that is not known here, so it is not read.`;
		case 'symlink': {
			const { bytes } = await connection.repositories.blob(ref, entry.id, signal);
			const target = new TextDecoder().decode(bytes.subarray(0, 4096));
			return `${head}\nThis is a symbolic link, which is not followed. It points to: ${nameText(target)}`;
		}
		case 'file':
		case 'executable': {
			const { bytes, isBinary } = await connection.repositories.blob(ref, entry.id, signal);
			return isBinary || bytes.subarray(0, 8000).includes(0)
				? `${head}\nThis is a binary file of ${bytes.byteLength} bytes, which cannot be shown as text.`
				: textOf(place, { commit, bytes }, asked);
		}
	}
}

function textOf(
	place: ToolPlace,
	{ commit, bytes }: { readonly commit: string; readonly bytes: Uint8Array },
	asked: Asked,
): string {
	const head = headText(place, commit);
	const some = linesOfFile(bytes, asked, largestAnswerBytes - headBytes);
	if (some.lines.length === 0) {
		return `${head}\n${
			some.total === 0
				? 'The file is empty.'
				: `The file has ${totalText(some)} lines; line ${asked.first} cannot be read.`
		}`;
	}
	const last = some.first + some.lines.length - 1;
	const { connection, ref, at } = place;
	const address = linkOfSubject(connection.instance, {
		kind: 'file',
		connectionKey: connection.key,
		ref,
		at: { ref: commit, path: at.path },
		lines: { first: some.first, last },
	});
	return [
		head,
		...(address === undefined ? [] : [`address of these lines: ${address}`]),
		`${rangeText(some, last)}${leftOutText(some, last, asked)}`,
		'',
		...some.lines,
	].join('\n');
}

function rangeText({ first, total, isCounted }: SomeLines, last: number): string {
	return first === 1 && last === total && isCounted
		? `All ${total} lines:`
		: `Lines ${first} to ${last} of ${totalText({ total, isCounted })}:`;
}

function totalText({ total, isCounted }: Pick<SomeLines, 'total' | 'isCounted'>): string {
	return isCounted ? String(total) : `more than ${total}`;
}

/** Omitted lines within the requested range. */
function leftOutText({ isCut, total }: SomeLines, last: number, asked: Asked): string {
	if (isCut) {
		return ` Line ${last} is too long, and only its beginning is here.${last < total ? ` Ask again with firstLine ${last + 1} for what follows.` : ''}`;
	}
	return last < Math.min(total, asked.last)
		? ` What follows is left out, because it is too long. Ask again with firstLine ${last + 1}.`
		: '';
}

function linesField(input: unknown): Asked {
	const first = lineField(input, 'firstLine') ?? 1;
	const last = lineField(input, 'lastLine') ?? Number.POSITIVE_INFINITY;
	if (last < first) {
		throw new ToolInputError('"lastLine" comes before "firstLine".');
	}
	return { first, last };
}

function lineField(input: unknown, name: string): number | undefined {
	const value = isRecord(input) ? input[name] : undefined;
	if (value === undefined || value === null) {
		return undefined;
	}
	if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
		throw new ToolInputError(`The field "${name}" has to be a whole number from 1 on.`);
	}
	return value;
}
