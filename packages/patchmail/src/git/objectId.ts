import { createHash, type Hash } from 'node:crypto';

export type ObjectKind = 'blob' | 'tree';

/** True for a full object id: 40 hex digits, or 64 in SHA-256 repositories. */
export function isObjectId(text: string): boolean {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * Verifies an object against its id, like `git hash-object`. Returns `unknown` for abbreviated ids: they prove nothing.
 */
export function provenBy(id: string, kind: ObjectKind, bytes: Uint8Array): 'same' | 'other' | 'unknown' {
	if (!isObjectId(id)) {
		return 'unknown';
	}
	return objectHash(id, kind, bytes.length).update(bytes).digest('hex') === id ? 'same' : 'other';
}

/** Hashing this much takes less than a frame. */
const sliceBytes = 2 * 1024 * 1024;

/** `provenBy` for large objects: awaits `breathe` between slices, so the process stays responsive. */
export async function provenInSlices(
	{ id, kind, bytes }: { readonly id: string; readonly kind: ObjectKind; readonly bytes: Uint8Array },
	breathe: () => Promise<void>,
	signal: AbortSignal,
): Promise<'same' | 'other' | 'unknown'> {
	if (bytes.length <= sliceBytes || !isObjectId(id)) {
		return provenBy(id, kind, bytes);
	}
	const hash = objectHash(id, kind, bytes.length);
	for (let from = 0; from < bytes.length; from += sliceBytes) {
		hash.update(bytes.subarray(from, from + sliceBytes));
		await breathe();
		signal.throwIfAborted();
	}
	return hash.digest('hex') === id ? 'same' : 'other';
}

/** The id's hash algorithm, primed with git's object header. */
export function objectHash(id: string, kind: ObjectKind, sizeBytes: number): Hash {
	return createHash(id.length === 40 ? 'sha1' : 'sha256').update(`${kind} ${sizeBytes}\0`);
}
