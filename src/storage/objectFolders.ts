import { isObjectId, provenInSlices, type ObjectKind } from '../git/objectId.ts';
import type { Clock } from '../base/clock.ts';
import type { KeptObjects } from '../state/repositories/objects/keptObjects.ts';
import { nextTurn } from '../base/timeSlice.ts';
import { cacheFolders, mebibyte, type CacheFolders } from './cacheFolders.ts';

/** The folders in which the accounts' git objects are kept. */
export interface ObjectFolders extends Omit<CacheFolders, 'of'> {
	/** The objects of an account. Nothing is made before the first one is kept. */
	of(connectionKey: string): KeptObjects;
}

export interface ObjectLimits {
	/** The most that is kept of all accounts together, in whole blocks of the disk: most objects are small. */
	readonly bytes: number;
	/** A larger object is read anew each time. */
	readonly objectBytes: number;
}

const objectLimits: ObjectLimits = { bytes: 512 * mebibyte, objectBytes: 32 * mebibyte };

/** `blob 12345678\0` */
const headerBytes = 32;

/** Keeps objects below `folder` as git's own loose objects, in a folder for each account. */
export function objectFolders(folder: string, clock: Clock, limits: ObjectLimits = objectLimits): ObjectFolders {
	const folders = cacheFolders(folder, clock, {
		bytes: limits.bytes,
		fileBytes: limits.objectBytes + headerBytes,
	});
	return {
		...folders,
		of(connectionKey) {
			const files = folders.of(connectionKey);
			return {
				// What is no id may be a way out of the folder.
				read: (kind, id) =>
					isObjectId(id) ? files.read(id, (kept) => objectIn(kept, { kind, id })) : Promise.resolve(undefined),
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

async function objectIn(
	kept: Buffer,
	{ kind, id }: { readonly kind: ObjectKind; readonly id: string },
): Promise<Uint8Array | undefined> {
	const end = kept.indexOf(0);
	const bytes = kept.subarray(end + 1);
	const isWhole = kept.toString('latin1', 0, end) === `${kind} ${bytes.length}`;
	return isWhole && (await isProven({ id, kind, bytes })) ? bytes : undefined;
}

/** Nobody gives this up: what was read or is to be kept is looked through to its end. */
const never = new AbortController().signal;

async function isProven(object: {
	readonly id: string;
	readonly kind: ObjectKind;
	readonly bytes: Uint8Array;
}): Promise<boolean> {
	return (await provenInSlices(object, nextTurn, never)) === 'same';
}
