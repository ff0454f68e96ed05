import { artifactStream, fileWish, homeFile, type StreamOptions } from '../../answers/streamedFile.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { Blob } from '../../forge/repository.ts';
import { isBinary } from '../../git/isBinary.ts';
import { isObjectId, provenBy, provenInSlices } from '../../git/objectId.ts';
import { orNotFound } from '../door/listed.ts';
import type { BlobBeginning } from './gitAnswers.ts';
import type { GitParts } from './gitParts.ts';
import { findFile, readFile, readFiles } from './objectDocuments.ts';
import { objectsById } from './objectsById.ts';
import { checkedSteps } from './revisions.ts';

/** Larger files don't stay in memory. */
const limitBytes = 20 * 1024 * 1024;

/** A file and its repository's id. */
interface FoundFile {
	readonly repositoryId: number;
	readonly file: BlobBeginning;
}

/**
 * Reads files over GraphQL. The response contains text, but silently cuts long files (docs/protocol.md#graphql-files).
 * If the text doesn't match the id, a download follows.
 */
export function graphqlFiles(
	{ caller, named }: GitParts,
	streaming: StreamOptions,
): Pick<RepositoryApi, 'blob' | 'blobById'> & Required<Pick<RepositoryApi, 'blobStream' | 'artifact'>> {
	async function whole({ repositoryId, file }: FoundFile, signal: AbortSignal): Promise<Blob> {
		const { id, text } = file;
		const told = text === undefined ? undefined : new TextEncoder().encode(text);
		if (told && provenBy(id, 'blob', told) === 'same') {
			return { bytes: told, isBinary: isBinary(told) };
		}
		const path = bytesAt(repositoryId, id);
		const bytes = await caller.get({ area: 'git', scope: 'data:read', path, limitBytes }, signal);
		if ((await provenInSlices({ id, kind: 'blob', bytes }, nextTurn, signal)) === 'other') {
			throw new ForgeError({
				kind: 'notUnderstood',
				where: 'content',
				why: 'it is another file than the one asked for',
			});
		}
		return { bytes, isBinary: isBinary(bytes) };
	}

	const byId = objectsById<FoundFile>(async (ref, ids, signal) => {
		const found = await named.ask(readFiles, ref, { ids }, signal);
		return new Map(
			found?.objects.flatMap((file) => (file ? [[file.id, { repositoryId: found.id, file }] as const] : [])),
		);
	});

	return {
		async blob(ref, { ref: revision, path }, signal) {
			const variables = { revision, path: checkedSteps(path) };
			const found = orNotFound(await named.ask(readFile, ref, variables, signal));
			return whole({ repositoryId: found.id, file: orNotFound(found.path?.object) }, signal);
		},
		blobById: async ({ ref, id }, signal) => whole(orNotFound(await byId(ref)(id, signal)), signal),
		async *blobStream(ref, { ref: revision, path }, most, signal) {
			const variables = { revision, path: checkedSteps(path) };
			const found = orNotFound(await named.ask(findFile, ref, variables, signal));
			const bytes = bytesAt(found.id, orNotFound(found.path?.object).id);
			yield* homeFile(streaming, { wish: fileWish, path: bytes, limitBytes: most }, signal);
		},
		artifact: artifactStream(streaming),
	};
}

/** Download path of a file. Responses contain a URL too, but it is untrusted. */
function bytesAt(repositoryId: number, id: string): string {
	if (!isObjectId(id)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'content', why: 'the id of the file is none' });
	}
	return `/query/blob/${repositoryId}/${id}`;
}
