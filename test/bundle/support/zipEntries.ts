import { readFileSync } from 'node:fs';

const endSignature = 0x06054b50;
const endLength = 22;

/** The names in a zip file, read from its central directory. */
export function zipEntries(file: string): readonly string[] {
	const bytes = readFileSync(file);
	let end = bytes.length - endLength;
	while (end >= 0 && bytes.readUInt32LE(end) !== endSignature) {
		end--;
	}
	const names: string[] = [];
	let at = bytes.readUInt32LE(end + 16);
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
		names.push(bytes.toString('utf8', at + 46, at + 46 + (name ?? 0)));
		at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
	}
	return names;
}
