import type { Email } from '../../lists/mailModel.ts';

/** A piece of a mail between two quotes. */
export interface Block {
	readonly source: Email;
	readonly text: string;
	/** Byte offset in the mail's text. */
	readonly start: number;
	readonly end: number;
	/** Index of the answered block; null in the first mail. */
	readonly parent: number | null;
}

/**
 * Blocks of a thread in mail order; mails without text have none. The parent of a quote was never observed: this forge
 * takes the first block of the parent mail.
 */
export function blocksOf(root: Email): readonly Block[] {
	const blocks: Block[] = [];
	const firstOf = new Map<Email, number>();
	for (const email of [root, ...root.answers]) {
		const parent = email.parent === null ? undefined : (firstOf.get(email.parent) ?? 0);
		const pieces = piecesOf(email.message.text);
		if (pieces.length > 0) {
			firstOf.set(email, blocks.length);
		}
		blocks.push(...pieces.map((piece) => ({ ...piece, source: email, parent: parent ?? null })));
	}
	return blocks;
}

function piecesOf(text: string): readonly Pick<Block, 'text' | 'start' | 'end'>[] {
	return Array.from(text.matchAll(/(?:^(?!>).*\n?)+/gm), ({ 0: piece, index }) => {
		const start = Buffer.byteLength(text.slice(0, index));
		return { text: piece, start, end: start + Buffer.byteLength(piece) };
	}).filter((piece) => piece.text.trim() !== '');
}
