import type { Email } from '../../lists/mailModel.ts';

/** A piece of a thread's text: what somebody wrote between two quotes. */
export interface Block {
	readonly source: Email;
	readonly text: string;
	/** Bytes of the mail's text. */
	readonly start: number;
	readonly end: number;
	/** Place of the block that it answers; null for those of the first mail. */
	readonly parent: number | null;
}

/**
 * What a thread says, in pieces, each after the one that it answers. Mails without text make none. Which piece a quote is
 * of was never measured: here it is the first one of the mail that is answered.
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
