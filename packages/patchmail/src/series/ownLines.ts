import { withoutArmor } from './armor.ts';
import { isAboveQuotation, isMailHead, isOriginalBelow, isPatchHead } from './originalMail.ts';

/** Lines behind this offset are ignored, to bound the time. */
const farthest = 1_000_000;

const quoted = /^[ \t]{0,8}[>|]/;

/**
 * The lines of a mail by its own writer, without line ends: no quotations, diffs, signature or original mail below.
 * Quoted lines are `undefined`, which separates the text around them.
 */
export function ownLines(text: string): readonly (string | undefined)[] {
	const all = text
		.slice(0, farthest)
		.split('\n')
		.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
	const lines: (string | undefined)[] = [];
	let isBegun = false;
	let part = partAt('own', all, 0);
	const bareLines = withoutArmor(all);
	const texts = bareLines.map((line) => line ?? '');
	const signed = signedLines(texts, /^-- $/, all.length);
	for (const [at, bare] of bareLines.entries()) {
		if (bare === undefined) {
			lines.push(undefined);
			continue;
		}
		// At the top of a text, a mail head belongs to a forwarded patch.
		const isHead: boolean = isBegun && part !== 'message' && isMailHead(all, at);
		part = isHead && isPatchHead(all, at) ? 'message' : partAt(part, all, at);
		const isMark = part !== 'message' && (isHead || isOriginalBelow(all, at));
		if (isMark && !isAboveQuotation(all, at)) {
			break;
		}
		isBegun ||= bare.trim() !== '';
		lines.push(part !== 'own' || isMark || signed.has(at) || quoted.test(bare) ? undefined : bare);
	}
	return lines;
}

/** `message`: from the head of a pasted patch to its diff. */
type Part = 'own' | 'message' | 'diff';

/** A diff inside a text ends at a blank line before a line of another kind. */
function partAt(part: Part, lines: readonly string[], at: number): Part {
	const line = lines[at]!;
	if (line.startsWith('diff --')) {
		return 'diff';
	}
	const isDiffLine =
		line.trim() === '' ||
		/^(?:[ +@\\-]|(?:index|old mode|new mode|new file|deleted file|similarity|rename|copy|Binary|GIT binary) )/.test(
			line,
		);
	return part === 'diff' && !isDiffLine && lines[at - 1]!.trim() === '' ? 'own' : part;
}

/** More lines below `-- ` are no signature. */
export const longestSignature = 12;
/** Maximum lines of an attribution between a signature and a quotation. */
const mostAttribution = 4;
/** Text that no signature has: footnotes, trailers, questions. */
const ofWriter = /^\[\d{1,3}\]|^[A-Za-z][A-Za-z-]{1,40}-by:.{1,200}@|^\p{L}.{10,400}\?$/u;

/**
 * The lines of signatures. A signature has a short rest up to a quotation, an original or `footer`; after a long one,
 * the writer continued. Dashes without a blank may separate text of the writer, so only a few lines and an attribution
 * may follow.
 */
export function signedLines(texts: readonly string[], delimiter: RegExp, footer: number): ReadonlySet<number> {
	const found = new Set<number>();
	for (const [at, line] of texts.entries()) {
		if (!found.has(at) && delimiter.test(line)) {
			const end = signatureEnd(texts, at, footer);
			for (let signed = at; signed < end; signed++) {
				found.add(signed);
			}
		}
	}
	return found;
}

/** `at` if no signature starts there. */
function signatureEnd(texts: readonly string[], at: number, footer: number): number {
	const isBare = texts[at] === '--';
	let end = at + 1;
	let written = 0;
	while (end < footer && written <= 2 * longestSignature && !isEnd(texts, end)) {
		if (!isBare && texts[end - 1]!.trim() === '' && ofWriter.test(texts[end]!)) {
			return end;
		}
		written += texts[end]!.trim() === '' ? 0 : 1;
		end += 1;
	}
	const isShort = isBare ? isBlock(texts, at, end) : written <= longestSignature;
	return isShort ? end : at;
}

function isEnd(texts: readonly string[], at: number): boolean {
	return texts[at]!.startsWith('>') || texts[at] === '-- ' || isOriginalBelow(texts, at) || isMailHead(texts, at);
}

/** True for a few lines directly below dashes, and at most an attribution further down. */
function isBlock(texts: readonly string[], at: number, end: number): boolean {
	const below = texts.slice(at + 1, Math.min(end, at + 2 + 2 * longestSignature)).map((line) => line.trimEnd());
	const blank = below.indexOf('');
	const further = blank === -1 ? [] : below.slice(blank).filter((line) => line !== '');
	const isAttribution = end < texts.length && further.length <= mostAttribution && /[:：]$/.test(further.at(-1) ?? '');
	return blank !== 0 && below.length <= 2 * longestSignature && (further.length === 0 || isAttribution);
}
