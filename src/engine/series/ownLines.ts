import { withoutArmor } from './armor.ts';
import { isAboveQuotation, isMailHead, isOriginalBelow, isPatchHead } from './originalMail.ts';
import { signedLines } from './signature.ts';

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
	const isOver = part === 'diff' && !isDiffLine(line) && lines[at - 1]!.trim() === '';
	return isOver ? 'own' : part;
}

function isDiffLine(line: string): boolean {
	return (
		line.trim() === '' ||
		/^(?:[ +@\\-]|(?:index|old mode|new mode|new file|deleted file|similarity|rename|copy|Binary|GIT binary) )/.test(
			line,
		)
	);
}
