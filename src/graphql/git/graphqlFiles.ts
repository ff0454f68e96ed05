import { artifactStream, fileWish, homeFile, type StreamOptions } from '../../answers/streamedFile.ts';
import { gatheredReads, type GatheredRead } from '../../base/gatheredReads.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../forge/forgeError.ts';
import { refText } from '../../forge/namedRef.ts';
import type { Blob, RepositoryRef } from '../../forge/repository.ts';
import { isBinary } from '../../git/isBinary.ts';
import { isObjectId, provenBy, provenInSlices } from '../../git/objectId.ts';
import { orNotFound } from '../door/listed.ts';
import type { BlobBeginning } from './gitAnswers.ts';
import type { GitParts } from './gitParts.ts';
import { findFile, readFile, readFiles } from './objectDocuments.ts';
import { checkedSteps } from './revisions.ts';

/** What is larger is not held. */
const limitBytes = 20 * 1024 * 1024;
/** Files of one answer, whose texts are up to 128 KiB each. */
const mostAtOnce = 30;

/** A file with the number of its repository. */
interface FoundFile {
	readonly repositoryId: number;
	readonly file: BlobBeginning;
}

/**
 * Files, over GraphQL. Text comes with the answer, which cuts long ones without a word (docs/protocol.md#graphql-files): what
 * its id does not prove is asked for again as bytes. Several that are wanted at once are one question.
 */
export function graphqlFiles(
	{ caller, named }: GitParts,
	streaming: StreamOptions,
): Pick<RepositoryApi, 'blob' | 'blobById'> & Required<Pick<RepositoryApi, 'blobStream' | 'artifact'>> {
	const gathered = new Map<string, GatheredRead<FoundFile>>();

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

	async function filesById(
		ref: RepositoryRef,
		ids: readonly string[],
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, FoundFile>> {
		try {
			const found = await named.ask(readFiles, ref, { ids }, signal);
			return new Map(
				found?.objects.flatMap((file) => (file ? [[file.id, { repositoryId: found.id, file }] as const] : [])),
			);
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'notFound' || ids.length === 1) {
				throw error;
			}
			// One of them is not there, and nobody says which.
			const single = await Promise.all(
				ids.map((id) => filesById(ref, [id], signal).catch((failure: unknown) => noneIfMissing(failure))),
			);
			return new Map(single.flatMap((each) => [...each]));
		}
	}

	function byId(ref: RepositoryRef): GatheredRead<FoundFile> {
		const key = refText(ref);
		const read =
			gathered.get(key) ??
			gatheredReads({ read: (ids, signal) => filesById(ref, ids, signal), mostAtOnce, mostUnderWay: 2 });
		gathered.set(key, read);
		return read;
	}

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

/** Where the service has the bytes of a file. Answers name it too, and are not believed. */
function bytesAt(repositoryId: number, id: string): string {
	if (!isObjectId(id)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'content', why: 'the id of the file is none' });
	}
	return `/query/blob/${repositoryId}/${id}`;
}

function noneIfMissing(error: unknown): ReadonlyMap<string, FoundFile> {
	if (isForgeError(error) && error.problem.kind === 'notFound') {
		return new Map();
	}
	throw error;
}
