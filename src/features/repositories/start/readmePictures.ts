import { isAbort } from '../../../base/abort.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { isBlob } from '../../../state/repositories/repositoryEntries.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';
import { pictureType } from './pictureType.ts';

/** Limits for a README's pictures; the rest stay links. */
const limits = { pictures: 12, bytes: 512 * 1024, bytesOfAll: 2 * 1024 * 1024 } as const;

export interface PictureReading {
	readonly repositories: RepositoryStore;
	readonly ref: RepositoryRef;
	readonly revision: string;
	/** A failing picture must not stop the others. */
	readonly failed: (error: unknown) => void;
}

/** Pictures by their path, as `data:` addresses. */
export type Pictures = ReadonlyMap<string, string>;

export const noPictures: Pictures = new Map();

/** Loads pictures one by one up to the limits. Skips pictures that are too large, unsafe or missing. */
export async function readPictures(
	paths: readonly string[],
	{ repositories, ref, revision, failed }: PictureReading,
	signal: AbortSignal,
): Promise<Pictures> {
	const found = new Map<string, string>();
	let left: number = limits.bytesOfAll;
	for (const path of [...new Set(paths)].slice(0, limits.pictures)) {
		if (left <= 0) {
			break;
		}
		try {
			const stands = await repositories.find(ref, { ref: revision, path }, signal);
			if (stands.kind !== 'entry' || !isBlob(stands.entry)) {
				continue;
			}
			const { bytes } = await repositories.blob(ref, stands.entry.id, signal);
			// Loaded bytes count, even of a rejected picture.
			left -= bytes.byteLength;
			const type = bytes.byteLength <= limits.bytes && left >= 0 ? pictureType(bytes) : undefined;
			if (type !== undefined) {
				found.set(path, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
			}
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failed(error);
		}
	}
	return found;
}

/**
 * Hands pictures to a renderer, within a total size: a text can repeat a picture any number of times, each with its own
 * copy.
 */
export function pictureGiver(pictures: Pictures): (path: string) => string | undefined {
	let left: number = limits.pictures;
	let charactersLeft = limits.bytesOfAll * 2;
	return (path) => {
		const picture = pictures.get(path);
		if (picture === undefined || left === 0 || picture.length > charactersLeft) {
			return undefined;
		}
		left -= 1;
		charactersLeft -= picture.length;
		return picture;
	};
}
