import type { RepositoryApi } from '../../../forge/port/forge.ts';
import type { Blob, RepositoryRef } from '../../../forge/port/repository.ts';
import { blobId, isStated } from '../../../engine/patch/blobId.ts';
import type { RepositoryObjects } from './repositoryObjects.ts';

/** Reads a blob by its abbreviated id, verifies and caches it; `undefined` when the hash doesn't match. */
export type BlobByShortId = (ref: RepositoryRef, id: string, signal: AbortSignal) => Promise<Blob | undefined>;

/** `undefined` when the server doesn't support abbreviated ids. */
export function blobByShortId(
	api: Pick<RepositoryApi, 'blobByShortId'>,
	objects: Pick<RepositoryObjects, 'keepBlob'>,
): BlobByShortId | undefined {
	const ask = api.blobByShortId?.bind(api);
	return (
		ask &&
		(async (ref, id, signal) => {
			const blob = await ask(ref, id, signal);
			if (!isStated(blob.bytes, id)) {
				return undefined;
			}
			objects.keepBlob(ref, blobId(blob.bytes), blob);
			return blob;
		})
	);
}
