/** As servers and git tell it: by a NUL near the beginning. */
export function isBinary(bytes: Uint8Array): boolean {
	return bytes.subarray(0, 8000).includes(0);
}
