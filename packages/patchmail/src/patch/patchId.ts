import { createHash, type Hash } from 'node:crypto';
import { lineEnd, nextLine } from './textLines.ts';

interface Reading {
	hash: Hash;
	/** Sum of the hashes of all finished files, little-endian. */
	readonly sum: Uint8Array;
	/** Remaining lines of the hunk; -1 in a header. */
	old: number;
	fresh: number;
	hasHunks: boolean;
	hasLines: boolean;
	isBinary: boolean;
	/** Both ids of the `index` line of the current file. */
	ids: readonly [string, string];
}

/**
 * Patch id like `git patch-id --stable`. Line numbers, the order of files and whitespace do not affect it. `from`:
 * offset of the diff in the text. `undefined` for a text without a diff.
 */
export function patchId(text: string, from = 0): string | undefined {
	const reading: Reading = {
		hash: createHash('sha1'),
		sum: new Uint8Array(20),
		old: -1,
		fresh: -1,
		hasHunks: false,
		hasLines: false,
		isBinary: false,
		ids: ['', ''],
	};
	for (let at = from; at < text.length; at = nextLine(text, at)) {
		const line = text.slice(at, lineEnd(text, at));
		// `\ No newline at end of file`, in any language.
		const isRemark = line.startsWith('\\ ') && line.length > 11;
		if (!isRemark && (reading.hasLines || line.startsWith('diff ')) && !readLine(reading, line)) {
			break;
		}
	}
	if (!reading.hasLines) {
		return undefined;
	}
	closeFile(reading);
	return Buffer.from(reading.sum).toString('hex');
}

/** False after the last line of the diff. */
function readLine(reading: Reading, line: string): boolean {
	if (reading.old === -1) {
		const kind = headerKind(reading, line);
		if (kind !== 'counts') {
			return kind === 'passedOver';
		}
	}
	if (reading.isBinary) {
		if (line.startsWith('diff ')) {
			reading.isBinary = false;
			reading.old = -1;
		}
		// Like git, ignore the first line of the next file.
		return true;
	}
	if (reading.old === 0 && reading.fresh === 0) {
		const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))?/.exec(line);
		if (counts) {
			[reading.old, reading.fresh] = [Number(counts[1] ?? 1), Number(counts[2] ?? 1)];
			reading.hasHunks = true;
			return true;
		}
		if (!line.startsWith('diff ')) {
			return false;
		}
		if (reading.hasHunks) {
			closeFile(reading);
		}
		[reading.old, reading.fresh, reading.hasHunks] = [-1, -1, false];
	}
	const sign = line.charAt(0);
	reading.old -= sign === '-' || sign === ' ' ? 1 : 0;
	reading.fresh -= sign === '+' || sign === ' ' ? 1 : 0;
	reading.hasLines = true;
	reading.hash.update(line.replaceAll(/[ \t\n\r]+/g, ''));
	return true;
}

function headerKind(reading: Reading, line: string): 'counts' | 'passedOver' | 'ends' {
	if (line.startsWith('GIT binary patch') || line.startsWith('Binary files')) {
		reading.isBinary = true;
		reading.old = 0;
		reading.ids.forEach((id) => reading.hash.update(id));
		closeFile(reading);
		return 'passedOver';
	}
	if (line.startsWith('index ')) {
		const [, one = '', other = ''] = /^index ([0-9a-f]*)\.\.([0-9a-f]*)/.exec(line) ?? [];
		reading.ids = [one, other];
		return 'passedOver';
	}
	if (line.startsWith('--- ')) {
		[reading.old, reading.fresh] = [1, 1];
	} else if (!/^[a-z]/i.test(line)) {
		return 'ends';
	}
	return 'counts';
}

function closeFile(reading: Reading): void {
	let carry = 0;
	for (const [at, byte] of reading.hash.digest().entries()) {
		carry += reading.sum[at]! + byte;
		reading.sum[at] = carry & 0xff;
		carry >>= 8;
	}
	reading.hash = createHash('sha1');
}
