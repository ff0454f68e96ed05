import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { idArgument } from './gitNames.ts';
import { provenBy } from 'patchmail/git/objectId.ts';

/** Limit per file, as for clones. */
const mostBytes = 8 * 1024 * 1024;
/** `blob 12345678\0` */
const headerBytes = 32;

const inflated = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflate);

/** A file that git unpacked into its own object file; `undefined` if it is missing, too large, or has another id. */
export async function looseBlob(folder: string, id: string): Promise<Uint8Array | undefined> {
	const path = join(folder, 'objects', idArgument(id).slice(0, 2), id.slice(2));
	try {
		const whole = await inflated(await readFile(path), { maxOutputLength: mostBytes + headerBytes });
		const end = whole.indexOf(0);
		const bytes = new Uint8Array(whole.subarray(end + 1));
		const isBlob = whole.toString('latin1', 0, end) === `blob ${bytes.length}`;
		return isBlob && provenBy(id, 'blob', bytes) === 'same' ? bytes : undefined;
	} catch {
		return undefined;
	}
}
