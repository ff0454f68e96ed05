import { joinedFlow, unstuffed } from './flowedText.ts';
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

/** What the text parts of a mail say one after another. */
export function mailContent(parts: readonly TextPart[]): MailContent {
	const body = inTurn(parts.map(({ decoded, isFlowed }) => (isFlowed ? unstuffed(decoded) : decoded)));
	const isFlowed = parts.some((part) => part.isFlowed);
	return {
		body,
		text: isFlowed || body.includes('\r') ? inTurn(parts.map(forPeople)) : body,
		isFlowed,
	};
}

function forPeople({ decoded, isFlowed, delSp }: TextPart): string {
	const lines = withPlainEnds(decoded);
	// A blank that goes may have stood between a CR and the end of its line.
	return isFlowed ? withPlainEnds(joinedFlow(lines, delSp)) : lines;
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
