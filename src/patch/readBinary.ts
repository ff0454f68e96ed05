import { decodeBase85, lineBytes } from './base85.ts';
import type { BinaryData, Damage } from './fileDiff.ts';
import { lineAt, lineEnd, nextLine } from './textLines.ts';

export interface BinaryReading {
	readonly forward: BinaryData | undefined;
	readonly reverse: BinaryData | undefined;
	readonly damage: readonly Damage[];
	readonly end: number;
}

/** Reads `GIT binary patch` or `Binary files … differ` at `at`; `undefined` for other lines. */
export function readBinary(text: string, at: number): BinaryReading | undefined {
	// Git ignores the binary data if this line has any further text.
	if (text.startsWith('GIT binary patch', at) && /^GIT binary patch\r?$/.test(lineAt(text, at))) {
		return readPatch(text, nextLine(text, at));
	}
	const isNotice = text.startsWith('Binary files ', at) || text.startsWith('Files ', at);
	if (isNotice && lineAt(text, at).endsWith(' differ')) {
		return { forward: undefined, reverse: undefined, damage: [], end: nextLine(text, at) };
	}
	return undefined;
}

function readPatch(text: string, at: number): BinaryReading {
	const forward = readData(text, at);
	if (forward?.data === undefined) {
		const damage = [{ kind: 'badBinary', at } as const];
		return { forward: undefined, reverse: undefined, damage, end: forward?.end ?? at };
	}
	const reverse = readData(text, forward.end);
	if (reverse !== undefined && reverse.data === undefined) {
		const damage = [{ kind: 'badBinary', at: forward.end } as const];
		return { forward: forward.data, reverse: undefined, damage, end: reverse.end };
	}
	return { forward: forward.data, reverse: reverse?.data, damage: [], end: reverse?.end ?? forward.end };
}

interface DataReading {
	/** `undefined` for malformed lines. */
	readonly data: BinaryData | undefined;
	/** Offset after the data, with the empty line at its end. */
	readonly end: number;
}

function readData(text: string, at: number): DataReading | undefined {
	const [, method, digits = ''] = /^(literal|delta) (\d{1,15})/.exec(text.slice(at, at + 24)) ?? [];
	if (method !== 'literal' && method !== 'delta') {
		return undefined;
	}
	const start = nextLine(text, at);
	let end = start;
	for (; end < text.length; end = nextLine(text, end)) {
		const length = lineLength(text, end);
		if (length === 0) {
			const isSound = decodeBase85(text, start, end) !== undefined;
			const data: BinaryData | undefined = isSound ? { method, size: Number(digits), start, end } : undefined;
			return { data, end: nextLine(text, end) };
		}
		if (!isDataLine(text, end, length)) {
			return { data: undefined, end };
		}
	}
	return { data: undefined, end };
}

function lineLength(text: string, at: number): number {
	const end = lineEnd(text, at);
	return (end > at && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end) - at;
}

/** A letter for the number of bytes, then five characters per four bytes. */
function isDataLine(text: string, at: number, length: number): boolean {
	const bytes = lineBytes(text.charCodeAt(at));
	const most = ((length - 1) / 5) * 4;
	return length >= 6 && (length - 1) % 5 === 0 && bytes > 0 && bytes <= most && bytes > most - 4;
}
