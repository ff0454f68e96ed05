import { createHash } from 'node:crypto';

/** The object id that git gives to a file with this content, as `git hash-object` says: 40 hex digits. */
export function blobId(content: Uint8Array | string): string {
	const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
	return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
