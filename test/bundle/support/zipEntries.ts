import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const endLength = 22;
const deflated = 8;

/** The files in a zip file by name, found through its central directory. */
export function zipEntries(file: string): ReadonlyMap<string, Buffer> {
	const bytes = readFileSync(file);
	let end = bytes.length - endLength;
	while (end >= 0 && bytes.readUInt32LE(end) !== endSignature) {
		end--;
	}
	const entries = new Map<string, Buffer>();
	let at = bytes.readUInt32LE(end + 16);
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
		const local = bytes.readUInt32LE(at + 42);
		const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
		const content = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
		entries.set(
			bytes.toString('utf8', at + 46, at + 46 + name),
			bytes.readUInt16LE(at + 10) === deflated ? inflateRawSync(content) : content,
		);
		at += 46 + name + extra + comment;
	}
	return entries;
}
