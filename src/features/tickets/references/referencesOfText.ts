import type { TicketRef } from '../../../forge/port/ticket.ts';
import { commentSpans, hasColours, proseSpans, type Span } from '../../../engine/text/commentSpans.ts';
import { messageEnd } from '../../../engine/text/commitTrailers.ts';
import { referencesIn, type WrittenReference } from '../../../engine/text/references.ts';

/** A reference before its lookup; the location of the text completes it. */
export type NamedTicket = Span &
	(
		| { readonly kind: 'address'; readonly origin: string; readonly ref: TicketRef }
		| { readonly kind: 'written'; readonly written: WrittenReference & { readonly kind: 'ticket' } }
	);

/** Nobody reads longer texts. */
const longestText = 500_000;

/**
 * Tickets in a document. Addresses and full references count anywhere, short ones only in prose: in Markdown outside
 * code, in comments, and in commit messages outside git's own lines.
 */
export function namedTickets(text: string, languageId: string, todoOrigins: readonly string[]): readonly NamedTicket[] {
	if (text.length > longestText) {
		return [];
	}
	const found = referencesIn(text, todoOrigins);
	if (found.length === 0) {
		return [];
	}
	const prose = spansOfProse(text, languageId);
	let at = 0;
	const isProse = ({ start, end }: Span): boolean => {
		while ((prose[at]?.end ?? Infinity) < end) {
			at += 1;
		}
		return (prose[at]?.start ?? Infinity) <= start;
	};
	return found.flatMap((each): readonly NamedTicket[] => {
		const { start, end } = each;
		if ('address' in each) {
			const { address, origin } = each;
			const { owner, name } = address;
			return address.kind === 'ticket'
				? [{ kind: 'address', start, end, origin, ref: { tracker: { owner, name }, id: address.id } }]
				: [];
		}
		const { written } = each;
		const isRight =
			written.kind === 'ticket' && (isFull(written) || (isProse(each) && !isColour(text, each, languageId)));
		return written.kind === 'ticket' && isRight ? [{ kind: 'written', start, end, written }] : [];
	});
}

function isFull({ owner, name }: WrittenReference & { readonly kind: 'ticket' }): boolean {
	return owner !== undefined && name !== undefined;
}

/** `#123` and `#112233` are colours in style sheets, even in their comments. */
function isColour(text: string, { start, end }: Span, languageId: string): boolean {
	return hasColours(languageId) && /^#(?:\d{3,4}|\d{6}|\d{8})$/.test(text.slice(start, end));
}

function spansOfProse(text: string, languageId: string): readonly Span[] {
	switch (languageId) {
		case 'markdown':
			return proseSpans(text);
		case 'git-commit':
			return messageSpans(text);
		case 'scminput':
			return [{ start: 0, end: text.length }];
		default:
			return commentSpans(text, languageId);
	}
}

/** The lines of a commit message in a file: without those that git takes for comments, and up to its scissors. */
function messageSpans(text: string): readonly Span[] {
	return Array.from(text.slice(0, messageEnd(text)).matchAll(/^(?!#)[^\n]+$/gm), ({ 0: line, index }) => ({
		start: index,
		end: index + line.length,
	}));
}
