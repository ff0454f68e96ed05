import { withPlainEnds } from './lineEnds.ts';

/** One text part, decoded. */
export interface TextPart {
	readonly decoded: string;
	readonly isFlowed: boolean;
	readonly delSp: boolean;
}

/** The text of a mail, for programs and for people. */
export interface MailContent {
	readonly body: string;
	readonly text: string;
	readonly isFlowed: boolean;
}

/** The text parts of a mail, in order. */
export function mailContent(parts: readonly TextPart[]): MailContent {
	const body = inTurn(parts.map(({ decoded, isFlowed }) => (isFlowed ? unstuffed(decoded) : decoded)));
	const isFlowed = parts.some((part) => part.isFlowed);
	if (!isFlowed && !body.includes('\r')) {
		return { body, text: body, isFlowed };
	}
	const texts = parts.map((part) => {
		const lines = withPlainEnds(part.decoded);
		// The removed blank may be between a CR and the line end.
		return part.isFlowed ? withPlainEnds(joinedFlow(lines, part.delSp)) : lines;
	});
	return { body, text: inTurn(texts), isFlowed };
}

/** Texts one after another, each but the last one with an end to its last line. */
export function inTurn(texts: readonly string[]): string {
	const last = texts.length - 1;
	return texts.map((text, at) => (at === last ? text : withLastLineEnd(text))).join('');
}

/** Text whose last line has an end; a text without any line stays empty. */
export function withLastLineEnd(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A line of flowed text, its marks taken off (RFC 3676, 4.2). */
interface FlowedLine {
	/** Number of leading `>`. */
	readonly depth: number;
	readonly content: string;
}

const signatureLine = '-- ';

/** Lines of flowed text without the stuffed blank; not joined. */
export function unstuffed(text: string): string {
	return (text.startsWith(' ') ? text.slice(1) : text).replaceAll('\n ', '\n');
}

/**
 * Flowed text as people read it: lines that end in a blank go on in the next one of the same depth. With `delSp` that
 * blank was added by the sender's program and goes.
 */
export function joinedFlow(text: string, delSp: boolean): string {
	return paragraphsOf(text, delSp)
		.map(({ depth, parts }) => {
			const quotes = '>'.repeat(depth);
			return quotes === '' ? parts.join('') : `${quotes} ${parts.join('')}`;
		})
		.join('\n');
}

/** For each line of flowed text, its line in {@link joinedFlow}. */
export function joinedLineNumbers(text: string): readonly number[] {
	return paragraphsOf(text, false).flatMap(({ parts }, at) => parts.map(() => at));
}

interface Paragraph {
	readonly depth: number;
	/** One for each of its lines. */
	readonly parts: readonly string[];
}

function paragraphsOf(text: string, delSp: boolean): readonly Paragraph[] {
	const paragraphs: { readonly depth: number; readonly parts: string[] }[] = [];
	let isOpen = false;
	for (const line of text.split('\n')) {
		const { depth, content } = flowedLine(line);
		const isSignature = content === signatureLine;
		const last = paragraphs.at(-1);
		const goesOn = isOpen && !isSignature && depth === last?.depth ? last.parts : undefined;
		isOpen = !isSignature && content.endsWith(' ');
		const part = isOpen && delSp ? content.slice(0, -1) : content;
		if (goesOn) {
			goesOn.push(part);
		} else {
			paragraphs.push({ depth, parts: [part] });
		}
	}
	return paragraphs;
}

function flowedLine(line: string): FlowedLine {
	let depth = 0;
	while (line[depth] === '>') {
		depth += 1;
	}
	const rest = line.slice(depth);
	return { depth, content: rest.startsWith(' ') ? rest.slice(1) : rest };
}
