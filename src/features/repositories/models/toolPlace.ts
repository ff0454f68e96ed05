import { readBeforeLines } from '../../../editor/ask/readBefore.ts';
import { namedIn, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { RepositoryRef, TreePath } from '../../../forge/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { isSafeName } from '../../../store/repositories/repositoryEntries.ts';
import { isObjectId } from '../../../engine/git/objectId.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { pastedRepository } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';

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
export function placeField(input: unknown, connections: Connections): ToolPlace {
	const { connection, ref } = repositoryField(input, connections);
	const revision = textField(input, 'reference') ?? headRevision;
	return { connection, ref, at: { ref: revision, path: pathField(input) } };
}

function repositoryField(
	input: unknown,
	connections: Connections,
): { readonly connection: Connection; readonly ref: RepositoryRef } {
	const named = namedIn(textField(input, 'repository') ?? '', connections, (text, { instance }) =>
		pastedRepository(text, instance.areas.git),
	);
	if (!named) {
		throw new ToolInputError('Name the repository as ~owner/name or by its address on a forge that is signed in to.');
	}
	const { what: ref, accounts, connection } = named;
	return { connection: readerOf(ref, accounts) ?? connection, ref };
}

/** The account that reads a repository: the owner's, otherwise one that knows it. */
function readerOf(ref: RepositoryRef, accounts: readonly Connection[]): Connection | undefined {
	const knows = ({ repositories }: Connection): boolean =>
		repositories.metadata.known(ref) !== undefined ||
		repositories.followed.all().some((each) => refText(each) === refText(ref));
	return accounts.find(({ me }) => me === ref.owner) ?? accounts.find(knows);
}

/** Slashes at the ends are forgiven, and a dot is the root. */
function pathField(input: unknown): string {
	const path = (textField(input, 'path') ?? '').replaceAll(/^(?:\.?\/)+|\/+$/g, '');
	if (path !== '' && path !== '.' && !path.split('/').every(isSafeName)) {
		throw new ToolInputError('Give the path from the root of the repository, with one slash between its steps.');
	}
	return path === '.' ? '' : path;
}

/** The commit for all reads of one answer. */
export async function commitOf({ connection, ref, at }: ToolPlace, signal: AbortSignal): Promise<string> {
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
export function headText({ connection, ref, at }: ToolPlace, commit: string): string {
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
