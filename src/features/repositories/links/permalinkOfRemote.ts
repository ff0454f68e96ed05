import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { LineRange, RepositoryRef } from '../../../forge/repository.ts';
import { isObjectId } from '../../../git/objectId.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { headRevision } from '../../../state/repositories/repositoryReferences.ts';
import type { RepositoriesSubject } from '../subjects/subjects.ts';
import { linkOfSubject } from '../subjects/webLink.ts';

/**
 * Address of something remote that leads to the same content for ever. What is open is read from one commit, and that is
 * the one: a branch that went on meanwhile changes nothing. `undefined` for names that no address can hold.
 */
export async function permalinkOfRemote(
	connections: Connections,
	subject: RepositoriesSubject,
	lines: LineRange | undefined,
	signal: AbortSignal,
): Promise<string | undefined> {
	const connection = connectionOf(connections, subject);
	return linkOfSubject(connection.instance, await pinned(connection, subject, lines, signal));
}

async function pinned(
	connection: Connection,
	subject: RepositoriesSubject,
	lines: LineRange | undefined,
	signal: AbortSignal,
): Promise<RepositoriesSubject> {
	const { connectionKey, ref } = subject;
	const commitAt = (revision: string): Promise<string> => commitOf(connection, ref, revision, signal);
	switch (subject.kind) {
		case 'commit':
			return subject;
		case 'repository':
			return { kind: 'reference', connectionKey, ref, revision: await commitAt(headRevision) };
		case 'reference':
			return { ...subject, revision: await commitAt(subject.revision) };
		case 'folder':
		case 'submodule':
			return { ...subject, at: { ...subject.at, ref: await commitAt(subject.at.ref) } };
		case 'file':
			return { ...subject, at: { ...subject.at, ref: await commitAt(subject.at.ref) }, ...(lines ? { lines } : {}) };
	}
}

async function commitOf(
	{ repositories }: Connection,
	ref: RepositoryRef,
	revision: string,
	signal: AbortSignal,
): Promise<string> {
	const commit = isObjectId(revision) ? revision : (await repositories.standing(ref, revision, signal))?.commit.id;
	if (commit === undefined) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return commit;
}
