import type { CompletionWish } from '../../protocol/ticketProtocol.ts';

/** What somebody is typing that may be completed. */
export interface TypedWish {
	readonly wish: CompletionWish;
	/** How many characters before the caret a suggestion takes the place of. */
	readonly length: number;
}

/** No more than this before the caret is looked at: the longest text with its sign and what comes before it. */
export const wishReach = 160;

/** A sign after a blank or a parenthesis, and what follows it. */
const sign = /(?:^|[\s(])([~#])([^\s~#]{0,64})$/;

/** A label as the filter knows it: its name may be quoted, and is as long as it is not closed. */
const label = /(?:^|[\s(])!?label:("(?:[^"\\\n]|\\[^\n]){0,64}|[^\s"'\\]{0,64})$/;

/** Reads the text before a caret: `~per`, `#12`, `label:bu`, `!label:"good fi`. */
export function typedWish(before: string): TypedWish | undefined {
	const [, mark, text = ''] = sign.exec(before) ?? [];
	if (mark !== undefined) {
		return { wish: { kind: mark === '~' ? 'person' : 'ticket', text }, length: text.length + 1 };
	}
	const [, name] = label.exec(before) ?? [];
	if (name === undefined) {
		return undefined;
	}
	const plain = name.startsWith('"') ? name.slice(1).replaceAll(/\\(.)/g, '$1') : name;
	return { wish: { kind: 'label', text: plain }, length: name.length };
}
