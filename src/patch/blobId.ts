import { createHash } from 'node:crypto';

/** The object id that git gives to a file with this content, as `git hash-object` says: 40 hex digits, or 64. */
export function blobId(content: Uint8Array | string, hash: 'sha1' | 'sha256' = 'sha1'): string {
	const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
	return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const ids = new WeakMap<Uint8Array, string>();

/** The id by SHA-1 of a content that nobody changes any more; it is hashed once. */
export function contentId(content: Uint8Array): string {
	const id = ids.get(content) ?? blobId(content);
	ids.set(content, id);
	return id;
}

/** Fewer digits than git itself ever writes prove nothing. */
const fewestDigits = 7;
const shortIdDigits = 40;

/** True for an id of an `index` line that can prove a content. Zeros stand for no file at all. */
export function canProve(stated: string | undefined): stated is string {
	return stated !== undefined && stated.length >= fewestDigits && /[^0]/.test(stated);
}

/** Whether an `index` line states a whole id. */
export function isFullId(stated: string | undefined): boolean {
	return stated !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(stated);
}

/** Whether a content is the one that an `index` line names, perhaps by the beginning of its id; false where it names none. */
export function isStated(content: Uint8Array, stated: string | undefined): boolean {
	return (
		canProve(stated) &&
		(stated.length > shortIdDigits ? blobId(content, 'sha256') : contentId(content)).startsWith(stated)
	);
}
