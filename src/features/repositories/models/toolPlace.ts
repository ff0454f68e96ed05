import { signedInOr, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { RepositoryRef, TreePath } from '../../../forge/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { isSafeName } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { pastedRepository } from '../subjects/webLink.ts';

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
	const text = textField(input, 'repository') ?? '';
	const all = signedInOr(connections.all());
	for (const { instance } of all) {
		const ref = pastedRepository(text, instance.areas.git);
		if (ref) {
			const isAddress = /^\s*(?:https?:|ssh:|git@)/i.test(text);
			const accounts = isAddress ? all.filter(({ instance: { id } }) => id === instance.id) : all;
			const connection = readerOf(ref, accounts);
			if (connection) {
				return { connection, ref };
			}
		}
	}
	throw new ToolInputError('Name the repository as ~owner/name or by its address on a forge that is signed in to.');
}

/** The account that reads a repository: the owner's, otherwise one that knows it, otherwise the first. */
function readerOf(ref: RepositoryRef, accounts: readonly Connection[]): Connection | undefined {
	const knows = ({ repositories }: Connection): boolean =>
		repositories.knownRepository(ref) !== undefined ||
		repositories.followedRepositories().some((each) => refText(each) === refText(ref));
	return accounts.find(({ me }) => me === ref.owner) ?? accounts.find(knows) ?? accounts[0];
}

/** Slashes at the ends are forgiven, and a dot is the root. */
function pathField(input: unknown): string {
	const path = (textField(input, 'path') ?? '').replaceAll(/^(?:\.?\/)+|\/+$/g, '');
	if (path !== '' && path !== '.' && !path.split('/').every(isSafeName)) {
		throw new ToolInputError('Give the path from the root of the repository, with one slash between its steps.');
	}
	return path === '.' ? '' : path;
}
