import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { GitObject, ObjectType } from './gitObjects.ts';

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** A pack of whole objects for `git index-pack`, which verifies and adds it. */
export function writePack(objects: readonly GitObject[]): Buffer {
	const head = Buffer.alloc(12);
	head.write('PACK', 'latin1');
	head.writeUInt32BE(2, 4);
	head.writeUInt32BE(objects.length, 8);
	const parts: Uint8Array[] = [head];
	for (const { type, bytes } of objects) {
		parts.push(objectHead(typeNumbers[type], bytes.length), deflateSync(bytes, { level: 3 }));
	}
	const pack = Buffer.concat(parts);
	return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

/** Type and length: four bits of the length in the first byte, seven in each further one, the highest bit for "more". */
function objectHead(type: number, length: number): Buffer {
	const bytes: number[] = [];
	let rest = Math.floor(length / 16);
	let byte = (type << 4) | (length % 16);
	while (rest > 0) {
		bytes.push(byte | 0x80);
		byte = rest % 128;
		rest = Math.floor(rest / 128);
	}
	bytes.push(byte);
	return Buffer.from(bytes);
}
