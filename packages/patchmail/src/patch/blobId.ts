import { createHash } from 'node:crypto';

/** Git's object id for a file with this content, like `git hash-object`: 40 hex digits, or 64. */
export function blobId(content: Uint8Array | string, hash: 'sha1' | 'sha256' = 'sha1'): string {
	const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
	return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const ids = new WeakMap<Uint8Array, string>();

/** Cached SHA-1 id. Never change the content afterwards. */
export function contentId(content: Uint8Array): string {
	const id = ids.get(content) ?? blobId(content);
	ids.set(content, id);
	return id;
}

/** Git never abbreviates further by default; shorter ids prove nothing. */
const fewestDigits = 7;
const shortIdDigits = 40;

/** True for an id of an `index` line that can prove a content. Zeros mean no file. */
export function canProve(stated: string | undefined): stated is string {
	return stated !== undefined && stated.length >= fewestDigits && /[^0]/.test(stated);
}

/** True for an unabbreviated id. */
export function isFullId(stated: string | undefined): boolean {
	return stated !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(stated);
}

/** Whether a content has the id of an `index` line, abbreviated or full. False without an id that can prove it. */
export function isStated(content: Uint8Array, stated: string | undefined): boolean {
	return (
		canProve(stated) &&
		(stated.length > shortIdDigits ? blobId(content, 'sha256') : contentId(content)).startsWith(stated)
	);
}
