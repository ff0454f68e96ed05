import type { TextPiece } from '../protocol/mailView.ts';
import { h } from './dom.ts';
import { pilled } from './texts.ts';

/** Plain text with its links. Whoever shows it catches the clicks, see `followLinks`. */
export function textPieces(pieces: readonly TextPiece[]): DocumentFragment {
	const fragment = document.createDocumentFragment();
	for (const piece of pieces) {
		const text = pilled(piece.text);
		fragment.append(piece.kind === 'link' ? h('a', { href: piece.href, title: piece.href }, text) : text);
	}
	return fragment;
}
