import { Buffer } from 'node:buffer';

/** The bytes as text with one character for each, for places with names in any encoding. */
export function latin1(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
