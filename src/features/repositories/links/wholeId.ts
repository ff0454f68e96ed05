/** True for the full id of an object, which names the same content for ever. */
export function isWholeId(revision: string): boolean {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision);
}
