import { isObjectId, provenInSlices, type ObjectKind } from 'patchmail/git/objectId.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { KeptObjects } from '../../store/repositories/objects/repositoryObjects.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { cacheFolders, mebibyte } from './cacheFolders.ts';

/** Git object folders of accounts. */
export type ObjectFolders = ReturnType<typeof objectFolders>;

export interface ObjectLimits {
	/** Limit for all accounts together, in disk blocks, because most objects are small. */
	readonly bytes: number;
	/** Larger objects are not cached. */
	readonly objectBytes: number;
}

const objectLimits: ObjectLimits = { bytes: 512 * mebibyte, objectBytes: 32 * mebibyte };

/** `blob 12345678\0` */
const headerBytes = 32;

/** Stores objects in git's loose format, one folder per account below `folder`. */
export function objectFolders(folder: string, clock: Clock, limits: ObjectLimits = objectLimits) {
	const folders = cacheFolders(folder, clock, {
		bytes: limits.bytes,
		fileBytes: limits.objectBytes + headerBytes,
	});
	return {
		...folders,
		/** An account's objects. Creates nothing before the first write. */
		of(connectionKey: string): KeptObjects {
			const files = folders.of(connectionKey);
			return {
				// An invalid id could be a path out of the folder.
				async read(kind, id) {
					if (!isObjectId(id)) {
						return undefined;
					}
					return files.read(id, async (kept): Promise<Uint8Array | undefined> => {
						const end = kept.indexOf(0);
						const bytes = kept.subarray(end + 1);
						const isWhole = kept.toString('latin1', 0, end) === `${kind} ${bytes.length}`;
						return isWhole && (await isProven({ id, kind, bytes })) ? bytes : undefined;
					});
				},
				among: (ids) => files.among(ids),
				keep(kind, id, { aboutBytes, bytes: late }) {
					if (!isObjectId(id) || aboutBytes > limits.objectBytes) {
						return;
					}
					const bytes = async (): Promise<Uint8Array | undefined> => {
						const content = late();
						return content && (await isProven({ id, kind, bytes: content }))
							? Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
							: undefined;
					};
					files.keep(id, { aboutBytes, bytes, isNewer: false });
				},
			};
		},
	};
}

/** Never aborted: reads and writes verify their hash to the end. */
const never = new AbortController().signal;

async function isProven(object: {
	readonly id: string;
	readonly kind: ObjectKind;
	readonly bytes: Uint8Array;
}): Promise<boolean> {
	return (await provenInSlices(object, nextTurn, never)) === 'same';
}
