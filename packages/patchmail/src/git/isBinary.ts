/** Same test as in git and servers: a NUL byte near the start. */
export function isBinary(bytes: Uint8Array): boolean {
	return bytes.subarray(0, 8000).includes(0);
}
