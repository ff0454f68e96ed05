import * as vscode from 'vscode';
import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { readingTool } from '../../../editor/models/languageTool.ts';
import { namedIn, textField, ToolInputError, largestAnswerBytes } from '../../../editor/models/toolInput.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { visible } from '../../../engine/text/visible.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef, TreePath, TreeEntry } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { isSafeName, entryKind } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';

import { shownName } from '../subjects/words.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Maximum characters of a name. */
const longestName = 500;

/** A place in a repository with the account that reads it. */
export interface ToolPlace {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** The path is empty for the root. */
	readonly at: TreePath;
}

/** The place that the fields "repository", "reference" and "path" name. Without a reference it is the default branch. */
function placeField(input: unknown, connections: Connections): ToolPlace {
	const named = namedIn(textField(input, 'repository') ?? '', connections, (text, { instance }) =>
		webOf(instance).pastedRepository?.(text),
	);
	if (!named) {
		throw new ToolInputError('Name the repository as ~owner/name or by its address on a forge that is signed in to.');
	}
	const { what: ref, accounts } = named;
	const reader =
		accounts.find(({ me }) => me === ref.owner) ??
		accounts.find(
			({ repositories }) =>
				repositories.metadata.known(ref) !== undefined ||
				repositories.followed.all().some((each) => refText(each) === refText(ref)),
		);
	const revision = textField(input, 'reference') ?? headRevision;
	// Slashes at the ends are forgiven, and a dot is the root.
	const path = (textField(input, 'path') ?? '').replaceAll(/^(?:\.?\/)+|\/+$/g, '');
	if (path !== '' && path !== '.' && !path.split('/').every(isSafeName)) {
		throw new ToolInputError('Give the path from the root of the repository, with one slash between its steps.');
	}
	return { connection: reader ?? named.connection, ref, at: { ref: revision, path: path === '.' ? '' : path } };
}

/** The commit for all reads of one answer. */
async function commitOf({ connection, ref, at }: ToolPlace, signal: AbortSignal): Promise<string> {
	if (isObjectId(at.ref)) {
		return at.ref;
	}
	const standing = await connection.repositories.newestPinned(ref, at.ref, signal);
	if (!standing) {
		throw new ToolInputError('This repository is empty: it has no commit yet.');
	}
	return standing.commit.id;
}

/** One line about the place, and for stale data a second line with its age. */
function headText({ connection, ref, at }: ToolPlace, commit: string): string {
	const before = connection.repositories.names.known(ref)?.logBefore(at.ref);
	const path = at.path === '' ? '(root)' : nameText(at.path);
	const reference = at.ref === headRevision ? 'the default branch' : nameText(at.ref);
	const head = `${nameText(refText(ref))} at ${reference}, commit ${commit}: ${path}`;
	return [head, ...readBeforeLines(before)].join('\n');
}

/** A name on a single line, with hidden characters spelled out and a length limit. */
export function nameText(name: string): string {
	const shown = shownName(name);
	return shown.length > longestName ? `${shown.slice(0, longestName).toWellFormed()}…` : shown;
}

const lineFeed = 10;

/** Counting more lines would block the extension host noticeably. */
const mostLines = 1_000_000;

const utf8 = new TextEncoder();

/** Maximum size of the frame and the head lines. */
const headBytes = 6 * 1024;

/** Read-only repository tools for language models. All repository content carries the remote mark. */
export const repositoryTools = {
	forge_readFile: readingTool(() => vscode.l10n.t('Loading a file of a repository'), readFile),
};

interface Asked {
	readonly first: number;
	readonly last: number;
}

/** A file, or some of its lines, up to the size limit. Describes non-text content in words. */
export async function readFile(connections: Connections, input: unknown, signal: AbortSignal): Promise<string> {
	const place = placeField(input, connections);
	const first = lineField(input, 'firstLine') ?? 1;
	const last = lineField(input, 'lastLine') ?? Number.POSITIVE_INFINITY;
	if (last < first) {
		throw new ToolInputError('"lastLine" comes before "firstLine".');
	}
	const asked = { first, last };
	const { connection, ref, at } = place;
	if (at.path === '') {
		throw new ToolInputError('Name a file in the field "path".');
	}
	const commit = await commitOf(place, signal);
	const found = await connection.repositories.folders.find(ref, { ref: commit, path: at.path }, signal);
	if (found.kind === 'root') {
		throw new ForgeError({ kind: 'notFound' });
	}
	return untrustedFrame(await contentOf(place, commit, found.entry, asked, signal), largestAnswerBytes);
}

async function contentOf(place: ToolPlace, commit: string, entry: TreeEntry, asked: Asked, signal: AbortSignal) {
	const head = headText(place, commit);
	const { connection, ref } = place;
	switch (entryKind(entry)) {
		case 'folder':
			return `${head}\nThis is a folder, which has no lines.`;
		case 'submodule':
			return `${head}\nThis is a submodule: another repository, at its commit ${nameText(entry.id)}. Nothing of it is here.`;
		case 'unknown':
			return `${head}\nThis is of a kind that is not known here, so it is not read.`;
		case 'symlink': {
			const { bytes } = await connection.repositories.objects.blob(ref, entry.id, signal);
			const target = new TextDecoder().decode(bytes.subarray(0, 4096));
			return `${head}\nThis is a symbolic link, which is not followed. It points to: ${nameText(target)}`;
		}
		case 'file':
		case 'executable': {
			const { bytes, isBinary } = await connection.repositories.objects.blob(ref, entry.id, signal);
			return isBinary || bytes.subarray(0, 8000).includes(0)
				? `${head}\nThis is a binary file of ${bytes.byteLength} bytes, which cannot be shown as text.`
				: textOf(place, commit, bytes, asked);
		}
	}
}

function textOf(place: ToolPlace, commit: string, bytes: Uint8Array, asked: Asked): string {
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
	const range =
		some.first === 1 && last === some.total && some.isCounted
			? `All ${some.total} lines:`
			: `Lines ${some.first} to ${last} of ${totalText(some)}:`;
	let leftOut = '';
	if (some.isCut) {
		const next = last < some.total ? ` Ask again with firstLine ${last + 1} for what follows.` : '';
		leftOut = ` Line ${last} is too long, and only its beginning is here.${next}`;
	} else if (last < Math.min(some.total, asked.last)) {
		leftOut = ` What follows is left out, because it is too long. Ask again with firstLine ${last + 1}.`;
	}
	const { connection, ref, at } = place;
	const address = webOf(connection.instance).address({
		kind: 'file',
		ref,
		at: { ref: commit, path: at.path },
		lines: { first: some.first, last },
	});
	return [
		head,
		...(address === undefined ? [] : [`address of these lines: ${address}`]),
		`${range}${leftOut}`,
		'',
		...some.lines,
	].join('\n');
}

function totalText({ total, isCounted }: { readonly total: number; readonly isCounted: boolean }): string {
	return isCounted ? String(total) : `more than ${total}`;
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

/** Some lines of a file, as many as there is room for. */
export interface SomeLines {
	readonly lines: readonly string[];
	/** Number of the first one, from 1. */
	readonly first: number;
	/** Number of lines in the file, as far as counted. */
	readonly total: number;
	/** False if counting stopped before the end of a long file. */
	readonly isCounted: boolean;
	/** True if a line exceeded the room and lost its end. */
	readonly isCut: boolean;
}

/**
 * Lines `first` to `last` of a UTF-8 text that fit into `roomBytes`, including escaped hidden characters and the
 * frame's mark on each line. Counts other lines without decoding.
 */
export function linesOfFile(bytes: Uint8Array, { first, last }: Asked, roomBytes: number): SomeLines {
	const lines: string[] = [];
	let room = roomBytes;
	let isCut = false;
	let total = 0;
	let start = 0;
	while (start < bytes.length && total < mostLines) {
		const found = bytes.indexOf(lineFeed, start);
		const end = found === -1 ? bytes.length : found;
		total += 1;
		if (total >= first && total <= last && room > 0) {
			// Bytes that are no UTF-8 become the replacement character; a break of two characters is one.
			const line = new TextDecoder('utf-8', { ignoreBOM: true })
				.decode(bytes.subarray(start, Math.min(end, start + roomBytes)))
				.replace(/\r$/, '');
			// Each break that a reader may see one in gets a mark of its own.
			room -= utf8.encode(visible(line)).byteLength + 3 * line.split(/[\v\f\r\u0085\u2028\u2029]/).length;
			if (room >= 0) {
				lines.push(line);
			} else if (lines.length === 0) {
				// An escaped hidden character takes up to twelve bytes, any other up to four.
				lines.push(line.slice(0, Math.floor(roomBytes / 14)).toWellFormed());
				isCut = true;
			}
		}
		start = end + 1;
	}
	return { lines, first, total, isCounted: start >= bytes.length, isCut };
}
