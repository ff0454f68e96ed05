import { createHash } from 'node:crypto';

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
	const hash = createHash(id.length === 40 ? 'sha1' : 'sha256');
	return hash.update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex') === id ? 'same' : 'other';
}
