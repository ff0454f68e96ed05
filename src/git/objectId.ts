import { createHash, type Hash } from 'node:crypto';

export type ObjectKind = 'blob' | 'tree';

/** A full object id: 40 hex digits, or 64 in a repository of the newer kind. Nothing else is ever believed to be one. */
export function isObjectId(text: string): boolean {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * Whether an object is what its id promises, as `git hash-object` would say. `unknown` for ids that are not full ones,
 * which nothing can be proven by.
 */
export function provenBy(id: string, kind: ObjectKind, bytes: Uint8Array): 'same' | 'other' | 'unknown' {
	if (!isObjectId(id)) {
		return 'unknown';
	}
	return objectHash(id, kind, bytes.length).update(bytes).digest('hex') === id ? 'same' : 'other';
}

/** What is taken in at once: well within a frame. */
const sliceBytes = 2 * 1024 * 1024;

/** The same for what may be large: others have their turn between slices, by `breathe`. */
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

/** The hash that a full id is made by, with what git puts before the content. */
export function objectHash(id: string, kind: ObjectKind, sizeBytes: number): Hash {
	return createHash(id.length === 40 ? 'sha1' : 'sha256').update(`${kind} ${sizeBytes}\0`);
}
