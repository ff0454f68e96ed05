import { isAbort } from '@forge-desk/base/abort.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { isBlob } from '../../../store/repositories/repositoryEntries.ts';
import type { RepositoryStore } from '../../../store/repositories/repositoryStore.ts';

/** More pixels would only fill the memory. */
const mostPixels = 25_000_000;

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
			const stands = await repositories.folders.find(ref, { ref: revision, path }, signal);
			if (stands.kind !== 'entry' || !isBlob(stands.entry)) {
				continue;
			}
			const { bytes } = await repositories.objects.blob(ref, stands.entry.id, signal);
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

/**
 * Media type of a safe picture, from its bytes only, never from its name; `undefined` for everything else and for
 * pictures that decompress to a huge size.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const found = bytes.byteLength < 32 ? undefined : (png(view) ?? gif(view) ?? webp(view) ?? jpeg(view));
	return found && found.width * found.height <= mostPixels ? found.type : undefined;
}

interface Found {
	readonly type: string;
	readonly width: number;
	readonly height: number;
}

function png(view: DataView): Found | undefined {
	return view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452
		? { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
		: undefined;
}

function gif(view: DataView): Found | undefined {
	return view.getUint32(0) === 0x47494638
		? { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
		: undefined;
}

function webp(view: DataView): Found | undefined {
	if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) {
		return undefined;
	}
	const type = 'image/webp';
	switch (view.getUint32(12)) {
		// Lossy.
		case 0x56503820:
			return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
		// Lossless: 14 bits each, behind a signature.
		case 0x5650384c: {
			const bits = view.getUint32(21, true);
			return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		// With more than a picture in it: 24 bits each.
		case 0x56503858:
			return { type, width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
		default:
			return undefined;
	}
}

/** The first frame has the size; blocks of any length precede it. */
function jpeg(view: DataView): Found | undefined {
	if (view.getUint16(0) !== 0xffd8) {
		return undefined;
	}
	for (let at = 2; at + 9 < view.byteLength;) {
		const marker = view.getUint16(at);
		const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
		if (isFrame) {
			return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		}
		if (marker < 0xffc0) {
			return undefined;
		}
		at += 2 + view.getUint16(at + 2);
	}
	return undefined;
}
