/**
 * Mails have a CR at the end of every line. The language's own replacement makes a string per line, and costs more
 * than the rest of reading a mail.
 */

/** Longer texts are rare, and are put together of their lines. */
const longestAtOnce = 32_768;
/** So many bytes UTF-8 takes for one unit of UTF-16 at most. */
const mostBytes = 3;
const wordBytes = 4;

/** Of each byte of a word everything but the highest bit. */
const lowBits = 0x7f7f_7f7f;
const [carriageReturns, lineFeeds] = [0x0d0d_0d0d, 0x0a0a_0a0a];
const [carriageReturn, lineFeed] = [0x0d, 0x0a];

/** Where text becomes bytes and text again; one for all mails, as they are read one after another. */
interface Workbench {
	readonly source: Buffer;
	readonly sourceView: DataView;
	readonly target: Buffer;
	readonly targetView: DataView;
}

let workbench: Workbench | undefined;

/** Text with the line ends that it had before it travelled: of each CRLF the CR is gone, and every other CR stays. */
export function withLineFeeds(text: string): string {
	if (!text.includes('\r')) {
		return text;
	}
	return text.length <= longestAtOnce && text.isWellFormed()
		? shortened(text, (workbench ??= newWorkbench()))
		: text.split('\r\n').join('\n');
}

/** Text with the line ends of people, however many CRs its sender wrote. */
export function withPlainEnds(text: string): string {
	const pieces: string[] = [];
	let start = 0;
	for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n', start)) {
		let plainEnd = end;
		while (text.charCodeAt(plainEnd - 1) === carriageReturn) {
			plainEnd -= 1;
		}
		pieces.push(text.slice(start, plainEnd));
		start = end + 1;
	}
	pieces.push(text.slice(start));
	return pieces.join('');
}

function newWorkbench(): Workbench {
	// The last word is looked at whole, and so is the one behind it.
	const size = longestAtOnce * mostBytes + 2 * wordBytes;
	const [source, target] = [Buffer.alloc(size), Buffer.alloc(size)];
	return { source, sourceView: viewOf(source), target, targetView: viewOf(target) };
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
	return new DataView(buffer, byteOffset, byteLength);
}

function shortened(text: string, { source, sourceView, target, targetView }: Workbench): string {
	const length = source.write(text);
	source.fill(0, length, length + 2 * wordBytes);
	const end = (length + wordBytes - 1) & -wordBytes;
	let to = 0;
	let word = sourceView.getInt32(0, true);
	for (let at = wordBytes; at <= end; at += wordBytes) {
		const next = sourceView.getInt32(at, true);
		const behind = (word >>> 8) | (next << 24);
		// The highest bit of each byte that is the CR of a CRLF.
		const ends = bytesThatAreNone(word ^ carriageReturns) & bytesThatAreNone(behind ^ lineFeeds);
		if ((ends & (ends - 1)) === 0) {
			// Drops at most one byte, without a branch on it: a misprediction costs more than this loop.
			const before = (ends >>> 7) - 1;
			targetView.setInt32(to, (word & before) | ((word >>> 8) & ~before), true);
			to += wordBytes + ((ends | -ends) >> 31);
		} else {
			to = copyBytes(source, target, at - wordBytes, to);
		}
		word = next;
	}
	const kept = to - (end - length);
	// If bytes and units are equal in number, all are ASCII.
	return target.toString(length === text.length ? 'latin1' : 'utf8', 0, kept);
}

/** The highest bit of each byte that is 0. */
function bytesThatAreNone(word: number): number {
	return ~(((word & lowBits) + lowBits) | word | lowBits);
}

/** The same as for a word, byte by byte. Returns where the next byte goes. */
function copyBytes(source: Buffer, target: Buffer, from: number, to: number): number {
	let end = to;
	for (let at = from; at < from + wordBytes; at += 1) {
		const byte = source[at]!;
		if (byte !== carriageReturn || source[at + 1] !== lineFeed) {
			target[end] = byte;
			end += 1;
		}
	}
	return end;
}
